/*
 * check: what a run holds its own figures to.
 *
 * Each rule is a row of a table: a name, and a function that can fail.  A
 * rule that does not apply (no such direction, a fact that is not told) is
 * not listed.  One that does not hold ends the run with exit status 3.
 */
#ifndef RECEIPT_CHECK_H
#define RECEIPT_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "disk/job.h"
#include "disk/record.h"
#include "receipt/receipt.h"

/* A window as it was declared, as it was measured, and what is said of it. */
struct check_window {
	const struct job *job;
	const struct record_window *measured;
	const struct receipt_window *figures;
};

/*
 * Hold w to each rule; the outcomes go to out[], memory from a.  Returns the
 * name of the first that does not hold, "" where all do, NULL where memory
 * has run out.
 */
const char *check_window(const struct check_window *w,
	struct receipt_window *out, struct arena *a);

/* The target as it was written. */
struct check_prepare {
	const struct record_prepare *measured;
	uint64_t size_bytes; /* as declared */
	uint64_t
		device_bytes; /* what reached a device, SHAPE_ABSENT = not told */
};

/*
 * The same for prepare.  "reached-device" is told apart: where it does not
 * hold, *reached is false and the backing is unknown, which is no failure.
 */
const char *check_prepare(const struct check_prepare *p,
	struct receipt_prepare *out, struct arena *a, bool *reached);

#endif
