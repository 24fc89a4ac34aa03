#include "disk/engine.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "disk/engine_aio.h"
#include "disk/engine_crew.h"
#include "disk/engine_job.h"
#include "disk/engine_result.h"
#include "disk/touch.h"

#define ENGINE_PAGE_BYTES    UINT64_C(4096)
#define ENGINE_DEAR_CLOCK_NS 100

struct engine {
	struct engine_setup setup;
	struct engine_common common;
	struct rng rng;
	uint32_t thread_count;
	struct engine_job *threads;
	bool ready; /* for ready_window */
	uint32_t ready_window;
	bool broken; /* an I/O never came back */
	struct engine_crew crew;
};

/* What thread k needs for the largest of the jobs that have a thread k. */
struct engine_needs {
	uint64_t buffers_bytes;
	uint32_t depth; /* of libaio, 0 = psync only */
	uint32_t hists;
	uint32_t series;
};

static uint32_t
engine_count_hists(const struct job *j)
{
	uint32_t i, n = 0;

	for (i = 0; i < RECORD_LANES; i++)
		n += (uint32_t)__builtin_popcount(
			record_wants(j, (enum record_lane_id)i));
	return n;
}

static void
engine_need(struct engine_needs *need, const struct engine_setup *s,
	uint32_t thread)
{
	const struct plan *p = s->plan;
	uint32_t i, depth, capacity;
	const struct job *j;

	memset(need, 0, sizeof(*need));
	for (i = 0; i < p->window_count; i++) {
		j = &p->jobs[p->windows[i].job];
		if (thread >= j->numjobs)
			continue;
		depth = j->ioengine == JOB_LIBAIO ? j->iodepth : 0;
		if (depth > need->depth)
			need->depth = depth;
		if ((depth ? depth : 1) * j->bs_bytes > need->buffers_bytes)
			need->buffers_bytes = (depth ? depth : 1) * j->bs_bytes;
		if (engine_count_hists(j) > need->hists)
			need->hists = engine_count_hists(j);
		capacity = s->record->windows[i].series.capacity;
		if (capacity > need->series)
			need->series = capacity;
	}
}

/* Zero pages that cost nothing until they are touched. */
static void *
engine_map(uint64_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static int
engine_make_thread(struct engine *en, uint32_t k, struct err *e)
{
	struct engine_job *t = &en->threads[k];
	uint64_t align = en->setup.align_bytes, counts_bytes, slots_bytes;
	struct engine_needs need;
	unsigned char *p;

	engine_need(&need, &en->setup, k);
	t->common = &en->common;
	t->index = k;
	counts_bytes = need.hists * (uint64_t)HIST_BUCKETS * sizeof(*t->counts);
	slots_bytes = need.series * (uint64_t)sizeof(*t->slots);
	t->tables_bytes = counts_bytes + slots_bytes;
	t->buffers_bytes = need.buffers_bytes;
	if (align > ENGINE_PAGE_BYTES)
		t->buffers_bytes += align;
	t->tables = engine_map(t->tables_bytes);
	t->buffers_map = engine_map(t->buffers_bytes);
	if (!t->tables || !t->buffers_map)
		return err_set(e, ERR_REFUSED, ENOMEM,
			"cannot get %llu KiB of buffers for job %u",
			(unsigned long long)(t->buffers_bytes >> 10), k + 1);
	/* Huge pages would make of a few hot buckets megabytes. */
	madvise(t->tables, t->tables_bytes, MADV_NOHUGEPAGE);
	t->counts = t->tables;
	t->slots = (void *)((unsigned char *)t->tables + counts_bytes);
	t->slots_capacity = need.series;
	p = t->buffers_map;
	if (align > ENGINE_PAGE_BYTES)
		p += (align - (uintptr_t)p % align) % align;
	t->buffers = p;
	if (!need.depth)
		return 0;
	t->aio = engine_aio_open(
		need.depth, en->thread_count, en->setup.root, e);
	return t->aio ? 0 : -1;
}

static int
engine_pin(int cpu, struct err *e)
{
	cpu_set_t set;

	if (cpu < 0)
		return 0;
	CPU_ZERO(&set);
	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set) < 0)
		return err_set(e, ERR_REFUSED, errno,
			"cannot run on CPU %d (--cpu)", cpu);
	return 0;
}

