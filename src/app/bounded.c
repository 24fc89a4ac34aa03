#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/bounded.h"
#include "base/clock.h"
#include "base/file.h"

/* What crosses back from the child. */
struct answer {
	struct err err;
	int returned; /* 0 = it did not come so far, 1 = OK, -1 = failed */
};

/* Wait for pid; 1 ended, 0 not within the limit. */
static int
wait_until(pid_t pid, uint64_t until_ns)
{
	pid_t got;

	for (;;) {
		got = waitpid(pid, NULL, WNOHANG);
		/* ECHILD: who ignores SIGCHLD has its children reaped */
		if (got == pid || (got < 0 && errno != EINTR))
			return 1;
		if (clock_now_ns() >= until_ns)
			return 0;
		clock_sleep_ns(2 * CLOCK_NS_PER_MS);
	}
}

static _Noreturn void
child(int (*fn)(void *arg, struct err *e), void *arg, struct answer *a)
{
	file_leave_stdio();
	a->returned = fn(arg, &a->err) < 0 ? -1 : 1;
	_exit(a->returned < 0);
}

static enum bounded_end
judge(const struct answer *a, const char *what, struct err *e)
{
	if (a->returned > 0)
		return BOUNDED_OK;
	if (a->returned == 0)
		err_set(e, ERR_OUTPUT, 0, "%s: its process died", what);
	else if (e)
		*e = a->err;
	return BOUNDED_FAILED;
}

enum bounded_end
bounded_call(int (*fn)(void *arg, struct err *e), void *arg, uint64_t limit_ns,
	const char *what, struct err *e)
{
	enum bounded_end end = BOUNDED_HANGS;
	struct answer *a;
	pid_t pid = -1;

	a = mmap(NULL, sizeof(*a), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (a != MAP_FAILED)
		pid = fork();
	if (pid == 0)
		child(fn, arg, a);
	if (pid < 0) {
		/* what has to be done is worth more than the limit */
		end = fn(arg, e) < 0 ? BOUNDED_FAILED : BOUNDED_OK;
	} else if (wait_until(pid, clock_now_ns() + limit_ns)) {
		end = judge(a, what, e);
	} else {
		kill(pid, SIGKILL);
		(void)wait_until(pid, clock_now_ns() + 100 * CLOCK_NS_PER_MS);
		err_set(e, ERR_OUTPUT, 0, "%s: no answer for %llu s", what,
			(unsigned long long)(limit_ns / CLOCK_NS_PER_S));
	}
	if (a != MAP_FAILED)
		munmap(a, sizeof(*a));
	return end;
}
