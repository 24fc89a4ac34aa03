/*
 * limits: what this process may use, by its cgroups (v1 and v2) and rlimits.
 */
#ifndef HOST_LIMITS_H
#define HOST_LIMITS_H

#include <stdint.h>

#define LIMITS_UNKNOWN UINT64_MAX
#define LIMITS_MAX     8

/* One I/O limit that applies to us on one device; LIMITS_UNKNOWN = none. */
struct limits_io {
	char source[48]; /* "cgroup v2 io.max", "cgroup v1 blkio.throttle" */
	unsigned dev_major, dev_minor;
	uint64_t rbps, wbps, riops, wiops;
};

struct limits {
	/* Memory still free below the tightest cgroup limit, or UNKNOWN. */
	uint64_t memory_free_bytes;
	struct limits_io io[LIMITS_MAX];
	unsigned io_count;
	uint64_t aio_max_nr, aio_nr; /* fs.aio-max-nr, fs.aio-nr */
	uint64_t file_size_bytes;    /* RLIMIT_FSIZE, UNKNOWN = unlimited */
};

/* Walks from our own cgroup up to the root of each hierarchy. */
void limits_read(struct limits *l, const char *root);

#endif
