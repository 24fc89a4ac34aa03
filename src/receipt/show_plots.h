/*
 * show_plots: plots as text, for terminals: of each window the latency over
 * percentiles (by nines, logarithmic), and the operations of each second with
 * the worst latency in it.  At most style->width columns; ASCII where the reader
 * has no UTF-8.
 */
#ifndef RECEIPT_SHOW_PLOTS_H
#define RECEIPT_SHOW_PLOTS_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

/* Nothing for a receipt without windows. */
void show_plots(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
