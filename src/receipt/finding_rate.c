#include "receipt/finding_rate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/stats.h"
#include "receipt/finding_around.h"

#define FINDING_RATE_MIB 1048576.0

/*
 * The last interval counts if it is nearly whole: a window of 12 s ends some
 * ms before or after the second.
 */
static size_t
finding_rate_whole(const struct receipt_window *w)
{
	const struct receipt_series *s = w->series;
	size_t n =
		s->read_count > s->write_count ? s->read_count : s->write_count;
	uint64_t whole = (w->elapsed_ns + s->interval_ns / 20) / s->interval_ns;

	return n < whole ? n : (size_t)whole;
}

static double
finding_rate_at(const uint64_t *v, size_t n, size_t i)
{
	return i < n && shape_has(v[i]) ? (double)v[i] : 0;
}

int
finding_rate_fill(struct finding_window *w, struct arena *a)
{
	const struct receipt_series *s = w->w->series;
	size_t i;

	if (!s || !shape_has(s->interval_ns) || s->interval_ns == 0 ||
		!shape_has(w->w->elapsed_ns) ||
		w->w->elapsed_ns > UINT64_MAX / 2)
		return 0;
	w->rate_count = finding_rate_whole(w->w);
	w->interval_s = (double)s->interval_ns / 1e9;
	w->rates = arena_alloc(a, w->rate_count, sizeof(*w->rates));
	if (!w->rates)
		return -1;
	for (i = 0; i < w->rate_count; i++)
		w->rates[i] = (finding_rate_at(s->read_ios, s->read_count, i) +
				      finding_rate_at(s->write_ios,
					      s->write_count, i)) /
			      w->interval_s;
	return 0;
}

size_t
finding_rate_seconds(const struct finding_case *c,
	const struct finding_window *w, const double **out)
{
	double least = finding_case_limit_of(c, FINDING_COMMON, "seconds");

	if (w->rate_count < 3 || (double)(w->rate_count - 2) < least)
		return 0;
	*out = w->rates + 1;
	return w->rate_count - 2;
}

/* What is known of a window whose rate is flat. */
struct finding_rate_flat {
	size_t at;
	double iops, bw_bytes, cv_pct;		     /* of its seconds */
	double round_iops, round_bw_bytes, one_iops; /* NAN: there is none */
};

/* Numbers that people set limits to, times powers of ten. */
static const double finding_rate_steps[] = { 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6,
	7.5, 8, 10 };

/* The number of that kind within `pct` of v; NAN where none is. */
static double
finding_rate_round(double v, double pct)
{
	double power = 1, wanted;
	size_t i;

	if (!(v >= 1))
		return NAN;
	while (v >= power * 10)
		power *= 10;
	for (i = 0; i < sizeof(finding_rate_steps) / sizeof(double); i++) {
		wanted = finding_rate_steps[i] * power;
		if (fabs(v - wanted) <= wanted * pct / 100)
			return wanted;
	}
	return NAN;
}

/* The multiple of `step` within pct of v, where v is below `below`. */
static double
finding_rate_multiple(double v, double step, double below, double pct)
{
	double wanted = floor(v / step + 0.5) * step;

	if (!(v < below) || wanted < step)
		return NAN;
	return fabs(v - wanted) <= wanted * pct / 100 ? wanted : NAN;
}

/* The mean rate of one I/O at a time where depth did not change it. */
static double
finding_rate_same_alone(
	const struct finding_case *c, const struct finding_rate_flat *f)
{
	double sum = 0, mean, same = finding_case_limit(c, "same_pct");
	const double *seconds;
	size_t i, k, n = 0;

	for (i = 0; i < c->window_count; i++) {
		if (!finding_case_alone(&c->windows[i]) ||
			!finding_case_alike(&c->windows[i], &c->windows[f->at]))
			continue;
		k = finding_rate_seconds(c, &c->windows[i], &seconds);
		if (k == 0)
			continue;
		sum += stats_mean(seconds, k);
		n++;
	}
	mean = n > 0 ? sum / (double)n : NAN;
	return fabs(mean - f->iops) <= f->iops * same / 100 ? mean : NAN;
}

