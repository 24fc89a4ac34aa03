#include "disk/sequence.h"

#include <stdlib.h>
#include <string.h>

/* ---- taus88, by L'Ecuyer, as fio seeds it ------------------------------- */

/* fio writes (2^31) + (2^17) + (2^7), where C's ^ is exclusive or. */
#define TAUS_START  UINT32_C(53)
#define TAUS_FACTOR UINT32_C(69069)
#define TAUS_CRANKS 6

static inline uint32_t
taus_next(struct sequence_taus *t)
{
	t->s1 = ((t->s1 & ~UINT32_C(1)) << 12) ^
		(((t->s1 << 13) ^ t->s1) >> 19);
	t->s2 = ((t->s2 & ~UINT32_C(7)) << 4) ^ (((t->s2 << 2) ^ t->s2) >> 25);
	t->s3 = ((t->s3 & ~UINT32_C(15)) << 17) ^
		(((t->s3 << 3) ^ t->s3) >> 11);
	return t->s1 ^ t->s2 ^ t->s3;
}

/* The generator wants each part above a bound. */
static uint32_t
above(uint32_t x, uint32_t bound)
{
	return x < bound ? x + bound : x;
}

static void
taus_seed(struct sequence_taus *t, uint32_t seed)
{
	int i;

	t->s1 = above((TAUS_START * TAUS_FACTOR) ^ seed, 1);
	t->s2 = above((t->s1 * TAUS_FACTOR) ^ seed, 7);
	t->s3 = above((t->s2 * TAUS_FACTOR) ^ seed, 15);
	for (i = 0; i < TAUS_CRANKS; i++)
		(void)taus_next(t);
}

/* ---- fio's seeds --------------------------------------------------------- */

#define SEED_DEFAULT UINT64_C(0x89)
#define SEED_FACTOR  UINT64_C(0x9e370001)
#define SEED_OLD     UINT64_C(0xb1899bed)
#define SEED_SKIPPED 4 /* multiplications before the first */

/* Places in fio's list of seeds. */
enum { SEED_MIX = 4, SEED_OFFSET = 6 };

static uint64_t
seed_at(uint64_t seed, uint64_t thread_number, unsigned place)
{
	unsigned i;

	for (i = 0; i < SEED_SKIPPED + place; i++)
		seed *= SEED_FACTOR;
	return seed * thread_number + place;
}

