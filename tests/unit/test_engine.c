#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"
#include "disk/engine.h"
#include "disk/fill.h"
#include "host/limits.h"
#include "tap.h"

#define MIB	   (UINT64_C(1) << 20)
#define SIZE_BYTES (64 * MIB)
#define MS	   UINT64_C(1000000)

/* The sanitizers' own memory is faulted in whenever they like. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static struct plan plan;

static struct job *
start_plan(const char *name)
{
	struct job *j = &plan.jobs[0];

	memset(&plan, 0, sizeof(plan));
	plan.size_bytes = SIZE_BYTES;
	plan.job_count = plan.window_count = 1;
	job_defaults(j);
	snprintf(j->name, sizeof(j->name), "%s", name);
	snprintf(
		plan.windows[0].name, sizeof(plan.windows[0].name), "%s", name);
	plan.windows[0].run = 1;
	j->rw = JOB_RANDREAD;
	j->bs_bytes = 4096;
	j->size_bytes = SIZE_BYTES;
	j->runtime_ns = 300 * MS;
	j->time_based = true;
	return j;
}

/* Another window of the same plan, with the last one's words. */
static struct job *
add_job(const char *name)
{
	struct job *j = &plan.jobs[plan.job_count];
	struct plan_window *w = &plan.windows[plan.window_count++];

	*j = plan.jobs[plan.job_count - 1];
	snprintf(j->name, sizeof(j->name), "%s", name);
	snprintf(w->name, sizeof(w->name), "%s", name);
	w->run = 1;
	w->job = plan.job_count++;
	return j;
}

static struct engine_setup
setup_of(struct record *r, int fd)
{
	struct engine_setup s = { .plan = &plan,
		.record = r,
		.target_fd = fd,
		.align_bytes = 4096,
		.data_seed = 1,
		.cpu = -1,
		.root = "" };
	return s;
}

static int
make_file(uint64_t bytes)
{
	static unsigned char data[1 << 20] __attribute__((aligned(4096)));
	int fd = open(
		"/var/tmp", O_RDWR | O_TMPFILE | O_DIRECT | O_CLOEXEC, 0600);
	struct rng rng;
	uint64_t at;

	if (fd < 0)
		return -1;
	rng_seed(&rng, 7);
	for (at = 0; at < bytes; at += sizeof(data)) {
		rng_fill(&rng, data, sizeof(data));
		if (pwrite(fd, data, sizeof(data), (off_t)at) !=
			(ssize_t)sizeof(data)) {
			close(fd);
			return -1;
		}
	}
	fsync(fd);
	return fd;
}

/* ---- what holds for each window ------------------------------------------ */

static void
check_hist(const struct hist *h, uint64_t n)
{
	static const double p[] = { 1, 50, 95, 99, 99.9, 100 };
	uint64_t value, last = h->min_ns;
	size_t i;

	EQ_U64(h->n, n, "a distribution holds each I/O");
	for (i = 0; i < sizeof(p) / sizeof(p[0]); i++) {
		value = hist_percentile(h, p[i]);
		if (value < last || value > h->max_ns)
			break;
		last = value;
	}
	OK(i == sizeof(p) / sizeof(p[0]), "percentiles are in order");
}

static uint64_t
check_lane(const struct record_window *w, int id, const struct job *j)
{
	const struct record_lane *lane = &w->lanes[id];

	EQ_U64(series_total(&w->series, id), lane->ios,
		"the series holds each I/O");
	EQ_U64(lane->bytes, lane->ios * j->bs_bytes, "bytes");
	EQ_U64(lane->errors, 0, "no errors");
	if (!lane->lat.counts)
		return 0;
	check_hist(&lane->lat, lane->ios);
	check_hist(&lane->clat, lane->ios);
	if (lane->slat.counts) {
		check_hist(&lane->slat, lane->ios);
		OK(lane->slat.sum_ns + lane->clat.sum_ns == lane->lat.sum_ns,
			"slat + clat = lat");
	}
	return (uint64_t)lane->lat.sum_ns;
}

