/*
 * volumes_ends: the first and the last MiB of a device, in memory.
 *
 * Numbers are read byte by byte: superblocks of either order on a machine of
 * any.
 */
#ifndef HOST_VOLUMES_ENDS_H
#define HOST_VOLUMES_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VOLUMES_ENDS_BYTES (UINT64_C(1) << 20)

struct volumes_ends {
	int fd;
	uint64_t size_bytes;   /* of the device */
	uint64_t len;	       /* of each end: 1 MiB, or all of it */
	uint64_t back_at;      /* where the back begins */
	unsigned char *memory; /* of both */
};

/* errno, 0 = read.  Free it in both cases. */
int volumes_ends_read(struct volumes_ends *d, int fd, uint64_t size_bytes);
void volumes_ends_free(struct volumes_ends *d);

/* n bytes at offset; NULL where they are not in either end. */
const unsigned char *volumes_ends_at(
	const struct volumes_ends *d, uint64_t offset, size_t n);

/* Is there nothing but zeros in both? */
bool volumes_ends_blank(const struct volumes_ends *d);

static inline uint64_t
volumes_ends_le(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes > 0)
		v = v << 8 | p[--bytes];
	return v;
}

static inline uint64_t
volumes_ends_be(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;
	unsigned i;

	for (i = 0; i < bytes; i++)
		v = v << 8 | p[i];
	return v;
}

#endif
