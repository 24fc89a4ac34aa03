/*
 * The supervising parent, with a real worker on a real file.
 */
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stop.h"
#include "app/supervise.h"
#include "base/clock.h"
#include "tap.h"

#define MIB UINT64_C(1048576)
#define MS  CLOCK_NS_PER_MS

static struct plan plan;
static struct target target;

static void
make_plan(void)
{
	struct job *j = &plan.jobs[0];

	plan.size_bytes = 8 * MIB;
	plan.job_count = 1;
	plan.window_count = 1;
	job_defaults(j);
	strcpy(j->name, "read");
	strcpy(plan.windows[0].name, "read");
	plan.windows[0].run = 1;
	j->rw = JOB_RANDREAD;
	j->iodepth = 32;
	j->size_bytes = plan.size_bytes;
	j->runtime_ns = 1500 * MS;
	j->time_based = true;
}

static int
make_target(void)
{
	target.fd = open(
		"/var/tmp", O_RDWR | O_TMPFILE | O_DIRECT | O_CLOEXEC, 0600);
	target.size_bytes = plan.size_bytes;
	target.align_bytes = target.mem_align_bytes = 4096;
	target.seed = 3;
	return target.fd < 0 ? -1
			     : ftruncate(target.fd, (off_t)plan.size_bytes);
}

/* What a run in a process group of its own came to. */
struct outcome {
	struct supervise s;
};

static _Noreturn void
run(struct outcome *out, struct record *r)
{
	static struct pressure_delta delta;
	struct worker worker = { .setup = { .plan = &plan,
					 .record = r,
					 .target_fd = target.fd,
					 .align_bytes = 4096,
					 .data_seed = target.seed,
					 .cpu = -1,
					 .root = "" },
		.target = &target };
	const struct text_style style = { .width = 80 };
	struct progress progress;

	setpgid(0, 0);
	stop_install();
	r->parent_pid = getpid();
	progress_init(&progress, &plan, true, &style, false);
	out->s.worker = &worker;
	out->s.progress = &progress;
	out->s.meanwhile.windows = &delta;
	out->s.meanwhile.window_count = 1;
	out->s.stall_limit_ns = 800 * MS;
	pressure_source_init(&out->s.meanwhile.source, "", 0, 0, "none");
	_exit(supervise_run(&out->s) < 0);
}

static int
wait_phase(const struct record *r, int phase)
{
	int i;

	for (i = 0; i < 1000; i++) {
		if (atomic_load(&r->phase) >= phase)
			return 0;
		clock_sleep_ns(10 * MS);
	}
	return -1;
}

/*
 * The parent goes on a moment before its worker, whose I/Os are then as old as
 * the pause was long: the disk is not to blame.
 */
static void
test_stopped(void)
{
	struct record *r = record_make(&plan, NULL);
	struct outcome *out = mmap(NULL, sizeof(*out), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;
	int status;

	if (!r || out == MAP_FAILED)
		return;
	pid = fork();
	if (!pid)
		run(out, r);
	EQ_I64(wait_phase(r, RECORD_WINDOW), 0, "a window has begun");
	clock_sleep_ns(100 * MS);
	kill(-pid, SIGSTOP);
	clock_sleep_ns(1200 * MS);
	kill(pid, SIGCONT);
	clock_sleep_ns(100 * MS);
	kill(-pid, SIGCONT);
	EQ_I64(waitpid(pid, &status, 0), pid, "it ended");
	OK(WIFEXITED(status) && WEXITSTATUS(status) == 1, "not complete");
	OK(!out->s.stalled, "but the disk is not to blame");
	if (!OK(strstr(out->s.err.text, "stopped for a while"), "who is"))
		printf("# %s: %s\n", out->s.what, out->s.err.text);
	munmap(out, sizeof(*out));
	record_free(r);
}

int
main(void)
{
	make_plan();
	if (make_target() < 0) {
		SKIP("no direct I/O in /var/tmp");
		return tap_done();
	}
	test_stopped();
	return tap_done();
}