static void
check_window(const struct record *r, uint32_t n)
{
	const struct record_window *w = &r->windows[n];
	const struct job *j = &plan.jobs[plan.windows[n].job];
	uint64_t elapsed = w->ended_ns - w->started_ns, sum, slots;

	EQ_I64(atomic_load(&w->state), RECORD_MEASURED, j->name);
	sum = check_lane(w, RECORD_READ, j) + check_lane(w, RECORD_WRITE, j);
	if (j->ioengine == JOB_PSYNC)
		sum += (uint64_t)w->lanes[RECORD_SYNC].lat.sum_ns;
	slots = j->numjobs * (j->ioengine == JOB_LIBAIO ? j->iodepth : 1);
	if (!OK((double)sum <= (double)slots * (double)elapsed * 1.001 +
				       (double)w->carried_ns,
		    "no more latency than the slots could hold"))
		printf("# sum %" PRIu64 " slots %" PRIu64 " elapsed %" PRIu64
		       " carried %" PRIu64 "\n",
			sum, slots, elapsed, w->carried_ns);
	EQ_U64(w->negative_deltas, 0, "the clock never ran backwards");
	if (!SANITIZED)
		EQ_U64(w->minor_faults, 0, "no page was faulted in");
	EQ_U64(record_oldest_ns(r, UINT64_MAX), 0, "nothing is outstanding");
	OK(w->longest_gap_ns <= elapsed, "the longest gap is inside");
	printf("# %s: %" PRIu64 " reads %" PRIu64 " writes, %" PRIu64
	       " us, user %" PRIu64 " system %" PRIu64 " us, gap %" PRIu64
	       " us, short %" PRIu64 " us, early %" PRIi64 ", p50 %" PRIu64
	       " ns, run queue %" PRIi64 " ns\n",
		j->name, w->lanes[0].ios, w->lanes[1].ios, elapsed / 1000,
		w->user_ns / 1000, w->system_ns / 1000,
		w->longest_gap_ns / 1000, w->queue_short_ns / 1000,
		(int64_t)w->early_completions,
		w->lanes[0].ios ? hist_percentile(&w->lanes[0].lat, 50)
				: hist_percentile(&w->lanes[1].lat, 50),
		(int64_t)w->runqueue_wait_ns);
}

static uint64_t
ios_of(const struct record *r, uint32_t n)
{
	return r->windows[n].lanes[RECORD_READ].ios +
	       r->windows[n].lanes[RECORD_WRITE].ios;
}

/* Run the plan; the record is the caller's to free. */
static struct record *
run_plan(int fd, bool syscall_reap)
{
	struct record *r = record_make(&plan, NULL);
	struct engine_setup s = setup_of(r, fd);
	struct engine *en;
	struct err e = { 0 };
	uint32_t n;

	s.syscall_reap = syscall_reap;
	en = engine_make(&s, &e);
	if (!OK(en, "an engine is made"))
		printf("# %s\n", e.text);
	for (n = 0; en && n < plan.window_count; n++) {
		if (engine_window(en, n, &e) < 0)
			printf("# %s\n", e.text);
		check_window(r, n);
	}
	engine_free(en);
	return r;
}

/* ---- windows by time ----------------------------------------------------- */

