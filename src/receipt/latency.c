#include "receipt/latency.h"

#include <stdbool.h>
#include <stddef.h>

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

/* What is not empty, as pairs of the step from the last index and a count. */
static int
latency_fold(struct receipt_latency *l, const struct hist *h, struct arena *a)
{
	uint64_t *counts = arena_alloc(a, HIST_FIO_BUCKETS, sizeof(*counts));
	size_t pairs = 0, last = 0, i, n = 0;

	if (!counts)
		return -1;
	hist_fold(h, counts);
	for (i = 0; i < HIST_FIO_BUCKETS; i++)
		pairs += counts[i] > 0;
	l->buckets = arena_alloc(a, 2 * pairs, sizeof(*l->buckets));
	if (!l->buckets)
		return -1;
	for (i = 0; i < HIST_FIO_BUCKETS; i++) {
		if (counts[i] == 0)
			continue;
		l->buckets[n++] = i - last;
		l->buckets[n++] = counts[i];
		last = i;
	}
	l->bucket_count = n;
	return 0;
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
	l->tw_p50 = l->tw_p99 = SHAPE_ABSENT;
	if (parts & LATENCY_WEIGHTED) {
		l->tw_p50 = hist_time_weighted(h, 50);
		l->tw_p99 = hist_time_weighted(h, 99);
	}
	if (parts & LATENCY_BUCKETS && latency_fold(l, h, a))
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

/* Walk the buckets; counts may be NULL. */
static const char *
latency_walk(const struct receipt_latency *l, uint64_t *counts)
{
	uint64_t index = 0, sum = 0;
	size_t i;

	if (l->bucket_count % 2)
		return "has half a pair in its buckets";
	for (i = 0; i < l->bucket_count; i += 2) {
		if (l->buckets[i] >= HIST_FIO_BUCKETS ||
			(i > 0 && l->buckets[i] == 0))
			return "has buckets out of order";
		index += l->buckets[i];
		if (index >= HIST_FIO_BUCKETS)
			return "has buckets beyond the last one";
		/* both are at most 2^53: the sum cannot wrap before it is n */
		sum += l->buckets[i + 1];
		if (l->buckets[i + 1] == 0 || sum > l->n)
			return "has buckets that do not add up to n";
		if (counts)
			counts[index] = l->buckets[i + 1];
	}
	return sum == l->n ? NULL : "has buckets that do not add up to n";
}

const char *
latency_fault(const struct receipt_latency *l)
{
	const char *fault = latency_order_fault(l);

	if (!fault && l->buckets)
		fault = latency_walk(l, NULL);
	return fault;
}

int
latency_unfold(const struct receipt_latency *l, uint64_t *out)
{
	size_t i;

	for (i = 0; i < HIST_FIO_BUCKETS; i++)
		out[i] = 0;
	if (!l->buckets || latency_walk(l, out))
		return -1;
	return 0;
}
