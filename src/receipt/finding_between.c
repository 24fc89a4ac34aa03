#include "receipt/finding_between.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shape.h"
#include "base/stats.h"
#include "disk/hist.h"

/* The windows of one name, by their index in the case. */
struct finding_group {
	size_t at[PLAN_WINDOWS_MAX];
	size_t count;
};

static bool
finding_between_is_first(const struct finding_case *c, size_t i)
{
	size_t k;

	for (k = 0; k < i; k++)
		if (!strcmp(c->windows[k].w->name, c->windows[i].w->name))
			return false;
	return true;
}

/* All runs of window i but those in which one of `codes` holds. */
static void
finding_between_collect(const struct finding_case *c, size_t i,
	const char *const *codes, struct finding_group *g)
{
	size_t k;

	g->count = 0;
	for (k = 0; k < c->window_count; k++)
		if (!strcmp(c->windows[k].w->name, c->windows[i].w->name) &&
			!finding_case_marked_any(c, codes, k))
			g->at[g->count++] = k;
}

static const char *const finding_between_none[] = { NULL };

static double
finding_between_median_iops(
	const struct finding_case *c, const struct finding_group *g)
{
	double v[PLAN_WINDOWS_MAX];
	size_t i;

	for (i = 0; i < g->count; i++)
		v[i] = finding_case_iops(&c->windows[g->at[i]]);
	return stats_median(v, g->count);
}

/* The median over g of a percentile of lat; NAN where a run lacks it. */
static double
finding_between_median_ns(const struct finding_case *c,
	const struct finding_group *g, size_t percentile)
{
	const struct receipt_latency *l;
	double v[PLAN_WINDOWS_MAX];
	uint64_t ns;
	size_t i;

	for (i = 0; i < g->count; i++) {
		l = finding_case_latency(&c->windows[g->at[i]]);
		if (!l)
			return NAN;
		memcpy(&ns, (const char *)l + percentile, sizeof(ns));
		if (!shape_has(ns))
			return NAN;
		v[i] = (double)ns;
	}
	return g->count > 0 ? stats_median(v, g->count) : NAN;
}

#define FINDING_BETWEEN_AT(m) offsetof(struct receipt_latency, m)

/* ---- depth ---------------------------------------------------------------- */

/* One I/O at a time beside the deepest that differs in nothing else. */
struct finding_depth {
	struct finding_group one, deep;
	double one_iops, deep_iops, ratio;
};

static bool
finding_between_deepest(
	const struct finding_case *c, size_t one, struct finding_depth *d)
{
	const struct finding_window *w, *deep = NULL;
	size_t i, at = 0;

	for (i = 0; i < c->window_count; i++) {
		w = &c->windows[i];
		if (!finding_case_deep(c, w) ||
			!finding_case_alike(&c->windows[one], w) ||
			(deep && w->slots <= deep->slots))
			continue;
		deep = w;
		at = i;
	}
	if (!deep)
		return false;
	finding_between_collect(c, one, finding_between_none, &d->one);
	finding_between_collect(c, at, finding_between_none, &d->deep);
	d->one_iops = finding_between_median_iops(c, &d->one);
	d->deep_iops = finding_between_median_iops(c, &d->deep);
	d->ratio = d->deep_iops / d->one_iops;
	return d->one_iops > 0 && !isnan(d->ratio);
}

/* The pair that gained least by depth. */
static bool
finding_between_depth(const struct finding_case *c, struct finding_depth *least)
{
	struct finding_depth d;
	bool found = false;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		if (!finding_case_alone(&c->windows[i]) ||
			!finding_between_is_first(c, i) ||
			!finding_between_deepest(c, i, &d) ||
			(found && d.ratio >= least->ratio))
			continue;
		*least = d;
		found = true;
	}
	return found;
}

