/*
 * worker: the forked process that does all I/O on the target.
 *
 * It shares with the parent only the record.  It lets go of the caller's
 * stdin, stdout and stderr at once (a worker stuck on a dead device must not
 * keep a reader of our output waiting), dies with its parent, leaves signals
 * to the parent, and never prints.
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
 * Runs prepare and all windows, with the gate before each, target_check after
 * each.  Never returns: _exit(0) when all was measured, else _exit(3) with
 * the reason in the record.
 */
_Noreturn void worker_run(struct worker *w);

#endif
