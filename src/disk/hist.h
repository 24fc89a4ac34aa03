/*
 * hist: latencies in nanoseconds, 1024 buckets to the octave.
 *
 * Values below 2048 ns are exact; above, a bucket is at most 1/1024 of its
 * value wide and its middle is reported, so a percentile is off by at most
 * 0.05 % of the exact rank's value.  Values of 2^40 ns (18 min) and more
 * share the last bucket and are counted in `saturated`; min and max stay
 * exact.  Buckets nest inside fio's (64 to the octave, stat.h of fio), so
 * fio's own figure falls out of ours by folding.
 *
 * hist_record is inline: it is inside the measured loop (about 3 ns).  It
 * neither allocates nor faults once hist_reset has touched the counts.
 */
#ifndef DISK_HIST_H
#define DISK_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HIST_BITS	    10
#define HIST_TOP_BITS	    40
#define HIST_BUCKETS	    ((HIST_TOP_BITS - HIST_BITS + 1) << HIST_BITS)
#define HIST_FIO_BITS	    6
#define HIST_FIO_BUCKETS    1856 /* fio: 29 groups of 64 */
#define HIST_COARSE_BITS    4
#define HIST_COARSE_BUCKETS 496 /* the same range, 16 to the octave */

struct hist {
	uint32_t *counts; /* HIST_BUCKETS, memory of the caller */
	uint64_t n;
	uint64_t min_ns, max_ns; /* UINT64_MAX and 0 while n == 0 */
	uint64_t saturated;
	unsigned __int128 sum_ns, sum_squares;
};

/* Put h over counts[HIST_BUCKETS], which hist_reset zeroes (and touches). */
void hist_init(struct hist *h, uint32_t *counts);
void hist_reset(struct hist *h);
/* Only the numbers beside the counts: for fresh zero pages left untouched. */
void hist_init_zero(struct hist *h, uint32_t *zero_counts);

static inline uint32_t
hist_index(uint64_t ns)
{
	uint64_t floor = UINT64_C(1) << HIST_BITS;
	int shift;

	if (__builtin_expect(ns >> HIST_TOP_BITS != 0, 0))
		return HIST_BUCKETS - 1;
	/* Small values, which are exact, are shifted by 0: no branch. */
	shift = 63 - __builtin_clzll(ns | floor) - HIST_BITS;
	return ((uint32_t)shift << HIST_BITS) + (uint32_t)(ns >> shift);
}

static inline void
hist_record(struct hist *h, uint64_t ns)
{
	if (__builtin_expect(ns >> HIST_TOP_BITS != 0, 0))
		h->saturated++;
	h->counts[hist_index(ns)]++;
	h->n++;
	h->sum_ns += ns;
	h->sum_squares += (unsigned __int128)ns * ns;
	if (ns < h->min_ns)
		h->min_ns = ns;
	if (ns > h->max_ns)
		h->max_ns = ns;
}

/* Lower edge and width of bucket i, in ns. */
uint64_t hist_low(uint32_t i);
uint64_t hist_width(uint32_t i);

/* Add from into to, bucket by bucket; touches only what is not zero. */
void hist_merge(struct hist *to, const struct hist *from);

/*
 * The value at percentile p (0 < p <= 100): the bucket that holds rank
 * ceil(n * p / 100), its middle, clamped to [min, max]; max itself for rank n
 * and for every saturated value; 0 for n == 0.  p is taken to a thousandth of
 * a per cent and the rank is integer arithmetic.
 */
uint64_t hist_percentile(const struct hist *h, double p);
/* The same with each value weighted by itself: chance of a moment. */
uint64_t hist_time_weighted(const struct hist *h, double p);

double hist_mean(const struct hist *h);	  /* exact sum / n */
double hist_stddev(const struct hist *h); /* of a sample (n - 1), as fio's */

/*
 * Does n carry percentile p?  PLAIN: at least 10 samples lie beyond it,
 * n (1 - p) >= 10; FEW: at least 1; else it is no figure of these samples.
 */
enum hist_trust { HIST_WITHHELD, HIST_FEW, HIST_PLAIN };
enum hist_trust hist_trust(uint64_t n, double p);

/*
 * fio's view: fold to its buckets (out[HIST_FIO_BUCKETS]), the value it
 * reports for a bucket, and its percentile ("first bucket whose running sum
 * is >= p/100 * n"; not clamped).  Ground: fio's stat.c, stat.h.
 */
void hist_fold(const struct hist *h, uint64_t *out);
uint64_t hist_fio_value(uint32_t bucket);
uint64_t hist_fio_percentile(const uint64_t *buckets, uint64_t n, double p);

/*
 * The coarse bucket (2^4 to the octave, indexed as fio's are) that fio's
 * bucket lies in: fio's nest in them.
 */
uint32_t hist_coarse(uint32_t fio_bucket);

#endif
