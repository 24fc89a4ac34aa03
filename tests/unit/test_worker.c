#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "disk/worker.h"
#include "tap.h"

#define MIB	  (UINT64_C(1) << 20)
#define MS	  UINT64_C(1000000)
#define WINDOW_NS (200 * MS)
#define PATIENCE  2000 /* ticks of 10 ms */

static struct plan plan;
static struct target target;

static void
make_plan(void)
{
	struct job *j = &plan.jobs[0];

	memset(&plan, 0, sizeof(plan));
	plan.size_bytes = 8 * MIB;
	plan.job_count = 1;
	plan.window_count = 2;
	job_defaults(j);
	snprintf(j->name, sizeof(j->name), "read");
	j->rw = JOB_RANDREAD;
	j->iodepth = 4;
	j->numjobs = 2;
	j->size_bytes = plan.size_bytes;
	j->runtime_ns = WINDOW_NS;
	j->time_based = true;
	j->runs = 2;
	snprintf(plan.windows[0].name, sizeof(plan.windows[0].name), "read");
	plan.windows[1] = plan.windows[0];
	plan.windows[0].run = 1;
	plan.windows[1].run = 2;
}

static int
make_target(void)
{
	memset(&target, 0, sizeof(target));
	target.fd = open(
		"/var/tmp", O_RDWR | O_TMPFILE | O_DIRECT | O_CLOEXEC, 0600);
	target.size_bytes = plan.size_bytes;
	target.align_bytes = target.mem_align_bytes = 4096;
	target.seed = 3;
	return target.fd < 0 ? -1
			     : ftruncate(target.fd, (off_t)plan.size_bytes);
}

static pid_t
start_worker(struct record *r)
{
	struct worker w = { .setup = { .plan = &plan,
				    .record = r,
				    .target_fd = target.fd,
				    .align_bytes = 4096,
				    .data_seed = 5,
				    .cpu = -1,
				    .root = "" },
		.target = &target };
	pid_t pid = fork();

	if (!pid)
		worker_run(&w);
	return pid;
}

/* What a test does at a tick; n = ticks so far. */
typedef void tick_fn(pid_t pid, struct record *r, unsigned n);

/* The parent's part: gates, samples, patience. Returns the wait status. */
static int
supervise(pid_t pid, struct record *r, tick_fn *tick)
{
	int status = -1;
	unsigned n;

	for (n = 0; n < PATIENCE; n++) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return status;
		atomic_store(&r->seen, atomic_load(&r->finished));
		atomic_store(&r->gate, atomic_load(&r->at_gate));
		if (tick)
			tick(pid, r, n);
		if (atomic_load(&r->stop))
			kill(pid, ENGINE_WAKE);
		clock_sleep_ns(10 * MS);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return -1;
}

static void
test_all(void)
{
	struct record *r = record_make(&plan, NULL);
	int status = supervise(start_worker(r), r, NULL);
	uint32_t n;

	OK(WIFEXITED(status) && !WEXITSTATUS(status), "all measured: 0");
	EQ_I64(r->err.code, 0, "nothing to say");
	EQ_I64(atomic_load(&r->phase), RECORD_DONE, "done");
	EQ_U64(atomic_load(&r->finished), 2, "two windows");
	for (n = 0; n < 2; n++) {
		EQ_I64(atomic_load(&r->windows[n].state), RECORD_MEASURED,
			"measured");
		OK(r->windows[n].lanes[RECORD_READ].lat.n > 0, "with I/Os");
		EQ_U64(r->windows[n].lanes[RECORD_READ].lat.n,
			r->windows[n].lanes[RECORD_READ].ios, "all of them");
		EQ_U64(r->windows[n].continued, 0, "never stopped");
	}
	record_free(r);
}

static int
in_window(struct record *r, uint32_t n)
{
	return atomic_load(&r->window) == n &&
	       atomic_load(&r->phase) == RECORD_WINDOW &&
	       atomic_load(&r->window_began_ns);
}

static void
stop_in_window(pid_t pid, struct record *r, unsigned n)
{
	(void)n;
	if (in_window(r, 0) && !atomic_load(&r->stop)) {
		kill(pid, SIGINT); /* as the terminal does */
		kill(pid, SIGTERM);
		atomic_store(&r->stop, SIGTERM);
	}
}

static void
stop_at_once(pid_t pid, struct record *r, unsigned n)
{
	(void)pid;
	(void)n;
	atomic_store(&r->stop, -1);
}

