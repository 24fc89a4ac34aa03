/*
 * engine_job: one thread's share of a window, and the bookkeeping of one I/O.
 * Private to disk/engine*.c.
 *
 * Everything here is written by its own thread alone; results are added up
 * after the threads have ended.  Shared are only `common` (read, and `halt`)
 * and the record's stop, slots and live figures (relaxed atomics: nobody
 * orders anything by them).
 *
 * The functions that run for each I/O are inline: about 15 ns together, with
 * sequence_next 35, beside the loop's three clock reads.
 */
#ifndef DISK_ENGINE_JOB_H
#define DISK_ENGINE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/rng.h"
#include "disk/hist.h"
#include "disk/job.h"
#include "disk/record.h"
#include "disk/sequence.h"
#include "disk/series.h"

#define ENGINE_JOB_STAMP 512 /* bytes of written data a stamp stands for */

struct engine_aio;

/* What all threads of an engine read. */
struct engine_common {
	struct record *record;
	const char *root;
	int fd;
	bool syscall_reap;
	bool dear_clock;  /* a stamp costs > 100 ns: the reap's serves as the
	                    next start, and lat holds the bookkeeping */
	_Atomic int halt; /* a thread failed: the others end */
};

struct engine_lane {
	uint64_t ios, errors;
	struct hist slat, clat, lat; /* psync: clat alone, it is lat as well */
};

struct engine_io {
	uint64_t offset_bytes, start_ns, issue_ns;
	bool write;
};

enum engine_sync { ENGINE_SYNC_NONE, ENGINE_SYNC_FILE, ENGINE_SYNC_DATA };

struct engine_job {
	/* For the engine's life. */
	struct engine_common *common;
	struct engine_aio *aio; /* NULL: all jobs are psync */
	uint32_t index;
	unsigned char *buffers; /* depth x bs, aligned, in buffers_map */
	void *buffers_map, *tables;
	uint64_t buffers_bytes, tables_bytes;
	uint32_t *counts; /* of the histograms, in tables */
	struct series_slot *slots;
	uint32_t slots_capacity;

	/* For one window. */
	const struct job *job;
	struct sequence sequence;
	bool sequence_made;
	uint32_t depth;
	_Atomic uint64_t *outstanding; /* [depth], in the record */
	struct record_live *live;
	uint64_t began_ns;    /* 0: taken by engine_job_run */
	uint64_t base_ns;     /* from here completions count */
	uint64_t deadline_ns; /* from here nothing is issued */
	uint64_t limit_ios;   /* issued, counted like `issued` */
	uint64_t serial;      /* in the stamps of written data */
	bool counting;	      /* base_ns is behind us */
	bool issue_ended;
	bool cut;  /* it ended before its time or its number of I/Os */
	bool spin; /* libaio: look for completions, do not sleep */
	enum engine_sync sync_due; /* before the next I/O */
	struct engine_lane lanes[RECORD_LANES];
	struct series series;
	uint64_t issued, completed, writes, submits;
	uint64_t live_ios, live_lat_ns;
	uint64_t last_ns; /* the newest completion that counts */
	uint64_t issue_end_ns;
	uint64_t slow_100us, slow_1ms, slow_ns, early;
	uint64_t longest_gap_ns, carried_ns, queue_short_ns, negative_deltas;
	uint64_t runqueue_from_ns, runqueue_wait_ns;
	bool ramp_read; /* runqueue_from_ns is of the ramp's last moment */
	struct rusage usage_from, usage_to;
	uint32_t lost; /* in flight when it gave up waiting */
	struct err err;
};

/* Assign and touch what t needs for job; the sequence is made anew. */
int engine_job_ready(struct engine_job *t, const struct job *job,
	enum plan_sequence generation, struct rng *rng, struct err *e);

/* How long this thread has waited for a CPU so far; RECORD_UNKNOWN. */
uint64_t engine_job_runqueue(const struct engine_job *t);

/*
 * Measure: from the first submission to the end of the drain.  Reads nothing
 * from /proc: the run queue's wait is read before and after, and with a ramp
 * once in its last 10 ms (late, if no I/O ends there).
 */
void engine_job_run(struct engine_job *t);

/* The first failure of t stands; all threads stop issuing. */
void engine_job_fail(
	struct engine_job *t, const struct engine_io *io, int64_t result);
void engine_job_fail_call(struct engine_job *t, const char *call, int sys);

