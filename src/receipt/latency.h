/*
 * latency: one distribution between its three forms: the histogram that was
 * measured, the figures of a receipt, and fio's buckets.
 */
#ifndef RECEIPT_LATENCY_H
#define RECEIPT_LATENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "disk/hist.h"
#include "receipt/receipt.h"

enum {
	LATENCY_BUCKETS = 1,  /* with its folded buckets */
	LATENCY_WEIGHTED = 2, /* with tw_p50 and tw_p99 */
	LATENCY_COARSE = 4    /* buckets of 2^4 to the octave, else of 2^6 */
};

/*
 * The figures of h, memory from a; percentiles that too few samples carry
 * are withheld.  NULL where h has no sample or memory has run out: the caller
 * who knows that h->n > 0 tells the two apart.
 */
struct receipt_latency *latency_of(
	const struct hist *h, unsigned parts, struct arena *a);

/* Store counts[HIST_FIO_BUCKETS] as l's buckets; -1 = no memory. */
int latency_code(
	struct receipt_latency *l, const uint64_t *counts, struct arena *a);

/* One row per percentile that a receipt has, in order, ended by per_cent 0. */
struct latency_stat {
	double per_cent;
	size_t offset; /* of the uint64_t in struct receipt_latency */
};
const struct latency_stat *latency_stats(void);

/*
 * NULL where l agrees with itself (percentiles in order and, like the mean,
 * within [min, max]; buckets in order, summing to n), else a sentence's end
 * that says what does not: "p95 is below p50".
 */
const char *latency_fault(const struct receipt_latency *l);

/* Has l buckets that are fio's own, so that fio's percentiles are in them? */
bool latency_is_fio(const struct receipt_latency *l);

/*
 * l's samples by fio's buckets, out[HIST_FIO_BUCKETS]; those of a coarser
 * bucket evenly over fio's in it.  -1 where l has no buckets or they are not
 * what latency_fault wants.
 */
int latency_unfold(const struct receipt_latency *l, uint64_t *out);

#endif
