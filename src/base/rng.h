/*
 * rng: numbers that need to be new, not secret (data of the target, the
 * receipt's id).  xoshiro256** (Blackman and Vigna, 2018) seeded by
 * getrandom; keys never come from here.  A struct rng belongs to one thread.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct rng {
	uint64_t s[4];
};

/*
 * Bytes fit for keys, from getrandom(2); waits for the kernel's pool at most
 * 60 s (signals do not end that).  There is no other source, and nothing
 * weaker: -1 (ERR_INCOMPLETE) without it.
 */
int rng_system(void *out, size_t len, struct err *e);
/*
 * From getrandom(2); waits for the kernel's pool at most 60 s (signals do not
 * end that).  There is no other source: -1 (ERR_INCOMPLETE) without it.
 */
int rng_init(struct rng *r, struct err *e);
/* From a number, for tests and for data that must be the same again. */
void rng_seed(struct rng *r, uint64_t seed);
uint64_t rng_next(struct rng *r);
/*
 * Fill len bytes (any alignment), about 1 ns for 8 bytes: the bytes of
 * successive rng_next, lowest first; what is left of the last is dropped.
 */
void rng_fill(struct rng *r, void *out, size_t len);
/* A UUID version 4 in lower case, 36 bytes and the NUL. */
void rng_uuid4(struct rng *r, char out[37]);

#endif
