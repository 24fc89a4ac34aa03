#include "receipt/check.h"

#include <string.h>

#include "receipt/latency.h"

/* What a rule answers. */
enum { BROKEN = 0, HOLDS = 1, NOT_APPLICABLE = -1 };

/* Sums of latencies outgrow 64 bits before a factor of 1001. */
__extension__ typedef unsigned __int128 check_wide;

static bool
check_lane_in_order(const struct receipt_lane *lane)
{
	const struct receipt_latency *all[3];
	size_t i;

	if (!lane)
		return true;
	all[0] = lane->slat_ns;
	all[1] = lane->clat_ns;
	all[2] = lane->lat_ns;
	for (i = 0; i < 3; i++)
		if (all[i] && latency_fault(all[i]))
			return false;
	return true;
}

static int8_t
check_percentiles(const struct check_window *w)
{
	const struct receipt_window *f = w->figures;

	return check_lane_in_order(f->read) && check_lane_in_order(f->write) &&
	       check_lane_in_order(f->sync) && check_lane_in_order(f->commit);
}

static bool
check_adds_up(const uint64_t *v, size_t n, const struct receipt_lane *lane)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];
	return sum == (lane ? lane->ios : 0);
}

static int8_t
check_series(const struct check_window *w)
{
	const struct receipt_window *f = w->figures;

	return f->series &&
	       check_adds_up(
		       f->series->read_ios, f->series->read_count, f->read) &&
	       check_adds_up(
		       f->series->write_ios, f->series->write_count, f->write);
}

/*
 * Little's law as an upper bound: I/Os cannot have waited longer than there
 * were slots to wait in.  A sync takes the slot of the write before it, so
 * both count; commit is the same time seen as one.  The thousandth is the
 * time between two stamps.
 */
static int8_t
check_latency_bound(const struct check_window *w)
{
	const struct record_lane *lanes = w->measured->lanes;
	check_wide sum =
		lanes[RECORD_WRITE].lat.sum_ns + lanes[RECORD_SYNC].lat.sum_ns;
	check_wide bound = w->measured->ended_ns - w->measured->started_ns;

	if (lanes[RECORD_COMMIT].lat.sum_ns > sum)
		sum = lanes[RECORD_COMMIT].lat.sum_ns;
	sum += lanes[RECORD_READ].lat.sum_ns;
	bound *= w->job->numjobs;
	bound *= w->job->ioengine == JOB_PSYNC ? 1 : w->job->iodepth;
	bound = bound * 1001 + (check_wide)w->measured->carried_ns * 1000;
	return sum * 1000 <= bound;
}

static int8_t
check_histograms(const struct check_window *w)
{
	const struct record_lane *lanes = w->measured->lanes;
	bool async = w->job->ioengine == JOB_LIBAIO;
	int i;

	for (i = RECORD_READ; i <= RECORD_WRITE; i++) {
		if (lanes[i].lat.n != lanes[i].ios ||
			lanes[i].clat.n != lanes[i].ios)
			return BROKEN;
		if (async && lanes[i].slat.n != lanes[i].ios)
			return BROKEN;
	}
	return lanes[RECORD_SYNC].lat.n == lanes[RECORD_SYNC].ios &&
	       lanes[RECORD_COMMIT].lat.n <= lanes[RECORD_SYNC].ios;
}

static int8_t
check_page_faults(const struct check_window *w)
{
	return w->measured->minor_faults == 0;
}

static int8_t
check_clock(const struct check_window *w)
{
	return w->measured->negative_deltas == 0 &&
	       w->measured->ended_ns > w->measured->started_ns;
}

static int8_t
check_errors(const struct check_window *w)
{
	int i;

	for (i = 0; i < RECORD_LANES; i++)
		if (w->measured->lanes[i].errors > 0)
			return BROKEN;
	return HOLDS;
}

static int8_t
check_bytes(const struct check_window *w)
{
	const struct record_lane *lanes = w->measured->lanes;

	return lanes[RECORD_READ].bytes ==
		       lanes[RECORD_READ].ios * w->job->bs_bytes &&
	       lanes[RECORD_WRITE].bytes ==
		       lanes[RECORD_WRITE].ios * w->job->bs_bytes;
}

/* Each direction that was declared has to have been seen. */
static int8_t
check_directions(const struct check_window *w)
{
	const struct record_lane *lanes = w->measured->lanes;
	uint64_t ios = lanes[RECORD_READ].ios + lanes[RECORD_WRITE].ios;

	return ios > 0 && (job_reads(w->job) || lanes[RECORD_READ].ios == 0) &&
	       (job_writes(w->job) || lanes[RECORD_WRITE].ios == 0);
}

