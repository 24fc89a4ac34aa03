/*
 * unpack: the program as it ships, and how it becomes the program that runs.
 *
 * What ships is a small static program (unpack.c) with the real one inside,
 * compressed (LZ4, block format).  It maps the real one's segments at their
 * addresses, unpacks each, looks at its checksum (XXH32), gives it its rights and
 * jumps to its start as the kernel would have done.  Nothing is written to a
 * disk, no other program is started, and /proc/self/exe is the file that ships.
 *
 * scripts/pack.c makes the packed part: the head below, then the compressed
 * segments, numbers in the machine's own order.
 */
#ifndef UNPACK_UNPACK_H
#define UNPACK_UNPACK_H

#include <stdint.h>

#define UNPACK_MAGIC	   0x4b50524f /* "ORPK" */
#define UNPACK_SEGMENTS	   8
#define UNPACK_PAGE_BYTES  4096
#define UNPACK_SEGMENT_MAX (64 << 20)

struct unpack_segment {
	uint64_t address;
	uint32_t size;	 /* in memory; what is beyond `bytes` is zero */
	uint32_t bytes;	 /* of content */
	uint32_t packed; /* length of that, compressed; 0 = there is none */
	uint32_t offset; /* from the head's first byte */
	uint32_t sum;	 /* XXH32 of the content, seed 0 */
	uint32_t flags;	 /* PF_R PF_W PF_X of <elf.h> */
};

struct unpack_head {
	uint32_t magic, count;
	uint64_t entry;
	uint64_t headers; /* address of the program headers, for auxv */
	uint32_t header_count, unused;
	struct unpack_segment segments[UNPACK_SEGMENTS];
};

#endif
