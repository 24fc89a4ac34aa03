#include "receipt/compare_noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/stats.h"
#include "disk/hist.h"
#include "receipt/latency.h"

enum {
	DRAWS = 1000,
	TAIL = 25, /* draws beyond either end: 2.5 % */
	RATES_MAX = 4096,
	BEYOND_MIN = 5
};

#define NORMAL_975 1.959964

double
compare_noise_t(uint64_t df)
{
	/* published tables; df 1 .. 10 */
	static const double small[] = { 12.706, 4.303, 3.182, 2.776, 2.571,
		2.447, 2.365, 2.306, 2.262, 2.228 };
	double d = (double)df, z = NORMAL_975;

	if (df == 0)
		return NAN;
	if (df <= sizeof(small) / sizeof(small[0]))
		return small[df - 1];
	/* Cornish and Fisher's expansion; off by less than 0.001 from 11 on */
	return z + (z * z * z + z) / (4 * d) +
	       (5 * pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * d * d) +
	       (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * z * z * z - 15 * z) /
		       (384 * d * d * d);
}

double
compare_noise_deviation(const double *v, size_t n)
{
	double logs[COMPARE_SAMPLE_MAX];
	size_t i;

	if (n < 2 || n > COMPARE_SAMPLE_MAX)
		return NAN;
	for (i = 0; i < n; i++) {
		if (!(v[i] > 0))
			return NAN;
		logs[i] = log(v[i]);
	}
	return stats_stddev(logs, n) * sqrt((double)n / (double)(n - 1));
}

double
compare_noise_runs(const double *v, size_t n)
{
	if (n < 2)
		return NAN;
	return compare_noise_t(n - 1) * compare_noise_deviation(v, n) /
	       sqrt((double)n);
}

double
compare_noise_session(const double *v, size_t n)
{
	if (n < 2)
		return NAN;
	return compare_noise_t(n - 1) * compare_noise_deviation(v, n) *
	       sqrt(1 + 1 / (double)n);
}

/* From the middle to the ends, whichever is farther. */
static double
compare_noise_span(double low, double middle, double high)
{
	if (!(low > 0) || !(middle > 0))
		return NAN;
	return fmax(log(high / middle), log(middle / low));
}

double
compare_noise_sample(struct compare_sample *s)
{
	double v[COMPARE_NOISE_RANKS], n = (double)s->n, reach;
	double middle = compare_sample_median(s);
	uint64_t i, low, high;

	if (s->n < COMPARE_NOISE_RANKS) {
		for (i = 0; i < s->n; i++)
			v[i] = compare_sample_rank(s, i + 1);
		return compare_noise_runs(v, s->n);
	}
	reach = NORMAL_975 * sqrt(n) / 2;
	low = n / 2 - reach > 1 ? (uint64_t)(n / 2 - reach) : 1;
	high = (uint64_t)ceil(n / 2 + 1 + reach);
	return compare_noise_span(compare_sample_rank(s, low), middle,
		compare_sample_rank(s, high));
}

static int
compare_noise_order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The sum of n rates, drawn in blocks that wrap around. */
static double
compare_noise_draw(
	const uint64_t *rates, size_t n, size_t block, struct rng *rng)
{
	size_t at = 0, i;
	double sum = 0;

	for (i = 0; i < n; i++) {
		if (i % block == 0)
			at = (size_t)(rng_next(rng) % n);
		sum += (double)rates[at];
		at = at + 1 == n ? 0 : at + 1;
	}
	return sum;
}

double
compare_noise_rates(const uint64_t *rates, size_t n, uint64_t seed)
{
	double sums[DRAWS], total = 0, few;
	size_t block, i;
	struct rng rng;

	if (n < COMPARE_NOISE_SECONDS || n > RATES_MAX)
		return NAN;
	block = (size_t)(1.5 * cbrt((double)n) + 0.5) + 1;
	for (i = 0; i < n; i++)
		total += (double)rates[i];
	rng_seed(&rng, seed);
	for (i = 0; i < DRAWS; i++)
		sums[i] = compare_noise_draw(rates, n, block, &rng);
	qsort(sums, DRAWS, sizeof(sums[0]), compare_noise_order);
	few = compare_noise_t(n / block - 1) / NORMAL_975 *
	      sqrt((double)n / (double)(n - block));
	return few *
	       compare_noise_span(sums[TAIL], total, sums[DRAWS - 1 - TAIL]);
}

