#include "receipt/finding_case.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "receipt/show_common.h"

static const struct finding_rule *
finding_case_row(const struct finding_case *c, const char *code)
{
	const struct finding_rule *rule;

	for (rule = c->rules; rule->code; rule++)
		if (!strcmp(rule->code, code))
			return rule;
	return NULL;
}

static double
finding_case_value(const struct finding_rule *rule, const char *name)
{
	size_t i;

	for (i = 0; rule && i < FINDING_LIMITS_MAX && rule->limits[i].name; i++)
		if (!strcmp(rule->limits[i].name, name))
			return rule->limits[i].value;
	return NAN;
}

double
finding_case_limit(const struct finding_case *c, const char *name)
{
	return finding_case_value(c->rule, name);
}

double
finding_case_limit_of(
	const struct finding_case *c, const char *code, const char *name)
{
	return finding_case_value(finding_case_row(c, code), name);
}

void
finding_case_mark(struct finding_case *c, size_t i)
{
	c->marks[c->rule - c->rules][i] = true;
}

bool
finding_case_marked(const struct finding_case *c, const char *code, size_t i)
{
	const struct finding_rule *rule = finding_case_row(c, code);

	return rule && c->marks[rule - c->rules][i];
}

bool
finding_case_has(const struct finding_case *c, const char *code)
{
	size_t i;

	for (i = 0; i < c->found_count; i++)
		if (!strcmp(c->found[i].code, code))
			return true;
	return false;
}

bool
finding_case_marked_any(
	const struct finding_case *c, const char *const *codes, size_t i)
{
	for (; *codes; codes++)
		if (finding_case_marked(c, *codes, i))
			return true;
	return false;
}

void
finding_case_count(struct finding_case *c, struct finding_worst *worst,
	size_t i, double by)
{
	bool first = worst->count == 0;

	/* the directions of a window are judged apart, and count once */
	if (!c->marks[c->rule - c->rules][i])
		worst->count++;
	finding_case_mark(c, i);
	if (!first && by <= worst->by)
		return;
	worst->at = i;
	worst->by = by;
}

void
finding_case_figure(struct finding_draft *d, const char *key, double v)
{
	if (isnan(v) || d->figure_count == FINDING_CASE_FIGURES ||
		fabs(v) > (double)SHAPE_MAX)
		return;
	d->figures[d->figure_count].key = key;
	d->figures[d->figure_count++].value = shape_round(v);
}

void
finding_case_windows(struct finding_draft *d, const struct finding_worst *worst)
{
	if (worst->count > 1)
		finding_case_figure(d, "windows", (double)worst->count);
}

/* The sentence in at most FINDING_CASE_TEXT bytes, cut at a letter's end. */
static char *__attribute__((format(printf, 2, 0)))
finding_case_sentence(struct finding_case *c, const char *fmt, va_list args)
{
	char text[2 * FINDING_CASE_TEXT];
	size_t len;

	vsnprintf(text, sizeof(text), fmt, args);
	len = strlen(text);
	if (len > FINDING_CASE_TEXT) {
		len = FINDING_CASE_TEXT;
		while (len > 0 && ((unsigned char)text[len] & 0xc0) == 0x80)
			len--;
	}
	return arena_strndup(c->arena, text, len);
}

static struct shape_figure *
finding_case_keep(struct finding_case *c, const struct finding_draft *d)
{
	struct shape_figure *kept =
		arena_alloc(c->arena, d->figure_count, sizeof(*kept));

	if (kept && d->figure_count > 0)
		memcpy(kept, d->figures, d->figure_count * sizeof(*kept));
	return kept;
}

void
finding_case_say(struct finding_case *c, const struct finding_draft *d,
	const char *fmt, ...)
{
	struct receipt_finding *f = &c->found[c->found_count++];
	va_list args;

	f->code = c->rule->code;
	f->level = d->level;
	f->confidence = d->confidence;
	f->command = d->command;
	f->source = c->rule->source;
	f->rule = finding_rule_text(c->rule, c->arena);
	f->figures = finding_case_keep(c, d);
	f->figure_count = d->figure_count;
	va_start(args, fmt);
	f->text = finding_case_sentence(c, fmt, args);
	va_end(args);
	c->failed |= !f->rule || !f->figures || !f->text;
}

/* Text for a sentence; "" where memory has run out, which is noted. */
static const char *
finding_case_keep_text(struct finding_case *c, const char *text)
{
	const char *kept = arena_strdup(c->arena, text);

	c->failed |= !kept;
	return kept ? kept : "";
}

const char *
finding_case_where(struct finding_case *c, size_t i)
{
	const struct finding_window *w = &c->windows[i];
	char text[FINDING_CASE_TEXT];

	if (!show_common_has_runs(c->receipt, w->w))
		return w->w->name;
	snprintf(text, sizeof(text), "%.*s run %llu", FINDING_CASE_TEXT / 2,
		w->w->name, (unsigned long long)w->w->run);
	return finding_case_keep_text(c, text);
}

const char *
finding_case_more(struct finding_case *c, const struct finding_worst *worst)
{
	char text[48];

	if (worst->count < 2)
		return "";
	snprintf(text, sizeof(text), " (in %zu windows)", worst->count);
	return finding_case_keep_text(c, text);
}

const char *
finding_case_rate(struct finding_case *c, double per_second)
{
	char text[SHOW_COMMON_FIGURE];

	return finding_case_keep_text(
		c, show_common_rate(per_second, text, sizeof(text)));
}

const char *
finding_case_ms(struct finding_case *c, uint64_t ns)
{
	char number[SHOW_COMMON_FIGURE], text[SHOW_COMMON_FIGURE + 4];

	snprintf(text, sizeof(text), "%s ms",
		show_common_ms(ns, number, sizeof(number)));
	return finding_case_keep_text(c, text);
}

const char *
finding_case_bytes(struct finding_case *c, uint64_t bytes)
{
	char text[UNITS_SIZE];

	return finding_case_keep_text(
		c, units_bytes(bytes, text, sizeof(text)));
}

const struct receipt_latency *
finding_case_latency(const struct finding_window *w)
{
	const struct receipt_lane *lane = w->w->read ? w->w->read : w->w->write;

	return lane ? lane->lat_ns : NULL;
}

double
finding_case_iops(const struct finding_window *w)
{
	return show_common_iops(w->w);
}

bool
finding_case_is(const char *s, const char *word)
{
	return s && !strcmp(s, word);
}

bool
finding_case_alike(
	const struct finding_window *a, const struct finding_window *b)
{
	return finding_case_is(a->job->rw, b->job->rw) &&
	       finding_case_is(a->job->ioengine, b->job->ioengine) &&
	       a->job->bs_bytes == b->job->bs_bytes &&
	       a->job->rwmixread_pct == b->job->rwmixread_pct &&
	       a->job->fsync == b->job->fsync &&
	       a->job->fdatasync == b->job->fdatasync;
}

bool
finding_case_alone(const struct finding_window *w)
{
	return w->slots == 1;
}

bool
finding_case_deep(const struct finding_case *c, const struct finding_window *w)
{
	return (double)w->slots >=
	       finding_case_limit_of(c, FINDING_COMMON, "deep_slots");
}
