/*
 * stats: means, deviations and medians of small sets of finite doubles.
 * Of no values (n = 0, v may be NULL) everything is 0.
 */
#ifndef BASE_STATS_H
#define BASE_STATS_H

#include <stddef.h>

double stats_mean(const double *v, size_t n);
double stats_stddev(const double *v, size_t n); /* of the whole set */
double stats_cv(const double *v, size_t n);	/* stddev / mean, 0 if mean 0 */
/* Middle value, mean of the middle two; sorts v. */
double stats_median(double *v, size_t n);
/* (largest - smallest) / mean, in per cent; 0 where the mean is not above 0 */
double stats_spread_pct(const double *v, size_t n);
double stats_min(const double *v, size_t n);
double stats_max(const double *v, size_t n);

#endif
