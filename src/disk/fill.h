/*
 * fill: data that no layer below can make smaller.
 *
 * A stream of random bytes (rng) in which each block of FILL_BLOCK_BYTES
 * begins with a number that no other block of the stream has, so that no two
 * are equal: not by chance, and not if the generator were weak.  New in each
 * run by its seed, so that what an earlier run left in a pool does not help.
 */
#ifndef DISK_FILL_H
#define DISK_FILL_H

#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

#define FILL_BLOCK_BYTES 4096

struct fill {
	struct rng rng;
	uint64_t mask;
	uint64_t next; /* number of the next block */
};

void fill_init(struct fill *f, uint64_t seed);

/* The next len bytes; a rest of less than a block counts as one. */
void fill_next(struct fill *f, void *out, size_t len);

#endif