static void
test_timed(int fd)
{
	struct job *j = start_plan("qd1");
	struct record *r;
	uint32_t n;
	uint64_t ios = 0, live, lat_ns, elapsed;

	j = add_job("qd32");
	j->iodepth = 32;
	j = add_job("mixed");
	j->rw = JOB_RANDRW;
	j->iodepth = 4;
	j->rwmixread_pct = 70;
	j = add_job("psync");
	j->ioengine = JOB_PSYNC;
	j->rw = JOB_RANDWRITE;
	j->bs_bytes = 8192;
	j->fdatasync_every = 1;
	r = run_plan(fd, false);
	for (n = 0; n < plan.window_count; n++) {
		ios += ios_of(r, n);
		EQ_U64(r->windows[n].submits, ios_of(r, n), "one call an I/O");
		elapsed = r->windows[n].ended_ns - r->windows[n].started_ns;
		OK(elapsed >= 300 * MS, "no earlier than the deadline");
		EQ_U64(r->windows[n].carried_ns, 0, "nothing carried");
	}
	record_live_total(r, &live, &lat_ns);
	EQ_U64(live, ios, "the live figures are those of all windows");
	OK(r->windows[0].ring_reap, "completions come from the ring");
	OK(!r->windows[3].ring_reap, "but not with psync");
	EQ_U64(r->windows[3].early_completions, RECORD_UNKNOWN,
		"psync has no early completions");
	EQ_I64(atomic_load(&r->phase), RECORD_DRAIN, "the last phase");
	record_free(r);
}

static void
test_ramp(int fd)
{
	struct job *j = start_plan("ramp");
	struct record_window *w;
	struct record *r;

	j->iodepth = 8;
	j->ramp_ns = 150 * MS;
	j = add_job("ramp-psync");
	j->ioengine = JOB_PSYNC;
	j->iodepth = 1;
	j->rw = JOB_RANDWRITE;
	j->fdatasync_every = 1;
	r = run_plan(fd, false);
	w = &r->windows[0];
	OK(w->submits > ios_of(r, 0), "the ramp's I/Os are not counted");
	OK(w->carried_ns > 0, "some were in flight at its end");
	EQ_U64(w->lanes[RECORD_READ].lat.n, w->lanes[RECORD_READ].ios,
		"a latency for each that counts");
	OK(w->ended_ns - w->started_ns < 400 * MS, "the ramp is outside");
	record_free(r);
}

static void
test_threads(int fd)
{
	struct job *j = start_plan("threads");
	struct record *r;

	j->numjobs = 2;
	j->iodepth = 4;
	j->rw = JOB_RANDRW;
	add_job("threads-again")->ramp_ns = 100 * MS;
	r = run_plan(fd, false);
	EQ_U64(r->windows[0].submits, ios_of(r, 0), "one call an I/O");
	OK(atomic_load(&r->live[1].ios) > 0, "the second job did its share");
	record_free(r);
}

/* ---- windows by number --------------------------------------------------- */

static void
test_counted(int fd)
{
	struct job *j = start_plan("number");
	struct record *r;
	bool reap;

	j->runtime_ns = 0;
	j->time_based = false;
	j->iodepth = 32;
	j->number_ios = 1000;
	j = add_job("pass");
	j->number_ios = 0;
	j->size_bytes = MIB;
	add_job("ramp-number")->ramp_ns = 20 * MS;
	for (reap = false;; reap = true) {
		r = run_plan(fd, reap);
		EQ_U64(ios_of(r, 0), 1000, "number_ios");
		EQ_U64(ios_of(r, 1), 256, "one pass over size");
		EQ_U64(ios_of(r, 2), 256, "one pass after the ramp");
		EQ_I64(r->windows[0].ring_reap, !reap, "ring or syscall");
		EQ_I64(r->windows[0].early_completions == RECORD_UNKNOWN, reap,
			"early completions are told by the ring alone");
		record_free(r);
		if (reap)
			return;
	}
}

