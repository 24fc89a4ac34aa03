#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/stats.h"
#include "base/units.h"
#include "disk/hist.h"
#include "disk/plan.h"
#include "receipt/metric.h"
#include "receipt/show.h"
#include "receipt/show_common.h"

#define SHOW_KEYS_MIB 1048576.0

/* What the method of baseline (show.h) calls its windows. */
struct show_keys_word {
	const char *window;
	const char *prefix;
	const char *sync; /* of the latency of its syncs; NULL: it has none */
};

static const struct show_keys_word show_keys_words[] = {
	{ "qd1-randread", "qd1", NULL },
	{ "qd32-randread", "qd32", NULL },
	{ "qd4-mixed-70-30", "mixed_qd4", NULL },
	{ "fdatasync-8k-write", "fdatasync_qd1", "fdatasync_latency" },
	{ NULL, NULL, NULL },
};

/* The percentiles of a line: of which value, and in a key. */
static const struct {
	double per_cent;
	const char *word;
} show_keys_percentiles[] = {
	{ 50, "p50" },
	{ 95, "p95" },
	{ 99, "p99" },
	{ 99.9, "p99_9" },
};

#define SHOW_KEYS_PERCENTILES                                                  \
	(sizeof(show_keys_percentiles) / sizeof(show_keys_percentiles[0]))

/* Text from outside with each byte of `stops` as '_'. */
static void
show_keys_text(struct buf *b, const char *s, const char *stops)
{
	size_t from = b->len, i;

	text_clean(b, s, true);
	for (i = from; i < b->len; i++)
		if (strchr(stops, b->data[i]))
			b->data[i] = '_';
}

/* The same where blanks and '=' would end a key or make another one. */
static void
show_keys_token(struct buf *b, const char *s)
{
	show_keys_text(b, s, " =\"\\");
}

/* A whole sentence between quotes. */
static void
show_keys_quoted(struct buf *b, const char *key, const char *s)
{
	buf_printf(b, " %s=\"", key);
	show_keys_text(b, s, "\"\\");
	buf_char(b, '"');
}

static void
show_keys_environment(const struct receipt *r, struct buf *b)
{
	const struct receipt_host *h = r->host;

	buf_str(b, "environment=");
	show_keys_text(
		b, h && show_common_told(h->os) ? h->os : "unknown", "=");
	if (h && show_common_told(h->kernel)) {
		buf_str(b, " kernel=");
		show_keys_token(b, h->kernel);
	}
	if (r->target && show_common_told(r->target->filesystem)) {
		buf_str(b, " filesystem=");
		show_keys_token(b, r->target->filesystem);
	}
	if (r->tool && show_common_told(r->tool->version)) {
		buf_str(b, " ioreceipt=");
		show_keys_token(b, r->tool->version);
	}
	buf_str(b, " latency=clat\n");
}

static const struct show_keys_word *
show_keys_find(const struct receipt *r, const struct receipt_window *w)
{
	const struct show_keys_word *k;

	if (!r->plan || !r->plan->suite || strcmp(r->plan->suite, "baseline"))
		return NULL;
	for (k = show_keys_words; k->window; k++)
		if (strcmp(k->window, w->name) == 0)
			return k;
	return NULL;
}

/* "qd1" or the window's own name. */
static void
show_keys_prefix(
	const struct receipt *r, const struct receipt_window *w, struct buf *b)
{
	const struct show_keys_word *k = show_keys_find(r, w);

	if (k)
		buf_str(b, k->prefix);
	else
		show_keys_token(b, w->name);
}

/*
 * " read_p50_ms=0.264 ..."; what is withheld or absent is left out, what few
 * samples carry is named once more at the end: " read_few=p99_9".
 */
static void
show_keys_latency(
	const struct receipt_latency *l, const char *direction, struct buf *b)
{
	const char *few = "";
	char ms[SHOW_COMMON_FIGURE];
	uint64_t v;
	size_t i;

	for (i = 0; i < SHOW_KEYS_PERCENTILES; i++) {
		v = show_common_value(l, show_keys_percentiles[i].per_cent);
		if (shape_has(v))
			buf_printf(b, " %s%s_ms=%s", direction,
				show_keys_percentiles[i].word,
				units_ms3(v, ms, sizeof(ms)));
	}
	for (i = 0; i < SHOW_KEYS_PERCENTILES; i++) {
		v = show_common_value(l, show_keys_percentiles[i].per_cent);
		if (!shape_has(v) ||
			hist_trust(l->n, show_keys_percentiles[i].per_cent) ==
				HIST_PLAIN)
			continue;
		if (*few)
			buf_str(b, few);
		else
			buf_printf(b, " %sfew=", direction);
		buf_str(b, show_keys_percentiles[i].word);
		few = ",";
	}
}

/* One direction of a window. */
struct show_keys_lane {
	const char *direction; /* "read_" */
	const struct receipt_lane *lane;
};

