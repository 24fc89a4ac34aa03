/*
 * record: the memory that the measuring worker and the supervising parent
 * share.  The worker writes figures, the parent reads them; whatever becomes
 * of the worker, what it had finished stays readable.
 *
 * Made before the fork (MAP_SHARED | MAP_ANONYMOUS), pointers inside are
 * valid in both processes.  Pages are touched only where there is content.
 *
 * The two speak through few atomics:
 *   phase      worker -> parent   what is going on
 *   at_gate    worker -> parent   "window n (0-based) is ready": n + 1
 *   gate       parent -> worker   "go on with window n": n + 1; the parent
 *                                 samples the circumstances before it
 *   finished   worker -> parent   windows that ended (whatever the outcome)
 *   seen       parent -> worker   windows whose end the parent has sampled
 *   stop       parent -> worker   end now: drain, no further I/O
 */
#ifndef DISK_RECORD_H
#define DISK_RECORD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/hist.h"
#include "disk/plan.h"
#include "disk/series.h"

enum record_phase {
	RECORD_STARTING,
	RECORD_PREPARE, /* writing the target */
	RECORD_SETTLE,	/* fsync of it, and its checks */
	RECORD_GATE,	/* waiting for the parent's sample */
	RECORD_RAMP,
	RECORD_WINDOW,
	RECORD_DRAIN, /* deadline passed, waiting for what is in flight */
	RECORD_CHECK, /* between windows */
	RECORD_DONE
};

enum record_lane_id {
	RECORD_READ,
	RECORD_WRITE,
	RECORD_SYNC,
	RECORD_COMMIT,
	RECORD_LANES
};

/* One direction of one window.  SYNC and COMMIT use lat only. */
struct record_lane {
	uint64_t ios, bytes, errors;
	struct hist slat, clat, lat; /* counts NULL where the lane is unused */
};

enum record_state {
	RECORD_PENDING,
	RECORD_RUNNING,
	RECORD_MEASURED,
	RECORD_FAILED
};

struct record_window {
	_Atomic int state;	       /* enum record_state */
	struct err err;		       /* why RECORD_FAILED */
	uint64_t started_ns, ended_ns; /* monotonic: first submit counted ->
	                                  last reap */
	struct record_lane lanes[RECORD_LANES];
	struct series series;
	uint64_t submits; /* io_submit / read / write calls, with
	                                  the ramp's */
	uint64_t slow_submits_100us, slow_submits_1ms, slow_submit_ns;
	uint64_t early_completions; /* done before io_submit returned */
	uint64_t longest_gap_ns;    /* without a completion */
	uint64_t carried_ns;	    /* age of I/Os in flight at ramp's end */
	uint64_t queue_short_ns;    /* slot time not used before the deadline */
	uint64_t negative_deltas;   /* stamps that ran backwards: must be 0 */
	uint64_t user_ns, system_ns;
	uint64_t voluntary_switches, involuntary_switches, minor_faults;
	uint64_t runqueue_wait_ns; /* UINT64_MAX = not told */
	uint64_t continued;	   /* SIGCONT seen while it ran */
	bool ring_reap;		   /* completions read from the ring */
};

struct record_prepare {
	uint64_t bytes, elapsed_ns;
	uint64_t kernel_write_bytes; /* /proc/self/io, UINT64_MAX not told */
	int extents_written;	     /* FIEMAP: 1 yes, 0 no, -1 not told */
	bool done;
};

/* Live figures of one thread, on its own cache line. */
struct record_live {
	_Alignas(64) _Atomic uint64_t ios;
	_Atomic uint64_t lat_ns; /* sum */
};

struct record {
	_Atomic int phase; /* enum record_phase */
	_Atomic uint32_t at_gate, gate, finished, seen;
	_Atomic int stop;	 /* signal number, or -1: deadline, stall */
	_Atomic uint32_t window; /* current, 0-based */
	_Atomic uint64_t window_began_ns; /* with its ramp; 0 = not yet */
	_Atomic uint64_t prepared_bytes;
	_Atomic uint64_t continued;
	struct record_prepare prepare;
	struct err err; /* why the worker gave up; code 0 = it
	                                 did not */
	uint32_t window_count;
	struct record_window *windows;
	uint32_t slot_count;
	_Atomic uint64_t *outstanding; /* start stamp of each slot, 0 = idle;
	                                  slot 0 also serves prepare and syncs */
	uint32_t live_count;
	struct record_live *live;
	void *map;
	uint64_t map_bytes;
};

/* Sized for the plan; ERR_REFUSED where memory cannot be had. */
struct record *record_make(const struct plan *p, struct err *e);
void record_free(struct record *r);

/*
 * Age of the oldest outstanding I/O at now_ns, 0 where none is.  Read while
 * the worker writes: relaxed, a slot that changes meanwhile is young.
 */
uint64_t record_oldest_ns(const struct record *r, uint64_t now_ns);

/* Sums over the live counters. */
void record_live_total(const struct record *r, uint64_t *ios, uint64_t *lat_ns);

#endif