/* false: its rate is not flat, or something else makes it so. */
static bool
finding_rate_is_flat(
	const struct finding_case *c, size_t i, struct finding_rate_flat *f)
{
	const struct finding_window *w = &c->windows[i];
	const double *seconds;
	size_t n = finding_rate_seconds(c, w, &seconds);

	if (n == 0 || !finding_case_deep(c, w))
		return false;
	/* a CPU that is busy all the time is as steady as a limit */
	if (finding_around_own_pct(c, w) >
		finding_case_limit_of(c, "cpu-bound", "own_pct"))
		return false;
	f->at = i;
	f->iops = stats_mean(seconds, n);
	f->bw_bytes = f->iops * (double)w->job->bs_bytes;
	f->cv_pct = stats_cv(seconds, n) * 100;
	if (f->iops <= 0 || f->cv_pct > finding_case_limit(c, "cv_pct"))
		return false;
	f->round_iops =
		finding_rate_round(f->iops, finding_case_limit(c, "round_pct"));
	if (isnan(f->round_iops))
		f->round_iops = finding_rate_multiple(f->iops,
			finding_case_limit(c, "step_iops"),
			finding_case_limit(c, "step_below_iops"),
			finding_case_limit(c, "step_pct"));
	f->round_bw_bytes = finding_rate_round(f->bw_bytes / FINDING_RATE_MIB,
				    finding_case_limit(c, "round_pct")) *
			    FINDING_RATE_MIB;
	f->one_iops = finding_rate_same_alone(c, f);
	return true;
}

static bool
finding_rate_is_likely(const struct finding_rate_flat *f)
{
	return !isnan(f->round_iops) || !isnan(f->round_bw_bytes) ||
	       !isnan(f->one_iops);
}

/* "which is 5,000 IOPS within 1 %; one I/O at a time gave 4,998" */
static const char *
finding_rate_reasons(struct finding_case *c, const struct finding_rate_flat *f)
{
	char text[FINDING_CASE_TEXT / 2] = "";
	size_t len = 0;
	const char *kept;

	if (!isnan(f->round_iops))
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			"; the round number next to it is %s IOPS",
			finding_case_rate(c, f->round_iops));
	else if (!isnan(f->round_bw_bytes))
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			"; the round number next to it is %.0f MiB/s",
			f->round_bw_bytes / FINDING_RATE_MIB);
	if (!isnan(f->one_iops))
		snprintf(text + len, sizeof(text) - len,
			"; one at a time gave %s, so depth did not matter",
			finding_case_rate(c, f->one_iops));
	kept = arena_strdup(c->arena, text);
	c->failed |= !kept;
	return kept ? kept : "";
}

static void
finding_rate_cap_say(struct finding_case *c, const struct finding_rate_flat *f,
	const struct finding_worst *worst)
{
	bool likely = finding_rate_is_likely(f);
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = likely ? FINDING_LIKELY : FINDING_POSSIBLE };

	finding_case_figure(&d, "iops", f->iops);
	finding_case_figure(&d, "bw_bytes", f->bw_bytes);
	finding_case_figure(&d, "cv_pct", f->cv_pct);
	finding_case_figure(&d, "round_iops", f->round_iops);
	finding_case_figure(&d, "round_bw_bytes", f->round_bw_bytes);
	finding_case_figure(&d, "alone_iops", f->one_iops);
	finding_case_windows(&d, worst);
	finding_case_say(c, &d,
		"%s did %s IOPS (%.1f MiB/s) in every second, give or take "
		"%.2f %%%s%s: %s.",
		finding_case_where(c, f->at), finding_case_rate(c, f->iops),
		f->bw_bytes / FINDING_RATE_MIB, f->cv_pct,
		finding_case_more(c, worst), finding_rate_reasons(c, f),
		likely ? "a limit that somebody set, not the disk, gives this "
			 "rate"
		       : "a limit that somebody set, or the constant best of "
			 "this device");
}

void
finding_rate_cap(struct finding_case *c)
{
	struct finding_rate_flat f, clearest = { 0 };
	struct finding_worst worst = { 0 };
	double by;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		if (!finding_rate_is_flat(c, i, &f))
			continue;
		by = (finding_rate_is_likely(&f) ? 100 : 0) - f.cv_pct;
		finding_case_count(c, &worst, i, by);
		if (worst.at == i)
			clearest = f;
	}
	if (worst.count > 0)
		finding_rate_cap_say(c, &clearest, &worst);
}

/* Two plateaus: before and after second `at` of the window. */
struct finding_rate_step {
	double before, after, ratio;
	size_t at;
};

/*
 * The step after `k` whole intervals; `skip` = 1 leaves out the one in which
 * the change itself may lie.  The first and the last interval of a window
 * count as time, not as rate.
 */