static int8_t
check_submits(const struct check_window *w)
{
	const struct record_lane *lanes = w->measured->lanes;

	return w->measured->submits >=
	       lanes[RECORD_READ].ios + lanes[RECORD_WRITE].ios;
}

/* A hundredth is more than the end of any ramp or timer takes. */
static int8_t
check_runtime(const struct check_window *w)
{
	const struct job *j = w->job;

	if (!j->time_based || j->runtime_ns == 0 || j->number_ios > 0)
		return NOT_APPLICABLE;
	return w->measured->ended_ns - w->measured->started_ns >=
	       j->runtime_ns - j->runtime_ns / 100;
}

static int8_t
check_stopped(const struct check_window *w)
{
	return w->measured->continued == 0;
}

/* The rules of a window: what the receipt calls them, and what they ask. */
static const struct {
	const char *name;
	int8_t (*ask)(const struct check_window *w);
} check_window_rules[] = {
	{ "percentiles-in-order", check_percentiles },
	{ "series-sum", check_series },
	{ "latency-bound", check_latency_bound },
	{ "histogram-count", check_histograms },
	{ "no-page-faults", check_page_faults },
	{ "clock-forward", check_clock },
	{ "no-errors", check_errors },
	{ "bytes", check_bytes },
	{ "directions", check_directions },
	{ "submits", check_submits },
	{ "full-runtime", check_runtime },
	{ "not-stopped", check_stopped },
};

#define CHECK_WINDOW_RULES                                                     \
	(sizeof(check_window_rules) / sizeof(check_window_rules[0]))

const char *
check_window(const struct check_window *w, struct receipt_window *out,
	struct arena *a)
{
	const char *broken = "";
	size_t i, n = 0;
	int8_t holds;

	out->checks = arena_alloc(a, CHECK_WINDOW_RULES, sizeof(*out->checks));
	if (!out->checks)
		return NULL;
	for (i = 0; i < CHECK_WINDOW_RULES; i++) {
		holds = check_window_rules[i].ask(w);
		if (holds == NOT_APPLICABLE)
			continue;
		if (holds == BROKEN && !*broken)
			broken = check_window_rules[i].name;
		out->checks[n].name = check_window_rules[i].name;
		out->checks[n++].holds = holds;
	}
	out->check_count = n;
	return broken;
}

static int8_t
check_prepare_size(const struct check_prepare *p)
{
	return p->measured->bytes == p->size_bytes;
}

static int8_t
check_prepare_extents(const struct check_prepare *p)
{
	return p->measured->extents_written < 0
		       ? NOT_APPLICABLE
		       : p->measured->extents_written == 1;
}

/* 95 %: metadata and what merges must not fail it. */
static int8_t
check_prepare_device(const struct check_prepare *p)
{
	if (!shape_has(p->device_bytes))
		return NOT_APPLICABLE;
	return p->device_bytes >= p->size_bytes - p->size_bytes / 20;
}

/* The rules of prepare; may_fail: no failure of the run. */
static const struct {
	const char *name;
	int8_t (*ask)(const struct check_prepare *p);
	bool may_fail;
} check_prepare_rules[] = {
	{ "size", check_prepare_size, false },
	{ "extents-written", check_prepare_extents, false },
	{ "reached-device", check_prepare_device, true },
};

#define CHECK_PREPARE_RULES                                                    \
	(sizeof(check_prepare_rules) / sizeof(check_prepare_rules[0]))

const char *
check_prepare(const struct check_prepare *p, struct receipt_prepare *out,
	struct arena *a, bool *reached)
{
	const char *broken = "";
	size_t i, n = 0;
	int8_t holds;

	*reached = true;
	out->checks = arena_alloc(a, CHECK_PREPARE_RULES, sizeof(*out->checks));
	if (!out->checks)
		return NULL;
	for (i = 0; i < CHECK_PREPARE_RULES; i++) {
		holds = check_prepare_rules[i].ask(p);
		if (holds == NOT_APPLICABLE)
			continue;
		if (holds == BROKEN && check_prepare_rules[i].may_fail)
			*reached = false;
		else if (holds == BROKEN && !*broken)
			broken = check_prepare_rules[i].name;
		out->checks[n].name = check_prepare_rules[i].name;
		out->checks[n++].holds = holds;
	}
	out->check_count = n;
	return broken;
}
