#include "receipt/show_notes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/stats.h"
#include "base/units.h"
#include "disk/hist.h"
#include "disk/plan.h"
#include "receipt/show_common.h"
#include "receipt/show_flow.h"

/* Where clat hides more than this of lat the table says so. */
#define SHOW_NOTES_HIDDEN_PCT 10

/* One percentile of all runs. */
struct show_notes_latency {
	double ns[PLAN_WINDOWS_MAX];
	size_t count;
	bool few; /* samples carry one of them only just */
};

/* All runs of one job that are there and have figures. */
struct show_notes_runs {
	const struct receipt_window *first;
	double iops[PLAN_WINDOWS_MAX];
	size_t count;
	struct show_notes_latency p50, p99_9; /* of reads, else of writes */
};

static void
show_notes_add(struct show_notes_latency *to, const struct receipt_lane *lane,
	double per_cent)
{
	uint64_t ns = show_common_value(lane->lat_ns, per_cent);

	if (!shape_has(ns))
		return;
	to->ns[to->count++] = (double)ns;
	to->few |= hist_trust(lane->lat_ns->n, per_cent) != HIST_PLAIN;
}

static void
show_notes_collect(
	const struct receipt *r, const char *name, struct show_notes_runs *out)
{
	const struct receipt_window *w;
	const struct receipt_lane *lane;
	double iops;
	size_t i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < r->window_count; i++) {
		w = &r->windows[i];
		lane = w->read ? w->read : w->write;
		iops = show_common_iops(w);
		if (strcmp(w->name, name) != 0 || isnan(iops) || !lane ||
			out->count == PLAN_WINDOWS_MAX)
			continue;
		if (out->count == 0)
			out->first = w;
		out->iops[out->count++] = iops;
		show_notes_add(&out->p50, lane, 50);
		show_notes_add(&out->p99_9, lane, 99.9);
	}
}

/* "p50 0.264 to 0.309 ms (+17 %)"; change: with what is in brackets. */
static void
show_notes_from_to(struct show_flow *f, const char *what, const double *ns,
	bool few, bool change)
{
	char low[SHOW_COMMON_FIGURE], high[SHOW_COMMON_FIGURE];
	char percent[SHOW_COMMON_FIGURE] = "";

	show_common_ms((uint64_t)ns[0], low, sizeof(low));
	show_common_ms((uint64_t)ns[1], high, sizeof(high));
	if (change && ns[0] > 0)
		snprintf(percent, sizeof(percent), " (%+.0f %%)",
			(ns[1] / ns[0] - 1) * 100);
	show_flow_item(f, ",", "%s %s%s to %s%s ms%s", what, few ? "~" : "",
		low, few ? "~" : "", high, percent);
}

/* From the least to the most, where each run has it. */
static void
show_notes_range(struct show_flow *f, const char *what,
	const struct show_notes_latency *l, size_t runs)
{
	double ns[2];

	if (l->count < runs)
		return;
	ns[0] = stats_min(l->ns, l->count);
	ns[1] = stats_max(l->ns, l->count);
	show_notes_from_to(f, what, ns, l->few, false);
}

/* An item with a name in it, which is freed. */
static void
show_notes_named(struct show_flow *f, const char *before, struct buf *name,
	const char *behind)
{
	show_flow_item(f, "", "%s%s%s", before, buf_text(name), behind);
	f->out->failed |= buf_failed(name);
	buf_free(name);
}

static void
show_notes_spread(const struct receipt *r, const struct receipt_window *w,
	struct show_flow *f)
{
	const struct receipt_job *job = show_common_job(r, w);
	char low[SHOW_COMMON_FIGURE], high[SHOW_COMMON_FIGURE];
	struct show_notes_runs runs;
	struct buf name;

	show_notes_collect(r, w->name, &runs);
	if (runs.count < 2 || stats_mean(runs.iops, runs.count) <= 0)
		return;
	show_common_rate(stats_min(runs.iops, runs.count), low, sizeof(low));
	show_common_rate(stats_max(runs.iops, runs.count), high, sizeof(high));
	buf_init(&name);
	show_common_word(&name, w->name, true);
	show_notes_named(f, "", &name, ",");
	if (job && shape_has(job->runs) && job->runs > runs.count)
		show_flow_item(f, "", "%zu runs of %llu:", runs.count,
			(unsigned long long)job->runs);
	else
		show_flow_item(f, "", "%zu runs:", runs.count);
	show_flow_item(f, "", "%s to %s IOPS (%.2f %% of their mean)", low,
		high, stats_spread_pct(runs.iops, runs.count));
	show_notes_range(f, "p50", &runs.p50, runs.count);
	show_notes_range(f, "p99.9", &runs.p99_9, runs.count);
	show_flow_end(f);
}

