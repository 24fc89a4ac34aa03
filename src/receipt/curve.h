/*
 * curve: one latency distribution as a line: how long the slowest share of the
 * I/Os takes.
 *
 * The axis of percentiles is one of nines: x = -log10(1 - p), so that p90, p99
 * and p99.9 lie as far apart as they differ in what they say.  A line ends where
 * fewer than one sample lies beyond.
 */
#ifndef RECEIPT_CURVE_H
#define RECEIPT_CURVE_H

#include <stddef.h>
#include <stdint.h>

#include "receipt/receipt.h"

#define CURVE_NINES 5  /* up to p99.999 */
#define CURVE_STEPS 20 /* points to a nine */
#define CURVE_MAX   (CURVE_NINES * CURVE_STEPS + 1)

struct curve {
	size_t count;
	double ns[CURVE_MAX]; /* at x = i / CURVE_STEPS; never falling */
};

/* 0 points where l has no buckets, or bad ones. */
void curve_of(const struct receipt_latency *l, struct curve *c);

/* "p90", "p99.9": the mark at so many whole nines; 0 is "p0". */
const char *curve_mark(unsigned nines);

#endif
