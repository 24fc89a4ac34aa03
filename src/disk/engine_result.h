/*
 * engine_result: what the threads of a window found, added up.  Private to
 * disk/engine*.c; called after they have ended.
 */
#ifndef DISK_ENGINE_RESULT_H
#define DISK_ENGINE_RESULT_H

#include "disk/engine_job.h"

void engine_result_collect(struct record_window *w,
	const struct engine_job *threads, uint32_t count);

/* I/Os that were given up while in flight. */
uint32_t engine_result_lost(const struct engine_job *threads, uint32_t count);

/*
 * -1: not measured in full, and why.  An I/O's own failure stands before a
 * stop by the parent (ERR_SIGNAL + n, or ERR_INCOMPLETE).
 */
int engine_result_judge(const struct record_window *w,
	const struct engine_job *threads, uint32_t count, struct err *e);

#endif