void
finding_between_scaling(struct finding_case *c)
{
	struct finding_draft f = { .level = FINDING_NOTE };
	const char *verdict = "a single queue, or a limit";
	const struct finding_window *deep;
	struct finding_depth d;
	double p50;

	if (!finding_between_depth(c, &d))
		return;
	if (d.ratio >= finding_case_limit(c, "parallel"))
		verdict = "it works on them in parallel";
	else if (d.ratio >= finding_case_limit(c, "partly"))
		verdict = "it works on some of them in parallel";
	deep = &c->windows[d.deep.at[0]];
	p50 = finding_between_median_ns(c, &d.deep, FINDING_BETWEEN_AT(p50)) /
	      finding_between_median_ns(c, &d.one, FINDING_BETWEEN_AT(p50));
	finding_case_figure(&f, "slots", (double)deep->slots);
	finding_case_figure(&f, "iops_ratio", d.ratio);
	finding_case_figure(&f, "p50_ratio", p50);
	if (isnan(p50))
		finding_case_say(c, &f,
			"%llu in flight gave %.1f times the IOPS of one (%s "
			"beside %s): %s.",
			(unsigned long long)deep->slots, d.ratio, deep->w->name,
			c->windows[d.one.at[0]].w->name, verdict);
	else
		finding_case_say(c, &f,
			"%llu in flight gave %.1f times the IOPS of one at "
			"%.1f times the median latency (%s beside %s): %s.",
			(unsigned long long)deep->slots, d.ratio, p50,
			deep->w->name, c->windows[d.one.at[0]].w->name,
			verdict);
}

void
finding_between_high_iops(struct finding_case *c)
{
	struct finding_draft f = { .level = FINDING_NOTE };
	struct finding_depth d;
	double p99_9;

	if (!finding_between_depth(c, &d))
		return;
	p99_9 = finding_between_median_ns(c, &d.one, FINDING_BETWEEN_AT(p99_9));
	if (!(d.deep_iops >= finding_case_limit(c, "iops")) ||
		!(p99_9 >= finding_case_limit(c, "p99_9_ms") * 1e6))
		return;
	finding_case_figure(&f, "deep_iops", d.deep_iops);
	finding_case_figure(&f, "alone_p99_9_ns", p99_9);
	finding_case_say(c, &f,
		"%s reached %s IOPS, yet of I/Os that come one at a time (%s) "
		"one in a thousand takes %s or more: the first figure says "
		"nothing about the second.",
		c->windows[d.deep.at[0]].w->name,
		finding_case_rate(c, d.deep_iops),
		c->windows[d.one.at[0]].w->name,
		finding_case_ms(c, (uint64_t)p99_9));
}

/* ---- runs of one window --------------------------------------------------- */

/* Runs of one name whose median fell, and by how much. */
struct finding_fall {
	struct finding_group runs;
	uint64_t first_ns, last_ns;
	double pct;
};

static bool
finding_between_fell(
	const struct finding_case *c, size_t i, struct finding_fall *f)
{
	static const char *const disturbed[] = { "competing-io", "cpu-bound",
		"steal", NULL };
	const struct receipt_latency *first, *last;

	if (!finding_case_alone(&c->windows[i]) ||
		!finding_between_is_first(c, i))
		return false;
	finding_between_collect(c, i, disturbed, &f->runs);
	if (f->runs.count < 2 || c->windows[f->runs.at[0]].w->run != 1)
		return false;
	first = finding_case_latency(&c->windows[f->runs.at[0]]);
	last = finding_case_latency(&c->windows[f->runs.at[f->runs.count - 1]]);
	if (!first || !last || !shape_has(first->p50) ||
		!shape_has(last->p50) || first->p50 <= last->p50)
		return false;
	f->first_ns = first->p50;
	f->last_ns = last->p50;
	f->pct = (double)(first->p50 - last->p50) / (double)first->p50 * 100;
	return f->pct > finding_case_limit(c, "fall_pct");
}

/* Did writing the target become faster? */
static bool
finding_between_climbed(const struct finding_case *c)
{
	const struct receipt_prepare *p = c->receipt->prepare;

	return p && shape_has(p->first_quarter_ns) &&
	       shape_has(p->last_quarter_ns) &&
	       (double)p->first_quarter_ns >=
		       finding_case_limit(c, "quarter_ms") * 1e6 &&
	       (double)p->first_quarter_ns >
		       finding_case_limit(c, "rate_ratio") *
			       (double)p->last_quarter_ns;
}

static void
finding_between_fell_say(struct finding_case *c, const struct finding_fall *f)
{
	struct finding_draft d = { .level = FINDING_NOTE,
		.confidence = FINDING_POSSIBLE };
	const struct finding_group *g = &f->runs;

	finding_case_figure(&d, "first_p50_ns", (double)f->first_ns);
	finding_case_figure(&d, "last_p50_ns", (double)f->last_ns);
	finding_case_figure(&d, "fall_pct", f->pct);
	finding_case_say(c, &d,
		"the median of %s fell from %s in run %llu to %s in run %llu: "
		"storage that is slow when it is first touched, or a cache "
		"that filled.",
		c->windows[g->at[0]].w->name, finding_case_ms(c, f->first_ns),
		(unsigned long long)c->windows[g->at[0]].w->run,
		finding_case_ms(c, f->last_ns),
		(unsigned long long)c->windows[g->at[g->count - 1]].w->run);
}

