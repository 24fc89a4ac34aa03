/*
 * stop: the signals that end a run, noted in the one mutable global that the
 * program has.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT ask the run to end: the first one
 * counts.  So does every other signal that would end us without a clean-up
 * (SIGALRM, SIGUSR2, SIGXCPU, ...).  One that was ignored when we were started
 * (nohup) stays ignored; one that was blocked is not any more.
 * SIGUSR1 is the worker's (disk/worker.h) and does nothing here.
 * SIGPIPE and SIGXFSZ are ignored and met as EPIPE and EFBIG.  SIGCONT is
 * counted: a run that was stopped meanwhile did not measure.  SIGCHLD is set
 * back: where it is ignored no child's end can be seen.
 */
#ifndef APP_STOP_H
#define APP_STOP_H

void stop_install(void);

/* The signal that asked to end, 0 while none has. */
int stop_signal(void);

/* How often it was asked for: more than before means "and now at once". */
int stop_count(void);

/* How often we were continued after a stop. */
int stop_continued(void);

#endif
