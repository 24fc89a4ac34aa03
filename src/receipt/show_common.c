#include "receipt/show_common.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/units.h"
#include "disk/hist.h"
#include "receipt/latency.h"

#define SHOW_COMMON_MIB 1048576.0

bool
show_common_told(const char *s)
{
	return s && *s;
}

bool
show_common_binding(const struct receipt_check *c)
{
	return strcmp(c->name, "reached-device") != 0;
}

static bool
show_common_all_hold(const struct receipt_check *c, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (c[i].holds != 1 && show_common_binding(&c[i]))
			return false;
	return true;
}

static const char *
show_common_contradiction(const struct receipt *r)
{
	size_t i;

	if (r->window_count == 0 && !r->probe)
		return "it has no window";
	if (r->probe && r->probe->sample_count != r->probe->job->runs)
		return "samples of the probe are missing";
	for (i = 0; i < r->window_count; i++)
		if (!show_common_all_hold(
			    r->windows[i].checks, r->windows[i].check_count))
			return "a check of a window does not hold";
	if (!r->prepare)
		return "it does not say how the target was written";
	if (!show_common_all_hold(r->prepare->checks, r->prepare->check_count))
		return "a check of the target does not hold";
	if (!r->derived && (!r->cleanup || r->cleanup->lab_removed != 1))
		return "it does not say that nothing was left";
	return NULL;
}

bool
show_common_complete(const struct receipt *r, const char **why)
{
	const char *against = NULL;

	if (r->complete == 1 && r->incomplete_count == 0)
		against = show_common_contradiction(r);
	if (why)
		*why = against;
	return r->complete == 1 && r->incomplete_count == 0 && !against;
}

/* A count of 64 bits at most; a receipt's rates end at 2^53. */
static char *
show_common_grouped(double v, char *out, size_t size)
{
	return units_count((uint64_t)(v + 0.5), out, size);
}

char *
show_common_rate(double per_second, char *out, size_t size)
{
	out[0] = '\0';
	if (isnan(per_second))
		return out;
	if (per_second >= 99.95)
		return show_common_grouped(per_second, out, size);
	if (per_second >= 0.9995)
		snprintf(out, size, "%.1f", per_second);
	else if (per_second >= 0.0005)
		snprintf(out, size, "%.3f", per_second);
	else
		snprintf(out, size, "<0.001");
	return out;
}

char *
show_common_mibs(double bytes_per_second, char *out, size_t size)
{
	double v = bytes_per_second / SHOW_COMMON_MIB;

	out[0] = '\0';
	if (isnan(v))
		return out;
	if (v >= 999.995)
		return show_common_grouped(v, out, size);
	if (v >= 0.005)
		snprintf(out, size, "%.2f", v);
	else
		snprintf(out, size, "<0.01");
	return out;
}

char *
show_common_ms(uint64_t ns, char *out, size_t size)
{
	if (!shape_has(ns))
		snprintf(out, size, "%s", ns == SHAPE_WITHHELD ? "-" : "");
	else if (ns < 500)
		snprintf(out, size, "<0.001");
	else
		units_ms3(ns, out, size);
	return out;
}

uint64_t
show_common_value(const struct receipt_latency *l, double per_cent)
{
	const struct latency_stat *s;
	uint64_t v = SHAPE_ABSENT;

	for (s = latency_stats(); l && s->per_cent > 0; s++)
		if (s->per_cent > per_cent - 0.001 &&
			s->per_cent < per_cent + 0.001)
			memcpy(&v, (const char *)l + s->offset, sizeof(v));
	return v;
}

char *
show_common_percentile(const struct receipt_latency *l, double per_cent,
	char *out, size_t size)
{
	uint64_t v = show_common_value(l, per_cent);
	size_t mark = 0;

	if (shape_has(v) && size > 1 &&
		hist_trust(l->n, per_cent) != HIST_PLAIN) {
		out[0] = '~';
		mark = 1;
	}
	show_common_ms(v, out + mark, size - mark);
	return out;
}

const struct receipt_job *
show_common_job(const struct receipt *r, const struct receipt_window *w)
{
	if (!r->plan || w->job >= r->plan->job_count)
		return NULL;
	return &r->plan->jobs[w->job];
}

bool
show_common_has_runs(const struct receipt *r, const struct receipt_window *w)
{
	const struct receipt_job *job = show_common_job(r, w);

	return w->run > 1 || (job && shape_has(job->runs) && job->runs > 1);
}

void
show_common_word(struct buf *b, const char *name, bool utf8)
{
	size_t i = b->len;

	text_clean(b, name, utf8);
	for (; i < b->len; i++)
		if (b->data[i] == ' ')
			b->data[i] = '_';
}

void
show_common_name(struct buf *b, const struct receipt *r,
	const struct receipt_window *w, bool utf8)
{
	show_common_word(b, w->name, utf8);
	if (show_common_has_runs(r, w))
		buf_printf(b, " #%llu", (unsigned long long)w->run);
}

void
show_common_line(struct buf *b, const struct show_common_label *label,
	const char *text, const struct text_style *style)
{
	char first[SHOW_COMMON_LABEL + 1];
	size_t word = strlen(label->word);
	struct buf line;

	if (!text || !*text)
		return;
	buf_init(&line);
	snprintf(first, sizeof(first), "%-*s", SHOW_COMMON_LABEL, label->word);
	text_wrap(&line, first, text, style);
	if (line.len >= word)
		text_colored(b, word ? label->color : TEXT_PLAIN, label->word,
			style);
	buf_str(b, buf_text(&line) + (line.len >= word ? word : 0));
	b->failed |= buf_failed(&line);
	buf_free(&line);
}

double
show_common_iops(const struct receipt_window *w)
{
	bool read = w->read && !isnan(w->read->iops);
	bool write = w->write && !isnan(w->write->iops);

	if (!read && !write)
		return NAN;
	return (read ? w->read->iops : 0) + (write ? w->write->iops : 0);
}
