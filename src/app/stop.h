/*
 * stop: the signals that end a run, noted in the one mutable global that the
 * program has.
 *
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT ask the run to end: the first one
 * counts.  One that was ignored when we were started (nohup) stays ignored.
 * SIGPIPE and SIGXFSZ are ignored and met as EPIPE and EFBIG, SIGUSR1 is
 * ignored (the worker has its own use for it).  SIGCONT is counted: a run that
 * was stopped meanwhile did not measure.
 */
#ifndef APP_STOP_H
#define APP_STOP_H

void stop_install(void);

/* The signal that asked to end, 0 while none has. */
int stop_signal(void);

/* How often we were continued after a stop. */
int stop_continued(void);

#endif
