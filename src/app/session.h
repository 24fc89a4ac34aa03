/*
 * session: the line of a run: plan, guard, lab, target, measure, clean up,
 * assemble, deliver.  Each step is a module that knows nothing of the others.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "app/run_options.h"

/* Do the whole run; returns the exit status. Messages go to stderr. */
int session_run(const struct run_options *o);

#endif