static uint32_t
engine_count_threads(const struct plan *p)
{
	uint32_t i, n, most = 1;

	for (i = 0; i < p->window_count; i++) {
		n = p->jobs[p->windows[i].job].numjobs;
		if (n > most)
			most = n;
	}
	return most;
}

struct engine *
engine_make(const struct engine_setup *s, struct err *e)
{
	struct engine *en = calloc(1, sizeof(*en));
	uint32_t i, count = engine_count_threads(s->plan);

	if (!en)
		goto no_memory;
	en->setup = *s;
	en->common.record = s->record;
	en->common.root = s->root;
	en->common.fd = s->target_fd;
	en->common.syscall_reap = s->syscall_reap;
	engine_crew_init(&en->crew);
	/* Not what the target was filled with, should the seeds be one. */
	rng_seed(&en->rng, ~s->data_seed);
	if (engine_pin(s->cpu, e) < 0)
		goto fail;
	en->common.dear_clock = clock_read_cost_ns() > ENGINE_DEAR_CLOCK_NS;
	en->threads = calloc(count, sizeof(*en->threads));
	if (!en->threads)
		goto no_memory;
	en->thread_count = count;
	for (i = 0; i < count; i++)
		if (engine_make_thread(en, i, e) < 0)
			goto fail;
	return en;

no_memory:
	err_set(e, ERR_REFUSED, ENOMEM, "cannot get memory for %u jobs", count);
fail:
	engine_free(en);
	return NULL;
}

void
engine_free(struct engine *en)
{
	struct engine_job *t;
	uint32_t i;

	if (!en || en->broken)
		return; /* the device may still write into our buffers */
	for (i = 0; i < en->thread_count; i++) {
		t = &en->threads[i];
		engine_aio_close(t->aio);
		if (t->sequence_made)
			sequence_free(&t->sequence);
		if (t->tables)
			munmap(t->tables, t->tables_bytes);
		if (t->buffers_map)
			munmap(t->buffers_map, t->buffers_bytes);
	}
	engine_crew_free(&en->crew);
	free(en->threads);
	free(en);
}

static const struct job *
engine_which(const struct engine *en, uint32_t n)
{
	return &en->setup.plan->jobs[en->setup.plan->windows[n].job];
}

int
engine_ready(struct engine *en, uint32_t n, struct err *e)
{
	const struct job *j = engine_which(en, n);
	struct record *r = en->setup.record;
	uint32_t i;

	if (en->broken)
		return err_set(e, ERR_INCOMPLETE, 0,
			"an I/O of an earlier window never came back");
	en->ready = false;
	atomic_store(&en->common.halt, 0);
	for (i = 0; i < j->numjobs; i++)
		if (engine_job_ready(&en->threads[i], j,
			    en->setup.plan->sequence, &en->rng, e) < 0)
			return -1;
	touch_image();
	touch_stack();
	/* The parts of the record that are written at a window's turns. */
	atomic_store(&r->window_began_ns, 0);
	atomic_store(&r->window, n);
	en->ready = true;
	en->ready_window = n;
	return 0;
}

/* fio's end_fsync: after the drain, outside the latencies and the window. */
static int
engine_end_fsync(struct engine *en, struct err *e)
{
	struct engine_job *t = &en->threads[0];
	int failed;

	engine_job_outstanding(t, 0, clock_now_ns());
	do {
		failed = fsync(en->setup.target_fd);
	} while (failed && errno == EINTR && !engine_job_stopped(t));
	engine_job_outstanding(t, 0, 0);
	if (failed)
		return err_set(
			e, ERR_INCOMPLETE, errno, "its end_fsync failed");
	return 0;
}

