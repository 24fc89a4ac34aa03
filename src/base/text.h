/*
 * text: what reaches a terminal.
 *
 * Everything from outside (receipts, /sys) is cleaned before it is shown:
 * invalid UTF-8 and control characters become '?'.  Tables are laid out
 * here: columns with widths that fit `width`, cut with "..." never wrapped.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* How the reader's screen is: filled by the app from environment, options. */
struct text_style {
	int width;  /* columns, at least 40 */
	bool color; /* escape sequences allowed */
	bool utf8;  /* else ASCII only */
};

/* Is s[0..len) valid UTF-8 (RFC 3629: no surrogates, no overlong)? */
bool text_is_utf8(const char *s, size_t len);
/* Columns of s on a terminal: code points, wide ones count 2, marks 0. */
size_t text_columns(const char *s);
/* Append s, controls and invalid bytes as '?', non-ASCII as '?' if !utf8. */
void text_clean(struct buf *b, const char *s, bool utf8);
/* The same, cut to `columns` ("..." at the cut) or padded; right = align. */
void text_cell(
	struct buf *b, const char *s, int columns, bool right, bool utf8);
/*
 * A paragraph wrapped at style->width: first line behind `first`, others
 * behind as many blanks.  Words longer than a line are cut at its end.
 */
void text_wrap(struct buf *b, const char *first, const char *s,
	const struct text_style *style);

/* One column of a table. */
struct text_column {
	const char *head;
	int width;  /* columns */
	bool right; /* align right */
};
/* Head line and rule; then rows by text_row with n cells. */
void text_head(struct buf *b, const struct text_column *cols, size_t n,
	const struct text_style *style);
void text_row(struct buf *b, const struct text_column *cols, size_t n,
	const char *const *cells, const struct text_style *style);

enum text_color {
	TEXT_PLAIN,
	TEXT_BOLD,
	TEXT_DIM,
	TEXT_RED,
	TEXT_GREEN,
	TEXT_YELLOW
};
/* s wrapped in the escape for color, or bare where style has no color. */
void text_colored(struct buf *b, enum text_color color, const char *s,
	const struct text_style *style);

/*
 * A sparkline of n values (one a column; averaged down to at most `columns`
 * where n is more), eight heights, or " .:-=+*#" in ASCII; scaled 0..max.
 */
void text_spark(
	struct buf *b, const uint64_t *v, size_t n, int columns, bool utf8);

#endif
