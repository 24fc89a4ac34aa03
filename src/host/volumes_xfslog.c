#include "host/volumes_xfslog.h"

#include <string.h>
#include <unistd.h>

/*
 * fs/xfs/libxfs/xfs_log_format.h.  The log is a ring of basic blocks of 512
 * bytes, each beginning with the number of the round in which it was written;
 * a record's first block begins with a magic number, behind which that number
 * stands.  So the newest block is the last one before the number changes.
 */
#define BLOCK_BYTES    UINT64_C(512)
#define RECORD_MAGIC   0xfeedbabeu
#define RECORD_BLOCKS  UINT64_C(520)   /* 256 KiB and their headers */
#define HEADER_BYTES   UINT64_C(32768) /* data that one header block covers */
#define UNMOUNT_RECORD 0x20u

struct xfslog {
	int fd;
	uint64_t at, blocks; /* in bytes; in basic blocks */
	bool failed;
};

static bool
read_block(struct xfslog *l, uint64_t n, unsigned char out[BLOCK_BYTES])
{
	ssize_t got = pread(
		l->fd, out, BLOCK_BYTES, (off_t)(l->at + n * BLOCK_BYTES));

	if (got == (ssize_t)BLOCK_BYTES)
		return true;
	l->failed = true;
	memset(out, 0, BLOCK_BYTES);
	return false;
}

static uint64_t
cycle_of(struct xfslog *l, uint64_t n)
{
	unsigned char b[BLOCK_BYTES];

	read_block(l, n, b);
	if (volumes_ends_be(b, 4) == RECORD_MAGIC)
		return volumes_ends_be(b + 4, 4);
	return volumes_ends_be(b, 4);
}

/* The first block that is not of the first one's round. */
static uint64_t
find_head(struct xfslog *l)
{
	uint64_t first = cycle_of(l, 0), low = 0, high = l->blocks, middle;

	if (cycle_of(l, l->blocks - 1) == first)
		return l->blocks;
	while (high - low > 1 && !l->failed) {
		middle = low + (high - low) / 2;
		if (cycle_of(l, middle) == first)
			low = middle;
		else
			high = middle;
	}
	return high;
}

/* Where the log is, by the superblock; false where that makes no sense. */
static bool
find_log(
	struct xfslog *l, const struct volumes_ends *d, const unsigned char *sb)
{
	uint64_t block_bytes = volumes_ends_be(sb + 4, 4);
	uint64_t start = volumes_ends_be(sb + 48, 8);
	uint64_t group_blocks = volumes_ends_be(sb + 84, 4);
	uint64_t log_blocks = volumes_ends_be(sb + 96, 4), block;
	unsigned shift = sb[124];

	if (block_bytes < BLOCK_BYTES || block_bytes > 65536 || shift > 31 ||
		log_blocks == 0 || start >> shift > UINT32_MAX)
		return false;
	block = (start >> shift) * group_blocks +
		(start & ((UINT64_C(1) << shift) - 1));
	if (block > d->size_bytes / block_bytes ||
		log_blocks > d->size_bytes / block_bytes - block)
		return false;
	l->fd = d->fd;
	l->at = block * block_bytes;
	l->blocks = log_blocks * (block_bytes / BLOCK_BYTES);
	return true;
}

/*
 * Is the record at block n, which ends right before head, that of an unmount?
 * It holds one operation, whose flags are 9 bytes into it.
 */
static bool
is_unmount(struct xfslog *l, uint64_t n, uint64_t head,
	const unsigned char header[BLOCK_BYTES])
{
	unsigned char b[BLOCK_BYTES];
	uint64_t version = volumes_ends_be(header + 8, 4), size, headers = 1;

	size = volumes_ends_be(header + 320, 4); /* of records in this log */
	if (version & 2 && size > HEADER_BYTES)
		headers = (size + HEADER_BYTES - 1) / HEADER_BYTES;
	if (volumes_ends_be(header + 40, 4) != 1 || n + headers + 1 != head)
		return false;
	return read_block(l, n + headers, b) && (b[9] & UNMOUNT_RECORD);
}

int
volumes_xfslog_dirty(const struct volumes_ends *d, const unsigned char *sb)
{
	unsigned char b[BLOCK_BYTES];
	struct xfslog l = { 0 };
	uint64_t head, n, least;
	bool clean;

	if (!find_log(&l, d, sb))
		return -1;
	head = find_head(&l);
	least = head > RECORD_BLOCKS ? head - RECORD_BLOCKS : 0;
	for (n = head; n > least && !l.failed; n--) {
		if (!read_block(&l, n - 1, b) ||
			volumes_ends_be(b, 4) != RECORD_MAGIC)
			continue;
		clean = is_unmount(&l, n - 1, head, b);
		return l.failed ? -1 : !clean;
	}
	return -1;
}
