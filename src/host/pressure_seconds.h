/*
 * pressure_seconds: CPU steal, second by second, over some stretch of time.
 *
 * Whoever supervises calls tick as often as he likes; once a second one line
 * of /proc/stat is read.  The seconds are a grid from begin on, so that late
 * ticks do not add up; a second that nobody looked at ends with the next one
 * looked at.  Where a stretch has more than PRESSURE_SECONDS_MAX seconds,
 * neighbours are put together and the interval doubles, again and again; the
 * worst second is still one of the seconds themselves.
 */
#ifndef HOST_PRESSURE_SECONDS_H
#define HOST_PRESSURE_SECONDS_H

#include <stdbool.h>
#include <stdint.h>

#include "host/pressure.h"

struct pressure_seconds {
	const struct pressure_source *source;
	uint64_t began_ns;    /* 0 = it did not */
	uint64_t step_ns;     /* a second */
	uint64_t interval_ns; /* of one of pct */
	uint32_t count;
	float pct[PRESSURE_SECONDS_MAX]; /* NAN = not told */
	double worst_pct;		 /* NAN = a second was not told */
	/* its own */
	uint64_t due_ns, last_ns;
	struct pressure_ticks last;
	double part_pct; /* sum over seconds that do not fill pct[count] yet */
	uint32_t parts;
};

/*
 * source is borrowed.  step_ns is a second, or less where the whole stretch is
 * shorter than one.
 */
void pressure_seconds_begin(struct pressure_seconds *s,
	const struct pressure_source *source, uint64_t step_ns,
	uint64_t now_ns);

void pressure_seconds_tick(struct pressure_seconds *s, uint64_t now_ns);

/*
 * The stretch is over: a rest counts where it is half a step or more.  The
 * result is in s and may be put into d (NULL = not): all of it, or nothing
 * where a second was not told.  A second call does nothing.
 */
void pressure_seconds_end(
	struct pressure_seconds *s, uint64_t now_ns, struct pressure_delta *d);

#endif
