/*
 * show_fio_job: one window, or the preparation, as fio would have reported it.
 * Part of show_fio; nobody else includes it.
 *
 * Only what is known is said: where fio prints 0 for what it did not look at,
 * the key is absent; a direction in which nothing was done has true zeros.
 * Percentiles are fio's own value whatever the number of samples, out of the
 * folded buckets; without buckets of fio's width there are none.
 */
#ifndef RECEIPT_SHOW_FIO_JOB_H
#define RECEIPT_SHOW_FIO_JOB_H

#include "base/buf.h"
#include "base/err.h"
#include "receipt/receipt.h"

/* Append one line of JSON and an LF; w is one of r's.  ERR_OUTPUT, memory. */
int show_fio_job_window(const struct receipt *r, const struct receipt_window *w,
	struct buf *out, struct err *e);

/* The same for r->prepare, which must be there. */
int show_fio_job_prepare(
	const struct receipt *r, struct buf *out, struct err *e);

#endif
