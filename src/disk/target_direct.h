/* target_direct: what direct I/O demands of a file, and whether it is direct. */
#ifndef DISK_TARGET_DIRECT_H
#define DISK_TARGET_DIRECT_H

#include "base/err.h"
#include "disk/record.h"
#include "disk/target.h"

/*
 * Fill t's alignments from STATX_DIOALIGN, else from the wish.  ERR_REFUSED
 * where the kernel or the file's flags say that its I/O is buffered.
 */
int target_direct_align(
	struct target *t, const struct target_wish *w, struct err *e);

/*
 * Write the first align_bytes again, from data (what is there already), and
 * read them back into scratch: does it fail, differ, or appear in the page
 * cache?  Both are aligned and hold at least align_bytes.
 */
int target_direct_probe(const struct target *t, struct record *r,
	const void *data, void *scratch, struct err *e);

#endif
