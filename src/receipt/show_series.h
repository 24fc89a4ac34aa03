/*
 * show_series: operations a second over the time of each window, one line of
 * bars a window, each scaled from 0 to the window's own best second, with the
 * slowest and the fastest as figures.  A last interval that is shorter than
 * the others is left out; so is a window with fewer than two.
 */
#ifndef RECEIPT_SHOW_SERIES_H
#define RECEIPT_SHOW_SERIES_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

/* With a head line; nothing where no window has a series to show. */
void show_series(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
