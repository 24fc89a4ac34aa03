/*
 * bounded: a call that may block for ever, made so that we do not.
 *
 * It runs in a forked child with a time limit.  A child that hangs on a dead
 * device cannot be reaped: it is killed and left behind.  The child lets go
 * of the caller's standard streams first, so that nobody waits for it.
 *
 * Where no child can be had (RLIMIT_NPROC, no memory) the call is made here,
 * without a limit.
 */
#ifndef APP_BOUNDED_H
#define APP_BOUNDED_H

#include <stdint.h>

#include "base/err.h"

#define BOUNDED_LIMIT_NS UINT64_C(5000000000)

enum bounded_end { BOUNDED_OK, BOUNDED_FAILED, BOUNDED_HANGS };

/*
 * Call fn(arg, e) in a child; 0 means OK, -1 FAILED with e filled (it crosses
 * back).  HANGS fills e too, `what` names the call.  What fn changes in
 * memory stays in the child, if there was one.
 */
enum bounded_end bounded_call(int (*fn)(void *arg, struct err *e), void *arg,
	uint64_t limit_ns, const char *what, struct err *e);

#endif
