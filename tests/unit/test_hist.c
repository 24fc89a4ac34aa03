#include "disk/hist.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "hist_fio_golden.h"
#include "tap.h"

#define SAMPLES 300000

static const double percents[] = { 0.001, 0.1, 1, 5, 10, 25, 50, 66.7, 75, 90,
	95, 99, 99.5, 99.9, 99.95, 99.99, 99.999, 100 };
#define PERCENTS (sizeof(percents) / sizeof(percents[0]))

static uint64_t random_state = 88172645463325252u;

static uint64_t
random_next(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static double
random_unit(void)
{
	return ((double)(random_next() >> 11) + 1.0) / 9007199254740993.0;
}

static uint64_t
uniform(void)
{
	return random_next() % 5000000;
}

static uint64_t
exponential(void)
{
	return (uint64_t)(-100000.0 * log(random_unit()));
}

static uint64_t
bimodal(void)
{
	return random_next() % 10 ? 50000 + random_next() % 20000
				  : 80000000 + random_next() % 20000000;
}

static uint64_t
constant(void)
{
	return 58112;
}

static uint64_t
tiny(void)
{
	return random_next() % 3000;
}

/* Even over the octaves from 1 ns to 20 s, and past fio's last bucket. */
static uint64_t
wide(void)
{
	return (uint64_t)exp(random_unit() * log(20e9));
}

static uint64_t
huge(void)
{
	return (UINT64_C(1) << 33) + random_next() % (UINT64_C(1) << 39);
}

static const struct {
	const char *name;
	uint64_t (*draw)(void);
} distributions[] = {
	{ "uniform", uniform },
	{ "exponential", exponential },
	{ "bimodal", bimodal },
	{ "constant", constant },
	{ "tiny", tiny },
	{ "wide to 20 s", wide },
	{ "beyond 2^34", huge },
};

static int
compare(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The definition, in integers: the value of rank ceil(n p / 100). */
static uint64_t
exact(const uint64_t *sorted, uint64_t n, double p)
{
	uint64_t milli = (uint64_t)(p * 1000 + 0.5);
	uint64_t rank = (n * milli + 99999) / 100000;

	return sorted[rank ? rank - 1 : 0];
}

static void
check_distribution(const char *name, struct hist *h, const uint64_t *sorted)
{
	double worst = 0, off;
	uint64_t got, want, before = 0;
	bool inside = true, rising = true;
	size_t i;

	for (i = 0; i < PERCENTS; i++) {
		got = hist_percentile(h, percents[i]);
		want = exact(sorted, h->n, percents[i]);
		off = want ? fabs((double)got - (double)want) / (double)want
			   : (double)got;
		worst = off > worst ? off : worst;
		inside = inside && got >= h->min_ns && got <= h->max_ns;
		rising = rising && got >= before;
		before = got;
	}
	printf("# %s: worst error %.4f %%\n", name, worst * 100);
	OK(worst <= 0.0005, "within 0.05 % of the exact rank");
	OK(inside, "inside [min, max]");
	OK(rising, "rising with p");
}

static void
check_moments(const struct hist *h, const uint64_t *v, size_t n)
{
	long double mean = 0, spread = 0;
	size_t i;

	for (i = 0; i < n; i++)
		mean += (long double)v[i];
	mean /= (long double)n;
	for (i = 0; i < n; i++)
		spread +=
			((long double)v[i] - mean) * ((long double)v[i] - mean);
	spread = sqrtl(spread / (long double)(n - 1));
	OK(fabsl((long double)hist_mean(h) - mean) <= mean * 1e-12L, "mean");
	OK(fabsl((long double)hist_stddev(h) - spread) <= spread * 1e-9L,
		"standard deviation");
}

static void
test_distributions(struct hist *h)
{
	uint64_t *v = malloc(SAMPLES * sizeof(v[0]));
	size_t d, i;

	for (d = 0; d < sizeof(distributions) / sizeof(distributions[0]); d++) {
		hist_reset(h);
		for (i = 0; i < SAMPLES; i++) {
			v[i] = distributions[d].draw();
			hist_record(h, v[i]);
		}
		qsort(v, SAMPLES, sizeof(v[0]), compare);
		EQ_U64(h->n, SAMPLES, distributions[d].name);
		EQ_U64(h->min_ns, v[0], "min is exact");
		EQ_U64(h->max_ns, v[SAMPLES - 1], "max is exact");
		check_distribution(distributions[d].name, h, v);
		check_moments(h, v, SAMPLES);
	}
	free(v);
}

static void
test_buckets(void)
{
	uint32_t i, bad = 0;
	uint64_t low, high, end = 0;

	for (i = 0; i < HIST_BUCKETS; i++) {
		low = hist_low(i);
		high = low + hist_width(i) - 1;
		bad += low != end || hist_index(low) != i ||
		       hist_index(high) != i ||
		       (low >= 2048 && hist_width(i) * 1024 > low);
		end = high + 1;
	}
	EQ_U64(bad, 0, "buckets follow each other, each <= 1/1024 wide");
	EQ_U64(end, UINT64_C(1) << HIST_TOP_BITS, "up to 2^40 ns");
	EQ_U64(hist_index(end), HIST_BUCKETS - 1, "then the last one");
	EQ_U64(hist_index(UINT64_MAX), HIST_BUCKETS - 1, "for ever");
}

/* Few samples: the exact ranks of 1, 2, 9 and 999 values. */
static void
test_few(struct hist *h)
{
	static const uint64_t sizes[] = { 1, 2, 9, 999 };
	uint64_t sorted[999], n;
	size_t i, k;

	hist_reset(h);
	EQ_U64(hist_percentile(h, 50), 0, "no sample: 0");
	EQ_U64(hist_time_weighted(h, 50), 0, "no sample, weighted: 0");
	OK(hist_mean(h) == 0 && hist_stddev(h) == 0, "no sample: no moments");
	EQ_U64(h->min_ns, UINT64_MAX, "min of none");
	for (k = 0; k < 4; k++) {
		n = sizes[k];
		hist_reset(h);
		for (i = 0; i < n; i++) {
			sorted[i] = 1000 + 7777 * i;
			hist_record(h, sorted[i]);
		}
		check_distribution("few", h, sorted);
	}
	hist_reset(h);
	hist_record(h, UINT64_C(20000000123));
	EQ_U64(hist_percentile(h, 99.9), UINT64_C(20000000123),
		"a single sample of 20 s is kept");
}

static void
test_saturated(struct hist *h)
{
	uint64_t buckets[HIST_FIO_BUCKETS];

	hist_reset(h);
	hist_record(h, 1000);
	hist_record(h, UINT64_C(1) << 40);
	hist_record(h, UINT64_C(3) << 40);
	EQ_U64(h->saturated, 2, "counted");
	EQ_U64(hist_percentile(h, 10), 1000, "below");
	EQ_U64(hist_percentile(h, 50), UINT64_C(3) << 40, "max, not a guess");
	EQ_U64(hist_time_weighted(h, 50), UINT64_C(3) << 40, "weighted too");
	hist_fold(h, buckets);
	EQ_U64(buckets[HIST_FIO_BUCKETS - 1], 2, "fio's last bucket");
}

static void
test_merge(struct hist *h)
{
	struct hist a, b;
	uint32_t *counts = calloc(2 * HIST_BUCKETS, sizeof(counts[0]));
	uint64_t ns;
	int i;

	hist_init(&a, counts);
	hist_init_zero(&b, counts + HIST_BUCKETS);
	hist_reset(h);
	for (i = 0; i < 100000; i++) {
		ns = wide();
		hist_record(random_next() & 1 ? &a : &b, ns);
		hist_record(h, ns);
	}
	hist_record(&b, UINT64_C(1) << 41);
	hist_record(h, UINT64_C(1) << 41);
	hist_merge(&a, &b);
	OK(!memcmp(a.counts, h->counts, HIST_BUCKETS * sizeof(counts[0])),
		"counts as if recorded into one");
	EQ_U64(a.n, h->n, "n");
	EQ_U64(a.min_ns, h->min_ns, "min");
	EQ_U64(a.max_ns, h->max_ns, "max");
	EQ_U64(a.saturated, h->saturated, "saturated");
	OK(a.sum_ns == h->sum_ns && a.sum_squares == h->sum_squares, "sums");
	hist_reset(&b);
	hist_merge(&a, &b);
	EQ_U64(a.n, h->n, "nothing added");
	EQ_U64(a.min_ns, h->min_ns, "and min stays");
	free(counts);
}

/* 90 I/Os of 1 ms and 1 of 1 s: 91 % of all moments fall into the slow one. */
static void
test_time_weighted(struct hist *h)
{
	int i;

	hist_reset(h);
	for (i = 0; i < 90; i++)
		hist_record(h, 1000000);
	hist_record(h, 1000000000);
	OK(llabs((int64_t)hist_percentile(h, 50) - 1000000) <= 500,
		"plain median: a fast one");
	OK(llabs((int64_t)hist_time_weighted(h, 8) - 1000000) <= 500,
		"8 % of the time: the fast ones");
	EQ_U64(hist_time_weighted(h, 9), 1000000000, "9 %: the slow one");
	EQ_U64(hist_time_weighted(h, 50), 1000000000, "median moment");
	hist_reset(h);
	hist_record(h, 0);
	EQ_U64(hist_time_weighted(h, 50), 0, "no time at all");
}

/* Every coarse bucket begins where one of fio's does, at most 1/16 wide. */
static void
test_coarse(void)
{
	uint32_t i, bad = 0, at, last = 0;
	uint64_t start = 0, low;

	for (i = 1; i < HIST_FIO_BUCKETS; i++) {
		at = hist_coarse(i);
		low = i < 128 ? i : (64 + (uint64_t)(i & 63)) << (i / 64 - 1);
		bad += at != last && at != last + 1;
		if (at != last)
			start = low;
		bad += (low - start) * 16 >= low && low != start;
		last = at;
	}
	EQ_U64(bad, 0, "fio's buckets nest in the coarse ones");
	EQ_U64(last, HIST_COARSE_BUCKETS - 1, "to the last");
	EQ_U64(hist_coarse(31), 31, "exact below 32 ns");
	EQ_U64(hist_coarse(127), 63, "16 from 64 to 127 ns");
}

static uint32_t
bucket_of_value(uint64_t value)
{
	uint32_t i = 0;

	while (i < HIST_FIO_BUCKETS && hist_fio_value(i) != value)
		i++;
	return i;
}

static void
test_golden(struct hist *h)
{
	uint64_t folded[HIST_FIO_BUCKETS], sum;
	const struct golden *g;
	size_t k, i, bad;
	uint32_t at, c;

	for (k = 0; k < sizeof(goldens) / sizeof(goldens[0]); k++) {
		g = &goldens[k];
		hist_reset(h);
		for (i = 0; i < g->bin_count; i++)
			for (c = 0; c < g->bins[i].count; c++)
				hist_record(h, g->bins[i].value_ns);
		EQ_U64(h->n, g->n, g->name);
		hist_fold(h, folded);
		bad = 0;
		sum = 0;
		for (i = 0; i < g->bin_count; i++) {
			at = bucket_of_value(g->bins[i].value_ns);
			bad += at == HIST_FIO_BUCKETS ||
			       folded[at] != g->bins[i].count;
			sum += g->bins[i].count;
		}
		EQ_U64(bad, 0, "every bin of fio's is a folded bucket");
		EQ_U64(sum, g->n, "and there are no others");
		for (i = 0; i < g->percentile_count; i++)
			EQ_U64(hist_fio_percentile(
				       folded, g->n, g->percentiles[i].p),
				g->percentiles[i].value_ns, "as fio says");
	}
}

/* Each value falls into fio's bucket, whichever of ours it is in. */
static void
test_fold(struct hist *h)
{
	uint64_t folded[HIST_FIO_BUCKETS], ns, value;
	int i, shift, bad = 0;

	for (i = 0; i < 2000; i++) {
		ns = wide();
		hist_reset(h);
		hist_record(h, ns);
		hist_fold(h, folded);
		value = hist_fio_percentile(folded, 1, 50);
		for (shift = 0; ns >> shift >= 128; shift++)
			;
		if (ns < UINT64_C(1) << 34)
			bad += value != (ns >> shift << shift) +
						(UINT64_C(1) << shift) / 2;
		else
			bad += value != hist_fio_value(HIST_FIO_BUCKETS - 1);
	}
	EQ_U64(bad, 0, "the middle of the 1/64 octave");
	EQ_U64(hist_fio_value(HIST_FIO_BUCKETS - 1), UINT64_C(17112760320),
		"fio's largest figure is 17.1 s");
}

static void
test_trust(void)
{
	OK(hist_trust(1000, 99) == HIST_PLAIN, "p99 of 1000");
	OK(hist_trust(999, 99) == HIST_FEW, "p99 of 999");
	OK(hist_trust(100, 99) == HIST_FEW, "p99 of 100");
	OK(hist_trust(99, 99) == HIST_WITHHELD, "p99 of 99");
	OK(hist_trust(10000, 99.9) == HIST_PLAIN, "p99.9 of 10000");
	OK(hist_trust(1000, 99.9) == HIST_FEW, "p99.9 of 1000");
	OK(hist_trust(999, 99.9) == HIST_WITHHELD, "p99.9 of 999");
	OK(hist_trust(99999, 99.99) == HIST_FEW, "p99.99 of 99999");
	OK(hist_trust(20, 50) == HIST_PLAIN, "p50 of 20");
	OK(hist_trust(0, 50) == HIST_WITHHELD, "p50 of none");
}

int
main(void)
{
	uint32_t *counts = malloc(HIST_BUCKETS * sizeof(counts[0]));
	struct hist h;

	hist_init(&h, counts);
	test_buckets();
	test_coarse();
	test_distributions(&h);
	test_few(&h);
	test_saturated(&h);
	test_merge(&h);
	test_time_weighted(&h);
	test_golden(&h);
	test_fold(&h);
	test_trust();
	free(counts);
	return tap_done();
}
