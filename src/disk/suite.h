/*
 * suite: named tables of jobs.  Adding a suite is a change of data only.
 */
#ifndef DISK_SUITE_H
#define DISK_SUITE_H

#include <stddef.h>
#include <stdint.h>

#include "disk/job.h"

/*
 * The neighbour probe behind a suite's windows (seed text 4): short samples
 * of one job at even distances, while the supervisor watches CPU steal.
 */
struct suite_probe {
	struct job job;	    /* a sample: runtime_ns long */
	uint64_t length_ns; /* a whole number of times every_ns */
	uint64_t every_ns;
};

struct suite {
	const char *name;
	const char *what; /* one line for --help */
	const struct job *jobs;
	size_t count;
	uint64_t floor_bytes; /* free space never below this (0 = none) */
	const struct suite_probe *probe; /* NULL = none */
};

const struct suite *suite_find(const char *name); /* NULL = no such */
/* All suites, for --help and tests: index 0.., NULL at the end. */
const struct suite *suite_at(size_t index);
/* The name of every suite, ended by NULL, for "did you mean". */
const char *const *suite_names(void);

#endif
