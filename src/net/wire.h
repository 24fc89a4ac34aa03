/*
 * wire: how long the network may take, and how its failures are told apart.
 *
 * Every failure in net/ is ERR_UPLOAD.  Its `sys` says what may be done about it:
 * EAGAIN = try again; EINTR = somebody wants us to stop; 0 = trying again gives
 * the same.
 */
#ifndef NET_WIRE_H
#define NET_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct wire {
	uint64_t deadline_ns;  /* of clock_now_ns */
	bool (*stopped)(void); /* has a signal asked us to stop?  may be NULL */
};

/*
 * Wait until fd can do `events` (of poll).  0, or -1: the deadline (sys EAGAIN)
 * or a stop (EINTR); `what` begins the sentence ("connecting to ...").
 */
int wire_wait(const struct wire *w, int fd, short events, const char *what,
	struct err *e);

/* Fill e: try again, or it is of no use. */
int wire_again(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
int wire_never(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
