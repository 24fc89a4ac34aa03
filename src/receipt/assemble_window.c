#include "receipt/assemble_window.h"

#include <stdlib.h>

#include "base/stats.h"
#include "receipt/latency.h"

/*
 * Seconds are what a reader looks at; of a window of an hour he looks at six
 * at a time, so that no receipt outgrows its own reader.
 */
#define ASSEMBLE_SERIES_NS  UINT64_C(1000000000)
#define ASSEMBLE_SERIES_MAX 600

/* What is not told is copied as it stands: each has the same word for it. */
_Static_assert(
	RECORD_UNKNOWN == SHAPE_ABSENT && PRESSURE_UNKNOWN == SHAPE_ABSENT,
	"unknown is absent");

/* A figure a second. */
static double
assemble_window_rate(uint64_t amount, uint64_t elapsed_ns)
{
	return (double)amount * 1e9 / (double)elapsed_ns;
}

/* latency_of, where NULL means out of memory only if there are samples. */
static int
assemble_window_latency(struct receipt_latency **out, const struct hist *h,
	unsigned parts, struct arena *a)
{
	*out = latency_of(h, parts, a);
	return !*out && h->counts && h->n > 0 ? -1 : 0;
}

static struct receipt_lane *
assemble_window_lane(struct arena *a)
{
	struct receipt_lane *lane = arena_alloc(a, 1, sizeof(*lane));

	if (!lane)
		return NULL;
	lane->ios = lane->bytes = lane->errors = SHAPE_ABSENT;
	lane->iops = lane->bw_bytes = __builtin_nan("");
	return lane;
}

/* Reads or writes. */
static int
assemble_window_direction(struct receipt_lane **out,
	const struct assemble_window *in, int id, struct arena *a)
{
	const struct record_window *w = in->measured;
	const struct record_lane *from = &w->lanes[id];
	uint64_t elapsed_ns = w->ended_ns - w->started_ns;
	struct receipt_lane *lane = assemble_window_lane(a);
	unsigned parts = LATENCY_BUCKETS | LATENCY_WEIGHTED;

	if (!lane)
		return -1;
	*out = lane;
	lane->ios = from->ios;
	lane->bytes = from->bytes;
	lane->errors = from->errors;
	if (from->ios == 0 || elapsed_ns == 0)
		return 0;
	lane->iops = assemble_window_rate(from->ios, elapsed_ns);
	lane->bw_bytes = assemble_window_rate(from->bytes, elapsed_ns);
	/* psync has no submission apart from the call itself */
	if (in->job->ioengine == JOB_LIBAIO &&
		assemble_window_latency(&lane->slat_ns, &from->slat, 0, a))
		return -1;
	if (assemble_window_latency(
		    &lane->clat_ns, &from->clat, LATENCY_BUCKETS, a))
		return -1;
	/* clat has fio's, which fio's files are made of */
	if (in->coarse)
		parts |= LATENCY_COARSE;
	return assemble_window_latency(&lane->lat_ns, &from->lat, parts, a);
}

/* Syncs alone, or commits: latencies only. */
static int
assemble_window_sync(struct receipt_lane **out,
	const struct assemble_window *in, int id, struct arena *a)
{
	const struct record_lane *from = &in->measured->lanes[id];
	struct receipt_lane *lane;

	if (!from->lat.counts || from->lat.n == 0)
		return 0;
	lane = *out = assemble_window_lane(a);
	if (!lane)
		return -1;
	if (id == RECORD_SYNC)
		lane->ios = from->ios;
	return assemble_window_latency(&lane->lat_ns, &from->lat,
		LATENCY_BUCKETS | LATENCY_WEIGHTED, a);
}

static void
assemble_window_fold(
	struct receipt_series *to, const struct series *from, uint32_t slots)
{
	const struct series_slot *slot;
	size_t i, at;

	for (i = 0; i < from->used; i++) {
		slot = &from->slots[i];
		at = i / slots;
		if (to->read_ios)
			to->read_ios[at] += slot->read_ios;
		if (to->write_ios)
			to->write_ios[at] += slot->write_ios;
		if (slot->worst_ns > to->worst_ns[at])
			to->worst_ns[at] = slot->worst_ns;
	}
}

/* From 100 ms to seconds, for the directions that the job has. */
static int
assemble_window_series(struct receipt_series **out,
	const struct assemble_window *in, struct arena *a)
{
	const struct series *from = &in->measured->series;
	uint32_t slots = ASSEMBLE_SERIES_NS / SERIES_INTERVAL_NS;
	struct receipt_series *s = arena_alloc(a, 1, sizeof(*s));
	size_t n;

	if (!s)
		return -1;
	*out = s;
	while ((from->used + slots - 1) / slots > ASSEMBLE_SERIES_MAX)
		slots += ASSEMBLE_SERIES_NS / SERIES_INTERVAL_NS;
	n = (from->used + slots - 1) / slots;
	s->interval_ns = slots * SERIES_INTERVAL_NS;
	s->worst_ns = arena_alloc(a, n ? n : 1, sizeof(*s->worst_ns));
	s->worst_count = n;
	if (!s->worst_ns)
		return -1;
	if (job_reads(in->job)) {
		s->read_ios = arena_alloc(a, n ? n : 1, sizeof(*s->read_ios));
		s->read_count = n;
		if (!s->read_ios)
			return -1;
	}
	if (job_writes(in->job)) {
		s->write_ios = arena_alloc(a, n ? n : 1, sizeof(*s->write_ios));
		s->write_count = n;
		if (!s->write_ios)
			return -1;
	}
	assemble_window_fold(s, from, slots);
	return 0;
}

