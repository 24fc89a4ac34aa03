/* Medians and ranks of many values in a little memory, against sorted ones. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "receipt/compare_sample.h"
#include "tap.h"

static int
order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double
median_of(double *v, size_t n)
{
	qsort(v, n, sizeof(*v), order);
	return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

/* n values over `octaves`; the sample's median is as near as it says. */
static void
test_many(size_t n, double octaves, uint64_t seed)
{
	double *v = malloc(n * sizeof(*v)), want, got, error;
	struct compare_sample s, back;
	struct rng rng;
	char what[80];
	size_t i;

	compare_sample_init(&s);
	compare_sample_init(&back);
	rng_seed(&rng, seed);
	for (i = 0; i < n; i++) {
		v[i] = 1000 *
		       exp2(octaves * (double)(rng_next(&rng) >> 11) * 0x1p-53);
		compare_sample_add(&s, v[i]);
	}
	for (i = n; i-- > 0;)
		compare_sample_add(&back, v[i]);
	got = compare_sample_median(&s);
	error = compare_sample_error_pct(&s);
	want = median_of(v, n);
	snprintf(what, sizeof(what), "%zu over %.0f octaves: within %.3f %%", n,
		octaves, error);
	OK(fabs(got - want) <= want * error / 100 + 1e-9, what);
	OK(s.least == v[0] && s.most == v[n - 1] && s.n == n, "range is exact");
	OK(s.used <= COMPARE_SAMPLE_MAX && s.room <= COMPARE_SAMPLE_MAX,
		"memory is bounded");
	OK(compare_sample_median(&back) == got && back.level == s.level,
		"the order makes no difference");
	OK(compare_sample_rank(&s, 0) == v[0] &&
			compare_sample_rank(&s, n + 1) == v[n - 1],
		"ranks beyond the ends");
	compare_sample_free(&s);
	compare_sample_free(&back);
	free(v);
}

static void
test_few(void)
{
	struct compare_sample s;

	compare_sample_init(&s);
	OK(isnan(compare_sample_median(&s)), "of nothing");
	compare_sample_add(&s, 3);
	OK(compare_sample_median(&s) == 3, "of one");
	compare_sample_add(&s, 1);
	OK(compare_sample_median(&s) == 2, "of two");
	compare_sample_add(&s, 0);
	OK(compare_sample_median(&s) == 1 && s.least == 0, "of three, one 0");
	compare_sample_free(&s);
}

int
main(void)
{
	test_few();
	test_many(COMPARE_SAMPLE_MAX, 1, 1);
	test_many(COMPARE_SAMPLE_MAX + 1, 1, 2);
	test_many(5001, 0.2, 3);
	test_many(20000, 4, 4);
	test_many(20000, 30, 5);
	return tap_done();
}
