#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "disk/engine.h"
#include "receipt/assemble_diag.h"
#include "receipt/show_diag.h"
#include "tap.h"

#define MIB UINT64_C(1048576)
#define MS  UINT64_C(1000000)

static struct plan plan;

/* A window at depth 4, then one of the job that is meant. */
static struct job *
make_plan(uint64_t runtime_ns)
{
	struct job *j = &plan.jobs[0];
	uint32_t i;

	memset(&plan, 0, sizeof(plan));
	plan.size_bytes = 8 * MIB;
	plan.job_count = plan.window_count = 2;
	job_defaults(j);
	j->rw = JOB_RANDREAD;
	j->iodepth = 4;
	j->size_bytes = plan.size_bytes;
	j->runtime_ns = runtime_ns;
	j->time_based = true;
	plan.jobs[1] = *j;
	plan.jobs[1].iodepth = 1;
	for (i = 0; i < 2; i++) {
		snprintf(plan.windows[i].name, sizeof(plan.windows[i].name),
			"w%u", i);
		snprintf(
			plan.jobs[i].name, sizeof(plan.jobs[i].name), "w%u", i);
		plan.windows[i].job = i;
		plan.windows[i].run = 1;
	}
	return &plan.jobs[1];
}

static void
test_which(void)
{
	struct job *j = make_plan(12000 * MS);

	EQ_I64(diag_job(&plan), 1, "the one at depth 1");
	j->rw = JOB_RANDRW;
	EQ_I64(diag_job(&plan), -1, "reads only");
	j = make_plan(12000 * MS);
	j->numjobs = 2;
	EQ_I64(diag_job(&plan), -1, "one thread only");
	j = make_plan(12000 * MS);
	j->ioengine = JOB_PSYNC;
	EQ_I64(diag_job(&plan), -1, "libaio only");
	j = make_plan(12000 * MS);
	j->time_based = false;
	EQ_I64(diag_job(&plan), -1, "by time only");
	EQ_U64(diag_cost_ns(&plan), 0, "without a job nothing");
	make_plan(12000 * MS);
	plan.window_count = 1;
	EQ_I64(diag_job(&plan), -1, "only with a window of it");
}

static void
test_cost(void)
{
	make_plan(12000 * MS);
	EQ_U64(diag_cost_ns(&plan), 3000 * MS, "12 s: 3 s");
	make_plan(3600000 * MS);
	EQ_U64(diag_cost_ns(&plan), 3000 * MS, "an hour: 3 s");
	make_plan(6000 * MS);
	EQ_U64(diag_cost_ns(&plan), 1500 * MS, "6 s: half of that");
	make_plan(100 * MS);
	EQ_U64(diag_cost_ns(&plan), 300 * MS, "0.1 s: the least");
}

static void
test_probe(void)
{
	struct record *r;
	const struct diag_gaps *g;
	uint64_t from;

	make_plan(300 * MS);
	r = record_make(&plan, NULL);
	from = clock_now_ns();
	diag_probe(r, &plan, DIAG_BEFORE);
	OK(clock_now_ns() - from >= 50 * MS, "takes its time");
	g = &r->diag.gaps[DIAG_BEFORE];
	OK(g->elapsed_ns >= 30 * MS, "gaps: the whole length");
	OK(g->lost_ns <= g->elapsed_ns, "gaps: no more than all");
	OK(g->lost_ns >= g->count * DIAG_GAP_NS, "gaps: of 20 us each");
	OK(g->longest_ns <= g->lost_ns, "gaps: the longest is one of them");
	OK(!g->count == !g->longest_ns, "gaps: none, no longest");
	OK(r->diag.wake[DIAG_BEFORE].n > 0, "wake: slept");
	OK(r->diag.wake[DIAG_BEFORE].n <= 20 * MS / DIAG_SLEEP_NS + 1,
		"wake: no sleep was shorter");
	EQ_U64(r->diag.gaps[DIAG_AFTER].elapsed_ns, 0, "the other is empty");
	EQ_U64(r->diag.wake[DIAG_AFTER].n, 0, "the other is empty");
	atomic_store(&r->stop, 15);
	diag_probe(r, &plan, DIAG_AFTER);
	EQ_U64(r->diag.gaps[DIAG_AFTER].elapsed_ns, 0, "stopped: no figure");
	EQ_U64(r->diag.wake[DIAG_AFTER].n, 0, "stopped: no figure");
	record_free(r);
}

static void
test_nothing(void)
{
	struct receipt_diagnostics *d = NULL;
	struct arena a;
	struct record *r;

	make_plan(300 * MS)->iodepth = 2;
	arena_init(&a);
	r = record_make(&plan, NULL);
	diag_probe(r, &plan, DIAG_BEFORE);
	EQ_I64(diag_after(r, &plan, NULL, NULL), 0, "no job: nothing is done");
	OK(!r->diag.polled.counts, "and no memory taken");
	EQ_I64(assemble_diag(&plan, r, &d, &a), 0, "no figures");
	OK(!d, "no diagnostics");
	record_free(r);
	arena_free(&a);
}