/* I/Os in flight: psync has one a thread whatever the depth says. */
static uint64_t
show_notes_depth(const struct receipt_job *j)
{
	if (j->ioengine && strcmp(j->ioengine, "psync") == 0)
		return shape_has(j->numjobs) ? j->numjobs : 0;
	if (!shape_has(j->iodepth) || !shape_has(j->numjobs) ||
		j->iodepth > UINT32_MAX || j->numjobs > UINT32_MAX)
		return 0;
	return j->iodepth * j->numjobs;
}

/* Do a and b differ in depth alone? */
static bool
show_notes_alike(const struct receipt_job *a, const struct receipt_job *b)
{
	return a->rw && b->rw && strcmp(a->rw, b->rw) == 0 && a->ioengine &&
	       b->ioengine && strcmp(a->ioengine, b->ioengine) == 0 &&
	       a->bs_bytes == b->bs_bytes && a->fsync == b->fsync &&
	       a->rwmixread_pct == b->rwmixread_pct &&
	       a->fdatasync == b->fdatasync;
}

/* The deepest job that was measured and is like `one`; NULL: there is none. */
static const struct receipt_job *
show_notes_deepest(const struct receipt *r, const struct receipt_job *one)
{
	const struct receipt_job *deepest = NULL, *j;
	size_t i;

	for (i = 0; i < r->plan->job_count; i++) {
		j = &r->plan->jobs[i];
		if (show_notes_depth(j) < 2 || !show_notes_alike(one, j) ||
			!receipt_window(r, j->name, 0))
			continue;
		if (!deepest || show_notes_depth(j) > show_notes_depth(deepest))
			deepest = j;
	}
	return deepest;
}

/* "qd1-randread (median of 3 runs)" */
static void
show_notes_who(struct show_flow *f, const char *before,
	const struct show_notes_runs *runs)
{
	char median[48] = "";
	struct buf name;

	buf_init(&name);
	show_common_word(&name, runs->first->name, true);
	if (runs->count > 1)
		snprintf(median, sizeof(median), " (median of %zu runs)",
			runs->count);
	show_notes_named(f, before, &name, median);
}

static void
show_notes_contrast(const struct receipt *r, const struct receipt_job *one,
	struct show_flow *f)
{
	const struct receipt_job *deep = show_notes_deepest(r, one);
	struct show_notes_runs from, to;
	double iops, ratio, p50[2];

	if (!deep)
		return;
	show_notes_collect(r, one->name, &from);
	show_notes_collect(r, deep->name, &to);
	if (from.count == 0 || to.count == 0)
		return;
	iops = stats_median(from.iops, from.count);
	if (iops <= 0)
		return;
	ratio = stats_median(to.iops, to.count) / iops;
	show_notes_who(f, "", &from);
	show_notes_who(f, "to ", &to);
	show_flow_item(f, ",", "1 to %llu in flight:",
		(unsigned long long)show_notes_depth(deep));
	if (ratio >= 0.005)
		show_flow_item(f, "", "%.*f times the IOPS", ratio < 10 ? 2 : 1,
			ratio);
	else
		show_flow_item(f, "", "<0.01 times the IOPS");
	p50[0] = stats_median(from.p50.ns, from.p50.count);
	p50[1] = stats_median(to.p50.ns, to.p50.count);
	if (from.p50.count == from.count && to.p50.count == to.count)
		show_notes_from_to(
			f, "p50", p50, from.p50.few || to.p50.few, true);
	show_flow_end(f);
}

/* What fio would not show of a lane's median, in per cent of it. */
static double
show_notes_hidden(const struct receipt_lane *lane)
{
	uint64_t lat, clat;

	if (!lane)
		return 0;
	lat = show_common_value(lane->lat_ns, 50);
	clat = show_common_value(lane->clat_ns, 50);
	if (!shape_has(lat) || !shape_has(clat) || clat >= lat)
		return 0;
	return (double)(lat - clat) / (double)lat * 100;
}

/* The row where clat hides most, and how many rows it does so in. */
struct show_notes_clat {
	const struct receipt_window *window;
	const struct receipt_lane *lane;
	double hidden_pct;
	size_t rows;
};

