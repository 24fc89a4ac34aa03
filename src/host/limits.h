/*
 * limits: what this process may use, by its cgroups (v1 and v2) and rlimits.
 */
#ifndef HOST_LIMITS_H
#define HOST_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#define LIMITS_UNKNOWN UINT64_MAX
#define LIMITS_MAX     8

/*
 * The I/O limits that apply to us on one device, the tightest of all levels;
 * LIMITS_UNKNOWN = none.
 */
struct limits_io {
	char source[48]; /* "cgroup v2 io.max", "cgroup v1 blkio.throttle" */
	unsigned dev_major, dev_minor;
	uint64_t rbps, wbps, riops, wiops;
};

struct limits {
	/*
	 * Memory still free below the tightest cgroup limit, or UNKNOWN.  Of
	 * the pages of files, which the kernel drops when it has to, the
	 * inactive ones and half of the active ones count as free.
	 */
	uint64_t memory_free_bytes;
	struct limits_io io[LIMITS_MAX];
	unsigned io_count;
	bool io_more; /* limits on more than LIMITS_MAX devices */
	/* CPU time of the tightest quota, 100 = one CPU; 0 = no quota seen */
	double cpu_pct;
	uint64_t aio_max_nr, aio_nr; /* fs.aio-max-nr, fs.aio-nr */
	uint64_t file_size_bytes;    /* RLIMIT_FSIZE, UNKNOWN = unlimited */
};

/*
 * Walks from our own cgroup up to the root of each hierarchy, as far as it is
 * mounted here (a container sees its own part).  Cannot fail: what is not
 * told is UNKNOWN.  root as in host.h; RLIMIT_FSIZE is always our own.
 */
void limits_read(struct limits *l, const char *root);

#endif
