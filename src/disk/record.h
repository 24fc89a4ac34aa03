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
#include "disk/diag.h"
#include "disk/hist.h"
#include "disk/plan.h"
#include "disk/series.h"
#include "host/pressure.h"

enum record_phase {
	RECORD_STARTING,
	RECORD_PREPARE, /* writing the target */
	RECORD_SETTLE,	/* fsync of it, and its checks */
	RECORD_GATE,	/* waiting for the parent's sample */
	RECORD_RAMP,
	RECORD_WINDOW,
	RECORD_DRAIN,	 /* deadline passed, waiting for what is in flight */
	RECORD_CHECK,	 /* between windows */
	RECORD_DIAGNOSE, /* after them: disk/diag.h */
	RECORD_DONE
};

enum record_lane_id {
	RECORD_READ,
	RECORD_WRITE,
	RECORD_SYNC,
	RECORD_COMMIT,
	RECORD_LANES
};

/* A figure that was not taken: never printed, not even as 0. */
#define RECORD_UNKNOWN UINT64_MAX

/* What the worker gives up with where the parent asked for the end. */
#define RECORD_SUPERVISED "ended by the supervisor"

/*
 * One direction of one window.  READ and WRITE have slat with libaio only
 * (psync: submission is the call itself).  SYNC (the fsync or fdatasync call
 * alone) and COMMIT (psync: the write and the sync behind it) use lat only.
 * `ios` and `bytes` count what ended well inside the window, `errors` what
 * did not.
 */
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
	_Atomic int state; /* enum record_state */
	struct err err;	   /* why RECORD_FAILED */
	/*
	 * Monotonic.  started: right before the first submission, or the end
	 * of the ramp; the series counts from it, every completion from then
	 * on counts.  ended: the last reap (psync: the last sync), drain
	 * included, end_fsync not.
	 */
	uint64_t started_ns, ended_ns;
	struct record_lane lanes[RECORD_LANES];
	struct series series;
	uint64_t submits; /* io_submit / read / write calls, with the ramp's */
	/* io_submit above 100 us, above 1 ms, and the time of the former;
	   RECORD_UNKNOWN with psync. */
	uint64_t slow_submits_100us, slow_submits_1ms, slow_submit_ns;
	/* Its own event was the ring's newest when io_submit returned;
	   RECORD_UNKNOWN where the ring is not read. */
	uint64_t early_completions;
	/* Without a completion, from the start on; several threads: the
	   longest of any one thread. */
	uint64_t longest_gap_ns;
	uint64_t carried_ns; /* age of I/Os in flight at the ramp's end */
	/*
	 * Slot time not used before the end of issuing: slots that waited
	 * because io_submit said EAGAIN, and slots of threads that had ended
	 * while another still issued.  The first filling of the queue and the
	 * moment between a reap and its refill are not in it.
	 */
	uint64_t queue_short_ns;
	uint64_t negative_deltas; /* stamps that ran backwards: must be 0 */
	/* Of the measuring threads alone, from started to the last reap. */
	uint64_t user_ns, system_ns;
	uint64_t voluntary_switches, involuntary_switches, minor_faults;
	uint64_t runqueue_wait_ns; /* RECORD_UNKNOWN = not told */
	uint64_t continued;	   /* SIGCONT seen while it ran */
	bool ring_reap;		   /* completions read from the ring */
	void *pages;		   /* series and counts: whole pages */
	uint64_t pages_bytes;
};

struct record_prepare {
	uint64_t bytes, elapsed_ns;
	/* Writing the first and the last quarter; 0: it has no quarters. */
	uint64_t first_quarter_ns, last_quarter_ns;
	uint64_t kernel_write_bytes; /* /proc/self/io, RECORD_UNKNOWN */
	int extents_written;	     /* FIEMAP: 1 yes, 0 no, -1 not told */
	bool done;
};

/*
 * Live figures of one thread, on its own cache line.  They only grow, over
 * all windows and with the ramps: take differences.
 */
struct record_live {
	_Alignas(64) _Atomic uint64_t ios;
	_Atomic uint64_t lat_ns; /* sum */
};

/*
 * CPU steal during the neighbour probe, of each interval from its beginning;
 * NAN = not told.  The parent writes it.
 */
struct record_probe {
	uint64_t began_ns; /* monotonic, 0 = it never did */
	uint64_t interval_ns;
	uint32_t steal_count;
	float steal_pct[PRESSURE_SECONDS_MAX];
};

struct record {
	_Atomic int phase; /* enum record_phase */
	_Atomic uint32_t at_gate, gate, finished, seen;
	/*
	 * 0 = go on.  A signal's number: issue nothing, wait for what is in
	 * flight.  -1 (deadline, stall): wait no longer than I/Os keep coming.
	 */
	_Atomic int stop;
	_Atomic uint32_t window;	  /* current, 0-based */
	_Atomic uint64_t window_began_ns; /* with its ramp; 0 = not yet */
	_Atomic uint64_t prepared_bytes;
	_Atomic uint64_t continued;
	struct record_prepare prepare;
	struct diag diag;
	struct record_probe probe;
	struct err err; /* why the worker gave up; code 0 = it
	                                 did not */
	uint32_t window_count;
	struct record_window *windows;
	uint32_t slot_count;
	/* Start stamp of each slot, 0 = idle; slot 0 also serves prepare, checks
	   and end_fsync.  Thread k's slots begin at k * record_stride(iodepth). */
	_Atomic uint64_t *outstanding;
	uint32_t live_count;
	struct record_live *live;
	int parent_pid; /* who made it */
	void *map;
	uint64_t map_bytes;
};

/*
 * Take the pages of window n's distributions out of this process's resident
 * set; their content stays, and comes back when looked at.
 */
void record_let_go(struct record *r, uint32_t n);

/* Slots of one thread, rounded up so that no two share a cache line. */
static inline uint32_t
record_stride(uint32_t iodepth)
{
	return (iodepth + 7) & ~UINT32_C(7);
}

/* Which distributions lane has in a window of job: a set of these. */
#define RECORD_SLAT 1u
#define RECORD_CLAT 2u
#define RECORD_LAT  4u
unsigned record_wants(const struct job *j, enum record_lane_id lane);

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
