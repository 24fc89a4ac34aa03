#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/bounded.h"
#include "base/clock.h"
#include "base/file.h"

/* Wait for pid; 1 ended (status filled), 0 not within the limit. */
static int
wait_until(pid_t pid, uint64_t until_ns, int *status)
{
	pid_t got;

	for (;;) {
		got = waitpid(pid, status, WNOHANG);
		if (got == pid || (got < 0 && errno != EINTR))
			return got == pid;
		if (clock_now_ns() >= until_ns)
			return 0;
		clock_sleep_ns(2 * CLOCK_NS_PER_MS);
	}
}

enum bounded_end
bounded_call(int (*fn)(void *arg, struct err *e), void *arg, uint64_t limit_ns,
	const char *what, struct err *e)
{
	struct err *shared;
	enum bounded_end end = BOUNDED_FAILED;
	int status = 0;
	pid_t pid;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		err_set(e, ERR_OUTPUT, errno, "%s: memory", what);
		return BOUNDED_FAILED;
	}
	pid = fork();
	if (pid == 0) {
		file_leave_stdio();
		_exit(fn(arg, shared) < 0);
	}
	if (pid < 0) {
		err_set(e, ERR_OUTPUT, errno, "%s: fork", what);
	} else if (!wait_until(pid, clock_now_ns() + limit_ns, &status)) {
		kill(pid, SIGKILL);
		(void)wait_until(
			pid, clock_now_ns() + 100 * CLOCK_NS_PER_MS, &status);
		err_set(e, ERR_OUTPUT, 0, "%s: no answer for %llu s", what,
			(unsigned long long)(limit_ns / CLOCK_NS_PER_S));
		end = BOUNDED_HANGS;
	} else if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
		end = BOUNDED_OK;
	} else if (WIFEXITED(status) && shared->code) {
		if (e)
			*e = *shared;
	} else {
		err_set(e, ERR_OUTPUT, 0, "%s: its process died", what);
	}
	munmap(shared, sizeof(*shared));
	return end;
}
