/*
 * latency_merge: several distributions as one, by their buckets.
 */
#ifndef RECEIPT_LATENCY_MERGE_H
#define RECEIPT_LATENCY_MERGE_H

#include <stddef.h>

#include "base/arena.h"
#include "receipt/receipt.h"

/*
 * The samples of list[0..n) together, n >= 1, memory from a: n, min, max,
 * mean and deviation are exact but for their rounding; percentiles are the
 * middles of fio's buckets (at most 0.8 % off), clamped to [min, max], and
 * withheld where there are too few samples.  NULL where one has no buckets,
 * where there would be more than 2^53 samples, or without memory.
 */
struct receipt_latency *latency_merge(
	const struct receipt_latency *const *list, size_t n, struct arena *a);

#endif
