#include "disk/hist.h"

#include <math.h>
#include <string.h>

#define HALF_BITS  (UINT32_C(1) << HIST_BITS)
#define FIO_BITS   HIST_FIO_BITS
#define FIO_GROUP  (UINT32_C(1) << FIO_BITS)
#define COARSE	   (UINT32_C(1) << HIST_COARSE_BITS)
#define FULL_MILLI 100000

void
hist_init_zero(struct hist *h, uint32_t *zero_counts)
{
	h->counts = zero_counts;
	h->n = 0;
	h->min_ns = UINT64_MAX;
	h->max_ns = 0;
	h->saturated = 0;
	h->sum_ns = 0;
	h->sum_squares = 0;
}

void
hist_reset(struct hist *h)
{
	hist_init_zero(h, h->counts);
	memset(h->counts, 0, HIST_BUCKETS * sizeof(h->counts[0]));
}

void
hist_init(struct hist *h, uint32_t *counts)
{
	h->counts = counts;
	hist_reset(h);
}

uint64_t
hist_low(uint32_t i)
{
	if (i < 2 * HALF_BITS)
		return i;
	return (uint64_t)((i & (HALF_BITS - 1)) + HALF_BITS)
	       << ((i >> HIST_BITS) - 1);
}

uint64_t
hist_width(uint32_t i)
{
	if (i < 2 * HALF_BITS)
		return 1;
	return UINT64_C(1) << ((i >> HIST_BITS) - 1);
}

static uint64_t
middle(uint32_t i)
{
	return hist_low(i) + hist_width(i) / 2;
}

void
hist_merge(struct hist *to, const struct hist *from)
{
	uint32_t i, last;

	if (!from->n)
		return;
	last = hist_index(from->max_ns);
	for (i = hist_index(from->min_ns); i <= last; i++)
		if (from->counts[i])
			to->counts[i] += from->counts[i];
	to->n += from->n;
	to->sum_ns += from->sum_ns;
	to->sum_squares += from->sum_squares;
	to->saturated += from->saturated;
	if (from->min_ns < to->min_ns)
		to->min_ns = from->min_ns;
	if (from->max_ns > to->max_ns)
		to->max_ns = from->max_ns;
}

static uint64_t
clamp(const struct hist *h, uint64_t ns)
{
	if (ns < h->min_ns)
		return h->min_ns;
	return ns > h->max_ns ? h->max_ns : ns;
}

/* p in thousandths of a per cent, 1 .. FULL_MILLI. */
static uint64_t
milli_of(double p)
{
	double milli = p * 1000.0 + 0.5;

	if (!(milli >= 1.0))
		return 1;
	return milli >= FULL_MILLI ? FULL_MILLI : (uint64_t)milli;
}

uint64_t
hist_percentile(const struct hist *h, double p)
{
	unsigned __int128 scaled;
	uint64_t rank, seen = 0;
	uint32_t i, last;

	if (!h->n)
		return 0;
	scaled = (unsigned __int128)h->n * milli_of(p);
	rank = (uint64_t)((scaled + FULL_MILLI - 1) / FULL_MILLI);
	/* the last bucket has no upper edge: its middle would be a guess */
	if (rank == h->n || rank > h->n - h->saturated)
		return h->max_ns;
	last = hist_index(h->max_ns);
	for (i = hist_index(h->min_ns); i < last; i++) {
		seen += h->counts[i];
		if (seen >= rank)
			break;
	}
	return clamp(h, middle(i));
}

uint64_t
hist_time_weighted(const struct hist *h, double p)
{
	unsigned __int128 wanted, seen = 0;
	uint32_t i, last;

	if (!h->n)
		return 0;
	/*
	 * Compared without division: seen * 100000 >= sum * p.  A sum is at
	 * most 2^64 values of 2^40 ns, times 2^17 it still fits.
	 */
	wanted = h->sum_ns * milli_of(p);
	last = hist_index(h->max_ns);
	for (i = hist_index(h->min_ns); i < last; i++) {
		seen += (unsigned __int128)h->counts[i] * middle(i);
		if (seen * FULL_MILLI >= wanted)
			return clamp(h, middle(i));
	}
	return h->saturated ? h->max_ns : clamp(h, middle(i));
}

