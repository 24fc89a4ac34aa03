/*
 * job_value: what stands behind the '=' of a word, checked as fio checks it.
 */
#ifndef DISK_JOB_VALUE_H
#define DISK_JOB_VALUE_H

#include "base/err.h"
#include "disk/job.h"
#include "disk/job_words.h"

/* Put value into the member of j that w describes.  ERR_USAGE. */
int job_value_set(struct job *j, const struct job_words *w, const char *value,
	struct err *e);

#endif