static int
engine_run(struct engine *en, uint32_t n, struct err *e)
{
	const struct job *j = engine_which(en, n);
	struct record *r = en->setup.record;
	int failed = 0;

	atomic_store(&r->phase, j->ramp_ns ? RECORD_RAMP : RECORD_WINDOW);
	if (j->numjobs > 1)
		failed = engine_crew_run(&en->crew, en->threads, j->numjobs, e);
	else
		engine_crew_run_here(en->threads);
	if (failed)
		return -1;
	engine_result_collect(&r->windows[n], en->threads, j->numjobs);
	record_let_go(r, n);
	en->broken = engine_result_lost(en->threads, j->numjobs) > 0;
	if (engine_result_judge(&r->windows[n], en->threads, j->numjobs, e) < 0)
		return -1;
	if (j->end_fsync && job_writes(j) && engine_end_fsync(en, e) < 0)
		return -1;
	if (en->setup.hold)
		return en->setup.hold(en->setup.hold_arg, n, e);
	return 0;
}

int
engine_window(struct engine *en, uint32_t n, struct err *e)
{
	struct record_window *w = &en->setup.record->windows[n];
	struct err why = { 0 };
	int failed = 0;

	atomic_store(&w->state, RECORD_RUNNING);
	if (!en->ready || en->ready_window != n)
		failed = engine_ready(en, n, &why);
	if (!failed)
		failed = engine_run(en, n, &why);
	en->ready = false;
	if (!failed) {
		atomic_store(&w->state, RECORD_MEASURED);
		return 0;
	}
	w->err = why;
	atomic_store(&w->state, RECORD_FAILED);
	if (e)
		*e = why;
	return -1;
}

static int
engine_polled_run(struct engine *en, const struct job *j,
	struct engine_polled *p, struct err *e)
{
	struct engine_job *t = &en->threads[0];
	struct record_window w = { .err = { 0 } };

	atomic_store(&en->common.halt, 0);
	if (engine_job_ready(t, j, en->setup.plan->sequence, &en->rng, e) < 0)
		return -1;
	t->spin = true;
	engine_crew_run_here(t);
	w.lanes[RECORD_READ].ios = t->lanes[RECORD_READ].ios;
	en->broken = t->lost > 0;
	if (engine_result_judge(&w, t, 1, e) < 0)
		return -1;
	hist_merge(p->lat, &t->lanes[RECORD_READ].lat);
	p->elapsed_ns = t->last_ns - t->base_ns;
	return 0;
}

int
engine_polled(struct engine *en, struct engine_polled *p, struct err *e)
{
	struct engine_job *t = &en->threads[0];
	struct job j = en->setup.plan->jobs[p->job];
	int failed;

	p->elapsed_ns = 0;
	if (en->setup.syscall_reap || !engine_aio_has_ring(t->aio))
		return 0;
	j.runtime_ns = p->runtime_ns;
	j.ramp_ns = j.number_ios = 0;
	failed = engine_polled_run(en, &j, p, e);
	t->job = &en->setup.plan->jobs[p->job];
	if (failed)
		err_wrap(e, "%s again, polled", j.name);
	return failed;
}

int
engine_probe(
	uint32_t iodepth, uint32_t threads, const char *root, struct err *e)
{
	struct engine_aio **contexts = calloc(threads, sizeof(*contexts));
	uint32_t made;

	if (!contexts)
		return err_set(e, ERR_REFUSED, ENOMEM,
			"cannot get memory for %u jobs", threads);
	/* All at once: the slots of fs.aio-max-nr must do for all. */
	for (made = 0; made < threads; made++) {
		contexts[made] = engine_aio_open(iodepth, threads, root, e);
		if (!contexts[made])
			break;
	}
	threads -= made;
	while (made)
		engine_aio_close(contexts[--made]);
	free(contexts);
	return threads ? -1 : 0;
}
