/*
 * A call that may hang: its result, its error, its end.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/bounded.h"
#include "base/clock.h"
#include "tap.h"

static int
fine(void *arg, struct err *e)
{
	(void)e;
	return *(int *)arg == 7 ? 0 : -1;
}

static int
fails(void *arg, struct err *e)
{
	(void)arg;
	return err_set(e, ERR_OUTPUT, ENOSPC, "the %s", "reason");
}

static int
hangs(void *arg, struct err *e)
{
	(void)arg;
	(void)e;
	while (pause() < 0)
		;
	return 0;
}

static int
dies(void *arg, struct err *e)
{
	(void)arg;
	(void)e;
	raise(SIGKILL);
	return 0;
}

/* Whoever reads our output must not wait for a child that hangs. */
static void
test_streams(void)
{
	struct pollfd p;
	struct err e = { 0 };
	int ends[2], saved = dup(STDOUT_FILENO);
	char c;

	if (pipe(ends) < 0 || saved < 0)
		return;
	fflush(stdout);
	dup2(ends[1], STDOUT_FILENO);
	close(ends[1]);
	(void)bounded_call(hangs, NULL, 50 * CLOCK_NS_PER_MS, "call", &e);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	p = (struct pollfd){ .fd = ends[0], .events = POLLIN };
	OK(poll(&p, 1, 2000) == 1 && read(ends[0], &c, 1) == 0,
		"a reader of our output sees its end");
	close(ends[0]);
}

/* Ignored by our caller: then the kernel reaps, and waitpid knows nothing. */
static void
test_sigchld_ignored(void)
{
	struct err e = { 0 };
	int seven = 7;

	signal(SIGCHLD, SIG_IGN);
	OK(bounded_call(fine, &seven, CLOCK_NS_PER_S, "call", &e) == BOUNDED_OK,
		"SIGCHLD ignored: a call that succeeds");
	OK(bounded_call(fails, NULL, CLOCK_NS_PER_S, "call", &e) ==
				BOUNDED_FAILED &&
			strstr(e.text, "the reason") != NULL,
		"SIGCHLD ignored: a call that fails");
	signal(SIGCHLD, SIG_DFL);
}

static int
stays(void *arg, struct err *e)
{
	(void)e;
	return getpid() == *(pid_t *)arg ? 0 : -1;
}

/* What has to be removed or saved is so without a child, too. */
static void
test_no_child(void)
{
	const struct rlimit none = { 0, 0 };
	struct err e = { 0 };
	int status = -1;
	pid_t pid = fork(), own;

	if (pid == 0) {
		own = getpid();
		if (geteuid() == 0 && setuid(65534) < 0)
			_exit(3);
		setrlimit(RLIMIT_NPROC, &none);
		_exit(bounded_call(stays, &own, CLOCK_NS_PER_S, "call", &e) !=
			BOUNDED_OK);
	}
	waitpid(pid, &status, 0);
	EQ_U64(status, 0, "RLIMIT_NPROC: the call is made without a child");
}

int
main(void)
{
	struct err e = { 0 };
	int seven = 7;
	uint64_t began;

	OK(bounded_call(fine, &seven, CLOCK_NS_PER_S, "call", &e) == BOUNDED_OK,
		"a call that succeeds");
	EQ_U64(e.code, 0, "leaves no error");
	OK(bounded_call(fails, NULL, CLOCK_NS_PER_S, "call", &e) ==
			BOUNDED_FAILED,
		"a call that fails");
	EQ_U64(e.code, ERR_OUTPUT, "hands its code back");
	OK(strstr(e.text, "the reason") != NULL, "and its sentence");
	began = clock_now_ns();
	OK(bounded_call(hangs, NULL, 200 * CLOCK_NS_PER_MS, "the call", &e) ==
			BOUNDED_HANGS,
		"a call that hangs");
	OK(clock_now_ns() - began >= 200 * CLOCK_NS_PER_MS, "has its time");
	OK(strstr(e.text, "the call") != NULL, "and is named");
	OK(bounded_call(dies, NULL, CLOCK_NS_PER_S, "call", &e) ==
			BOUNDED_FAILED,
		"a call whose process dies has failed");
	test_streams();
	test_sigchld_ignored();
	test_no_child();
	return tap_done();
}