static void
test_syncs(int fd)
{
	struct job *j = start_plan("fdatasync");
	struct record *r;

	j->runtime_ns = 0;
	j->time_based = false;
	j->number_ios = 200;
	j->ioengine = JOB_PSYNC;
	j->rw = JOB_RANDWRITE;
	j->fdatasync_every = 1;
	j->end_fsync = true;
	j = add_job("fsync-7");
	j->fdatasync_every = 0;
	j->fsync_every = 7;
	j = add_job("aio-fsync-16");
	j->ioengine = JOB_LIBAIO;
	j->iodepth = 8;
	j->fsync_every = 16;
	r = run_plan(fd, false);
	EQ_U64(r->windows[0].lanes[RECORD_WRITE].ios, 200, "200 writes");
	EQ_U64(r->windows[0].lanes[RECORD_SYNC].ios, 199, "199 syncs");
	EQ_U64(r->windows[0].lanes[RECORD_COMMIT].lat.n, 199, "199 commits");
	OK(r->windows[0].lanes[RECORD_COMMIT].lat.sum_ns >
			r->windows[0].lanes[RECORD_SYNC].lat.sum_ns,
		"a commit is more than its sync");
	EQ_U64(r->windows[1].lanes[RECORD_SYNC].lat.n, 28, "200 / 7");
	EQ_U64(r->windows[2].lanes[RECORD_SYNC].lat.n, 12, "200 / 16");
	record_free(r);
}

/* ---- written data -------------------------------------------------------- */

static void
test_data(int fd)
{
	struct job *j = start_plan("data");
	static uint64_t data[(1 << 20) / 8] __attribute__((aligned(4096)));
	struct fill fill;
	struct record *r;
	size_t i, wrong = 0;
	uint64_t word;

	j->runtime_ns = 0;
	j->time_based = false;
	j->rw = JOB_WRITE;
	j->size_bytes = MIB;
	j->iodepth = 4;
	r = run_plan(fd, false);
	record_free(r);
	if (!OK(pread(fd, data, sizeof(data), 0) == (ssize_t)sizeof(data),
		    "read back"))
		return;
	for (i = 0; i < sizeof(data) / 8; i += 64)
		wrong += data[i] != i * 8;
	EQ_U64(wrong, 0, "each 512 bytes say where they were written");
	for (i = 512, wrong = 0; i < sizeof(data) / 8; i += 512)
		wrong += data[i + 1] == data[i - 511] || !data[i + 2];
	EQ_U64(wrong, 0, "and no two blocks are alike");
	word = data[2];
	fill_init(&fill, setup_of(NULL, fd).data_seed);
	fill_next(&fill, data, sizeof(data));
	for (i = 0, wrong = 0; i < sizeof(data) / 8; i++)
		wrong += data[i] == word;
	EQ_U64(wrong, 0, "nor is one what a target of that seed holds");
}

/* ---- failures ------------------------------------------------------------ */

static void
expect_failure(int fd, int code, const char *words)
{
	struct record *r = record_make(&plan, NULL);
	struct engine_setup s = setup_of(r, fd);
	struct err e = { 0 };
	struct engine *en = engine_make(&s, &e);

	if (!OK(en, "an engine is made"))
		return;
	EQ_I64(engine_window(en, 0, &e), -1, plan.jobs[0].name);
	EQ_I64(e.code, code, "its code");
	if (!OK(strstr(e.text, words), words))
		printf("# %s\n", e.text);
	EQ_I64(atomic_load(&r->windows[0].state), RECORD_FAILED, "failed");
	EQ_STR(r->windows[0].err.text, e.text, "the record knows why");
	EQ_U64(record_oldest_ns(r, UINT64_MAX), 0, "all was drained");
	engine_free(en);
	record_free(r);
}

static void
test_failures(int small)
{
	struct job *j = start_plan("closed");
	int closed = dup(small);

	close(closed);
	expect_failure(closed, ERR_INCOMPLETE, "after 0 good I/Os: Bad file");
	j->ioengine = JOB_PSYNC;
	expect_failure(closed, ERR_INCOMPLETE, "Bad file");
	j = start_plan("beyond");
	expect_failure(small, ERR_INCOMPLETE, "came back with 0 bytes only");
	j->iodepth = 16;
	j->numjobs = 2;
	expect_failure(small, ERR_INCOMPLETE, "came back with 0 bytes only");
	j = start_plan("beyond-psync");
	j->ioengine = JOB_PSYNC;
	expect_failure(small, ERR_INCOMPLETE, "came back with 0 bytes only");
}

