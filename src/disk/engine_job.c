#include "disk/engine_job.h"

#include <errno.h>
#include <unistd.h>

#include "disk/engine_aio.h"
#include "disk/engine_sync.h"
#include "disk/touch.h"
#include "host/pressure.h"

#define ENGINE_JOB_RAMP_READ_NS (10 * CLOCK_NS_PER_MS)

static uint32_t *
engine_job_hist(struct hist *h, uint32_t *counts, bool wanted)
{
	if (!wanted)
		return counts;
	hist_init(h, counts);
	return counts + HIST_BUCKETS;
}

static void
engine_job_lanes(struct engine_job *t)
{
	uint32_t *counts = t->counts;
	struct engine_lane *lane;
	unsigned wants;
	int i;

	memset(t->lanes, 0, sizeof(t->lanes));
	for (i = 0; i < RECORD_LANES; i++) {
		lane = &t->lanes[i];
		wants = record_wants(t->job, (enum record_lane_id)i);
		/* psync: the call is all there is, one table serves both. */
		if (wants == (RECORD_CLAT | RECORD_LAT))
			wants = RECORD_CLAT;
		counts = engine_job_hist(
			&lane->slat, counts, wants & RECORD_SLAT);
		counts = engine_job_hist(
			&lane->clat, counts, wants & RECORD_CLAT);
		counts =
			engine_job_hist(&lane->lat, counts, wants & RECORD_LAT);
	}
}

/* All that counts from zero in each window. */
static void
engine_job_clear(struct engine_job *t)
{
	t->began_ns = t->base_ns = t->last_ns = t->issue_end_ns = 0;
	t->counting = t->issue_ended = t->cut = t->spin = false;
	t->sync_due = ENGINE_SYNC_NONE;
	t->issued = t->completed = t->writes = t->submits = 0;
	t->slow_100us = t->slow_1ms = t->slow_ns = t->early = 0;
	t->longest_gap_ns = t->carried_ns = t->queue_short_ns = 0;
	t->negative_deltas = 0;
	t->runqueue_from_ns = t->runqueue_wait_ns = RECORD_UNKNOWN;
	t->ramp_read = false;
	t->lost = 0;
	memset(&t->err, 0, sizeof(t->err));
}

/*
 * I/Os of a thread, from the end of its ramp on: fio's `size` is a limit
 * unless time_based, number_ios always is.
 */
static uint64_t
engine_job_wanted(const struct engine_job *t)
{
	uint64_t limit = UINT64_MAX;

	if (!t->job->time_based || !t->job->runtime_ns)
		limit = t->sequence.blocks;
	if (t->job->number_ios && t->job->number_ios < limit)
		limit = t->job->number_ios;
	return limit;
}

int
engine_job_ready(struct engine_job *t, const struct job *job,
	enum plan_sequence generation, struct rng *rng, struct err *e)
{
	struct record *r = t->common->record;
	const struct sequence_origin from = { t->index, generation,
		rng_next(rng) };
	unsigned char *end;
	uint64_t bytes;
	uint32_t i;

	if (t->sequence_made)
		sequence_free(&t->sequence);
	t->sequence_made = false;
	t->job = job;
	t->depth = job->ioengine == JOB_LIBAIO ? job->iodepth : 1;
	engine_job_clear(t);
	if (sequence_init(&t->sequence, job, &from, e) < 0)
		return -1;
	t->sequence_made = true;
	engine_job_lanes(t);
	series_init(&t->series, t->slots, t->slots_capacity);
	t->limit_ios = job->ramp_ns ? UINT64_MAX : engine_job_wanted(t);
	t->serial = rng_next(rng);
	t->outstanding = r->outstanding +
			 (uint64_t)t->index * record_stride(job->iodepth);
	t->live = &r->live[t->index];
	bytes = t->depth * job->bs_bytes;
	if (job_writes(job))
		rng_fill(rng, t->buffers, bytes);
	touch_write(t->buffers, bytes);
	/* What an earlier, larger window had. */
	end = (unsigned char *)t->buffers_map + t->buffers_bytes;
	touch_let_go(t->buffers + bytes, (size_t)(end - t->buffers) - bytes);
	for (i = 0; i < t->depth; i++)
		engine_job_outstanding(t, i, 0);
	touch_write(t->live, sizeof(*t->live));
	if (job->ioengine == JOB_LIBAIO)
		engine_aio_ready(t->aio, t);
	return 0;
}

uint64_t
engine_job_runqueue(const struct engine_job *t)
{
	return pressure_runqueue_wait_ns(t->common->root, 0, (int)gettid());
}

