/*
 * estimate: how long a run will take, told before anything is written.
 *
 * The windows' times are in the plan; how fast the target can be written is
 * not, and a disk that is capped can take longer for that than for all
 * windows.  Without writing it can only be guessed from reading: a cap of a
 * cloud disk is one for both directions as a rule.  So the block device below
 * the directory is read, at most ESTIMATE_READ_BYTES and a few seconds, and
 * the limits of our own cgroup on writing are heeded.  A guess: a disk that
 * writes slower than it reads takes longer than this says, and the run tells
 * its own estimate once it is writing.
 */
#ifndef DISK_ESTIMATE_H
#define DISK_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/guard.h"
#include "disk/plan.h"

#define ESTIMATE_READ_BYTES (UINT64_C(64) << 20)

/* What the disk does at the moment; 0 = not known. */
struct estimate_rates {
	uint64_t bytes_per_s; /* 1 MiB at a time */
	uint64_t io_ns;	      /* of one read of 4 KiB */
	bool limited;	      /* bytes_per_s is what our cgroup lets through */
};

/*
 * Read the device.  -1 with a reason (ERR_OPEN, no failure of a plan): no
 * block device below, no node of it in /dev, no right to read it, an I/O
 * error, and no limit of our cgroup that would do instead.  Opens nothing for
 * writing.  May block for as long as the disk does not answer.
 */
int estimate_read(
	struct estimate_rates *out, const struct guard_view *v, struct err *e);

/* Where the time goes, in ns. */
struct estimate {
	uint64_t prepare_ns;
	uint64_t windows_ns; /* of the plan, with what comes beside them */
	uint64_t drains_ns;  /* waiting for what is in flight at their ends */
};

/* From known rates (bytes_per_s is not 0). */
void estimate_run(struct estimate *out, const struct plan *p,
	const struct estimate_rates *rates);

#endif