static int
hold_not(void *arg, uint32_t n, struct err *e)
{
	const struct record *r = arg;

	EQ_I64(atomic_load(&r->windows[n].state), RECORD_RUNNING,
		"asked before the window counts");
	return err_set(e, ERR_INCOMPLETE, 0, "it does not hold");
}

static void
test_hold(int fd)
{
	struct job *j = start_plan("held");
	struct record *r = record_make(&plan, NULL);
	struct engine_setup s = setup_of(r, fd);
	struct engine *en;
	struct err e = { 0 };

	j->runtime_ns = 20 * MS;
	s.hold = hold_not;
	s.hold_arg = r;
	en = engine_make(&s, &e);
	EQ_I64(engine_window(en, 0, &e), -1, "the caller's check fails it");
	EQ_I64(atomic_load(&r->windows[0].state), RECORD_FAILED, "failed");
	EQ_STR(e.text, "it does not hold", "and says so");
	engine_free(en);
	record_free(r);
}

static void *
stop_soon(void *arg)
{
	struct record *r = arg;

	clock_sleep_ns(100 * MS);
	atomic_store(&r->stop, 15);
	return NULL;
}

static void
test_stop(int fd, uint32_t numjobs)
{
	struct job *j = start_plan("stopped");
	struct engine_setup s;
	struct engine *en;
	struct record *r;
	struct err e = { 0 };
	pthread_t id;
	uint64_t began;

	j->runtime_ns = 60 * CLOCK_NS_PER_S;
	j->iodepth = 8;
	j->numjobs = numjobs;
	r = record_make(&plan, NULL);
	s = setup_of(r, fd);
	en = engine_make(&s, &e);
	pthread_create(&id, NULL, stop_soon, r);
	began = clock_now_ns();
	EQ_I64(engine_window(en, 0, &e), -1, "a stop ends the window");
	OK(clock_now_ns() - began < 5 * CLOCK_NS_PER_S, "at once");
	EQ_I64(e.code, ERR_SIGNAL + 15, "with the signal's code");
	EQ_I64(atomic_load(&r->windows[0].state), RECORD_FAILED, "failed");
	EQ_U64(record_oldest_ns(r, UINT64_MAX), 0, "all was drained");
	pthread_join(id, NULL);
	engine_free(en);
	record_free(r);
}

static void
test_probe(void)
{
	struct limits l;
	struct err e = { 0 };
	char max[64];

	EQ_I64(engine_probe(32, 2, "", &e), 0, "asynchronous I/O can be had");
	limits_read(&l, "");
	if (l.aio_max_nr >= 1 << 20) {
		SKIP("fs.aio-max-nr is larger than a context can be");
		return;
	}
	EQ_I64(engine_probe((uint32_t)l.aio_max_nr + 1, 1, "", &e), -1,
		"more than all slots cannot");
	EQ_I64(e.code, ERR_REFUSED, "which is refused");
	snprintf(max, sizeof(max), "fs.aio-max-nr is %" PRIu64, l.aio_max_nr);
	OK(strstr(e.text, max), "naming the limit and its value");
	OK(strstr(e.text, "fs.aio-nr"), "and the slots in use");
}

int
main(void)
{
	int fd = make_file(SIZE_BYTES), small = make_file(0);

	if (fd < 0 || small < 0) {
		SKIP("no direct I/O in /var/tmp");
		return tap_done();
	}
	test_timed(fd);
	test_ramp(fd);
	test_threads(fd);
	test_counted(fd);
	test_syncs(fd);
	test_data(fd);
	test_failures(small);
	test_hold(fd);
	test_stop(fd, 1);
	test_stop(fd, 2);
	test_probe();
	return tap_done();
}
