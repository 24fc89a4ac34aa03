/*
 * worker: the forked process that does all I/O on the target.
 *
 * It shares with the parent only the record.  It lets go of the caller's
 * stdin, stdout and stderr at once (a worker stuck on a dead device must not
 * keep a reader of our output waiting), dies with its parent, leaves signals
 * to the parent, and never prints.
 *
 * Signals, seen from the parent:
 *   SIGUSR1 (ENGINE_WAKE)  "look at record->stop".  Set stop first, then send
 *                 it, and send it again every 10 ms until the worker is gone:
 *                 one may arrive just before the worker waits in the kernel.
 *                 Ignore SIGUSR1 in the parent before the fork, so that one
 *                 that comes before worker_run has its handler does no harm.
 *   SIGINT SIGTERM SIGHUP SIGQUIT  ignored: a terminal sends them to both,
 *                 and the parent decides.
 *   SIGTSTP SIGSTOP  stop it as they stop the parent.  Each SIGCONT adds one
 *                 to record->continued, and a window that saw one is FAILED;
 *                 the run goes on with the next.
 *   SIGPIPE SIGXFSZ  ignored, met as EPIPE and EFBIG.
 *
 * After an I/O error, a failed check or a stop it measures no further window:
 * a dying disk is not hammered.
 *
 * _exit of a process with asynchronous I/O in flight waits for that I/O: on a
 * dead device the worker stays a zombie that cannot be reaped.  All that it
 * found is in the record before (phase RECORD_DONE).
 */
#ifndef DISK_WORKER_H
#define DISK_WORKER_H

#include "disk/engine.h"
#include "disk/target.h"

struct worker {
	struct engine_setup setup;
	struct target *target;
};

/*
 * To be called in the child right after fork.  Makes the engine (what cannot
 * be had fails before anything is written), runs prepare and all windows, with
 * the gate before each and target_check after each.  After `finished` it waits
 * for the parent's `seen`.  Never returns: _exit(0) when all was measured,
 * else _exit(3) with the reason in record->err (which stays empty if only
 * windows that were stopped for a while are FAILED).
 */
_Noreturn void worker_run(struct worker *w);

#endif
