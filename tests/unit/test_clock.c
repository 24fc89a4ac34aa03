#include "base/clock.h"

#include "tap.h"

static void
test_utc(void)
{
	/* What `date -u -d @N` says. */
	static const struct {
		int64_t wall_s;
		const char *utc, *compact;
	} rows[] = {
		{ 0, "1970-01-01T00:00:00Z", "19700101-000000" },
		{ -1, "1970-01-01T00:00:00Z", "19700101-000000" },
		{ INT64_MIN, "1970-01-01T00:00:00Z", "19700101-000000" },
		{ 951782400, "2000-02-29T00:00:00Z", "20000229-000000" },
		{ 1796066400, "2026-11-30T19:20:00Z", "20261130-192000" },
		{ INT64_C(4294967296), "2106-02-07T06:28:16Z",
			"21060207-062816" },
		{ CLOCK_WALL_MAX_S, "9999-12-31T23:59:59Z", "99991231-235959" },
		{ CLOCK_WALL_MAX_S + 1, "9999-12-31T23:59:59Z",
			"99991231-235959" },
		{ INT64_MAX, "9999-12-31T23:59:59Z", "99991231-235959" },
	};
	char utc[21], compact[16];
	size_t i;

	/* A zone far from UTC must not matter. */
	setenv("TZ", "XYZ-13:45", 1);
	tzset();
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		clock_utc(rows[i].wall_s, utc);
		EQ_STR(utc, rows[i].utc, "utc");
		clock_utc_compact(rows[i].wall_s, compact);
		EQ_STR(compact, rows[i].compact, "compact");
	}
}

static void
test_clocks(void)
{
	uint64_t a, b;
	int64_t wall = clock_wall_s();
	int i, ok = 1;

	a = clock_now_ns();
	for (i = 0; i < 1000; i++, a = b) {
		b = clock_now_ns();
		ok &= b >= a;
	}
	OK(ok, "never backwards");
	OK(wall > 1700000000, "the wall clock was read");
	a = clock_now_ns();
	clock_sleep_ns(20 * CLOCK_NS_PER_MS);
	OK(clock_now_ns() - a >= 20 * CLOCK_NS_PER_MS, "sleeps 20 ms");
	a = clock_now_ns();
	clock_sleep_ns(0);
	OK(clock_now_ns() - a < 10 * CLOCK_NS_PER_S, "sleeps nothing");
	a = clock_read_cost_ns();
	OK(a > 0 && a < 1000000, "a reading costs something, and little");
	printf("# one reading costs %" PRIu64 " ns\n", a);
}

static void
test_state(void)
{
	const char *s = clock_state(0);

	OK(!strcmp(s, "synced") || !strcmp(s, "unsynced"),
		"any clock is later than 1970");
	EQ_STR(clock_state(clock_wall_s() + 1000), "unset",
		"made in the future: the clock is not set");
}

int
main(void)
{
	test_utc();
	test_clocks();
	test_state();
	return tap_done();
}
