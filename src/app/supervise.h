/*
 * supervise: the parent's side of a measuring run.
 *
 * Forks the worker, wakes every 10 ms (the tick is part of the method, see
 * PLAN_METHOD: it keeps the guest's timer running as fio's own main loop
 * does), opens the gate of each window after sampling the circumstances (of
 * the neighbour probe's samples by the clock),
 * watches for signals, for the oldest outstanding I/O (the time in which it was
 * stopped itself does not count), and for the deadline.  It comes back even
 * where the worker cannot be reaped.
 */
#ifndef APP_SUPERVISE_H
#define APP_SUPERVISE_H

#include <stdbool.h>
#include <stdint.h>

#include "app/meanwhile.h"
#include "app/neighbour.h"
#include "app/progress.h"
#include "base/err.h"
#include "disk/worker.h"

#define SUPERVISE_TICK_NS  UINT64_C(10000000)
#define SUPERVISE_STALL_NS UINT64_C(5000000000) /* announced from here on */

struct supervise {
	struct worker *worker;
	struct progress *progress;
	struct meanwhile meanwhile; /* its source, windows and their count */
	uint64_t stall_limit_ns;
	uint64_t deadline_ns; /* after the fork; 0 = none */
	/* how it ended */
	int signal;	/* the signal that ended it, 0 none */
	bool stalled;	/* given up: an I/O older than the limit */
	bool abandoned; /* the worker could not be reaped */
	uint32_t began; /* windows that were ready to begin */
	struct err err; /* why it is not complete; code 0 = all measured */
	char what[96];	/* what it was at: "prepare", "window NAME" */
};

/* Returns 0 when the worker measured everything, -1 with s->err otherwise. */
int supervise_run(struct supervise *s);

#endif
