#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

double
stats_mean(const double *v, size_t n)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < n; i++)
		sum += v[i];
	return n ? sum / (double)n : 0;
}

double
stats_stddev(const double *v, size_t n)
{
	double mean = stats_mean(v, n), sum = 0;
	size_t i;

	/* In two passes: squares of large numbers would cancel in one. */
	for (i = 0; i < n; i++)
		sum += (v[i] - mean) * (v[i] - mean);
	return n ? sqrt(sum / (double)n) : 0;
}

double
stats_cv(const double *v, size_t n)
{
	double mean = stats_mean(v, n);

	return mean != 0 ? stats_stddev(v, n) / mean : 0;
}

static int
stats_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double
stats_median(double *v, size_t n)
{
	if (n == 0)
		return 0;
	qsort(v, n, sizeof(*v), stats_compare);
	if (n % 2)
		return v[n / 2];
	return v[n / 2 - 1] + (v[n / 2] - v[n / 2 - 1]) / 2;
}

double
stats_min(const double *v, size_t n)
{
	double least = n ? v[0] : 0;
	size_t i;

	for (i = 1; i < n; i++)
		if (v[i] < least)
			least = v[i];
	return least;
}

double
stats_max(const double *v, size_t n)
{
	double most = n ? v[0] : 0;
	size_t i;

	for (i = 1; i < n; i++)
		if (v[i] > most)
			most = v[i];
	return most;
}

double
stats_spread_pct(const double *v, size_t n)
{
	double mean = stats_mean(v, n);

	return mean > 0 ? (stats_max(v, n) - stats_min(v, n)) / mean * 100 : 0;
}
