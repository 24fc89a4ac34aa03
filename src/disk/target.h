/*
 * target: the one file that a run measures.
 *
 * A file without a name (O_TMPFILE in the lab, else made O_EXCL and unlinked
 * at once): nothing can swap it, nothing can be left.
 */
#ifndef DISK_TARGET_H
#define DISK_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/lab.h"
#include "disk/record.h"

enum target_direct { TARGET_DIRECT_YES, TARGET_DIRECT_UNKNOWN };

struct target {
	int fd;		      /* O_RDWR | O_DIRECT | O_CLOEXEC, -1 = none */
	uint64_t size_bytes;  /* as declared */
	uint64_t align_bytes; /* offset and length; STATX_DIOALIGN, else the
	                           logical block of the disk, else 4096 */
	uint64_t mem_align_bytes;
	bool align_told; /* by the kernel, not assumed */
	bool nocow;	 /* made NOCOW by us (btrfs) */
	uint64_t seed;	 /* of its data */
};

/* What target_make has to know beside the lab. */
struct target_wish {
	uint64_t size_bytes;
	uint64_t smallest_bs_bytes; /* of all jobs: refused if not a multiple
	                                 of the alignment */
	const char *fstype;	    /* "btrfs" ... from the mount, "" unknown */
	uint64_t logical_block_bytes; /* of the disk, 0 = not told */
	bool keep_cow;		      /* do not make it NOCOW */
};

/*
 * Make the file in the lab.  ERR_REFUSED: no direct I/O (EINVAL at open,
 * STATX_DIOALIGN of 0), alignment that a job's block size does not fit.
 */
int target_make(struct target *t, const struct lab *l,
	const struct target_wish *w, struct err *e);
void target_close(struct target *t);

/*
 * Write all of it once: 1 MiB direct writes of data that neither repeats nor
 * compresses, fsync, then look: size, no unwritten extent.  Progress and
 * figures go to r.  ERR_INCOMPLETE: ENOSPC and EDQUOT say what was promised
 * and where it ended; a short write; stop by the parent.
 */
int target_prepare(struct target *t, struct record *r, struct err *e);

/* Still regular, exactly size_bytes, no name (link count 0)? */
int target_check(const struct target *t, struct err *e);

#endif
