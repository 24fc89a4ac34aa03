/*
 * show_grid: the windows of a receipt, a row for each direction: IOPS, MiB/s
 * and lat (what an application waits) in ms.  Columns are as wide as their
 * figures; a name that does not fit beside them stands above its rows, and
 * where even the figures do not fit the screen, each row is a few lines of
 * "p50=0.264".
 */
#ifndef RECEIPT_SHOW_GRID_H
#define RECEIPT_SHOW_GRID_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

/* Nothing where there is no window. */
void show_grid(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
