#include "receipt/latency_merge.h"

#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "disk/hist.h"
#include "receipt/latency.h"

/* n, min, max, mean and deviation of all. */
static void
latency_merge_moments(const struct receipt_latency *const *list, size_t n,
	struct receipt_latency *out)
{
	double sum = 0, squares = 0, mean, samples = 0, dev;
	size_t i;

	out->n = 0;
	out->min = list[0]->min;
	out->max = list[0]->max;
	for (i = 0; i < n; i++) {
		out->n += list[i]->n;
		samples += (double)list[i]->n;
		sum += (double)list[i]->n * (double)list[i]->mean;
		out->min = list[i]->min < out->min ? list[i]->min : out->min;
		out->max = list[i]->max > out->max ? list[i]->max : out->max;
	}
	mean = sum / samples;
	for (i = 0; i < n; i++) {
		dev = (double)list[i]->mean - mean;
		squares += (double)(list[i]->n - 1) * (double)list[i]->stddev *
				   (double)list[i]->stddev +
			   (double)list[i]->n * dev * dev;
	}
	out->mean = (uint64_t)(mean + 0.5);
	out->stddev = samples > 1
			      ? (uint64_t)(sqrt(squares / (samples - 1)) + 0.5)
			      : 0;
}

static void
latency_merge_percentiles(struct receipt_latency *out, const uint64_t *counts)
{
	const struct latency_stat *s;
	uint64_t v;

	for (s = latency_stats(); s->per_cent > 0; s++) {
		v = hist_fio_percentile(counts, out->n, s->per_cent);
		v = v < out->min ? out->min : v > out->max ? out->max : v;
		if (hist_trust(out->n, s->per_cent) == HIST_WITHHELD)
			v = SHAPE_WITHHELD;
		memcpy((char *)out + s->offset, &v, sizeof(v));
	}
}

struct receipt_latency *
latency_merge(
	const struct receipt_latency *const *list, size_t n, struct arena *a)
{
	uint64_t counts[HIST_FIO_BUCKETS] = { 0 }, one[HIST_FIO_BUCKETS];
	struct receipt_latency *out = arena_alloc(a, 1, sizeof(*out));
	uint64_t samples = 0;
	size_t i, k;

	for (i = 0; i < n; i++) {
		if (latency_unfold(list[i], one))
			return NULL;
		for (k = 0; k < HIST_FIO_BUCKETS; k++)
			counts[k] += one[k];
		samples += list[i]->n;
	}
	if (!out || samples > SHAPE_MAX)
		return NULL;
	latency_merge_moments(list, n, out);
	latency_merge_percentiles(out, counts);
	out->tw_p50 = out->tw_p99 = out->bucket_bits = SHAPE_ABSENT;
	return latency_code(out, counts, a) ? NULL : out;
}
