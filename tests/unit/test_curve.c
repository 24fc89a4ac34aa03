#include "receipt/curve.h"

#include "receipt/latency.h"
#include "tap.h"

int
main(void)
{
	static uint64_t counts[HIST_FIO_BUCKETS];
	struct receipt_latency l = {
		.n = 1000, .min = 40, .max = 5000, .bucket_bits = 6
	};
	struct arena a;
	struct curve c;
	size_t falls = 0;

	arena_init(&a);
	curve_of(NULL, &c);
	EQ_U64(c.count, 0, "no latency, no line");
	curve_of(&l, &c);
	EQ_U64(c.count, 0, "no buckets, no line");
	counts[40] = 900; /* 40 ns */
	counts[200] = 99;
	counts[300] = 1;
	OK(latency_code(&l, counts, &a) == 0, "buckets");
	curve_of(&l, &c);
	EQ_U64(c.count, 3 * CURVE_STEPS + 1, "three nines for 1,000 samples");
	EQ_U64((uint64_t)c.ns[0], 40, "it begins at the least");
	EQ_U64((uint64_t)c.ns[CURVE_STEPS - 1], 40, "p89 is in the first");
	EQ_U64((uint64_t)c.ns[2 * CURVE_STEPS], hist_fio_value(200), "p99");
	for (size_t i = 1; i < c.count; i++)
		falls += c.ns[i] < c.ns[i - 1];
	EQ_U64(falls, 0, "it never falls");
	EQ_STR(curve_mark(0), "min", "its marks");
	EQ_STR(curve_mark(3), "p99.9", "its marks");
	EQ_STR(curve_mark(99), "p99.999", "its last mark");
	arena_free(&a);
	return tap_done();
}
