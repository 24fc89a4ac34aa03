#include "receipt/finding_throttle.h"

#include <math.h>

#include "base/shape.h"
#include "disk/hist.h"
#include "receipt/finding_around.h"
#include "receipt/latency.h"

enum {
	FINDING_THROTTLE_LANES = 3, /* read, write, sync */
	FINDING_THROTTLE_SLICES =
		4 /* multiples of a slice that are looked at */
};

/* lat of lane n of w (0 read, 1 write, 2 sync); NULL: there is none. */
static const struct receipt_latency *
finding_throttle_lane(const struct finding_window *w, int n)
{
	const struct receipt_lane *lanes[FINDING_THROTTLE_LANES];

	lanes[0] = w->w->read;
	lanes[1] = w->w->write;
	lanes[2] = w->w->sync;
	return lanes[n] ? lanes[n]->lat_ns : NULL;
}

static const char *
finding_throttle_word(int n)
{
	static const char *const words[] = { "reads", "writes", "syncs" };

	return words[n];
}

/*
 * Mean / p50 without the longest wait of each slot: one stall is not a limit.
 * NAN where it cannot be told.
 */
static double
finding_throttle_mean_ratio(
	const struct finding_window *w, const struct receipt_latency *l)
{
	double sum;

	if (!l || !shape_has(l->p50) || l->p50 == 0 || l->n <= w->slots)
		return NAN;
	sum = (double)l->mean * (double)l->n -
	      (double)w->slots * (double)l->max;
	return sum / (double)(l->n - w->slots) / (double)l->p50;
}

/*
 * Is it this machine that held I/O back?  Of the time of a window, 1 - p50 /
 * mean went beyond what an I/O usually takes; a process without a CPU makes
 * I/Os late, too, all of those that are in flight.
 */
static bool
finding_throttle_starved(const struct finding_case *c,
	const struct finding_window *w, double mean_ratio)
{
	double held_pct = (1 - 1 / mean_ratio) * 100;
	double wait_pct = finding_around_wait_pct(w);
	double steal_pct = w->w->cpu ? w->w->cpu->steal_pct : NAN;
	double here_pct = (isnan(wait_pct) ? 0 : wait_pct) +
			  (isnan(steal_pct) ? 0 : steal_pct);

	return here_pct >= held_pct *
				   finding_case_limit_of(
					   c, FINDING_COMMON, "explained_pct") /
				   100;
}

/* A place in the windows, and the ratios there. */
struct finding_throttle_at {
	int lane;
	double mean_ratio, other; /* mean / p50, and the rule's second figure */
};

static double
finding_throttle_weighted_ratio(const struct receipt_latency *l)
{
	return l && shape_has(l->tw_p50) && shape_has(l->p50) && l->p50 > 0
		       ? (double)l->tw_p50 / (double)l->p50
		       : NAN;
}

/* Findings that hold I/O back as a limit does: it is less sure then. */
static const char *const finding_throttle_doubts[] = { "cpu-bound",
	"competing-io", NULL };

static const char *
finding_throttle_sure(const struct finding_case *c, size_t i)
{
	return finding_case_marked_any(c, finding_throttle_doubts, i)
		       ? FINDING_POSSIBLE
		       : FINDING_LIKELY;
}

void
finding_throttle_rate_limited(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_WARNING };
	double mean_least = finding_case_limit(c, "mean_ratio");
	double weighted_least = finding_case_limit(c, "weighted_ratio");
	struct finding_throttle_at now, most = { 0 };
	struct finding_worst worst = { 0 };
	const struct receipt_latency *l;
	size_t i;

	for (i = 0; i < 2 * c->window_count; i++) {
		now.lane = (int)(i % 2);
		l = finding_throttle_lane(&c->windows[i / 2], now.lane);
		now.mean_ratio =
			finding_throttle_mean_ratio(&c->windows[i / 2], l);
		now.other = finding_throttle_weighted_ratio(l);
		if (!(now.mean_ratio > mean_least) ||
			!(now.other > weighted_least) ||
			finding_throttle_starved(
				c, &c->windows[i / 2], now.mean_ratio))
			continue;
		finding_case_count(c, &worst, i / 2, now.other);
		if (worst.at == i / 2 && worst.by <= now.other)
			most = now;
	}
	if (worst.count == 0)
		return;
	d.confidence = finding_throttle_sure(c, worst.at);
	l = finding_throttle_lane(&c->windows[worst.at], most.lane);
	finding_case_figure(&d, "mean_ratio", most.mean_ratio);
	finding_case_figure(&d, "weighted_ratio", most.other);
	finding_case_figure(&d, "p50_ns", (double)l->p50);
	finding_case_figure(&d, "tw_p50_ns", (double)l->tw_p50);
	finding_case_figure(
		&d, "iops", finding_case_iops(&c->windows[worst.at]));
	finding_case_say(c, &d,
		"half of the %s of %s took %s or less, but half of the time "
		"passed in some of %s or more, and the mean is %.1f times the "
		"median: I/Os are held back and let go in bursts%s.",
		finding_throttle_word(most.lane),
		finding_case_where(c, worst.at), finding_case_ms(c, l->p50),
		finding_case_ms(c, l->tw_p50), most.mean_ratio,
		finding_case_marked_any(c, finding_throttle_doubts, worst.at)
			? ", by a limit or by others here"
			: "");
}

