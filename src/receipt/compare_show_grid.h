/*
 * compare_show_grid: the figures of a comparison, for the table: two groups
 * side by side, more of them below each other, on a narrow screen as text.
 */
#ifndef RECEIPT_COMPARE_SHOW_GRID_H
#define RECEIPT_COMPARE_SHOW_GRID_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/compare.h"

void compare_show_grid(const struct compare *c, const struct text_style *style,
	struct buf *out);

#endif
