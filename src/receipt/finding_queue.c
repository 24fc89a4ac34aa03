#include "receipt/finding_queue.h"

#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "disk/hist.h"
#include "receipt/latency.h"

/* ns of `count` threads or slots as a share of the window. */
static double
finding_queue_pct(const struct finding_window *w, uint64_t ns, uint64_t count)
{
	if (!shape_has(ns) || !shape_has(w->w->elapsed_ns) ||
		w->w->elapsed_ns == 0 || count == 0)
		return NAN;
	return (double)ns / (double)count / (double)w->w->elapsed_ns * 100;
}

/* How many of a thousand submitting calls took a millisecond. */
static double
finding_queue_slow_permille(const struct receipt_engine *e)
{
	if (!shape_has(e->slow_submits_1ms) || !shape_has(e->submits) ||
		e->submits == 0)
		return NAN;
	return (double)e->slow_submits_1ms / (double)e->submits * 1000;
}

void
finding_queue_submit_blocks(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_NOTE };
	struct finding_worst worst = { 0 };
	const struct finding_window *w;
	double slow, sum;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		w = &c->windows[i];
		if (!w->w->engine)
			continue;
		slow = finding_queue_slow_permille(w->w->engine);
		sum = finding_queue_pct(
			w, w->w->engine->slow_submit_ns, w->threads);
		if (slow > finding_case_limit(c, "slow_permille") ||
			sum > finding_case_limit(c, "sum_pct"))
			finding_case_count(c, &worst, i, isnan(sum) ? 0 : sum);
	}
	if (worst.count == 0)
		return;
	w = &c->windows[worst.at];
	slow = finding_queue_slow_permille(w->w->engine);
	finding_case_figure(&d, "slow_permille", slow);
	finding_case_figure(&d, "sum_pct", worst.by);
	finding_case_windows(&d, &worst);
	finding_case_say(c, &d,
		"handing I/O to the kernel blocked in %s: %.1f in a thousand "
		"calls took 1 ms or more, slow ones %.1f %% of the time%s; "
		"fio's usual latency (clat) does not count that.",
		finding_case_where(c, worst.at), isnan(slow) ? 0 : slow,
		worst.by, finding_case_more(c, &worst));
}

void
finding_queue_not_full(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_NOTE };
	struct finding_worst worst = { 0 };
	const struct finding_window *w;
	double pct;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		w = &c->windows[i];
		if (!w->w->engine)
			continue;
		pct = finding_queue_pct(
			w, w->w->engine->queue_short_ns, w->slots);
		if (pct > finding_case_limit(c, "short_pct"))
			finding_case_count(c, &worst, i, pct);
	}
	if (worst.count == 0)
		return;
	finding_case_figure(&d, "short_pct", worst.by);
	finding_case_windows(&d, &worst);
	finding_case_say(c, &d,
		"in %s the declared depth was not held for %.1f %% of the "
		"time%s: its figures are those of a shorter queue.",
		finding_case_where(c, worst.at), worst.by,
		finding_case_more(c, &worst));
}

void
finding_queue_wake_cost(struct finding_case *c)
{
	const struct receipt_diagnostics *of = c->receipt->diagnostics;
	struct finding_draft d = { .level = FINDING_NOTE };
	const struct receipt_polled *p = of ? of->polled : NULL;
	double pct;

	if (!p || !p->lat_ns || !shape_has(p->lat_ns->p50) ||
		!shape_has(p->slept_p50_ns) || p->slept_p50_ns == 0 ||
		p->slept_p50_ns <= p->lat_ns->p50)
		return;
	pct = (double)(p->slept_p50_ns - p->lat_ns->p50) /
	      (double)p->slept_p50_ns * 100;
	if (!(pct > finding_case_limit(c, "share_pct")))
		return;
	finding_case_figure(&d, "polled_p50_ns", (double)p->lat_ns->p50);
	finding_case_figure(&d, "slept_p50_ns", (double)p->slept_p50_ns);
	finding_case_figure(&d, "share_pct", pct);
	finding_case_say(c, &d,
		"reads one at a time have a median of %s, %s when the CPU "
		"spins instead of sleeping: %.0f %% of that latency is this "
		"machine's way to sleep and back, not the disk.",
		finding_case_ms(c, p->slept_p50_ns),
		finding_case_ms(c, p->lat_ns->p50), pct);
}

/* Percentiles of windows that few samples carry, or none. */
struct finding_few {
	unsigned few, withheld;
};

static void
finding_queue_weigh(
	const struct receipt_lane *lane, double highest, struct finding_few *f)
{
	const struct receipt_latency *l = lane ? lane->lat_ns : NULL;
	const struct latency_stat *s;
	uint64_t v;

	for (s = latency_stats(); l && s->per_cent > 0; s++) {
		if (s->per_cent > highest)
			continue;
		memcpy(&v, (const char *)l + s->offset, sizeof(v));
		if (v == SHAPE_WITHHELD)
			f->withheld++;
		else if (hist_trust(l->n, s->per_cent) == HIST_FEW)
			f->few++;
	}
}

static void
finding_queue_few_say(struct finding_case *c, const struct finding_draft *d,
	const struct finding_few *f)
{
	const char *few = "", *withheld = "";

	if (f->few > 0)
		few = arena_printf(c->arena,
			"%u percentile%s up to p%g (marked ~) rest%s on fewer "
			"than ten slower I/Os",
			f->few, f->few == 1 ? "" : "s",
			finding_case_limit(c, "highest_pct"),
			f->few == 1 ? "s" : "");
	if (f->withheld > 0)
		withheld = arena_printf(c->arena,
			"%s%u %s withheld (-): too few I/Os",
			f->few > 0 ? "; " : "", f->withheld,
			f->withheld == 1 ? "is" : "are");
	c->failed |= !few || !withheld;
	finding_case_say(c, d, "%s%s. Longer windows give sure ones.",
		few ? few : "", withheld ? withheld : "");
}

void
finding_queue_few_samples(struct finding_case *c)
{
	double highest = finding_case_limit(c, "highest_pct");
	struct finding_draft d = { .level = FINDING_NOTE };
	const struct receipt_window *w;
	struct finding_few f = { 0 };
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		w = c->windows[i].w;
		finding_queue_weigh(w->read, highest, &f);
		finding_queue_weigh(w->write, highest, &f);
		finding_queue_weigh(w->sync, highest, &f);
		finding_queue_weigh(w->commit, highest, &f);
	}
	if (f.few + f.withheld == 0)
		return;
	finding_case_figure(&d, "few", f.few);
	finding_case_figure(&d, "withheld", f.withheld);
	finding_queue_few_say(c, &d, &f);
}