/* Steele, Lea, Flood: one step of splitmix64, to part seeds from a number. */
static uint64_t
splitmix(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

struct seeds {
	uint32_t mix, offset;
};

static struct seeds
find_seeds(const struct job *j, const struct sequence_origin *from)
{
	uint64_t number = (uint64_t)from->thread + 1;
	uint64_t old = SEED_OLD * number;
	uint64_t base = j->randseed ? j->randseed : SEED_DEFAULT;
	/* up to 3.34 the first job is seeded before randseed says no repeat */
	bool repeat = j->randrepeat && (!j->randseed || !from->thread);
	struct seeds s;

	if (!j->randrepeat && !j->randseed) {
		s.mix = (uint32_t)splitmix(from->entropy + 2 * number);
		s.offset = (uint32_t)splitmix(from->entropy + 2 * number + 1);
		return s;
	}
	s.mix = (uint32_t)seed_at(base, number, SEED_MIX);
	s.offset = (uint32_t)seed_at(base, number, SEED_OFFSET);
	if (from->generation == PLAN_FIO_335)
		return s;
	if (j->allrandrepeat) {
		s.mix = (uint32_t)(old + SEED_MIX);
		s.offset = (uint32_t)(old + SEED_OFFSET);
	}
	if (repeat)
		s.offset = (uint32_t)old;
	return s;
}

/* ---- the random map ------------------------------------------------------ */

#define WORD_SHIFT 6
#define WORD_MASK  63
#define FULL	   (~UINT64_C(0))

static void
map_reset(struct sequence_map *m)
{
	uint64_t rest;
	int i;

	memset(m->words, 0, m->total_words * sizeof(m->words[0]));
	/* bits beyond the last are taken, so that a full word says "full" */
	for (i = 0; i < m->levels; i++) {
		rest = m->bits[i] & WORD_MASK;
		if (rest)
			m->level[i][m->level_words[i] - 1] = FULL << rest;
	}
	m->used = 0;
}

static int
map_make(struct sequence_map *m, uint64_t bits, struct err *e)
{
	uint64_t *at;
	int i;

	do {
		m->bits[m->levels] = bits;
		bits = (bits + WORD_MASK) >> WORD_SHIFT;
		m->level_words[m->levels++] = bits;
		m->total_words += bits;
	} while (bits > 1);
	m->words = malloc(m->total_words * sizeof(m->words[0]));
	if (!m->words)
		return err_set(e, ERR_REFUSED, 0,
			"no memory for a random map of %llu bytes",
			(unsigned long long)(m->total_words *
					     sizeof(m->words[0])));
	for (i = 0, at = m->words; i < m->levels; i++) {
		m->level[i] = at;
		at += m->level_words[i];
	}
	map_reset(m);
	return 0;
}

/*
 * The first free bit from `bit` on, round the end; one there is.  Mostly the
 * first word has it, so that whether `bit` itself is taken costs no branch.
 */
static uint64_t
map_free_from(const struct sequence_map *m, uint64_t bit)
{
	uint64_t at = bit, open = 0;
	int i;

	/* up, until a word has a place at or behind ours */
	for (i = 0; i < m->levels && at < m->bits[i]; i++) {
		open = ~m->level[i][at >> WORD_SHIFT] &
		       (FULL << (at & WORD_MASK));
		if (open)
			break;
		at = (at >> WORD_SHIFT) + 1;
	}
	if (!open) {
		i = m->levels - 1;
		at = 0;
		open = ~m->level[i][0];
	}
	/* and down, each time to the first */
	for (;;) {
		at = (at & ~(uint64_t)WORD_MASK) +
		     (uint64_t)__builtin_ctzll(open);
		if (i-- == 0)
			return at;
		open = ~m->level[i][at];
		at <<= WORD_SHIFT;
	}
}

static void
map_take(struct sequence_map *m, uint64_t bit)
{
	uint64_t *word;
	int i;

	m->used++;
	for (i = 0; i < m->levels; i++) {
		word = &m->level[i][bit >> WORD_SHIFT];
		*word |= UINT64_C(1) << (bit & WORD_MASK);
		if (*word != FULL)
			return;
		bit >>= WORD_SHIFT;
	}
}

/* ---- the sequence -------------------------------------------------------- */

/*
 * Which region a thread has: fio makes the jobs behind the first from the last
 * to the second, so that thread 1 has the last region.
 */
static uint64_t
start_of(const struct job *j, uint32_t thread)
{
	uint64_t region = thread ? j->numjobs - thread : 0;

	return region * j->offset_increment_bytes;
}

static uint64_t
draw_block(struct sequence *s)
{
	/* a product of doubles, rounded as fio's is */
	return (uint64_t)(s->scale * taus_next(&s->offset_state));
}

int
sequence_init(struct sequence *s, const struct job *j,
	const struct sequence_origin *from, struct err *e)
{
	struct seeds seeds = find_seeds(j, from);
	uint64_t start = start_of(j, from->thread), room;

	*s = (struct sequence){
		.start_bytes = start,
		.bs_bytes = j->bs_bytes,
		.blocks = j->size_bytes / j->bs_bytes,
		.rwmixread_pct = j->rwmixread_pct,
		.mix_seed = seeds.mix,
		.write = !job_reads(j),
		.mixed = job_reads(j) && job_writes(j),
		.random = job_random(j),
		.repeat = j->randrepeat && !j->randseed,
	};
	if (!s->blocks || s->blocks > UINT32_MAX)
		return err_set(e, ERR_USAGE, 0,
			"%s: %llu blocks: from 1 to 2^32 - 1", j->name,
			(unsigned long long)s->blocks);
	s->scale = (double)s->blocks / 4294967296.0;
	taus_seed(&s->offset_state, seeds.offset);
	taus_seed(&s->mix_state, seeds.mix);
	room = job_span_bytes(j) - start;
	s->pass = s->blocks;
	if (j->size_bytes % j->bs_bytes) {
		s->tail = (s->blocks + 1) * j->bs_bytes > room;
		s->pass += !s->tail;
	}
	if (!s->random || j->norandommap)
		return 0;
	s->ahead = draw_block(s);
	return map_make(&s->map, s->blocks, e);
}

void
sequence_free(struct sequence *s)
{
	free(s->map.words);
	s->map.words = NULL;
}

/* Half of the draws change direction: no branch, which would be missed. */
static void
draw_direction(struct sequence *s)
{
	uint64_t hundred = (uint64_t)taus_next(&s->mix_state) * 100;
	bool write = 1 + (hundred >> 32) > s->rwmixread_pct;
	uint64_t other_pct =
		s->write ? s->rwmixread_pct : 100 - s->rwmixread_pct;
	uint64_t share = s->issued[s->write] * other_pct / 100;

	s->share = write != s->write ? share : s->share;
	s->write = write;
}

/*
 * One number is drawn ahead, so that the map's word for it is on its way from
 * memory while the I/O before it runs: that of a large file is in no cache.
 */
static uint64_t
draw_ahead(struct sequence *s)
{
	uint64_t block = s->ahead;

	s->ahead = draw_block(s);
	__builtin_prefetch(&s->map.level[0][s->ahead >> WORD_SHIFT], 1);
	return block;
}

static uint64_t
next_random(struct sequence *s)
{
	uint64_t block;

	if (!s->map.words)
		return draw_block(s);
	block = draw_ahead(s);
	if (s->map.used == s->blocks) {
		map_reset(&s->map);
		block = draw_ahead(s);
	}
	block = map_free_from(&s->map, block);
	map_take(&s->map, block);
	return block;
}

/* The next of its direction; pass where the end of the file is met. */
static uint64_t
next_sequential(struct sequence *s)
{
	uint64_t *next = &s->next[s->write];

	if (*next == s->pass && !s->tail)
		*next = 0;
	return *next < s->pass ? (*next)++ : s->pass;
}

static void
start_again(struct sequence *s)
{
	s->next[0] = s->next[1] = 0;
	s->share = 0;
	if (s->repeat)
		taus_seed(&s->mix_state, s->mix_seed);
}

void
sequence_next(struct sequence *s, uint64_t *offset_bytes, bool *write)
{
	uint64_t block;

	for (;;) {
		if (s->mixed && s->issued[s->write] >= s->share)
			draw_direction(s);
		block = s->random ? next_random(s) : next_sequential(s);
		if (s->random || block < s->pass)
			break;
		start_again(s);
	}
	s->issued[s->write]++;
	*write = s->write;
	*offset_bytes = s->start_bytes + block * s->bs_bytes;
}