double
hist_mean(const struct hist *h)
{
	uint64_t whole, rest;

	if (!h->n)
		return 0.0;
	whole = (uint64_t)(h->sum_ns / h->n);
	rest = (uint64_t)(h->sum_ns % h->n);
	return (double)whole + (double)rest / (double)h->n;
}

/*
 * With m = sum / n and r = sum % n the squared distances from m are
 * squares - n m m - 2 m r, all in integers: equal values give exactly 0,
 * however large they are.
 */
double
hist_stddev(const struct hist *h)
{
	unsigned __int128 whole, rest, around;
	double spread;

	if (h->n < 2)
		return 0.0;
	whole = h->sum_ns / h->n;
	rest = h->sum_ns % h->n;
	around = h->sum_squares - whole * whole * h->n - 2 * whole * rest;
	spread = (double)around - (double)rest * (double)rest / (double)h->n;
	return spread > 0.0 ? sqrt(spread / (double)(h->n - 1)) : 0.0;
}

enum hist_trust
hist_trust(uint64_t n, double p)
{
	uint64_t above = FULL_MILLI - milli_of(p);
	unsigned __int128 beyond = (unsigned __int128)n * above;

	if (beyond >= 10 * (unsigned __int128)FULL_MILLI)
		return HIST_PLAIN;
	return beyond >= FULL_MILLI ? HIST_FEW : HIST_WITHHELD;
}

/* fio's bucket of one of ours: ours nest, so the lower edge decides. */
static uint32_t
fio_index(uint64_t ns)
{
	uint32_t shift, i;

	if (ns < 2 * FIO_GROUP)
		return (uint32_t)ns;
	shift = 63 - (uint32_t)__builtin_clzll(ns) - FIO_BITS;
	i = (shift << FIO_BITS) + (uint32_t)(ns >> shift);
	return i < HIST_FIO_BUCKETS ? i : HIST_FIO_BUCKETS - 1;
}

void
hist_fold(const struct hist *h, uint64_t *out)
{
	uint32_t i, last;

	memset(out, 0, HIST_FIO_BUCKETS * sizeof(out[0]));
	if (!h->n)
		return;
	last = hist_index(h->max_ns);
	for (i = hist_index(h->min_ns); i <= last; i++)
		if (h->counts[i])
			out[fio_index(hist_low(i))] += h->counts[i];
}

uint64_t
hist_fio_value(uint32_t bucket)
{
	uint32_t shift;

	if (bucket < 2 * FIO_GROUP)
		return bucket;
	shift = (bucket >> FIO_BITS) - 1;
	return ((uint64_t)((bucket & (FIO_GROUP - 1)) + FIO_GROUP) << shift) +
	       (UINT64_C(1) << shift) / 2;
}

uint64_t
hist_fio_percentile(const uint64_t *buckets, uint64_t n, double p)
{
	/* the type and the order of operations are fio's: they decide ties */
	long double wanted = (long double)p / 100.0L * (long double)n;
	uint64_t seen = 0;
	uint32_t i;

	for (i = 0; i < HIST_FIO_BUCKETS; i++) {
		seen += buckets[i];
		if ((long double)seen >= wanted)
			return hist_fio_value(i);
	}
	return 0;
}

uint32_t
hist_coarse(uint32_t fio_bucket)
{
	/* below 2^6 ns fio's index is the value; its groups come later */
	if (fio_bucket < 2 * COARSE)
		return fio_bucket;
	if (fio_bucket < 4 * COARSE)
		return fio_bucket / 2 + COARSE;
	return fio_bucket / 4 + 2 * COARSE;
}
