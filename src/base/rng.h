/*
 * rng: numbers that need to be new, not secret (data of the target, the
 * receipt's id).  xoshiro256** seeded by getrandom; keys never come from
 * here.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct rng {
	uint64_t s[4];
};

/* From getrandom(2); waits for the kernel's pool at most 60 s. */
int rng_init(struct rng *r, struct err *e);
/* From a number, for tests. */
void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
/* Fill len bytes (any alignment), about 1 ns for 8 bytes. */
void rng_fill(struct rng *r, void *out, size_t len);
/* A UUID version 4 in lower case, 36 bytes and the NUL. */
void rng_uuid4(struct rng *r, char out[37]);

#endif
