#include "disk/series.h"

#include "tap.h"

#define MS UINT64_C(1000000)

static void
test_record(void)
{
	struct series_slot slots[4];
	struct series s;

	series_init(&s, slots, 4);
	EQ_U64(s.used, 0, "nothing yet");
	series_record(&s, 0, 0, 7);
	series_record(&s, 100 * MS - 1, 1, 9);
	series_record(&s, 100 * MS, 0, 3);
	series_record(&s, 250 * MS, 0, 5);
	EQ_U64(s.used, 3, "three intervals begun");
	EQ_U64(slots[0].read_ios, 1, "read of the first");
	EQ_U64(slots[0].write_ios, 1, "write of the first");
	EQ_U64(slots[0].worst_ns, 9, "worst of both");
	EQ_U64(slots[1].read_ios, 1, "100 ms begins the second");
	EQ_U64(s.overflowed, 0, "none beyond");
	series_record(&s, 9999 * MS, 1, 1);
	series_record(&s, 400 * MS, 1, 2);
	EQ_U64(slots[3].write_ios, 2, "the last takes what comes after");
	EQ_U64(s.overflowed, 2, "and says so");
	EQ_U64(series_total(&s, 0) + series_total(&s, 1), 6, "sums are exact");
	series_reset(&s);
	EQ_U64(s.used + slots[3].write_ios + s.overflowed, 0, "reset");
}

static void
test_merge(void)
{
	struct series_slot one[3], two[8];
	struct series a, b;

	series_init(&a, one, 3);
	series_init(&b, two, 8);
	series_record(&a, 0, 0, 4);
	series_record(&b, 0, 1, 8);
	series_record(&b, 200 * MS, 0, 2);
	series_record(&b, 700 * MS, 0, 6);
	series_merge(&a, &b);
	EQ_U64(one[0].read_ios + one[0].write_ios, 2, "added");
	EQ_U64(one[0].worst_ns, 8, "the worse of both");
	EQ_U64(one[2].read_ios, 2, "what lies beyond, in the last");
	EQ_U64(a.used, 3, "all begun");
	EQ_U64(a.overflowed, 1, "one was beyond");
	EQ_U64(series_total(&a, 0), 3, "reads");
	EQ_U64(series_total(&a, 1), 1, "writes");
}

int
main(void)
{
	test_record();
	test_merge();
	OK(series_capacity(12000 * MS) >= 121, "12 s and its drain");
	OK(series_capacity(0) >= 1, "a window without time");
	OK(series_capacity(UINT64_MAX) > 0, "any window");
	return tap_done();
}
