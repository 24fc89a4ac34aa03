#include "base/clock.h"

#include <stdlib.h>
#include <string.h>
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

int
clock_parse_utc(const char *s, int64_t *wall_s)
{
	static const char form[] = "0000-00-00T00:00:00Z";
	int64_t v[3] = { 0 };
	struct tm t = { 0 };
	char again[21];
	size_t i;

	for (i = 0; form[i]; i++)
		if (form[i] == '0' ? s[i] < '0' || s[i] > '9' : s[i] != form[i])
			return -1;
	if (s[i] != '\0')
		return -1;
	for (i = 0; i < 10; i++)
		if (form[i] == '0')
			v[i < 4		? 0
				: i < 7 ? 1
					: 2] = v[i < 4	       ? 0
						       : i < 7 ? 1
							       : 2] *
						       10 +
					       s[i] - '0';
	t.tm_year = (int)v[0] - 1900;
	t.tm_mon = (int)v[1] - 1;
	t.tm_mday = (int)v[2];
	t.tm_hour = (s[11] - '0') * 10 + s[12] - '0';
	t.tm_min = (s[14] - '0') * 10 + s[15] - '0';
	t.tm_sec = (s[17] - '0') * 10 + s[18] - '0';
	*wall_s = (int64_t)timegm(&t);
	/* the 31st of April would be the 1st of May */
	clock_utc(*wall_s, again);
	return *wall_s >= 0 && !strcmp(again, s) ? 0 : -1;
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