static int
make_file(void)
{
	int fd = open("/var/tmp", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	char *data = calloc(1, plan.size_bytes);

	if (fd < 0 || !data ||
		write(fd, data, plan.size_bytes) != (ssize_t)plan.size_bytes ||
		fsync(fd) < 0 || fcntl(fd, F_SETFL, O_DIRECT) < 0)
		return -1;
	free(data);
	return fd;
}

/* In the table: a line for what is there, at any width. */
static void
check_shown(struct receipt_diagnostics *d)
{
	struct receipt_job jobs[2] = { { .name = "w0" }, { .name = "w1" } };
	struct receipt_plan p = { .jobs = jobs, .job_count = 2 };
	struct receipt r = { .plan = &p, .diagnostics = d };
	struct text_style style = { .width = 60 };
	const char *line;
	struct buf out;
	bool fits = true;

	buf_init(&out);
	show_diag(&r, &style, &out);
	OK(strncmp(buf_text(&out), "wake cost  ", 11) == 0, "its label");
	OK(strstr(buf_text(&out), "sleeps of 60 us"), "the sleeps");
	OK(strstr(buf_text(&out), "CPU lost for"), "the gaps");
	OK(!d->polled == !strstr(buf_text(&out), "w1: read p50 "),
		"the job where it was polled");
	for (line = buf_text(&out); *line; line += strcspn(line, "\n") + 1)
		fits = fits && strcspn(line, "\n") <= 60;
	OK(fits, "no line is wider");
	buf_reset(&out);
	r.diagnostics = NULL;
	show_diag(&r, &style, &out);
	EQ_U64(out.len, 0, "nothing where there is nothing");
	buf_free(&out);
}

static void
check_receipt(struct record *r, bool polled)
{
	struct receipt_diagnostics *d = NULL;
	struct arena a;

	arena_init(&a);
	EQ_I64(assemble_diag(&plan, r, &d, &a), 0, "into the receipt");
	OK(d && !d->before && d->after, "of what was done");
	OK(d && d->after->gaps && d->after->oversleep_ns, "both probes");
	OK(d && !d->polled == !polled, "polled only where it was");
	if (d && d->polled) {
		EQ_U64(d->polled->job, 1, "names its job");
		EQ_U64(d->polled->lat_ns->n, r->diag.polled.n, "all reads");
		EQ_U64(d->polled->slept_p50_ns,
			hist_percentile(
				&r->windows[1].lanes[RECORD_READ].lat, 50),
			"beside the median of the window");
	}
	if (d)
		check_shown(d);
	arena_free(&a);
}

static void
test_after(bool syscall_reap)
{
	struct record *r;
	struct engine_setup s;
	struct engine *en;
	struct err e = { 0 };
	uint64_t from, took;
	int fd;

	make_plan(300 * MS);
	fd = make_file();
	OK(fd >= 0, "a file for direct I/O in /var/tmp");
	r = record_make(&plan, NULL);
	s = (struct engine_setup){ .plan = &plan,
		.record = r,
		.target_fd = fd,
		.align_bytes = 4096,
		.cpu = -1,
		.syscall_reap = syscall_reap,
		.root = "" };
	en = engine_make(&s, &e);
	OK(en && engine_window(en, 1, &e) == 0, "a window before it");
	from = clock_now_ns();
	EQ_I64(diag_after(r, &plan, en, &e), 0, "no error");
	took = clock_now_ns() - from;
	EQ_I64(atomic_load(&r->phase), RECORD_DIAGNOSE, "its phase");
	EQ_U64(record_oldest_ns(r, clock_now_ns()), 0, "nothing in flight");
	OK(r->diag.gaps[DIAG_AFTER].elapsed_ns > 0, "gaps");
	if (syscall_reap) {
		EQ_U64(r->diag.polled.n, 0, "no ring to look at: no figure");
	} else {
		OK(took >= 250 * MS, "takes its time");
		OK(r->diag.polled_elapsed_ns >= 200 * MS, "its length");
		OK(r->diag.polled.n > 0, "polled reads");
	}
	check_receipt(r, !syscall_reap);
	if (!syscall_reap) {
		OK(ftruncate(fd, 0) == 0, "the file is cut");
		EQ_I64(diag_after(r, &plan, en, &e), -1, "no data: an error");
		OK(strstr(e.text, "w1 again, polled: read of 4096"), "told");
		atomic_store(&r->stop, -1);
		EQ_I64(diag_after(r, &plan, en, &e), -1, "stopped");
	}
	engine_free(en);
	record_free(r);
	close(fd);
}

int
main(void)
{
	test_which();
	test_cost();
	test_probe();
	test_nothing();
	test_after(false);
	test_after(true);
	return tap_done();
}
