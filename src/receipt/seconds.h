/*
 * seconds: the series of a window, as drawings want them.
 *
 * Intervals count from the window's start.  The last one counts if it is nearly
 * whole: a window of 12 s ends some ms before or after the second.
 */
#ifndef RECEIPT_SECONDS_H
#define RECEIPT_SECONDS_H

#include <stddef.h>

#include "receipt/receipt.h"

#define SECONDS_MAX 4096 /* intervals of one window: the field table's */

/* Whole intervals of w, at most SECONDS_MAX; 0 where it has no series. */
size_t seconds_count(const struct receipt_window *w);

/* Operations a second in interval i, both directions. */
double seconds_rate(const struct receipt_series *s, size_t i);

/* The worst latency in it, ns; 0 where it is not told. */
double seconds_worst_ns(const struct receipt_series *s, size_t i);

#endif