/* A completion before anything counts: is the ramp over with it? */
void engine_job_ramp(struct engine_job *t, uint64_t reap_ns);
/* Nothing more will be issued. */
void engine_job_end_issue(struct engine_job *t, uint64_t now_ns);

/*
 * The fsync or fdatasync that is due, in slot's stamp.  *now_ns: its start,
 * then its end.  write_ns: start of the write before it (COMMIT), or 0.
 */
int engine_job_sync(struct engine_job *t, uint32_t slot, uint64_t write_ns,
	uint64_t *now_ns);

static inline int
engine_job_stopped(const struct engine_job *t)
{
	return atomic_load_explicit(
		&t->common->record->stop, memory_order_relaxed);
}

static inline bool
engine_job_may_issue(const struct engine_job *t, uint64_t now_ns)
{
	return now_ns < t->deadline_ns && t->issued < t->limit_ios &&
	       !engine_job_stopped(t) &&
	       !atomic_load_explicit(&t->common->halt, memory_order_relaxed);
}

static inline uint64_t
engine_job_delta(struct engine_job *t, uint64_t from_ns, uint64_t to_ns)
{
	if (to_ns >= from_ns)
		return to_ns - from_ns;
	t->negative_deltas++;
	return 0;
}

/*
 * Each 512 bytes are told apart by offset and a number that no other write
 * of the run has, so that no two blocks are equal.  fio scrambles at this
 * place too, but after its start stamp: its slat has the cost inside.
 */
static inline void
engine_job_stamp(struct engine_job *t, unsigned char *data, uint64_t offset)
{
	uint64_t at, stamp[2];

	stamp[1] = t->serial++;
	for (at = 0; at + sizeof(stamp) <= t->job->bs_bytes;
		at += ENGINE_JOB_STAMP) {
		stamp[0] = offset + at;
		memcpy(data + at, stamp, sizeof(stamp));
	}
}

/* Draw the next I/O; data is the slot's buffer. */
static inline void
engine_job_next(struct engine_job *t, struct engine_io *io, unsigned char *data)
{
	sequence_next(&t->sequence, &io->offset_bytes, &io->write);
	t->issued++;
	if (!io->write)
		return;
	engine_job_stamp(t, data, io->offset_bytes);
	t->writes++;
}

/* As fio: fsync comes first, and a sync only directly after a write. */
static inline enum engine_sync
engine_job_due(const struct engine_job *t)
{
	const struct job *j = t->job;

	if (j->fsync_every && t->writes % j->fsync_every == 0)
		return ENGINE_SYNC_FILE;
	if (j->fdatasync_every && t->writes % j->fdatasync_every == 0)
		return ENGINE_SYNC_DATA;
	return ENGINE_SYNC_NONE;
}

static inline void
engine_job_outstanding(struct engine_job *t, uint32_t slot, uint64_t start_ns)
{
	atomic_store_explicit(
		&t->outstanding[slot], start_ns, memory_order_relaxed);
}

/* Something that counts was completed at now_ns. */
static inline void
engine_job_gap(struct engine_job *t, uint64_t now_ns)
{
	uint64_t gap = engine_job_delta(t, t->last_ns, now_ns);

	if (gap > t->longest_gap_ns)
		t->longest_gap_ns = gap;
	t->last_ns = now_ns;
}

/* io came back in full; its slot still holds its stamp. */
static inline void
engine_job_account(
	struct engine_job *t, const struct engine_io *io, uint64_t reap_ns)
{
	struct engine_lane *lane = &t->lanes[io->write];
	uint64_t lat = engine_job_delta(t, io->start_ns, reap_ns);

	t->live_ios++;
	t->live_lat_ns += lat;
	atomic_store_explicit(&t->live->ios, t->live_ios, memory_order_relaxed);
	atomic_store_explicit(
		&t->live->lat_ns, t->live_lat_ns, memory_order_relaxed);
	if (!t->counting)
		engine_job_ramp(t, reap_ns);
	t->completed++;
	if (!t->counting)
		return;
	lane->ios++;
	engine_job_gap(t, reap_ns);
	hist_record(&lane->clat, engine_job_delta(t, io->issue_ns, reap_ns));
	if (lane->slat.counts) {
		hist_record(&lane->slat,
			engine_job_delta(t, io->start_ns, io->issue_ns));
		hist_record(&lane->lat, lat);
	}
	series_record(&t->series, reap_ns - t->base_ns, io->write, lat);
}

#endif
