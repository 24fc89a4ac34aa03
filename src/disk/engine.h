/*
 * engine: runs one window of a plan against the target.
 *
 * The loop is fio's: one submit and one reap an I/O, the slot
 * refilled at once, the deadline looked at on each reap's stamp, then what is
 * in flight is waited for.  Submission latency (slat) is the time inside
 * io_submit, completion latency (clat) from its return to the reap (psync:
 * the call itself), latency (lat) both together.  Unlike fio's, slat does not
 * hold the scrambling of written data, which is done before the stamp.
 * A stamp after io_submit is also the reap of an older I/O whose event was
 * seen in the ring before it (depth 2 and more): two stamps instead of three.
 *
 * Between the start and the end of a window nothing is allocated, printed,
 * locked, or touched for the first time.
 */
#ifndef DISK_ENGINE_H
#define DISK_ENGINE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/plan.h"
#include "disk/record.h"

struct engine_setup {
	const struct plan *plan;
	struct record *record;
	int target_fd;	      /* O_RDWR | O_DIRECT */
	uint64_t align_bytes; /* of offsets, lengths and memory */
	uint64_t data_seed;   /* new in each run; may be what the target was
	                         filled with: written data is another stream */
	bool syscall_reap;    /* --reap=syscall: never read the ring */
	int cpu;	      /* pin to this CPU, -1 = not pinned */
	const char *root;     /* for /proc reads */
	/* What else has to hold before window n is MEASURED; NULL = nothing. */
	int (*hold)(void *arg, uint32_t n, struct err *e);
	void *hold_arg;
};

struct engine;

/*
 * Make contexts, buffers, histograms for the largest window of the plan.
 * Failure of io_setup is ERR_REFUSED in plain words (see engine_probe).
 */
struct engine *engine_make(const struct engine_setup *s, struct err *e);
void engine_free(struct engine *en);

/*
 * Lay out and touch all that window n needs.  engine_window does it if it was
 * not done; done before the gate, the parent's sample lies close to the start.
 */
int engine_ready(struct engine *en, uint32_t n, struct err *e);

/*
 * Measure window n, once, into record->windows[n], whose state becomes MEASURED or
 * FAILED.  -1 (ERR_INCOMPLETE) on an I/O error, a short transfer, a stop by
 * the parent (ERR_SIGNAL + n or ERR_INCOMPLETE), a failed end_fsync, or what
 * setup.hold says.  A stop that comes after the last submission does not undo
 * the window.
 * numjobs = 1 runs in the calling thread, more in threads of their own.
 *
 * A thread may wait in the kernel for an I/O.  Whoever sets record->stop
 * then sends ENGINE_WAKE, for which the process has a handler installed
 * without SA_RESTART, until the window ends: a single signal may come just
 * before the wait.  The calling thread passes it on to the others.
 *
 * After an I/O that never came back the engine measures no more: its memory
 * still belongs to the device.
 */
#define ENGINE_WAKE SIGUSR1
int engine_window(struct engine *en, uint32_t n, struct err *e);

/*
 * Outside of the windows: the reads of one of the plan's jobs (libaio, one
 * thread) for another runtime and without a ramp, spinning on the ring of
 * completions instead of sleeping; lat is added up in *lat.  Without a ring
 * nothing is done and elapsed_ns is 0.  -1 as engine_window, whose signals
 * and slots it uses.
 */
struct engine_polled {
	uint32_t job;
	uint64_t runtime_ns;
	struct hist *lat;
	uint64_t elapsed_ns;
};
int engine_polled(struct engine *en, struct engine_polled *p, struct err *e);

/*
 * Can asynchronous I/O of this depth be had at all?  io_setup and destroy
 * (about 30 ms a thread).
 * ERR_REFUSED: EAGAIN names fs.aio-max-nr and fs.aio-nr with their values,
 * ENOSYS and EPERM name the sandbox.
 */
int engine_probe(
	uint32_t iodepth, uint32_t threads, const char *root, struct err *e);

#endif
