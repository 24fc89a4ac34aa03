#include "disk/target_extents.h"

#include <linux/fiemap.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>

#define TARGET_EXTENTS_ONCE 32

/* What FIEMAP fills: its head, then the extents. */
union target_extents_map {
	struct fiemap head;
	char room[sizeof(struct fiemap) +
		  TARGET_EXTENTS_ONCE * sizeof(struct fiemap_extent)];
};

/* The extents of one answer continue the file from *at on? */
static int
target_extents_batch(const union target_extents_map *m, uint64_t *at)
{
	const struct fiemap_extent *x = m->head.fm_extents;

	for (uint32_t i = 0; i < m->head.fm_mapped_extents; i++) {
		if (x[i].fe_logical > *at)
			return 0;
		if (x[i].fe_flags &
			(FIEMAP_EXTENT_UNWRITTEN | FIEMAP_EXTENT_DELALLOC |
				FIEMAP_EXTENT_UNKNOWN))
			return 0;
		if (x[i].fe_logical + x[i].fe_length > *at)
			*at = x[i].fe_logical + x[i].fe_length;
	}
	return 1;
}

int
target_extents_written(int fd, uint64_t size_bytes, uint64_t *at_bytes)
{
	union target_extents_map m;
	uint64_t before;

	*at_bytes = 0;
	while (*at_bytes < size_bytes) {
		memset(&m, 0, sizeof(m));
		m.head.fm_start = *at_bytes;
		m.head.fm_length = size_bytes - *at_bytes;
		m.head.fm_extent_count = TARGET_EXTENTS_ONCE;
		if (ioctl(fd, FS_IOC_FIEMAP, &m.head) < 0)
			return -1;
		before = *at_bytes;
		if (!target_extents_batch(&m, at_bytes) || *at_bytes == before)
			return 0;
	}
	return 1;
}
