/*
 * The signals of a run, whatever the caller did to them before.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stop.h"
#include "tap.h"

static void
test_blocked(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	signal(SIGCHLD, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	stop_install();
	raise(SIGHUP);
	raise(SIGUSR1);
	EQ_U64(stop_signal(), 0, "ignored by the caller: nothing is asked");
	raise(SIGTERM);
	EQ_U64(stop_signal(), SIGTERM, "blocked by the caller: it asks");
	raise(SIGINT);
	EQ_U64(stop_signal(), SIGTERM, "the first one counts");
	EQ_U64(stop_count(), 2, "and each is counted");
}

static void
test_children(void)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0)
		_exit(7);
	EQ_U64(waitpid(pid, &status, 0), pid, "a child's end is seen");
	OK(WIFEXITED(status) && WEXITSTATUS(status) == 7, "with its status");
}

static void
test_others(void)
{
	static const int ends[] = { SIGALRM, SIGUSR2, SIGXCPU, SIGPROF };
	size_t i;
	int n = stop_count();

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		raise(ends[i]);
	raise(SIGRTMAX);
	EQ_U64(stop_count() - n, 5, "what else would end us asks, too");
	n = stop_continued();
	raise(SIGCONT);
	EQ_U64(stop_continued() - n, 1, "SIGCONT is counted");
}

int
main(void)
{
	test_blocked();
	test_children();
	test_others();
	return tap_done();
}