static void
show_keys_lane(const struct receipt *r, const struct receipt_window *w,
	const struct show_keys_lane *at, struct buf *b)
{
	const struct receipt_lane *lane = at->lane;

	if (!lane || (isnan(lane->iops) && !lane->clat_ns))
		return;
	show_keys_prefix(r, w, b);
	if (show_common_has_runs(r, w))
		buf_printf(b, "_run=%llu", (unsigned long long)w->run);
	if (!isnan(lane->iops))
		buf_printf(b, " %siops=%.1f", at->direction, lane->iops);
	if (!isnan(lane->bw_bytes))
		buf_printf(b, " %smib_s=%.2f", at->direction,
			lane->bw_bytes / SHOW_KEYS_MIB);
	show_keys_latency(lane->clat_ns, at->direction, b);
	buf_char(b, '\n');
}

static void
show_keys_sync(
	const struct receipt *r, const struct receipt_window *w, struct buf *b)
{
	const struct show_keys_word *k = show_keys_find(r, w);

	if (!w->sync || !w->sync->lat_ns)
		return;
	if (k && k->sync) {
		buf_str(b, k->sync);
	} else {
		show_keys_prefix(r, w, b);
		buf_str(b, "_sync_latency");
	}
	if (show_common_has_runs(r, w))
		buf_printf(b, " run=%llu", (unsigned long long)w->run);
	show_keys_latency(w->sync->lat_ns, "", b);
	buf_char(b, '\n');
}

/*
 * Behind the last run of a job, where each that was declared is there: over
 * fewer the spread would be another figure under the same name.
 */
static void
show_keys_repeat(
	const struct receipt *r, const struct receipt_window *w, struct buf *b)
{
	const struct receipt_job *job = show_common_job(r, w);
	double iops[PLAN_WINDOWS_MAX];
	struct buf name;
	size_t i, n = 0;

	for (i = 0; i < r->window_count && n < PLAN_WINDOWS_MAX; i++) {
		if (strcmp(r->windows[i].name, w->name) != 0)
			continue;
		iops[n] = show_common_iops(&r->windows[i]);
		if (isnan(iops[n++]))
			return;
		if (&r->windows[i] == w)
			break;
	}
	if (n < 2 || !job || n != job->runs || stats_mean(iops, n) <= 0)
		return;
	buf_init(&name);
	show_keys_prefix(r, w, &name);
	buf_printf(b, "%s_repeat_iops_min=%.1f", buf_text(&name),
		stats_min(iops, n));
	buf_printf(b, " %s_repeat_iops_max=%.1f", buf_text(&name),
		stats_max(iops, n));
	buf_printf(b, " %s_repeat_iops_spread_pct=%.2f\n", buf_text(&name),
		stats_spread_pct(iops, n));
	b->failed |= buf_failed(&name);
	buf_free(&name);
}

/* A number with up to 3 decimals, none that are only zeros. */
static void
show_keys_number(struct buf *b, double v)
{
	size_t from = b->len;

	buf_printf(b, "%.3f", v);
	if (buf_failed(b) || !memchr(b->data + from, '.', b->len - from))
		return;
	while (b->data[b->len - 1] == '0')
		b->len--;
	if (b->data[b->len - 1] == '.')
		b->len--;
	b->data[b->len] = '\0';
}

static void
show_keys_metric(const struct metric *m, void *arg)
{
	struct buf *b = arg;

	buf_str(b, "metric ");
	show_keys_token(b, m->name);
	buf_char(b, '=');
	if (isnan(m->value)) {
		buf_str(b, "withheld\n");
		return;
	}
	show_keys_number(b, m->value);
	buf_printf(
		b, " %s%s\n", metric_unit_word(m->unit), m->few ? " few" : "");
}

static void
show_keys_end(const struct receipt *r, struct buf *b)
{
	const char *against;
	size_t i;

	if (show_common_complete(r, &against)) {
		buf_str(b,
			r->derived ? "receipt=median\n" : "receipt=complete\n");
		return;
	}
	for (i = 0; i < r->incomplete_count; i++) {
		buf_str(b, "incomplete");
		show_keys_quoted(b, "what", r->incomplete[i].what);
		show_keys_quoted(b, "why", r->incomplete[i].why);
		buf_char(b, '\n');
	}
	if (against)
		buf_printf(b,
			"incomplete what=\"receipt\" why=\"it says complete, "
			"but %s\"\n",
			against);
	buf_str(b, "receipt=incomplete\n");
}

void
show_keys(const struct receipt *r, struct buf *out)
{
	const struct receipt_window *w;
	struct show_keys_lane read = { "read_", NULL };
	struct show_keys_lane write = { "write_", NULL };
	size_t i;

	show_keys_environment(r, out);
	for (i = 0; i < r->window_count; i++) {
		w = &r->windows[i];
		read.lane = w->read;
		write.lane = w->write;
		show_keys_lane(r, w, &read, out);
		show_keys_lane(r, w, &write, out);
		show_keys_sync(r, w, out);
		show_keys_repeat(r, w, out);
	}
	metric_each(r, show_keys_metric, out);
	show_keys_end(r, out);
}
