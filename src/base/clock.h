/*
 * clock: the only place that reads a clock.
 *
 * Durations come from CLOCK_MONOTONIC, which is in the vDSO everywhere and
 * steered by NTP's rate only; the engine's stamps are the same clock through
 * clock_now_ns, which is inline here so that a stamp costs one vDSO call.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define CLOCK_NS_PER_S	UINT64_C(1000000000)
#define CLOCK_NS_PER_MS UINT64_C(1000000)

/* Nanoseconds since some fixed moment of this boot. */
static inline uint64_t
clock_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * CLOCK_NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Seconds since 1970 by the wall clock. */
int64_t clock_wall_s(void);

/* Sleep; returns early on a signal. */
void clock_sleep_ns(uint64_t ns);

/*
 * "2026-11-30T12:34:56Z" (20 bytes and the NUL).  Here and below, what is
 * before 1970 or after the year 9999 is shown as the nearer end.
 */
#define CLOCK_WALL_MAX_S INT64_C(253402300799) /* 9999-12-31T23:59:59Z */
void clock_utc(int64_t wall_s, char out[21]);
/* "20261130-123456", for names of files. */
void clock_utc_compact(int64_t wall_s, char out[16]);

/* Read what clock_utc writes; -1 where s is not that. */
int clock_parse_utc(const char *s, int64_t *wall_s);

/* Median cost of one clock_now_ns over a thousand readings, in ns. */
uint64_t clock_read_cost_ns(void);

/*
 * "synced", "unsynced" (adjtimex says so or is refused) or "unset" (earlier
 * than this program was made: build_s, seconds since 1970).
 */
const char *clock_state(int64_t build_s);

#endif
