/*
 * shape_combine: one object out of several of the same shape.
 */
#ifndef BASE_SHAPE_COMBINE_H
#define BASE_SHAPE_COMBINE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/shape.h"

#define SHAPE_COMBINE_MAX 64 /* objects */

enum shape_combine_how {
	SHAPE_COMBINE_EQUAL, /* what all agree on */
	SHAPE_COMBINE_MEDIAN /* of numbers the median; of others the same */
};

struct shape_combine {
	enum shape_combine_how how;
	const void *const *objects; /* n of them */
	size_t n;
	struct arena *arena;
};

/*
 * Fill out with what objects[0..n) have in common, 1 <= n <= 64; strings are
 * borrowed from them, memory from arena.  -1 = out of memory.
 *
 * A number that one does not have is absent, one that is withheld in one is
 * withheld; a count is rounded half up.  Objects and lists (of one length in
 * all) are combined member by member; of lists of plain numbers, texts and
 * figures only equal ones stay, in medians none: a median of buckets would be
 * no distribution.
 */
int shape_combine(
	const struct shape *s, const struct shape_combine *from, void *out);

#endif
