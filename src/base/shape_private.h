/*
 * shape_private: what the halves of shape (write, read, schema) share.
 * Nobody else includes it.
 */
#ifndef BASE_SHAPE_PRIVATE_H
#define BASE_SHAPE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/shape.h"

/* Longest key of FIGURES, bytes. */
#define SHAPE_KEY_MAX 64

/* Where in the document we are: "windows[3].read.ios". */
struct shape_path {
	char text[160]; /* cut where it would not fit */
	size_t len;
};

/* Go down; each returns what shape_path_back wants to come up again. */
size_t shape_path_key(struct shape_path *p, const char *key);
size_t shape_path_index(struct shape_path *p, size_t index);
void shape_path_back(struct shape_path *p, size_t len);

/* The limit of a row, its default filled in. */
size_t shape_limit(const struct shape_field *f);

/* NULL where s[0..len) may be the text of f, else what is wrong with it. */
const char *shape_text_fault(
	const struct shape_field *f, const char *s, size_t len);

#endif
