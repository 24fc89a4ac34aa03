#include "receipt/assemble_probe.h"

#include <math.h>
#include <string.h>

#include "base/stats.h"
#include "receipt/assemble_facts.h"

struct receipt_probe *
assemble_probe_begin(const struct plan *p, struct arena *a)
{
	struct receipt_probe *out = arena_alloc(a, 1, sizeof(*out));

	if (!out)
		return NULL;
	out->job = arena_alloc(a, 1, sizeof(*out->job));
	out->samples = arena_alloc(a, p->probe.samples, sizeof(*out->samples));
	if (!out->job || !out->samples ||
		assemble_facts_job(out->job, &p->jobs[p->job_count - 1], a))
		return NULL;
	out->length_ns = p->probe.length_ns;
	out->every_ns = p->probe.every_ns;
	out->p99_min_ns = out->p99_max_ns = SHAPE_ABSENT;
	out->steal_interval_ns = SHAPE_ABSENT;
	out->p99_spread = out->steal_mean_pct = out->steal_worst_pct = NAN;
	return out;
}

/* Its buckets would be most of the receipt. */
static void
assemble_probe_slim(struct receipt_latency *l)
{
	if (!l)
		return;
	l->buckets = NULL;
	l->bucket_count = 0;
}

void
assemble_probe_sample(struct receipt_probe *out, const struct record *r,
	uint32_t w, const struct receipt_window *from)
{
	struct receipt_sample *s = &out->samples[out->sample_count++];

	s->at_ns = r->windows[w].started_ns - r->probe.began_ns;
	s->elapsed_ns = from->elapsed_ns;
	s->read = from->read;
	assemble_probe_slim(s->read->clat_ns);
	assemble_probe_slim(s->read->lat_ns);
}

/* Withheld as soon as one sample is too small to have a p99. */
static void
assemble_probe_spread(struct receipt_probe *out)
{
	uint64_t low = UINT64_MAX, high = 0, p99;
	size_t i;

	out->p99_min_ns = out->p99_max_ns = SHAPE_WITHHELD;
	for (i = 0; i < out->sample_count; i++) {
		p99 = out->samples[i].read->lat_ns->p99;
		if (!shape_has(p99))
			return;
		low = p99 < low ? p99 : low;
		high = p99 > high ? p99 : high;
	}
	out->p99_min_ns = low;
	out->p99_max_ns = high;
	if (low)
		out->p99_spread = (double)high / (double)low;
}

int
assemble_probe_end(struct receipt_probe *out, const struct plan *p,
	const struct record_probe *r, struct arena *a)
{
	bool whole = out->sample_count == p->probe.samples, told = true;
	uint32_t i;

	if (whole)
		assemble_probe_spread(out);
	for (i = 0; i < r->steal_count; i++)
		told &= !isnan((double)r->steal_pct[i]);
	if (!told || !r->steal_count)
		return 0;
	out->steal_pct = arena_alloc(a, r->steal_count, sizeof(double));
	if (!out->steal_pct)
		return -1;
	for (i = 0; i < r->steal_count; i++)
		out->steal_pct[i] = (double)r->steal_pct[i];
	out->steal_count = r->steal_count;
	out->steal_interval_ns = r->interval_ns;
	if (!whole)
		return 0;
	out->steal_mean_pct = stats_mean(out->steal_pct, out->steal_count);
	out->steal_worst_pct = stats_max(out->steal_pct, out->steal_count);
	return 0;
}
