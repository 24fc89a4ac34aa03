#include "disk/engine_result.h"

#include "disk/engine_aio.h"
#include "disk/touch.h"

static uint64_t
engine_result_ns(struct timeval from, struct timeval to)
{
	int64_t us = ((int64_t)to.tv_sec - from.tv_sec) * 1000000 +
		     ((int64_t)to.tv_usec - from.tv_usec);

	return us > 0 ? (uint64_t)us * 1000 : 0;
}

static void
engine_result_add_usage(struct record_window *w, const struct engine_job *t)
{
	const struct rusage *from = &t->usage_from, *to = &t->usage_to;

	w->user_ns += engine_result_ns(from->ru_utime, to->ru_utime);
	w->system_ns += engine_result_ns(from->ru_stime, to->ru_stime);
	w->voluntary_switches += (uint64_t)(to->ru_nvcsw - from->ru_nvcsw);
	w->involuntary_switches += (uint64_t)(to->ru_nivcsw - from->ru_nivcsw);
	w->minor_faults += (uint64_t)(to->ru_minflt - from->ru_minflt);
	if (t->runqueue_wait_ns == RECORD_UNKNOWN ||
		w->runqueue_wait_ns == RECORD_UNKNOWN)
		w->runqueue_wait_ns = RECORD_UNKNOWN;
	else
		w->runqueue_wait_ns += t->runqueue_wait_ns;
}

/* Added up, a thread's counts are of no more use: the peak of our memory is
   not to hold them and the sum. */
static void
engine_result_let_go(const struct engine_lane *lane)
{
	const struct hist *const of[] = { &lane->slat, &lane->clat,
		&lane->lat };
	size_t i;

	for (i = 0; i < sizeof(of) / sizeof(of[0]); i++)
		if (of[i]->counts)
			touch_let_go(of[i]->counts,
				HIST_BUCKETS * sizeof(*of[i]->counts));
}

static void
engine_result_add_lanes(struct record_window *w, const struct engine_job *t)
{
	const struct engine_lane *from;
	struct record_lane *to;
	int i;

	for (i = 0; i < RECORD_LANES; i++) {
		from = &t->lanes[i];
		to = &w->lanes[i];
		to->ios += from->ios;
		to->errors += from->errors;
		if (i <= RECORD_WRITE)
			to->bytes += from->ios * t->job->bs_bytes;
		if (to->slat.counts)
			hist_merge(&to->slat, &from->slat);
		if (to->clat.counts)
			hist_merge(&to->clat, &from->clat);
		if (to->lat.counts)
			hist_merge(&to->lat,
				from->lat.counts ? &from->lat : &from->clat);
		engine_result_let_go(from);
	}
	series_merge(&w->series, &t->series);
}

static void
engine_result_add(struct record_window *w, const struct engine_job *t)
{
	engine_result_add_lanes(w, t);
	engine_result_add_usage(w, t);
	if (t->last_ns > w->ended_ns)
		w->ended_ns = t->last_ns;
	w->submits += t->submits;
	if (t->job->ioengine == JOB_LIBAIO) {
		w->slow_submits_100us += t->slow_100us;
		w->slow_submits_1ms += t->slow_1ms;
		w->slow_submit_ns += t->slow_ns;
	}
	if (w->ring_reap)
		w->early_completions += t->early;
	if (t->longest_gap_ns > w->longest_gap_ns)
		w->longest_gap_ns = t->longest_gap_ns;
	w->carried_ns += t->carried_ns;
	w->queue_short_ns += t->queue_short_ns;
	w->negative_deltas += t->negative_deltas;
}

/* Slots of threads that had nothing more to do while others still issued. */
static uint64_t
engine_result_unused(const struct engine_job *threads, uint32_t count)
{
	uint64_t last = 0, unused = 0;
	uint32_t i;

	for (i = 0; i < count; i++)
		if (threads[i].issue_end_ns > last)
			last = threads[i].issue_end_ns;
	for (i = 0; i < count; i++)
		unused += threads[i].depth * (last - threads[i].issue_end_ns);
	return unused;
}

void
engine_result_collect(struct record_window *w, const struct engine_job *threads,
	uint32_t count)
{
	bool aio = threads->job->ioengine == JOB_LIBAIO;
	uint32_t i;

	w->started_ns = w->ended_ns = threads->base_ns;
	w->ring_reap = aio && !threads->common->syscall_reap &&
		       engine_aio_has_ring(threads->aio);
	if (!aio)
		w->slow_submits_100us = w->slow_submits_1ms =
			w->slow_submit_ns = RECORD_UNKNOWN;
	if (!w->ring_reap)
		w->early_completions = RECORD_UNKNOWN;
	for (i = 0; i < count; i++)
		engine_result_add(w, &threads[i]);
	w->queue_short_ns += engine_result_unused(threads, count);
}

uint32_t
engine_result_lost(const struct engine_job *threads, uint32_t count)
{
	uint32_t i, lost = 0;

	for (i = 0; i < count; i++)
		lost += threads[i].lost;
	return lost;
}

static int
engine_result_stopped(int stop, struct err *e)
{
	if (stop > 0)
		return err_set(e, ERR_SIGNAL + stop, 0,
			"ended by signal %d (%s)", stop, strsignal(stop));
	return err_set(e, ERR_INCOMPLETE, 0, RECORD_SUPERVISED);
}

int
engine_result_judge(const struct record_window *w,
	const struct engine_job *threads, uint32_t count, struct err *e)
{
	uint32_t i, lost = engine_result_lost(threads, count);
	bool cut = false;

	for (i = 0; i < count; i++) {
		cut |= threads[i].cut;
		if (!threads[i].err.code)
			continue;
		*e = threads[i].err;
		return -1;
	}
	if (lost)
		return err_set(e, ERR_INCOMPLETE, 0,
			"%u of the I/Os in flight never came back", lost);
	if (cut)
		return engine_result_stopped(engine_job_stopped(threads), e);
	if (!(w->lanes[RECORD_READ].ios + w->lanes[RECORD_WRITE].ios))
		return err_set(e, ERR_INCOMPLETE, 0,
			"not one I/O was completed inside the window");
	return 0;
}
