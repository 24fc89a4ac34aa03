#include "disk/diag.h"

#include <sys/prctl.h>

#include "base/clock.h"
#include "disk/engine.h"
#include "disk/record.h"

#define DIAG_POLLED_SHARE  6 /* of the job's runtime */
#define DIAG_POLLED_MIN_NS (200 * CLOCK_NS_PER_MS)
#define DIAG_POLLED_MAX_NS (2 * CLOCK_NS_PER_S)

int
diag_job(const struct plan *p)
{
	const struct job *j;
	uint32_t i;

	for (i = 0; i < p->window_count; i++) {
		j = &p->jobs[p->windows[i].job];
		if (j->rw == JOB_RANDREAD && j->iodepth == 1 &&
			j->numjobs == 1 && j->ioengine == JOB_LIBAIO &&
			j->time_based && j->runtime_ns)
			return (int)p->windows[i].job;
	}
	return -1;
}

static uint64_t
diag_polled_ns(const struct plan *p)
{
	int job = diag_job(p);
	uint64_t ns;

	if (job < 0)
		return 0;
	ns = p->jobs[job].runtime_ns / DIAG_POLLED_SHARE;
	if (ns < DIAG_POLLED_MIN_NS)
		ns = DIAG_POLLED_MIN_NS;
	return ns < DIAG_POLLED_MAX_NS ? ns : DIAG_POLLED_MAX_NS;
}

static uint64_t
diag_gaps_ns(const struct plan *p)
{
	return diag_polled_ns(p) * 15 / 100;
}

static uint64_t
diag_wake_ns(const struct plan *p)
{
	return diag_polled_ns(p) / 10;
}

uint64_t
diag_cost_ns(const struct plan *p)
{
	return diag_polled_ns(p) + 2 * (diag_gaps_ns(p) + diag_wake_ns(p));
}

static int
diag_stopped(const struct record *r)
{
	return atomic_load_explicit(&r->stop, memory_order_relaxed);
}

static void
diag_gaps(const struct record *r, uint64_t length_ns, struct diag_gaps *out)
{
	uint64_t from = clock_now_ns(), last = from, now = from, gap;
	struct diag_gaps g = { 0 };

	while (now - from < length_ns && !diag_stopped(r)) {
		now = clock_now_ns();
		gap = now - last;
		last = now;
		if (gap <= DIAG_GAP_NS)
			continue;
		g.count++;
		g.lost_ns += gap;
		if (gap > g.longest_ns)
			g.longest_ns = gap;
	}
	g.elapsed_ns = now - from;
	*out = g;
}

static void
diag_wake(const struct record *r, uint64_t length_ns, struct hist *out)
{
	int slack = prctl(PR_GET_TIMERSLACK);
	uint64_t from = clock_now_ns(), before = from, now = from, took;

	/* The kernel lets a sleep be late by this much, for the battery. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	while (now - from < length_ns && !diag_stopped(r)) {
		before = clock_now_ns();
		clock_sleep_ns(DIAG_SLEEP_NS);
		now = clock_now_ns();
		took = now - before;
		/* Shorter: a signal has woken us. */
		if (took >= DIAG_SLEEP_NS)
			hist_record(out, took - DIAG_SLEEP_NS);
	}
	if (slack > 0)
		prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
}

void
diag_probe(struct record *r, const struct plan *p, enum diag_when when)
{
	uint64_t continued = atomic_load(&r->continued);
	struct diag *d = &r->diag;

	if (diag_job(p) < 0)
		return;
	diag_gaps(r, diag_gaps_ns(p), &d->gaps[when]);
	diag_wake(r, diag_wake_ns(p), &d->wake[when]);
	if (atomic_load(&r->continued) == continued && !diag_stopped(r))
		return;
	d->gaps[when] = (struct diag_gaps){ 0 };
	hist_reset(&d->wake[when]);
}

static int
diag_polled(struct record *r, const struct plan *p, struct engine *en,
	struct err *e)
{
	uint64_t continued = atomic_load(&r->continued);
	struct engine_polled polled = { .job = (uint32_t)diag_job(p),
		.runtime_ns = diag_polled_ns(p),
		.lat = &r->diag.polled };

	if (engine_polled(en, &polled, e) < 0)
		return -1;
	if (atomic_load(&r->continued) == continued)
		r->diag.polled_elapsed_ns = polled.elapsed_ns;
	else
		hist_reset(&r->diag.polled);
	return 0;
}

int
diag_after(struct record *r, const struct plan *p, struct engine *en,
	struct err *e)
{
	if (diag_job(p) < 0)
		return 0;
	atomic_store(&r->phase, RECORD_DIAGNOSE);
	if (diag_polled(r, p, en, e) < 0)
		return -1;
	atomic_store(&r->phase, RECORD_DIAGNOSE);
	diag_probe(r, p, DIAG_AFTER);
	return 0;
}
