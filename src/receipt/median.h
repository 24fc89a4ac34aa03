/*
 * median: one receipt-shaped result out of several receipts of one plan.
 *
 * Its schema is RECEIPT_MEDIAN and it has `derived`, so that nobody takes it
 * for a receipt of a run: who made it, of which receipts (their ids, whose
 * signature was checked), each figure in each of them, and the histograms of
 * all added up.  Windows, prepare, probe and summary have the median of each
 * figure (base/shape_combine.h); of machine, storage and tool is there what
 * all agree on.  What is of one run alone (series, buckets, findings,
 * diagnostics, requirements, nonce, audience) is not there.
 */
#ifndef RECEIPT_MEDIAN_H
#define RECEIPT_MEDIAN_H

#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "receipt/receipt.h"

struct median_source {
	const struct receipt *receipt;
	const char *name; /* of its file, for messages */
	const char *kid;  /* of a checked signature, "" = not signed */
};

/*
 * Fill out, but for jti and iat; strings and more are borrowed from the
 * sources, memory from a.  2 to 64 of them.  ERR_DIFFERS: unlike plans, and
 * in what they differ; ERR_INPUT: one twice, one that is a median itself, too
 * many or few; ERR_INCOMPLETE: one is not complete, no memory.
 */
int median_of(const struct median_source *list, size_t n, struct receipt *out,
	struct arena *a, struct err *e);

#endif
