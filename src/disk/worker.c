#include "disk/worker.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "disk/touch.h"

#define WORKER_NAME	"ioreceipt-io"
#define WORKER_GATE_NS	CLOCK_NS_PER_MS
#define WORKER_EXIT_BAD 3

/* Where SIGCONT's handler counts stops; set once, before it is installed. */
static _Atomic uint64_t *worker_stops;

static void
worker_wake(int sig)
{
	(void)sig; /* that it interrupts a wait is all it is for */
}

static void
worker_continued(int sig)
{
	(void)sig;
	/* Lock-free, so that a handler may. */
	atomic_fetch_add(worker_stops, 1);
}

static void
worker_handle(int sig, void (*handler)(int))
{
	struct sigaction a;

	/* No SA_RESTART: a wait for an I/O shall end. */
	memset(&a, 0, sizeof(a));
	a.sa_handler = handler;
	sigfillset(&a.sa_mask);
	sigaction(sig, &a, NULL);
}

static void
worker_signals(struct record *r)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
		SIGPIPE, SIGXFSZ };
	sigset_t none;
	size_t i;

	worker_stops = &r->continued;
	worker_handle(ENGINE_WAKE, worker_wake);
	worker_handle(SIGCONT, worker_continued);
	for (i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		worker_handle(ignored[i], SIG_IGN);
	/* the parent notes it, but the time that is up is ours */
	worker_handle(SIGXCPU, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* 0: the other side came so far; -1: the parent wants an end. */
static int
worker_wait(struct record *r, _Atomic uint32_t *what, uint32_t least)
{
	while (atomic_load(what) < least) {
		if (atomic_load(&r->stop))
			return -1;
		/* where prctl is denied nobody tells that the parent died */
		if (getppid() != r->parent_pid)
			_exit(WORKER_EXIT_BAD);
		clock_sleep_ns(WORKER_GATE_NS);
	}
	return 0;
}

static int
worker_stopped(const struct record *r, struct err *e)
{
	int stop = atomic_load(&r->stop);

	if (stop > 0)
		return err_set(e, ERR_SIGNAL + stop, 0,
			"ended by signal %d (%s)", stop, strsignal(stop));
	return err_set(e, ERR_INCOMPLETE, 0, RECORD_SUPERVISED);
}

/* What a window's end is looked at with. */
struct worker_look {
	const struct worker *worker;
	uint64_t continued; /* record->continued at its start */
	bool suspended;
};

/*
 * Engine's `hold`: the window counts only if the file is still what it was,
 * and if we ran all the time (else time stood still for us, not the clock).
 */
static int
worker_hold(void *arg, uint32_t n, struct err *e)
{
	struct worker_look *look = arg;
	struct record *r = look->worker->setup.record;
	int rc;

	(void)n;
	atomic_store(&r->phase, RECORD_CHECK);
	/* Where files are served by somebody, even this look may hang. */
	atomic_store(&r->outstanding[0], clock_now_ns());
	rc = target_check(look->worker->target, e);
	atomic_store(&r->outstanding[0], 0);
	if (rc < 0)
		return -1;
	look->suspended = atomic_load(&r->continued) != look->continued;
	if (!look->suspended)
		return 0;
	return err_set(e, ERR_INCOMPLETE, 0,
		"the run was stopped for a while (SIGTSTP or SIGSTOP) inside "
		"it");
}

/* -1: the run ends here. */
static int
worker_window(
	struct worker_look *look, struct engine *en, uint32_t n, struct err *e)
{
	struct record *r = look->worker->setup.record;
	int failed;

	if (engine_ready(en, n, e) < 0)
		return -1;
	atomic_store(&r->phase, RECORD_GATE);
	atomic_store(&r->at_gate, n + 1);
	if (worker_wait(r, &r->gate, n + 1) < 0)
		return worker_stopped(r, e);
	look->continued = atomic_load(&r->continued);
	look->suspended = false;
	failed = engine_window(en, n, e);
	/* The disk has done nothing wrong: the other windows are worth it. */
	if (look->suspended)
		failed = 0;
	r->windows[n].continued = atomic_load(&r->continued) - look->continued;
	atomic_store(&r->phase, RECORD_CHECK);
	atomic_store(&r->finished, n + 1);
	if (worker_wait(r, &r->seen, n + 1) < 0 && !failed)
		return worker_stopped(r, e);
	return failed;
}

static int
worker_measure(struct worker *w, struct err *e)
{
	struct worker_look look = { .worker = w };
	struct engine_setup setup = w->setup;
	struct record *r = setup.record;
	struct engine *en;
	uint32_t n;

	setup.hold = worker_hold;
	setup.hold_arg = &look;
	en = engine_make(&setup, e);
	if (!en)
		return -1;
	diag_probe(r, setup.plan, DIAG_BEFORE);
	atomic_store(&r->phase, RECORD_PREPARE);
	if (target_prepare(w->target, r, e) < 0)
		return -1;
	for (n = 0; n < r->window_count; n++)
		if (worker_window(&look, en, n, e) < 0)
			return -1;
	if (diag_after(r, setup.plan, en, e) < 0)
		return -1;
	/* The engine is left to the exit: io_destroy would take 30 ms. */
	return 0;
}

static bool
worker_all_measured(struct record *r)
{
	uint32_t n;

	for (n = 0; n < r->window_count; n++)
		if (atomic_load(&r->windows[n].state) != RECORD_MEASURED)
			return false;
	return true;
}

_Noreturn void
worker_run(struct worker *w)
{
	struct record *r = w->setup.record;
	struct err why = { 0 };

	worker_signals(r);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* It may have died before we asked to be told. */
	if (getppid() != r->parent_pid)
		_exit(WORKER_EXIT_BAD);
	prctl(PR_SET_NAME, WORKER_NAME);
	file_leave_stdio();
	touch_leave_apart();
	if (worker_measure(w, &why) < 0)
		r->err = why;
	atomic_store(&r->phase, RECORD_DONE);
	_exit(!why.code && worker_all_measured(r) ? 0 : WORKER_EXIT_BAD);
}