static bool
finding_rate_split(const struct finding_case *c, const struct finding_window *w,
	size_t k, size_t skip, struct finding_rate_step *s)
{
	double least = finding_case_limit(c, "side_s");
	const double *before = w->rates + 1, *after = w->rates + k + skip;
	size_t n = k - 1, m = w->rate_count - 1 - k - skip;

	if ((double)k * w->interval_s < least ||
		(double)(m + 1) * w->interval_s < least || n == 0 || m == 0)
		return false;
	s->at = k;
	s->before = stats_mean(before, n);
	s->after = stats_mean(after, m);
	if (s->after <= 0)
		return false;
	s->ratio = s->before / s->after;
	return s->ratio >= finding_case_limit(c, "ratio") &&
	       stats_cv(before, n) * 100 <=
		       finding_case_limit(c, "before_cv_pct") &&
	       stats_cv(after, m) * 100 <=
		       finding_case_limit(c, "after_cv_pct");
}

static bool
finding_rate_steps_in(const struct finding_case *c,
	const struct finding_window *w, struct finding_rate_step *best)
{
	struct finding_rate_step s;
	const double *seconds;
	size_t k, skip;

	best->ratio = 0;
	if (finding_rate_seconds(c, w, &seconds) == 0)
		return false;
	for (k = 2; k + 2 < w->rate_count; k++)
		for (skip = 0; skip < 2; skip++)
			if (finding_rate_split(c, w, k, skip, &s) &&
				s.ratio >= best->ratio)
				*best = s;
	return best->ratio > 0;
}

void
finding_rate_burst(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = FINDING_LIKELY };
	struct finding_rate_step s, best = { 0 };
	struct finding_worst worst = { 0 };
	double at_s, mean;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		if (!finding_rate_steps_in(c, &c->windows[i], &s))
			continue;
		finding_case_count(c, &worst, i, s.ratio);
		if (worst.at == i)
			best = s;
	}
	if (worst.count == 0)
		return;
	at_s = (double)best.at * c->windows[worst.at].interval_s;
	mean = finding_case_iops(&c->windows[worst.at]);
	finding_case_figure(&d, "before_iops", best.before);
	finding_case_figure(&d, "after_iops", best.after);
	finding_case_figure(&d, "change_s", at_s);
	finding_case_figure(&d, "mean_iops", mean);
	finding_case_windows(&d, &worst);
	finding_case_say(c, &d,
		"%s did %s IOPS for %.0f s, then %s%s: an allowance was used "
		"up, and the mean of %s stands for neither; larger "
		"allowances outlast a window, --suite sustained looks for 300 "
		"s.",
		finding_case_where(c, worst.at),
		finding_case_rate(c, best.before), at_s,
		finding_case_rate(c, best.after), finding_case_more(c, &worst),
		finding_case_rate(c, mean));
}

/* The change along a straight line through v, first to last, signed. */
static double
finding_rate_slope(const double *v, size_t n)
{
	double mean = stats_mean(v, n), middle = (double)(n - 1) / 2;
	double above = 0, below = 0, x;
	size_t i;

	for (i = 0; i < n; i++) {
		x = (double)i - middle;
		above += x * (v[i] - mean);
		below += x * x;
	}
	return below > 0 ? above / below * (double)(n - 1) : 0;
}

/* How a window moved, in per cent of its mean. */
struct finding_rate_move {
	double slope_pct, range_pct;
};

static bool
finding_rate_moves(
	const struct finding_case *c, size_t i, struct finding_rate_move *m)
{
	const double *v = NULL;
	size_t n = finding_rate_seconds(c, &c->windows[i], &v);
	double mean = stats_mean(v, n);

	if (n == 0 || mean <= 0 || finding_case_marked(c, "burst", i))
		return false;
	m->slope_pct = finding_rate_slope(v, n) / mean * 100;
	m->range_pct = (stats_max(v, n) - stats_min(v, n)) / mean * 100;
	return fabs(m->slope_pct) > finding_case_limit(c, "slope_pct") ||
	       m->range_pct > finding_case_limit(c, "range_pct");
}

void
finding_rate_unsteady(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_NOTE };
	struct finding_rate_move m, most = { 0 };
	struct finding_worst worst = { 0 };
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		if (!finding_rate_moves(c, i, &m))
			continue;
		finding_case_count(c, &worst, i, m.range_pct);
		if (worst.at == i)
			most = m;
	}
	if (worst.count == 0)
		return;
	finding_case_figure(&d, "slope_pct", most.slope_pct);
	finding_case_figure(&d, "range_pct", most.range_pct);
	finding_case_windows(&d, &worst);
	finding_case_say(c, &d,
		"the seconds of %s differ by up to %.0f %% of their mean and "
		"drift by %+.0f %% over the window%s: not a steady state.",
		finding_case_where(c, worst.at), most.range_pct, most.slope_pct,
		finding_case_more(c, &worst));
}
