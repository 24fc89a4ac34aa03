#include "receipt/assemble_diag.h"

#include <stdlib.h>

#include "receipt/latency.h"

static int
assemble_diag_gaps(
	struct receipt_gaps **out, const struct diag_gaps *g, struct arena *a)
{
	if (!g->elapsed_ns)
		return 0;
	*out = arena_alloc(a, 1, sizeof(**out));
	if (!*out)
		return -1;
	(*out)->elapsed_ns = g->elapsed_ns;
	(*out)->count = g->count;
	(*out)->lost_ns = g->lost_ns;
	(*out)->lost_pct = (double)g->lost_ns * 100 / (double)g->elapsed_ns;
	(*out)->longest_ns = g->longest_ns;
	return 0;
}

/* latency_of, where NULL means out of memory only if there are samples. */
static int
assemble_diag_latency(
	struct receipt_latency **out, const struct hist *h, struct arena *a)
{
	*out = latency_of(h, 0, a);
	return !*out && h->counts && h->n > 0 ? -1 : 0;
}

static int
assemble_diag_moment(struct receipt_moment **out, const struct diag *d,
	enum diag_when when, struct arena *a)
{
	struct receipt_moment *m;

	if (!d->gaps[when].elapsed_ns && !d->wake[when].n)
		return 0;
	m = *out = arena_alloc(a, 1, sizeof(*m));
	if (!m || assemble_diag_gaps(&m->gaps, &d->gaps[when], a))
		return -1;
	return assemble_diag_latency(&m->oversleep_ns, &d->wake[when], a);
}

/* The median of all measured windows of the job, SHAPE_ABSENT without one. */
static int
assemble_diag_slept(const struct plan *p, const struct record *r, uint32_t job,
	uint64_t *out)
{
	const struct record_window *w;
	struct hist all;
	uint32_t i;

	hist_init_zero(&all, calloc(HIST_BUCKETS, sizeof(*all.counts)));
	if (!all.counts)
		return -1;
	for (i = 0; i < p->window_count; i++) {
		w = &r->windows[i];
		if (p->windows[i].job == job &&
			atomic_load(&w->state) == RECORD_MEASURED)
			hist_merge(&all, &w->lanes[RECORD_READ].lat);
	}
	*out = all.n ? hist_percentile(&all, 50) : SHAPE_ABSENT;
	free(all.counts);
	return 0;
}

static int
assemble_diag_polled(struct receipt_polled **out, const struct plan *p,
	const struct record *r, struct arena *a)
{
	struct receipt_polled *polled;
	int job = diag_job(p);

	if (job < 0 || !r->diag.polled.n || !r->diag.polled_elapsed_ns)
		return 0;
	polled = *out = arena_alloc(a, 1, sizeof(*polled));
	if (!polled)
		return -1;
	polled->job = (uint64_t)job;
	polled->elapsed_ns = r->diag.polled_elapsed_ns;
	if (assemble_diag_slept(p, r, (uint32_t)job, &polled->slept_p50_ns))
		return -1;
	return assemble_diag_latency(&polled->lat_ns, &r->diag.polled, a);
}

int
assemble_diag(const struct plan *p, const struct record *r,
	struct receipt_diagnostics **out, struct arena *a)
{
	struct receipt_diagnostics *d = arena_alloc(a, 1, sizeof(*d));

	if (!d || assemble_diag_moment(&d->before, &r->diag, DIAG_BEFORE, a) ||
		assemble_diag_moment(&d->after, &r->diag, DIAG_AFTER, a) ||
		assemble_diag_polled(&d->polled, p, r, a))
		return -1;
	if (d->before || d->after || d->polled)
		*out = d;
	return 0;
}
