/*
 * shape_walk: what an object of a shape says, as pairs of path and text.
 */
#ifndef BASE_SHAPE_WALK_H
#define BASE_SHAPE_WALK_H

#include "base/shape.h"

#define SHAPE_WALK_VALUE 768 /* longer texts are cut, with the NUL */

/*
 * Call each for every scalar of object that is there, in the order of the
 * tables: path "stack[1].scheduler", value as it would stand in the JSON (a
 * text without its quotes, a withheld count as "withheld"); lists of numbers
 * and texts are one value, blanks between.  Both are valid for the call.
 */
struct shape_walk {
	void (*each)(const char *path, const char *value, void *arg);
	void *arg;
};

void shape_walk(
	const struct shape *s, const void *object, const struct shape_walk *w);

#endif
