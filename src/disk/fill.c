#include "disk/fill.h"

#include <string.h>

/* Odd, so that the product takes each value once in 2^64 blocks. */
#define FILL_STEP UINT64_C(0x9e3779b97f4a7c15)

void
fill_init(struct fill *f, uint64_t seed)
{
	rng_seed(&f->rng, seed);
	f->mask = rng_next(&f->rng);
	f->next = 0;
}

void
fill_next(struct fill *f, void *out, size_t len)
{
	unsigned char *at = out;
	uint64_t number;

	rng_fill(&f->rng, out, len);
	for (size_t done = 0; done < len; done += FILL_BLOCK_BYTES) {
		number = f->next++ * FILL_STEP ^ f->mask;
		if (len - done >= sizeof(number))
			memcpy(at + done, &number, sizeof(number));
	}
}