static void
test_stop(void)
{
	struct record *r = record_make(&plan, NULL);
	int status = supervise(start_worker(r), r, stop_in_window);

	OK(WIFEXITED(status) && WEXITSTATUS(status) == 3, "stopped: 3");
	EQ_I64(r->err.code, ERR_SIGNAL + SIGTERM, "by the parent's word");
	EQ_I64(atomic_load(&r->windows[0].state), RECORD_FAILED, "failed");
	EQ_I64(atomic_load(&r->windows[1].state), RECORD_PENDING,
		"the next did not begin");
	record_free(r);

	r = record_make(&plan, NULL);
	signal(ENGINE_WAKE, SIG_IGN);
	status = supervise(start_worker(r), r, stop_at_once);
	signal(ENGINE_WAKE, SIG_DFL);
	OK(WIFEXITED(status) && WEXITSTATUS(status) == 3,
		"stopped before it began: 3");
	EQ_I64(r->err.code, ERR_INCOMPLETE, "not by a signal");
	record_free(r);
}

static void
suspend_in_window(pid_t pid, struct record *r, unsigned n)
{
	int status;

	(void)n;
	if (!in_window(r, 0) || atomic_load(&r->continued))
		return;
	kill(pid, SIGSTOP);
	waitpid(pid, &status, WUNTRACED);
	kill(pid, SIGCONT);
	while (!atomic_load(&r->continued))
		clock_sleep_ns(MS);
}

static void
test_suspended(void)
{
	struct record *r = record_make(&plan, NULL);
	int status = supervise(start_worker(r), r, suspend_in_window);

	OK(WIFEXITED(status) && WEXITSTATUS(status) == 3, "suspended: 3");
	EQ_I64(atomic_load(&r->windows[0].state), RECORD_FAILED, "failed");
	EQ_U64(r->windows[0].continued, 1, "one stop was seen");
	OK(strstr(r->windows[0].err.text, "SIGTSTP"), "which is said");
	EQ_I64(atomic_load(&r->windows[1].state), RECORD_MEASURED,
		"the next window was measured");
	EQ_I64(r->err.code, 0, "the worker did not give up");
	record_free(r);
}

static void
cut_in_window(pid_t pid, struct record *r, unsigned n)
{
	(void)pid;
	(void)n;
	if (in_window(r, 1) && ftruncate(target.fd, MIB) < 0)
		atomic_store(&r->stop, -1);
}

static void
test_failure(void)
{
	struct record *r = record_make(&plan, NULL);
	int status = supervise(start_worker(r), r, cut_in_window);

	OK(WIFEXITED(status) && WEXITSTATUS(status) == 3, "cut short: 3");
	EQ_I64(r->err.code, ERR_INCOMPLETE, "incomplete");
	EQ_I64(atomic_load(&r->windows[0].state), RECORD_MEASURED,
		"what was measured stays");
	EQ_I64(atomic_load(&r->windows[1].state), RECORD_FAILED, "failed");
	EQ_STR(r->windows[1].err.text, r->err.text, "for one reason");
	EQ_U64(atomic_load(&r->window), 1, "and the record tells which window");
	record_free(r);
}

static void
look_at_files(pid_t pid, struct record *r, unsigned n)
{
	char path[64], to[64] = "";
	ssize_t got;
	int i;

	if (!in_window(r, 1) || atomic_load(&r->prepared_bytes) == 1)
		return;
	(void)n;
	for (i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)pid, i);
		got = readlink(path, to, sizeof(to) - 1);
		to[got > 0 ? got : 0] = '\0';
		EQ_STR(to, "/", "the worker has let go");
	}
	atomic_store(&r->prepared_bytes, 1);
}

static void
test_lets_go(void)
{
	struct record *r = record_make(&plan, NULL);

	supervise(start_worker(r), r, look_at_files);
	EQ_U64(atomic_load(&r->prepared_bytes), 1, "it was looked at");
	record_free(r);
}

/* A parent of its own, which dies; the worker comes to us then. */
static void
test_orphan(void)
{
	int ends[2], status = 0;
	pid_t parent, worker = -1;
	struct record *r;

	if (pipe(ends) < 0 || prctl(PR_SET_CHILD_SUBREAPER, 1) < 0) {
		SKIP("cannot adopt an orphan");
		return;
	}
	parent = fork();
	if (!parent) {
		r = record_make(&plan, NULL);
		worker = start_worker(r);
		if (write(ends[1], &worker, sizeof(worker)) < 0)
			_exit(1);
		while (!atomic_load(&r->at_gate))
			clock_sleep_ns(MS);
		_exit(0);
	}
	OK(read(ends[0], &worker, sizeof(worker)) == sizeof(worker),
		"a worker is there");
	waitpid(parent, NULL, 0);
	EQ_I64(waitpid(worker, &status, 0), worker, "the orphan ended");
	OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
		"with its parent");
}

int
main(void)
{
	make_plan();
	if (make_target() < 0) {
		SKIP("no direct I/O in /var/tmp");
		return tap_done();
	}
	test_all();
	test_stop();
	test_suspended();
	test_lets_go();
	test_orphan();
	test_failure();
	return tap_done();
}
