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
	int fd;			  /* O_RDWR | O_DIRECT | O_CLOEXEC, -1 = none */
	uint64_t size_bytes;	  /* as declared */
	uint64_t align_bytes;	  /* offset and length; STATX_DIOALIGN, else the
	                           logical block of the disk, else 4096 */
	uint64_t mem_align_bytes; /* of each block's buffer */
	bool align_told;	  /* by the kernel, not assumed */
	bool nocow;		  /* made NOCOW by us (btrfs) */
	bool memory_backed;	  /* as wished: the page cache is the store */
	uint64_t seed;		  /* of its data, new in each run */
	uint64_t promised_bytes;  /* available when it was made */
};

/* What target_make has to know beside the lab. */
struct target_wish {
	uint64_t size_bytes;
	uint64_t bs_unit_bytes; /* what the blocks of all jobs are multiples of,
	                             a power of two: refused where the
	                             alignment is larger */
	const char *fstype;	/* "btrfs" ... from the mount, "" unknown */
	uint64_t logical_block_bytes; /* of the disk, 0 = not told */
	bool keep_cow;		      /* do not make it NOCOW */
	bool memory_backed;	      /* allowed, so do not ask whether the page
	                                 cache is bypassed */
};

/*
 * Make the file in the lab; nothing is written yet.  ERR_REFUSED: no direct
 * I/O (EINVAL at open, STATX_DIOALIGN of 0, encrypted or journalled data),
 * alignment that the size or a job's block size does not fit, a filesystem
 * that keeps a name for an open file that was unlinked (NFS, some of FUSE).
 * ERR_CLEANUP: a name is left, given in the sentence.
 */
int target_make(struct target *t, const struct lab *l,
	const struct target_wish *w, struct err *e);
void target_close(struct target *t);

/*
 * Write all of it once: 512 KiB direct writes of data that neither repeats nor
 * compresses, fsync, then look: size, no unwritten extent.  Progress and
 * figures go to r, stamps to r->outstanding[0].  Meant for the worker.
 *
 * ERR_REFUSED: the first block shows that direct I/O of this alignment fails
 * or goes through the page cache.  ERR_INCOMPLETE: ENOSPC and EDQUOT say what
 * was promised and where it ended; EFBIG, EIO; a write that stays short; data
 * that reads back otherwise; a hole; stop by the parent (ERR_SIGNAL + n if
 * that was a signal).
 */
int target_prepare(struct target *t, struct record *r, struct err *e);

/* Still regular, exactly size_bytes, no name (link count 0)? */
int target_check(const struct target *t, struct err *e);

#endif