static void
show_notes_weigh(struct show_notes_clat *c, const struct receipt_window *w,
	const struct receipt_lane *lane)
{
	double pct = show_notes_hidden(lane);

	if (pct <= SHOW_NOTES_HIDDEN_PCT)
		return;
	c->rows++;
	if (pct <= c->hidden_pct)
		return;
	c->hidden_pct = pct;
	c->window = w;
	c->lane = lane;
}

static void
show_notes_clat(const struct receipt *r, struct show_flow *f)
{
	struct show_notes_clat c = { .rows = 0 };
	char lat[SHOW_COMMON_FIGURE], clat[SHOW_COMMON_FIGURE];
	const struct receipt_window *w;
	struct buf name;
	size_t i;

	for (i = 0; i < r->window_count; i++) {
		w = &r->windows[i];
		show_notes_weigh(&c, w, w->read);
		show_notes_weigh(&c, w, w->write);
	}
	if (c.rows == 0)
		return;
	show_common_percentile(c.lane->lat_ns, 50, lat, sizeof(lat));
	show_common_percentile(c.lane->clat_ns, 50, clat, sizeof(clat));
	buf_init(&name);
	show_common_name(&name, r, c.window, true);
	show_notes_named(f, "", &name, ":");
	show_flow_item(f, "", "fio would print a %s p50 of %s ms (clat)",
		c.lane == c.window->read ? "read" : "write", clat);
	show_flow_item(f, ",", "an application waits %s ms (lat):", lat);
	show_flow_item(f, "", "clat hides %.0f %% of it", c.hidden_pct);
	if (c.rows > 1)
		show_flow_item(f, ";", "more than %d %% in %zu rows in all",
			SHOW_NOTES_HIDDEN_PCT, c.rows);
	show_flow_end(f);
}

/* The larger one; NAN is none. */
static double
show_notes_worse(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

/* Waits for a CPU as a share of the window that each job had, as cpu-bound
 * has it; NAN: not told. */
static double
show_notes_wait_pct(const struct receipt *r, const struct receipt_window *w)
{
	const struct receipt_job *job = show_common_job(r, w);

	if (!w->cpu || !shape_has(w->cpu->runqueue_wait_ns) || !job ||
		!shape_has(job->numjobs) || job->numjobs == 0 ||
		!shape_has(w->elapsed_ns) || w->elapsed_ns == 0)
		return NAN;
	return (double)w->cpu->runqueue_wait_ns / (double)job->numjobs /
	       (double)w->elapsed_ns * 100;
}

/* What others did while it was measured, where the machine tells. */
static void
show_notes_meanwhile(const struct receipt *r, struct show_flow *f)
{
	const struct receipt_window *w;
	double steal_pct = NAN, wait_pct = NAN, others_bytes = 0;
	char bytes[UNITS_SIZE];
	bool told = r->window_count > 0;
	size_t i;

	for (i = 0; i < r->window_count; i++) {
		w = &r->windows[i];
		if (w->cpu)
			steal_pct =
				show_notes_worse(steal_pct, w->cpu->steal_pct);
		wait_pct =
			show_notes_worse(wait_pct, show_notes_wait_pct(r, w));
		told &= w->device && shape_has(w->device->other_read_bytes) &&
			shape_has(w->device->other_write_bytes);
		if (told)
			others_bytes += (double)w->device->other_read_bytes +
					(double)w->device->other_write_bytes;
	}
	if (!isnan(steal_pct))
		show_flow_item(f, "", "CPU steal up to %.1f %%", steal_pct);
	if (!isnan(wait_pct))
		show_flow_item(
			f, ",", "waits for a CPU up to %.1f %%", wait_pct);
	if (told && others_bytes <= (double)SHAPE_MAX)
		show_flow_item(f, ",", "I/O of others on the disk: %s",
			units_bytes(
				(uint64_t)others_bytes, bytes, sizeof(bytes)));
	show_flow_end(f);
}

void
show_notes(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_flow f = { .out = out, .style = style, .gap = 1 };
	size_t i;

	f.label.color = TEXT_DIM;
	f.label.word = "spread";
	for (i = 0; i < r->window_count; i++)
		if (receipt_window(r, r->windows[i].name, 0) == &r->windows[i])
			show_notes_spread(r, &r->windows[i], &f);
	f.label.word = "depth";
	for (i = 0; r->plan && i < r->plan->job_count; i++)
		if (show_notes_depth(&r->plan->jobs[i]) == 1)
			show_notes_contrast(r, &r->plan->jobs[i], &f);
	f.label.word = "clat";
	show_notes_clat(r, &f);
	f.label.word = "meanwhile";
	show_notes_meanwhile(r, &f);
}
