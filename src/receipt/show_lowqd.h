/*
 * show_lowqd: the windows of suite lowqd as seed text 2 lays them out: a row
 * each, reads at the left, writes at the right, IOPS, average and p99.9; below
 * them the key figures of depth 1.  Latencies are clat, as in that text, whose
 * classes (lowqd_class.h) are the colours.
 */
#ifndef RECEIPT_SHOW_LOWQD_H
#define RECEIPT_SHOW_LOWQD_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

/*
 * false, and nothing added, where r is of another suite or the screen is too
 * narrow for it.
 */
bool show_lowqd(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
