#include <signal.h>
#include <stddef.h>

#include "app/stop.h"

/* The only globals that change, and only handlers write them. */
static volatile sig_atomic_t stop_asked, stop_asks, stop_conts;

static void
ask(int sig)
{
	if (!stop_asked)
		stop_asked = sig;
	stop_asks++;
}

static void
count(int sig)
{
	(void)sig;
	stop_conts++;
}

/* Signals that end a process, but for those of a fault and SIGKILL. */
static const int stop_ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM,
	SIGUSR2, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGXCPU };

static void
handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction now = { .sa_handler = handler, .sa_flags = flags };

	sigemptyset(&now.sa_mask);
	sigaction(sig, &now, NULL);
}

/* Ask, unless the caller has said that this one shall do nothing. */
static void
heed(int sig)
{
	struct sigaction was;

	if (sigaction(sig, NULL, &was) < 0 || was.sa_handler == SIG_IGN)
		return;
	handle(sig, ask, 0);
}

void
stop_install(void)
{
	sigset_t none;
	size_t i;
	int sig;

	for (i = 0; i < sizeof(stop_ends) / sizeof(stop_ends[0]); i++)
		heed(stop_ends[i]);
	for (sig = SIGRTMIN; sig <= SIGRTMAX; sig++)
		heed(sig);
	handle(SIGCONT, count, SA_RESTART);
	handle(SIGCHLD, SIG_DFL, 0);
	handle(SIGUSR1, SIG_IGN, 0);
	handle(SIGPIPE, SIG_IGN, 0);
	handle(SIGXFSZ, SIG_IGN, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

int
stop_signal(void)
{
	return stop_asked;
}

int
stop_count(void)
{
	return stop_asks;
}

int
stop_continued(void)
{
	return stop_conts;
}
