/*
 * sequence: which block comes next, and whether it is read or written,
 * exactly as fio draws it.
 *
 * Sources of the rules: fio's lib/rand.c (taus88), io_u.c (get_next_rand_block,
 * get_rand_ddir), lib/axmap.c (next free block), init.c (seeds), of tags
 * fio-3.33 to fio-3.39; facts only.  Without norandommap every block comes
 * once a pass; when the map is full one drawn number is thrown away and the
 * map starts anew.  Limits: at most 2^32 blocks.
 */
#ifndef DISK_SEQUENCE_H
#define DISK_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/job.h"
#include "disk/plan.h"

struct sequence_taus {
	uint32_t s1, s2, s3;
};

struct sequence {
	uint64_t start_bytes; /* of this thread's region */
	uint64_t bs_bytes;
	uint64_t blocks;  /* in the region */
	uint64_t next[2]; /* sequential: next block, read and write */
	struct sequence_taus offset_state, mix_state;
	uint64_t *map; /* levels of the random map, NULL without one */
	uint64_t map_words;
	uint64_t map_used;
	uint32_t rwmixread_pct;
	enum job_rw rw;
	bool random, map_on;
};

/*
 * For thread `thread` (0-based) of the job.  Allocates and touches the map
 * (blocks / 8 bytes and a little more).  entropy replaces fio's seeds where
 * randrepeat=0 and no randseed is given.
 */
int sequence_init(struct sequence *s, const struct job *j, uint32_t thread,
	enum plan_sequence generation, uint64_t entropy, struct err *e);
void sequence_free(struct sequence *s);

/* The next I/O.  Never fails, never allocates; wraps for ever. */
void sequence_next(struct sequence *s, uint64_t *offset_bytes, bool *write);

#endif
