#include "receipt/latency.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The percentiles with the sentences for those that are out of order. */
static const struct latency_stat latency_table[] = {
	{ 50, offsetof(struct receipt_latency, p50) },
	{ 95, offsetof(struct receipt_latency, p95) },
	{ 99, offsetof(struct receipt_latency, p99) },
	{ 99.9, offsetof(struct receipt_latency, p99_9) },
	{ 99.99, offsetof(struct receipt_latency, p99_99) },
	{ 0, 0 },
};

const struct latency_stat *
latency_stats(void)
{
	return latency_table;
}

static uint64_t *
latency_at(struct receipt_latency *l, size_t offset)
{
	void *at = (char *)l + offset;

	return at;
}

static uint64_t
latency_get(const struct receipt_latency *l, size_t offset)
{
	const void *at = (const char *)l + offset;

	return *(const uint64_t *)at;
}

static uint64_t
latency_round(double ns)
{
	return (uint64_t)(ns + 0.5);
}

/* The counts from the first that is not 0 on; empty ones as 0 and a length. */
static size_t
latency_encode(const uint64_t *counts, uint64_t *out)
{
	size_t i, n = 0, last = HIST_FIO_BUCKETS;

	for (i = 0; i < HIST_FIO_BUCKETS; i++) {
		if (counts[i] == 0)
			continue;
		if (last == HIST_FIO_BUCKETS) {
			out[n++] = i;
		} else if (i - last > 1) {
			out[n++] = 0;
			out[n++] = i - last - 1;
		}
		out[n++] = counts[i];
		last = i;
	}
	return n;
}

/* Fio's buckets into the coarse ones that they lie in, in place. */
static void
latency_coarsen(uint64_t *counts)
{
	uint64_t count;
	uint32_t i;

	for (i = 0; i < HIST_FIO_BUCKETS; i++) {
		count = counts[i];
		counts[i] = 0;
		/* never above i, so that none is overwritten unread */
		counts[hist_coarse(i)] += count;
	}
}

int
latency_code(struct receipt_latency *l, const uint64_t *counts, struct arena *a)
{
	uint64_t coded[2 * HIST_FIO_BUCKETS];
	size_t n = latency_encode(counts, coded);

	l->buckets = arena_alloc(a, n, sizeof(*l->buckets));
	if (!l->buckets)
		return -1;
	memcpy(l->buckets, coded, n * sizeof(*coded));
	l->bucket_count = n;
	return 0;
}

static int
latency_fold(struct receipt_latency *l, const struct hist *h, unsigned parts,
	struct arena *a)
{
	uint64_t counts[HIST_FIO_BUCKETS];

	hist_fold(h, counts);
	if (parts & LATENCY_COARSE) {
		latency_coarsen(counts);
		l->bucket_bits = HIST_COARSE_BITS;
	}
	return latency_code(l, counts, a);
}

struct receipt_latency *
latency_of(const struct hist *h, unsigned parts, struct arena *a)
{
	const struct latency_stat *s;
	struct receipt_latency *l;

	if (!h->counts || h->n == 0)
		return NULL;
	l = arena_alloc(a, 1, sizeof(*l));
	if (!l)
		return NULL;
	l->n = h->n;
	l->min = h->min_ns;
	l->max = h->max_ns;
	l->mean = latency_round(hist_mean(h));
	l->stddev = latency_round(hist_stddev(h));
	for (s = latency_table; s->per_cent > 0; s++)
		*latency_at(l, s->offset) =
			hist_trust(h->n, s->per_cent) == HIST_WITHHELD
				? SHAPE_WITHHELD
				: hist_percentile(h, s->per_cent);
	l->tw_p50 = l->tw_p99 = l->bucket_bits = SHAPE_ABSENT;
	if (parts & LATENCY_WEIGHTED) {
		l->tw_p50 = hist_time_weighted(h, 50);
		l->tw_p99 = hist_time_weighted(h, 99);
	}
	if (parts & LATENCY_BUCKETS && latency_fold(l, h, parts, a))
		return NULL;
	return l;
}

