#include "base/clock.h"

#include <stdlib.h>
#include <sys/timex.h>

int64_t
clock_wall_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec;
}

void
clock_sleep_ns(uint64_t ns)
{
	struct timespec t = {
		.tv_sec = (time_t)(ns / CLOCK_NS_PER_S),
		.tv_nsec = (long)(ns % CLOCK_NS_PER_S),
	};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static struct tm
clock_fields(int64_t wall_s)
{
	struct tm tm = { 0 };
	time_t t;

	if (wall_s < 0)
		wall_s = 0;
	if (wall_s > CLOCK_WALL_MAX_S)
		wall_s = CLOCK_WALL_MAX_S;
	t = (time_t)wall_s;
	gmtime_r(&t, &tm);
	return tm;
}

/* The conversions used give digits only: no locale has a say in them. */
void
clock_utc(int64_t wall_s, char out[21])
{
	struct tm tm = clock_fields(wall_s);

	if (strftime(out, 21, "%Y-%m-%dT%H:%M:%SZ", &tm) == 0)
		out[0] = '\0';
}

void
clock_utc_compact(int64_t wall_s, char out[16])
{
	struct tm tm = clock_fields(wall_s);

	if (strftime(out, 16, "%Y%m%d-%H%M%S", &tm) == 0)
		out[0] = '\0';
}

static int
clock_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

uint64_t
clock_read_cost_ns(void)
{
	enum { READINGS = 1000 };
	uint64_t cost[READINGS], first, last, now;
	int i;

	first = last = clock_now_ns();
	for (i = 0; i < READINGS; i++) {
		now = clock_now_ns();
		cost[i] = now - last;
		last = now;
	}
	qsort(cost, READINGS, sizeof(cost[0]), clock_compare);
	/* A clock that ticks more slowly than it is read: half are 0. */
	if (cost[READINGS / 2] == 0)
		return (last - first) / READINGS;
	return cost[READINGS / 2];
}

const char *
clock_state(int64_t build_s)
{
	struct timex t = { 0 };
	int state;

	if (clock_wall_s() < build_s)
		return "unset";
	state = adjtimex(&t);
	if (state == -1 || state == TIME_ERROR || (t.status & STA_UNSYNC))
		return "unsynced";
	return "synced";
}