static int
assemble_window_engine(struct receipt_engine **out,
	const struct assemble_window *in, struct arena *a)
{
	const struct record_window *w = in->measured;
	struct receipt_engine *e = arena_alloc(a, 1, sizeof(*e));

	if (!e)
		return -1;
	*out = e;
	e->name = job_ioengine_word(in->job->ioengine);
	if (in->job->ioengine == JOB_LIBAIO)
		e->reap = w->ring_reap ? "ring" : "syscall";
	e->ticker_ns = in->ticker_ns ? in->ticker_ns : SHAPE_ABSENT;
	e->submits = w->submits;
	e->slow_submits_100us = w->slow_submits_100us;
	e->slow_submits_1ms = w->slow_submits_1ms;
	e->slow_submit_ns = w->slow_submit_ns;
	e->early_completions = w->early_completions;
	e->queue_short_ns = w->queue_short_ns;
	return 0;
}

/* Steal where it is told: over all, at its worst, second by second. */
static int
assemble_window_steal(
	struct receipt_cpu *c, const struct pressure_delta *d, struct arena *a)
{
	uint32_t i;

	c->steal_pct = d ? d->steal_pct : __builtin_nan("");
	c->steal_worst_cpu_pct = d ? d->steal_worst_cpu_pct : __builtin_nan("");
	c->steal_worst_second_pct =
		d ? d->steal_worst_second_pct : __builtin_nan("");
	c->steal_interval_ns = SHAPE_ABSENT;
	if (!d || d->steal_count == 0)
		return 0;
	c->steal_interval_ns = d->steal_interval_ns;
	c->steal_series_count = d->steal_count;
	c->steal_series_pct =
		arena_alloc(a, d->steal_count, sizeof(*c->steal_series_pct));
	if (!c->steal_series_pct)
		return -1;
	for (i = 0; i < d->steal_count; i++)
		c->steal_series_pct[i] = (double)d->steal_series_pct[i];
	return 0;
}

static int
assemble_window_cpu(struct receipt_cpu **out, const struct assemble_window *in,
	struct arena *a)
{
	const struct record_window *w = in->measured;
	struct receipt_cpu *c = arena_alloc(a, 1, sizeof(*c));

	if (!c)
		return -1;
	*out = c;
	c->user_ns = w->user_ns;
	c->system_ns = w->system_ns;
	c->voluntary_switches = w->voluntary_switches;
	c->involuntary_switches = w->involuntary_switches;
	c->minor_faults = w->minor_faults;
	c->runqueue_wait_ns = w->runqueue_wait_ns;
	c->others_cpu_pct =
		in->delta ? in->delta->others_cpu_pct : __builtin_nan("");
	c->kernel_cpu_pct =
		in->delta ? in->delta->kernel_cpu_pct : __builtin_nan("");
	return assemble_window_steal(c, in->delta, a);
}

/*
 * Bytes that we moved between the two samples of the disk's counters: those of
 * the window, and those of its ramp, which only `submits` has counted; both
 * directions had the same share in it.
 */
static uint64_t
assemble_window_own_bytes(const struct assemble_window *in, int id)
{
	const struct record_lane *lanes = in->measured->lanes;
	uint64_t ios = lanes[RECORD_READ].ios + lanes[RECORD_WRITE].ios;

	if (ios == 0 || in->measured->submits <= ios)
		return lanes[id].bytes;
	return (uint64_t)((double)lanes[id].bytes *
			  (double)in->measured->submits / (double)ios);
}

/* a - b, 0 where b is more, absent where one is not known. */
static uint64_t
assemble_window_beyond(uint64_t a, uint64_t b)
{
	if (a == PRESSURE_UNKNOWN || b == PRESSURE_UNKNOWN)
		return SHAPE_ABSENT;
	return a > b ? a - b : 0;
}

