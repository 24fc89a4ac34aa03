/*
 * sequence: which block comes next, and whether it is read or written,
 * exactly as fio draws it.
 *
 * Sources of the rules: fio's lib/rand.c (taus88), io_u.c (get_next_rand_block,
 * get_next_seq_offset, get_rw_ddir), lib/axmap.c (next free block), init.c
 * (seeds), libfio.c (restarts), of tags fio-3.33 to fio-3.39; facts only.
 *
 * What fio does, for a time based job on a file that is just as large as the
 * job's span:
 *   random      a block is drawn from taus88.  Without norandommap every block
 *               comes once a pass: a taken one is replaced by the next free
 *               one; when all are taken one drawn number is thrown away and
 *               the map starts anew.  The generator is not seeded again.
 *   sequential  each direction has a position of its own, back to 0 at the
 *               end.  A size that is no multiple of bs: an I/O that would
 *               leave the file starts everything anew, the draws of the mix
 *               too where randrepeat holds.
 *   mixed       per I/O a number from 1 to 100 is drawn; after a change of
 *               direction none is, until the new direction has had its share
 *               of what the old one had.
 *   seeds       by thread number, from 1; up to 3.34 the offsets' seed is
 *               another one than from 3.35 on.
 *   regions     of an offset_increment go to thread 0, then from the last
 *               thread to the second: thread 1 has the last region.
 *
 * Limits: at most 2^32 - 1 blocks.  fio forgets the counts of a mix when its
 * ramp ends, which depends on time; here they are kept.
 */
#ifndef DISK_SEQUENCE_H
#define DISK_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/job.h"
#include "disk/plan.h"

#define SEQUENCE_LEVELS 6 /* 64^6 > 2^32 */

struct sequence_taus {
	uint32_t s1, s2, s3;
};

/* Bitmaps above each other: a bit above is a full word below. */
struct sequence_map {
	uint64_t *words; /* of all levels, level 0 first; NULL = no map */
	uint64_t *level[SEQUENCE_LEVELS];
	uint64_t level_words[SEQUENCE_LEVELS];
	uint64_t bits[SEQUENCE_LEVELS]; /* in use; the rest is always set */
	uint64_t used, total_words;
	int levels;
};

struct sequence {
	uint64_t start_bytes; /* of this thread's region */
	uint64_t bs_bytes;
	uint64_t blocks;    /* whole ones in the region */
	uint64_t next[2];   /* sequential: next block, read and write */
	uint64_t pass;	    /* sequential: blocks before it starts again */
	uint64_t issued[2]; /* mixed: reads, writes so far */
	uint64_t share;	    /* mixed: no draw before so many of `write` */
	double scale;	    /* blocks / 2^32 */
	uint64_t ahead;	    /* with a map: the block drawn for the next I/O */
	struct sequence_taus offset_state, mix_state;
	struct sequence_map map;
	uint32_t rwmixread_pct, mix_seed;
	bool write; /* direction of the last I/O */
	bool mixed, random;
	bool tail;   /* a restart, not a wrap, ends a pass */
	bool repeat; /* a restart seeds the mix again */
};

/* Whose sequence it is. */
struct sequence_origin {
	uint32_t thread; /* 0 .. numjobs - 1 */
	enum plan_sequence generation;
	uint64_t entropy; /* for randrepeat=0 without a randseed */
};

/*
 * For one thread of the job, which has passed job_check and has a size.
 * Allocates and touches the map (blocks / 8 bytes and a little more).
 */
int sequence_init(struct sequence *s, const struct job *j,
	const struct sequence_origin *from, struct err *e);
void sequence_free(struct sequence *s); /* after a failed init, too */

/* The next I/O.  Never fails, never allocates; goes on for ever. */
void sequence_next(struct sequence *s, uint64_t *offset_bytes, bool *write);

#endif