/* Share of the samples near a multiple of slice_ns, in per cent. */
static double
finding_throttle_share(const struct finding_case *c,
	const struct receipt_latency *l, double slice_ns,
	const uint64_t *counts)
{
	double within = finding_case_limit(c, "within_pct") / 100;
	double most = finding_case_limit(c, "multiples");
	double value, nearest, in = 0;
	uint32_t i;

	for (i = 0; i < HIST_FIO_BUCKETS; i++) {
		value = (double)hist_fio_value(i);
		nearest = floor(value / slice_ns + 0.5);
		if (counts[i] == 0 || nearest < 1 || nearest > most)
			continue;
		nearest *= slice_ns;
		if (fabs(value - nearest) <= nearest * within)
			in += (double)counts[i];
	}
	return in / (double)l->n * 100;
}

/* The slice that most of l falls into, and how much. */
static double
finding_throttle_slice(const struct finding_case *c,
	const struct receipt_latency *l, double *share_pct)
{
	uint64_t counts[HIST_FIO_BUCKETS];
	double small, large;
	double large_ns = finding_case_limit(c, "slice_ms") * 1e6;
	double small_ns = finding_case_limit(c, "small_slice_ms") * 1e6;

	*share_pct = 0;
	if (latency_unfold(l, counts))
		return NAN;
	large = finding_throttle_share(c, l, large_ns, counts);
	small = finding_throttle_share(c, l, small_ns, counts);
	*share_pct = large >= small ? large : small;
	return large >= small ? large_ns : small_ns;
}

void
finding_throttle_slices(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = FINDING_LIKELY };
	struct finding_throttle_at now, most = { 0 };
	double slice_ns = 0, most_slice_ns = 0;
	struct finding_worst worst = { 0 };
	const struct receipt_latency *l;
	size_t i;

	for (i = 0; i < 2 * c->window_count; i++) {
		now.lane = (int)(i % 2);
		l = finding_throttle_lane(&c->windows[i / 2], now.lane);
		now.mean_ratio =
			finding_throttle_mean_ratio(&c->windows[i / 2], l);
		if (!(now.mean_ratio >= finding_case_limit(c, "mean_ratio")) ||
			finding_throttle_starved(
				c, &c->windows[i / 2], now.mean_ratio))
			continue;
		slice_ns = finding_throttle_slice(c, l, &now.other);
		if (!(now.other >= finding_case_limit(c, "share_pct")))
			continue;
		finding_case_count(c, &worst, i / 2, now.other);
		if (worst.at != i / 2 || worst.by > now.other)
			continue;
		most = now;
		most_slice_ns = slice_ns;
	}
	if (worst.count == 0)
		return;
	d.confidence = finding_throttle_sure(c, worst.at);
	finding_case_figure(&d, "share_pct", most.other);
	finding_case_figure(&d, "slice_ms", most_slice_ns / 1e6);
	finding_case_figure(&d, "mean_ratio", most.mean_ratio);
	finding_case_figure(
		&d, "iops", finding_case_iops(&c->windows[worst.at]));
	finding_case_say(c, &d,
		"%.1f %% of the %s of %s took about a multiple of %.0f ms "
		"and the mean is %.0f times the median: I/Os wait for the next "
		"slice of a throttle.",
		most.other, finding_throttle_word(most.lane),
		finding_case_where(c, worst.at), most_slice_ns / 1e6,
		most.mean_ratio);
}

/* Did something take so long that it was no more than late? */
static bool
finding_throttle_is_stall(
	const struct finding_case *c, const struct receipt_latency *l)
{
	return l && shape_has(l->p99) &&
	       (double)l->max >= finding_case_limit(c, "max_ms") * 1e6 &&
	       (double)l->max >
		       finding_case_limit(c, "p99_ratio") * (double)l->p99;
}