static int
assemble_window_device(struct receipt_device **out,
	const struct assemble_window *in, struct arena *a)
{
	uint64_t reads = assemble_window_own_bytes(in, RECORD_READ);
	uint64_t writes = assemble_window_own_bytes(in, RECORD_WRITE);
	const struct pressure_delta *d = in->delta;
	struct receipt_device *dev;

	if (!d || (d->device_read_bytes == PRESSURE_UNKNOWN &&
			  d->device_write_bytes == PRESSURE_UNKNOWN))
		return 0;
	dev = *out = arena_alloc(a, 1, sizeof(*dev));
	if (!dev)
		return -1;
	dev->read_bytes = d->device_read_bytes;
	dev->write_bytes = d->device_write_bytes;
	dev->other_read_bytes = assemble_window_beyond(dev->read_bytes, reads);
	dev->other_write_bytes =
		assemble_window_beyond(dev->write_bytes, writes);
	dev->missing_read_bytes =
		assemble_window_beyond(reads, dev->read_bytes);
	dev->missing_write_bytes =
		assemble_window_beyond(writes, dev->write_bytes);
	dev->read_ios = d->device_read_ios;
	dev->write_ios = d->device_write_ios;
	dev->read_wait_ns = d->device_read_wait_ns;
	dev->write_wait_ns = d->device_write_wait_ns;
	return 0;
}

static int
assemble_window_pressure(struct receipt_pressure **out,
	const struct assemble_window *in, struct arena *a)
{
	const struct pressure_delta *d = in->delta;
	struct receipt_pressure *p;

	if (!d || (d->stall_ns[PRESSURE_CPU] == PRESSURE_UNKNOWN &&
			  d->stall_ns[PRESSURE_IO] == PRESSURE_UNKNOWN &&
			  d->stall_ns[PRESSURE_MEMORY] == PRESSURE_UNKNOWN))
		return 0;
	p = *out = arena_alloc(a, 1, sizeof(*p));
	if (!p)
		return -1;
	p->cpu_some_ns = d->stall_ns[PRESSURE_CPU];
	p->io_some_ns = d->stall_ns[PRESSURE_IO];
	p->memory_some_ns = d->stall_ns[PRESSURE_MEMORY];
	return 0;
}

int
assemble_window(const struct assemble_window *in, struct receipt_window *out,
	struct arena *a)
{
	const struct record_window *w = in->measured;

	out->name = in->plan->name;
	out->run = in->plan->run;
	out->job = in->plan->job;
	out->elapsed_ns = w->ended_ns - w->started_ns;
	out->longest_gap_ns = w->longest_gap_ns;
	if (job_reads(in->job) &&
		assemble_window_direction(&out->read, in, RECORD_READ, a))
		return -1;
	if (job_writes(in->job) &&
		assemble_window_direction(&out->write, in, RECORD_WRITE, a))
		return -1;
	if (assemble_window_sync(&out->sync, in, RECORD_SYNC, a) ||
		assemble_window_sync(&out->commit, in, RECORD_COMMIT, a) ||
		assemble_window_series(&out->series, in, a) ||
		assemble_window_engine(&out->engine, in, a) ||
		assemble_window_cpu(&out->cpu, in, a))
		return -1;
	if (assemble_window_device(&out->device, in, a))
		return -1;
	return assemble_window_pressure(&out->pressure, in, a);
}

/* The job that the summary is about, or the number of jobs; never the probe. */
static uint32_t
assemble_window_qd1(const struct plan *p)
{
	const struct job *j;
	uint32_t i;

	for (i = 0; i < plan_jobs(p); i++) {
		j = &p->jobs[i];
		if (j->iodepth == 1 && j->numjobs == 1 && j->runs > 1 &&
			j->rw == JOB_RANDREAD)
			break;
	}
	return i;
}

/* Merge the reads of all runs of a job; how many runs were there, or 0. */
static uint32_t
assemble_window_merge(const struct plan *p, const struct record *r,
	uint32_t job, double *iops, struct hist *all)
{
	const struct record_window *w;
	uint32_t i, n = 0;

	for (i = 0; i < p->window_count; i++) {
		if (p->windows[i].job != job)
			continue;
		w = &r->windows[i];
		if (atomic_load(&w->state) != RECORD_MEASURED ||
			w->ended_ns <= w->started_ns || n >= JOB_RUNS_MAX)
			return 0;
		iops[n++] = assemble_window_rate(
			w->lanes[RECORD_READ].ios, w->ended_ns - w->started_ns);
		hist_merge(all, &w->lanes[RECORD_READ].lat);
	}
	return n;
}

int
assemble_window_summary(const struct plan *p, const struct record *r,
	struct receipt_summary **out, struct arena *a)
{
	uint32_t job = assemble_window_qd1(p), runs;
	double iops[JOB_RUNS_MAX];
	struct receipt_summary *s;
	struct hist all;
	int rc = 0;

	if (job == plan_jobs(p))
		return 0;
	hist_init_zero(&all, calloc(HIST_BUCKETS, sizeof(*all.counts)));
	s = arena_alloc(a, 1, sizeof(*s));
	if (!all.counts || !s) {
		free(all.counts);
		return -1;
	}
	runs = assemble_window_merge(p, r, job, iops, &all);
	if (runs > 1 && stats_mean(iops, runs) > 0) {
		s->qd1_spread_pct = stats_spread_pct(iops, runs);
		rc = assemble_window_latency(&s->qd1_all_runs, &all,
			LATENCY_BUCKETS | LATENCY_WEIGHTED, a);
		*out = s;
	}
	free(all.counts);
	return rc;
}