static void
finding_between_climbed_say(struct finding_case *c)
{
	const struct receipt_prepare *p = c->receipt->prepare;
	struct finding_draft d = { .level = FINDING_NOTE,
		.confidence = FINDING_POSSIBLE };

	finding_case_figure(
		&d, "first_quarter_ns", (double)p->first_quarter_ns);
	finding_case_figure(&d, "last_quarter_ns", (double)p->last_quarter_ns);
	finding_case_say(c, &d,
		"writing the first quarter of the target took %s, the last %s: "
		"storage that is slow when it is first touched, or that others "
		"used meanwhile.",
		finding_case_ms(c, p->first_quarter_ns),
		finding_case_ms(c, p->last_quarter_ns));
}

void
finding_between_first_touch(struct finding_case *c)
{
	struct finding_fall f, most = { .pct = 0 };
	size_t i;

	for (i = 0; i < c->window_count; i++)
		if (finding_between_fell(c, i, &f) && f.pct > most.pct)
			most = f;
	if (most.pct > 0) {
		finding_case_mark(c, most.runs.at[0]);
		finding_between_fell_say(c, &most);
	} else if (finding_between_climbed(c)) {
		finding_between_climbed_say(c);
	}
}

/* ---- windows of a suite --------------------------------------------------- */

/* p99.9 that enough samples carry, of reads (n 0) or writes; 0: none. */
static uint64_t
finding_between_tail(const struct finding_window *w, int n)
{
	const struct receipt_lane *lane = n == 0 ? w->w->read : w->w->write;
	const struct receipt_latency *l = lane ? lane->lat_ns : NULL;

	if (!l || !shape_has(l->p99_9) || hist_trust(l->n, 99.9) != HIST_PLAIN)
		return 0;
	return l->p99_9;
}

/* Is neither more than `most` times the other? */
static bool
finding_between_near(uint64_t a, uint64_t b, double most)
{
	return a > 0 && b > 0 && (double)a <= (double)b * most &&
	       (double)b <= (double)a * most;
}

static bool
finding_between_comparable(const struct finding_case *c,
	const struct finding_window *a, const struct finding_window *b)
{
	double most = finding_case_limit(c, "alike_ratio");

	return finding_case_is(a->job->rw, b->job->rw) &&
	       finding_case_is(a->job->ioengine, b->job->ioengine) &&
	       a->job->fsync == b->job->fsync &&
	       a->job->fdatasync == b->job->fdatasync &&
	       finding_between_near(a->slots, b->slots, most) &&
	       finding_between_near(a->job->bs_bytes, b->job->bs_bytes, most);
}

/* Two windows and how far their p99.9 are apart. */
struct finding_pair {
	size_t low, high;
	int lane;
	double ratio;
};

static void
finding_between_weigh(const struct finding_case *c, size_t low, size_t high,
	struct finding_pair *most)
{
	uint64_t a, b;
	int n;

	if (!finding_between_comparable(c, &c->windows[low], &c->windows[high]))
		return;
	for (n = 0; n < 2; n++) {
		a = finding_between_tail(&c->windows[low], n);
		b = finding_between_tail(&c->windows[high], n);
		if (a == 0 || (double)b / (double)a <= most->ratio)
			continue;
		*most = (struct finding_pair){ low, high, n,
			(double)b / (double)a };
	}
}

void
finding_between_erratic(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_NOTE };
	struct finding_pair most = { .ratio = 0 };
	uint64_t low, high;
	size_t i, k;

	for (i = 0; i < c->window_count; i++)
		for (k = 0; k < c->window_count; k++)
			if (i != k)
				finding_between_weigh(c, i, k, &most);
	if (!(most.ratio > finding_case_limit(c, "ratio")))
		return;
	low = finding_between_tail(&c->windows[most.low], most.lane);
	high = finding_between_tail(&c->windows[most.high], most.lane);
	finding_case_mark(c, most.high);
	finding_case_figure(&d, "low_p99_9_ns", (double)low);
	finding_case_figure(&d, "high_p99_9_ns", (double)high);
	finding_case_figure(&d, "ratio", most.ratio);
	finding_case_say(c, &d,
		"p99.9 of %s is %s in %s and %s in %s, %.1f times as long, "
		"though the workloads differ little: another moment gives "
		"another figure.",
		most.lane == 0 ? "reads" : "writes", finding_case_ms(c, low),
		finding_case_where(c, most.low), finding_case_ms(c, high),
		finding_case_where(c, most.high), most.ratio);
}