static bool
latency_outside(const struct receipt_latency *l, uint64_t v)
{
	return shape_has(v) && (v < l->min || v > l->max);
}

static const char *
latency_order_fault(const struct receipt_latency *l)
{
	const struct latency_stat *s;
	uint64_t v, last = 0;

	if (l->n == 0)
		return "has no samples";
	if (l->min > l->max)
		return "has a min above its max";
	if (latency_outside(l, l->mean))
		return "has a mean outside of [min, max]";
	for (s = latency_table; s->per_cent > 0; s++) {
		v = latency_get(l, s->offset);
		if (latency_outside(l, v))
			return "has a percentile outside of [min, max]";
		if (!shape_has(v))
			continue;
		if (v < last)
			return "has percentiles out of order";
		last = v;
	}
	if (latency_outside(l, l->tw_p50) || latency_outside(l, l->tw_p99))
		return "has a weighted percentile outside of [min, max]";
	if (shape_has(l->tw_p50) && shape_has(l->tw_p99) &&
		l->tw_p50 > l->tw_p99)
		return "has weighted percentiles out of order";
	return NULL;
}

static bool
latency_is_coarse(const struct receipt_latency *l)
{
	return l->bucket_bits == HIST_COARSE_BITS;
}

/* Walk the buckets; counts may be NULL. */
static const char *
latency_walk(const struct receipt_latency *l, uint64_t *counts)
{
	uint64_t index = l->bucket_count ? l->buckets[0] : 0, sum = 0, v;
	uint64_t end =
		latency_is_coarse(l) ? HIST_COARSE_BUCKETS : HIST_FIO_BUCKETS;
	bool may_skip = false; /* only between two that are not empty */
	size_t i;

	for (i = 1; i < l->bucket_count; i++) {
		v = l->buckets[i];
		if (v == 0) {
			if (!may_skip || i + 2 >= l->bucket_count ||
				l->buckets[i + 1] > end ||
				l->buckets[i + 1] == 0)
				return "has a malformed gap in its buckets";
			index += l->buckets[++i];
			may_skip = false;
			continue;
		}
		if (index >= end)
			return "has buckets beyond the last one";
		/* both are at most 2^53: it cannot wrap before it is above n */
		sum += v;
		if (sum > l->n)
			break;
		if (counts)
			counts[index] = v;
		index++;
		may_skip = true;
	}
	return sum == l->n ? NULL : "has buckets that do not add up to n";
}

const char *
latency_fault(const struct receipt_latency *l)
{
	const char *fault = latency_order_fault(l);

	if (!fault && shape_has(l->bucket_bits) && !latency_is_coarse(l) &&
		l->bucket_bits != HIST_FIO_BITS)
		fault = "has buckets of an unknown width";
	if (!fault && l->buckets)
		fault = latency_walk(l, NULL);
	return fault;
}

bool
latency_is_fio(const struct receipt_latency *l)
{
	return l->buckets && !latency_is_coarse(l);
}

/* Where in a coarse bucket its samples lie is not known: evenly, in order. */
static void
latency_spread(const uint64_t *coarse, uint64_t *out)
{
	uint64_t left = 0;
	uint32_t i, next, in = 0;

	for (i = 0; i < HIST_FIO_BUCKETS; i++) {
		if (in == 0) {
			left = coarse[hist_coarse(i)];
			for (next = i; next < HIST_FIO_BUCKETS &&
				       hist_coarse(next) == hist_coarse(i);
				next++)
				in++;
		}
		out[i] = left / in;
		left -= out[i];
		in--;
	}
}

int
latency_unfold(const struct receipt_latency *l, uint64_t *out)
{
	uint64_t coarse[HIST_COARSE_BUCKETS] = { 0 };
	size_t i;

	for (i = 0; i < HIST_FIO_BUCKETS; i++)
		out[i] = 0;
	if (!l->buckets)
		return -1;
	if (!latency_is_coarse(l))
		return latency_walk(l, out) ? -1 : 0;
	if (latency_walk(l, coarse))
		return -1;
	latency_spread(coarse, out);
	return 0;
}