/* The longest time of w in which it stalled, 0 where it did not. */
static uint64_t
finding_throttle_stalled_ns(
	const struct finding_case *c, const struct finding_window *w)
{
	const struct receipt_latency *l;
	uint64_t longest = 0, gap = w->w->longest_gap_ns;
	int n;

	for (n = 0; n < FINDING_THROTTLE_LANES; n++) {
		l = finding_throttle_lane(w, n);
		if (finding_throttle_is_stall(c, l) && l->max > longest)
			longest = l->max;
	}
	if (shape_has(gap) && gap > longest &&
		(double)gap >= finding_case_limit(c, "gap_ms") * 1e6)
		longest = gap;
	return longest;
}

/* Did its threads wait so long for a CPU that this may have been it? */
static bool
finding_throttle_waited(const struct finding_case *c,
	const struct finding_window *w, double stalled_ns)
{
	const struct receipt_cpu *cpu = w->w->cpu;

	return cpu && shape_has(cpu->runqueue_wait_ns) &&
	       (double)cpu->runqueue_wait_ns >=
		       stalled_ns *
			       finding_case_limit_of(
				       c, FINDING_COMMON, "explained_pct") /
			       100;
}

void
finding_throttle_stall(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = FINDING_LIKELY };
	struct finding_worst worst = { 0 };
	const struct finding_window *w;
	uint64_t ns;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		ns = finding_throttle_stalled_ns(c, &c->windows[i]);
		if (ns > 0)
			finding_case_count(c, &worst, i, (double)ns);
	}
	if (worst.count == 0)
		return;
	w = &c->windows[worst.at];
	if (finding_throttle_waited(c, w, worst.by))
		d.confidence = FINDING_POSSIBLE;
	finding_case_figure(&d, "longest_ns", worst.by);
	if (shape_has(w->w->longest_gap_ns))
		finding_case_figure(
			&d, "longest_gap_ns", (double)w->w->longest_gap_ns);
	finding_case_windows(&d, &worst);
	finding_case_say(c, &d,
		"in %s I/O stood still for %s%s%s, which percentiles hide: it "
		"happened too seldom for them.",
		finding_case_where(c, worst.at),
		finding_case_ms(c, (uint64_t)worst.by),
		finding_case_more(c, &worst),
		finding_throttle_waited(c, w, worst.by)
			? ", or this program had no CPU for so long"
			: "");
}

/* Findings that explain a long tail better than the storage behind it. */
static const char *const finding_throttle_explained[] = { "cap", "rate-limited",
	"slice-throttle", "burst", "steal", "cpu-bound", "competing-io", NULL };

static double
finding_throttle_jitter_of(
	const struct finding_case *c, const struct receipt_latency *l)
{
	double ratio;

	if (!l || !shape_has(l->p99) || !shape_has(l->p50) || l->p50 == 0)
		return 0;
	ratio = (double)l->p99 / (double)l->p50;
	return (double)l->p99 > finding_case_limit(c, "p99_ms") * 1e6 &&
			       ratio > finding_case_limit(c, "p50_ratio")
		       ? ratio
		       : 0;
}

void
finding_throttle_jitter(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = FINDING_LIKELY };
	const struct receipt_latency *l, *most = NULL;
	struct finding_worst worst = { 0 };
	double ratio;
	size_t i;

	for (i = 0; i < 2 * c->window_count; i++) {
		l = finding_throttle_lane(&c->windows[i / 2], (int)(i % 2));
		ratio = finding_throttle_jitter_of(c, l);
		if (ratio <= 0 || !finding_case_deep(c, &c->windows[i / 2]) ||
			finding_case_marked_any(
				c, finding_throttle_explained, i / 2))
			continue;
		finding_case_count(c, &worst, i / 2, ratio);
		if (!most || ratio >= worst.by)
			most = l;
	}
	if (!most)
		return;
	finding_case_figure(&d, "p50_ns", (double)most->p50);
	finding_case_figure(&d, "p99_ns", (double)most->p99);
	finding_case_figure(&d, "p50_ratio", worst.by);
	finding_case_say(c, &d,
		"in %s one I/O in a hundred took %s or more, %.0f times the "
		"median of %s, and no limit explains it: the storage behind "
		"answers unevenly.",
		finding_case_where(c, worst.at), finding_case_ms(c, most->p99),
		worst.by, finding_case_ms(c, most->p50));
}
