/*
 * guard: may this run happen here?  Looks at everything and touches nothing.
 *
 * guard_look opens the directory once (symlinks allowed, shown resolved) and
 * reads what is below it; guard_judge refuses, with a sentence that gives the
 * figures and says what to do.  Lab and target are made only afterwards.
 */
#ifndef DISK_GUARD_H
#define DISK_GUARD_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/plan.h"
#include "disk/target.h"
#include "host/limits.h"
#include "host/mounts.h"
#include "host/stack.h"

#define GUARD_RESERVE_BYTES (UINT64_C(1536) << 20) /* beside the target */
#define GUARD_RESERVE_PCT   5  /* of the filesystem, where that is more */
#define GUARD_BUFFERS_PCT   25 /* of the memory that can still be had */

/* What the guard saw; kept for the receipt. */
struct guard_view {
	int dir_fd;	    /* the directory, -1 = not open */
	char dir[PATH_MAX]; /* resolved, for the screen only */
	bool mount_told;    /* is mount filled? */
	struct mounts_entry mount;
	struct stack stack;
	struct limits limits;
	uint64_t total_bytes;		 /* of the filesystem */
	uint64_t available_bytes;	 /* f_bavail: for this user */
	uint64_t memory_available_bytes; /* HOST_UNKNOWN = not told */
	bool read_only;
	int forbidden;	 /* errno: no right to make files, 0 = there is */
	char fstype[32]; /* by mountinfo, else by statfs magic, "" */
	char store[32];	 /* the filesystem that stores what is written to
	                    fstype: of an overlay its upper directory's */
	unsigned flags;	 /* FS_IOC_GETFLAGS of dir, 0 where not told */
};

/*
 * ERR_REFUSED: no such directory, none that may be opened, not a directory.
 * v is then closed.  A mount table, a /sys that cannot be read are no
 * failure: what they would tell is unknown.
 */
int guard_look(
	struct guard_view *v, const char *dir, const char *root, struct err *e);
void guard_close(struct guard_view *v);

/*
 * All refusals that can be told without touching: no right to make files,
 * memory-backed (allow_memory lets it pass), read-only, filesystems that
 * cannot serve (squashfs, 9p, virtiofs), buffered direct I/O by filesystem
 * and mount option, RLIMIT_FSIZE, space (both figures and the mount judged),
 * buffers against memory, asynchronous I/O.
 */
int guard_judge(const struct guard_view *v, const struct plan *p,
	bool allow_memory, const char *root, struct err *e);

/*
 * Bytes that must be available on v for p, what guard_judge demands: the
 * target (twice where the filesystem copies on write), and beside it the
 * reserve or 5 % of the filesystem, whichever is more; the suite's own floor.
 */
uint64_t guard_space_wanted(const struct guard_view *v, const struct plan *p);

/* Does this filesystem copy on write (btrfs, zfs, bcachefs, ...)? */
bool guard_copies_on_write(const char *fstype);

/*
 * The memory that buffers are weighed against: what the machine has left or
 * what the cgroup allows, whichever is less; UINT64_MAX where neither tells.
 */
uint64_t guard_memory_bytes(const struct guard_view *v);

/*
 * What target_make has to know, from what was seen and planned.  The wish
 * borrows v->store.
 */
void guard_wish(const struct guard_view *v, const struct plan *p,
	struct target_wish *w);

#endif
