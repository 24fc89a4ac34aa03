/*
 * show_diag: a line of the table: what sleeping and waking cost at depth 1,
 * and how often somebody else had the CPU (the receipt's diagnostics).
 */
#ifndef RECEIPT_SHOW_DIAG_H
#define RECEIPT_SHOW_DIAG_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

void show_diag(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