void
engine_job_run(struct engine_job *t)
{
	const struct job *j = t->job;
	_Atomic uint64_t *began = &t->common->record->window_began_ns;

	getrusage(RUSAGE_THREAD, &t->usage_from);
	if (!t->began_ns)
		t->began_ns = clock_now_ns();
	if (!t->index)
		atomic_store(began, t->began_ns);
	t->base_ns = t->last_ns = t->began_ns + j->ramp_ns;
	t->counting = !j->ramp_ns;
	t->deadline_ns =
		j->runtime_ns ? t->base_ns + j->runtime_ns : UINT64_MAX;
	if (j->ioengine == JOB_LIBAIO)
		engine_aio_run(t);
	else
		engine_sync_run(t);
	getrusage(RUSAGE_THREAD, &t->usage_to);
	engine_job_end_issue(t, t->last_ns);
	/* It ended with nothing in flight: that time is the window's, too. */
	if (t->counting && t->issue_end_ns > t->last_ns)
		engine_job_gap(t, t->issue_end_ns);
}

static void
engine_job_halt(struct engine_job *t)
{
	atomic_store_explicit(&t->common->halt, 1, memory_order_relaxed);
}

void
engine_job_fail(
	struct engine_job *t, const struct engine_io *io, int64_t result)
{
	const char *what = io->write ? "write" : "read";
	unsigned long long bs = t->job->bs_bytes, at = io->offset_bytes;
	unsigned long long well = t->completed;

	t->lanes[io->write].errors++;
	engine_job_halt(t);
	if (t->err.code)
		return;
	if (result < 0)
		err_set(&t->err, ERR_INCOMPLETE, (int)-result,
			"%s of %llu bytes at offset %llu failed after %llu "
			"good I/Os",
			what, bs, at, well);
	else
		err_set(&t->err, ERR_INCOMPLETE, 0,
			"%s of %llu bytes at offset %llu came back with %lld "
			"bytes only, after %llu good I/Os",
			what, bs, at, (long long)result, well);
}

void
engine_job_fail_call(struct engine_job *t, const char *call, int sys)
{
	engine_job_halt(t);
	if (t->err.code)
		return;
	err_set(&t->err, ERR_INCOMPLETE, sys, "%s failed after %llu good I/Os",
		call, (unsigned long long)t->completed);
}

/* The ramp is over: what completes from now on counts. */
static void
engine_job_begin(struct engine_job *t)
{
	uint64_t start, wanted = engine_job_wanted(t);
	uint32_t i;

	/* The part of each I/O in flight that lies before the window. */
	for (i = 0; i < t->depth; i++) {
		start = atomic_load_explicit(
			&t->outstanding[i], memory_order_relaxed);
		if (start && start < t->base_ns)
			t->carried_ns += t->base_ns - start;
	}
	if (wanted != UINT64_MAX)
		t->limit_ios = t->completed + wanted;
	t->counting = true;
	getrusage(RUSAGE_THREAD, &t->usage_from);
	if (!t->index && !t->issue_ended)
		atomic_store_explicit(&t->common->record->phase, RECORD_WINDOW,
			memory_order_relaxed);
}

void
engine_job_ramp(struct engine_job *t, uint64_t reap_ns)
{
	if (!t->ramp_read && reap_ns + ENGINE_JOB_RAMP_READ_NS >= t->base_ns) {
		t->ramp_read = true;
		t->runqueue_from_ns = engine_job_runqueue(t);
	}
	if (reap_ns >= t->base_ns)
		engine_job_begin(t);
}

void
engine_job_end_issue(struct engine_job *t, uint64_t now_ns)
{
	if (t->issue_ended)
		return;
	t->issue_ended = true;
	t->cut = now_ns < t->deadline_ns && t->issued < t->limit_ios;
	t->issue_end_ns = now_ns;
	if (!t->index)
		atomic_store_explicit(&t->common->record->phase, RECORD_DRAIN,
			memory_order_relaxed);
}

int
engine_job_sync(struct engine_job *t, uint32_t slot, uint64_t write_ns,
	uint64_t *now_ns)
{
	bool whole = t->sync_due == ENGINE_SYNC_FILE;
	struct engine_lane *sync = &t->lanes[RECORD_SYNC];
	struct engine_lane *commit = &t->lanes[RECORD_COMMIT];
	uint64_t from = *now_ns;
	int failed;

	t->sync_due = ENGINE_SYNC_NONE;
	engine_job_outstanding(t, slot, from);
	do {
		failed =
			whole ? fsync(t->common->fd) : fdatasync(t->common->fd);
	} while (failed && errno == EINTR && !engine_job_stopped(t));
	if (failed && errno == EINTR)
		return -1; /* the parent has said stop */
	if (failed) {
		sync->errors++;
		engine_job_fail_call(t, whole ? "fsync" : "fdatasync", errno);
		return -1;
	}
	*now_ns = clock_now_ns();
	engine_job_outstanding(t, slot, 0);
	/* In a ramp, and where its write was still of the ramp, none counts. */
	if (!t->counting)
		return 0;
	sync->ios++;
	hist_record(&sync->lat, engine_job_delta(t, from, *now_ns));
	engine_job_gap(t, *now_ns);
	if (write_ns && commit->lat.counts) {
		commit->ios++;
		hist_record(
			&commit->lat, engine_job_delta(t, write_ns, *now_ns));
	}
	return 0;
}
