#include "base/stats.h"

#include <float.h>
#include <math.h>

#include "tap.h"

static int
near(double got, double want)
{
	int ok = fabs(got - want) <= 1e-12 * fabs(want);

	if (!ok)
		printf("# got %.17g, want %.17g\n", got, want);
	return ok;
}

static void
test_table(void)
{
	/* numpy's mean, std(ddof=0), median, min, max of the values. */
	static const struct {
		double v[6];
		size_t n;
		double mean, stddev, median, min, max;
	} rows[] = {
		{ { 5 }, 1, 5, 0, 5, 5, 5 },
		{ { -1, 1 }, 2, 0, 1, 0, -1, 1 },
		{ { 3, 1, 2 }, 3, 2, 0.81649658092772603, 2, 1, 3 },
		{ { 4, 1, 3, 2 }, 4, 2.5, 1.1180339887498949, 2.5, 1, 4 },
		{ { 2, 4, 4, 4, 5, 5 }, 6, 4, 1, 4, 2, 5 },
		{ { 1e9, 1e9 + 1, 1e9 + 2 }, 3, 1000000001, 0.81649658092772603,
			1000000001, 1e9, 1e9 + 2 },
		{ { 0, 0, 0 }, 3, 0, 0, 0, 0, 0 },
		{ { -3, -1, -2 }, 3, -2, 0.81649658092772603, -2, -3, -1 },
		{ { DBL_MAX / 4, DBL_MAX / 2 }, 2, DBL_MAX / 8 * 3, 0,
			DBL_MAX / 8 * 3, DBL_MAX / 4, DBL_MAX / 2 },
	};
	double v[6];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memcpy(v, rows[i].v, sizeof(v));
		OK(near(stats_mean(v, rows[i].n), rows[i].mean), "mean");
		if (rows[i].max < 1e100)
			OK(near(stats_stddev(v, rows[i].n), rows[i].stddev),
				"stddev");
		OK(stats_min(v, rows[i].n) == rows[i].min, "min");
		OK(stats_max(v, rows[i].n) == rows[i].max, "max");
		OK(near(stats_median(v, rows[i].n), rows[i].median), "median");
	}
}

static void
test_edges(void)
{
	double v[] = { 3, 1, 2 }, even[] = { 2, 4 }, zero[] = { -1, 1 };

	OK(stats_spread_pct(v, 3) == 100, "the spread of 1, 2, 3 is 100 %");
	OK(stats_spread_pct(zero, 2) == 0, "without a mean there is none");
	OK(stats_spread_pct(NULL, 0) == 0, "of nothing neither");
	OK(stats_mean(NULL, 0) == 0 && stats_stddev(NULL, 0) == 0 &&
			stats_cv(NULL, 0) == 0 && stats_median(NULL, 0) == 0 &&
			stats_min(NULL, 0) == 0 && stats_max(NULL, 0) == 0,
		"of nothing all is 0");
	stats_median(v, 3);
	OK(v[0] == 1 && v[1] == 2 && v[2] == 3, "the median sorts");
	OK(near(stats_cv(even, 2), 1.0 / 3), "cv");
	OK(stats_cv(zero, 2) == 0, "cv of mean 0");
	OK(stats_cv(v, 1) == 0, "cv of one value");
}

int
main(void)
{
	test_table();
	test_edges();
	return tap_done();
}
