#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "disk/record.h"
#include "tap.h"

static struct plan plan;

static void
add_window(enum job_rw rw, enum job_ioengine engine, uint32_t iodepth)
{
	struct job *j = &plan.jobs[plan.job_count];

	job_defaults(j);
	j->rw = rw;
	j->ioengine = engine;
	j->iodepth = iodepth;
	j->runtime_ns = 1000000000;
	plan.windows[plan.window_count].job = plan.job_count++;
	plan.windows[plan.window_count++].run = 1;
}

static void
test_lanes(const struct record *r)
{
	const struct record_window *read = &r->windows[0];
	const struct record_window *mixed = &r->windows[1];
	const struct record_window *synced = &r->windows[2];

	OK(read->lanes[RECORD_READ].slat.counts, "read: slat");
	OK(read->lanes[RECORD_READ].clat.counts, "read: clat");
	OK(read->lanes[RECORD_READ].lat.counts, "read: lat");
	OK(!read->lanes[RECORD_WRITE].lat.counts, "read: no writes");
	OK(!read->lanes[RECORD_SYNC].lat.counts, "read: no syncs");
	OK(mixed->lanes[RECORD_WRITE].slat.counts, "mixed: writes");
	OK(!mixed->lanes[RECORD_COMMIT].lat.counts, "mixed: no commits");
	OK(!synced->lanes[RECORD_WRITE].slat.counts, "psync: no slat");
	OK(synced->lanes[RECORD_WRITE].clat.counts, "psync: clat");
	OK(synced->lanes[RECORD_SYNC].lat.counts, "psync: syncs");
	OK(synced->lanes[RECORD_COMMIT].lat.counts, "psync: commits");
	EQ_U64(read->lanes[RECORD_READ].lat.min_ns, UINT64_MAX,
		"an empty distribution has no smallest value");
	OK(read->series.capacity >= 10, "the series has its intervals");
}

static void
test_oldest(struct record *r)
{
	uint64_t ios, lat_ns;

	EQ_U64(r->slot_count, 3 * 8,
		"three jobs of 5 slots, none on a line "
		"with another");
	EQ_U64(record_oldest_ns(r, 1000), 0, "nothing outstanding");
	atomic_store(&r->outstanding[7], 900);
	atomic_store(&r->outstanding[2], 400);
	EQ_U64(record_oldest_ns(r, 1000), 600, "the oldest counts");
	EQ_U64(record_oldest_ns(r, 100), 0,
		"one that starts meanwhile is "
		"young");
	EQ_U64(r->live_count, 3, "live figures of three jobs");
	atomic_store(&r->live[0].ios, 3);
	atomic_store(&r->live[2].ios, 4);
	atomic_store(&r->live[2].lat_ns, 50);
	record_live_total(r, &ios, &lat_ns);
	EQ_U64(ios, 7, "live I/Os are summed");
	EQ_U64(lat_ns, 50, "and their latency");
}

static void
test_shared(struct record *r)
{
	struct hist *h = &r->windows[2].lanes[RECORD_COMMIT].lat;
	pid_t pid = fork();

	if (!pid) {
		hist_record(h, 1234);
		series_record(&r->windows[2].series, 5, 1, 1234);
		record_let_go(r, 2);
		atomic_store(&r->windows[2].state, RECORD_MEASURED);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	EQ_I64(atomic_load(&r->windows[2].state), RECORD_MEASURED,
		"the child's word is seen");
	EQ_U64(h->n, 1, "and its figures");
	EQ_U64(h->counts[hist_index(1234)], 1,
		"also those that it has let go of");
	EQ_U64(series_total(&r->windows[2].series, 1), 1, "and the series");
}

int
main(void)
{
	struct record *r;
	struct err e;

	add_window(JOB_RANDREAD, JOB_LIBAIO, 1);
	add_window(JOB_RANDRW, JOB_LIBAIO, 5);
	plan.jobs[1].numjobs = 3;
	add_window(JOB_RANDWRITE, JOB_PSYNC, 1);
	plan.jobs[2].fdatasync_every = 1;
	r = record_make(&plan, &e);
	if (!OK(r, "made"))
		return tap_done();
	EQ_U64(r->window_count, 3, "three windows");
	EQ_I64(r->parent_pid, getpid(), "knows who made it");
	EQ_I64(r->prepare.extents_written, -1, "extents are not told");
	test_lanes(r);
	test_oldest(r);
	test_shared(r);
	record_free(r);
	record_free(NULL);
	return tap_done();
}
