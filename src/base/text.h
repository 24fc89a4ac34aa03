/*
 * text: what reaches a terminal.
 *
 * Everything from outside (receipts, /sys) is cleaned before it is shown:
 * invalid UTF-8 and control characters (base/utf8.h says which) become '?'.
 * Cells of a table are cut with "...", never wrapped.
 *
 * Widths come from a table of ranges: accents and other marks of the larger
 * scripts take no column, East Asian wide blocks and emoji two, all else
 * one.  Marks of rarer scripts, single wide signs among narrow ones (U+231A,
 * U+26A1) and emoji that join to one picture are counted too wide or narrow
 * (1.4 % of Unicode's characters): columns behind them are then off.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define TEXT_WIDTH_MIN 40

/* How the reader's screen is: filled by the app from environment, options. */
struct text_style {
	int width;  /* columns, at least TEXT_WIDTH_MIN */
	bool color; /* escape sequences allowed */
	bool utf8;  /* else ASCII only */
};

/* Is s[0..len) valid UTF-8 (RFC 3629: no surrogates, no overlong)? */
bool text_is_utf8(const char *s, size_t len);
/* Columns of s on a terminal: code points, wide ones count 2, marks 0. */
size_t text_columns(const char *s);
/*
 * Append s on one line: controls (\n and \t too) and invalid bytes as '?',
 * if !utf8 also what is not ASCII, marks without a column left out.
 */
void text_clean(struct buf *b, const char *s, bool utf8);
/*
 * The same in exactly `columns`: cut ("..." at the cut, where there are more
 * than 3) or padded; right = align.
 */
void text_cell(
	struct buf *b, const char *s, int columns, bool right, bool utf8);
/*
 * A paragraph wrapped at style->width and ended by \n: first line behind
 * `first` (which brings its own blank), others behind as many blanks (4 where
 * `first` takes more than half of the width).  A \n in s begins a line; other
 * white space is not kept.  A word longer than a line goes on in the next.
 */
void text_wrap(struct buf *b, const char *first, const char *s,
	const struct text_style *style);

enum text_color {
	TEXT_PLAIN,
	TEXT_BOLD,
	TEXT_DIM,
	TEXT_RED,
	TEXT_GREEN,
	TEXT_YELLOW
};
/*
 * s wrapped in the escape for color, or bare where style has no color.  s is
 * not cleaned (it may hold cells): what is from outside went through
 * text_clean or text_cell before.
 */
void text_colored(struct buf *b, enum text_color color, const char *s,
	const struct text_style *style);

/*
 * A sparkline of n values (one a column; averaged down to at most `columns`
 * where n is more), eight heights, or " .:-=+*#" in ASCII; scaled from 0 to
 * the largest that is drawn, rounded.
 */
void text_spark(
	struct buf *b, const uint64_t *v, size_t n, int columns, bool utf8);

#endif