/* The whole seconds of m's direction. */
static double
compare_noise_series(const struct metric *m, uint64_t seed)
{
	const struct receipt_series *s = m->window->series;
	bool reads = m->lane == m->window->read;
	uint64_t whole;
	size_t n;

	if (!s || s->interval_ns != CLOCK_NS_PER_S)
		return NAN;
	whole = m->window->elapsed_ns / s->interval_ns;
	n = reads ? s->read_count : s->write_count;
	if (whole < n) /* the last one is shorter */
		n = (size_t)whole;
	return compare_noise_rates(reads ? s->read_ios : s->write_ios, n, seed);
}

/* Value of the bucket that holds share p of the samples, `beside` it. */
static double
compare_noise_bucket(const uint64_t *counts, uint64_t n, double p, int beside)
{
	double want = p * (double)n, sum = 0;
	uint32_t i = 0;

	for (; i < HIST_FIO_BUCKETS - 1; i++) {
		sum += (double)counts[i];
		if (sum >= want && counts[i] > 0)
			break;
	}
	if (beside < 0)
		return (double)hist_fio_value(i > 0 ? i - 1 : 0);
	return (double)hist_fio_value(i < HIST_FIO_BUCKETS - 1 ? i + 1 : i);
}

/* Of share p of the latencies, where `rate` is the noise of their rate. */
static double
compare_noise_percentile(const struct receipt_latency *l, double p, double rate)
{
	uint64_t counts[HIST_FIO_BUCKETS];
	double cv, share = rate / NORMAL_975, n = (double)l->n, reach;
	double low, middle, high;

	if (isnan(rate) || l->mean == 0 || latency_unfold(l, counts))
		return NAN;
	cv = (double)l->stddev / (double)l->mean;
	/* steadier than such latencies would be: something holds the rate */
	if (cv * cv / n > share * share)
		return NAN;
	n = fmin(n, cv * cv / (share * share));
	if (n * (1 - p) < BEYOND_MIN)
		return NAN;
	reach = NORMAL_975 * sqrt(p * (1 - p) / n);
	if (p + reach >= 1)
		return NAN;
	low = fmax(compare_noise_bucket(counts, l->n, p - reach, -1),
		(double)l->min);
	high = fmin(compare_noise_bucket(counts, l->n, p + reach, 1),
		(double)l->max);
	middle = (double)hist_fio_percentile(counts, l->n, p * 100);
	return fmax(rate, compare_noise_span(low, middle, high));
}

/* Each figure of a direction asks for it anew: draw once. */
static double
compare_noise_recall(const struct metric *m, uint64_t seed,
	struct compare_noise_memory *memory)
{
	const unsigned room = sizeof(memory->noise) / sizeof(memory->noise[0]);
	unsigned i;

	for (i = 0; i < room; i++)
		if (memory->lanes[i] == m->lane)
			return memory->noise[i];
	i = memory->next++ % room;
	memory->lanes[i] = m->lane;
	memory->noise[i] = compare_noise_series(m, seed);
	return memory->noise[i];
}

double
compare_noise_window(const struct metric *m, uint64_t seed,
	struct compare_noise_memory *memory)
{
	const struct latency_stat *s;
	double rate;

	if (!m->lane)
		return NAN;
	rate = compare_noise_recall(m, seed, memory);
	if (!m->latency)
		return rate;
	if (m->latency != m->lane->lat_ns && m->latency != m->lane->clat_ns)
		return NAN;
	if (m->stat == offsetof(struct receipt_latency, mean))
		return rate;
	for (s = latency_stats(); s->per_cent > 0; s++)
		if (s->offset == m->stat)
			return compare_noise_percentile(
				m->latency, s->per_cent / 100, rate);
	return NAN;
}

/* FNV-1a over what makes the receipt this one. */
uint64_t
compare_noise_seed(const struct receipt *r)
{
	const char *parts[] = { r->jti, r->plan->digest };
	uint64_t h = UINT64_C(14695981039346656037);
	const char *p;
	size_t i;

	for (i = 0; i < 2; i++)
		for (p = parts[i]; *p; p++)
			h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
	return h;
}

double
compare_noise_both(double a, double b)
{
	double both = sqrt(a * a + b * b);

	/* fmax would take the floor where one is not known */
	return both < COMPARE_NOISE_FLOOR ? COMPARE_NOISE_FLOOR : both;
}
