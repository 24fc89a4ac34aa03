#include <signal.h>
#include <stddef.h>

#include "app/stop.h"

/* sig_atomic_t and written by handlers only: the exception of HOUSE rule 8. */
static volatile sig_atomic_t stop_asked, stop_conts;

static void
ask(int sig)
{
	if (!stop_asked)
		stop_asked = sig;
}

static void
count(int sig)
{
	(void)sig;
	stop_conts++;
}

void
stop_install(void)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction now, was;
	size_t i;

	sigemptyset(&now.sa_mask);
	now.sa_flags = 0;
	now.sa_handler = ask;
	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (sigaction(ends[i], NULL, &was) == 0 &&
			was.sa_handler == SIG_IGN)
			continue;
		sigaction(ends[i], &now, NULL);
	}
	now.sa_flags = SA_RESTART;
	now.sa_handler = count;
	sigaction(SIGCONT, &now, NULL);
	now.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &now, NULL);
	sigaction(SIGXFSZ, &now, NULL);
	/* what wakes the worker must not kill it before it is ready */
	sigaction(SIGUSR1, &now, NULL);
}

int
stop_signal(void)
{
	return stop_asked;
}

int
stop_continued(void)
{
	return stop_conts;
}
