/*
 * html_plot: plots as SVG, in the page itself.
 */
#ifndef RECEIPT_HTML_PLOT_H
#define RECEIPT_HTML_PLOT_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "receipt/receipt.h"

#define HTML_PLOT_LINES 16 /* of one plot; what is more is told */

/* One distribution; name is text of a receipt. */
struct html_plot_line {
	const char *name;
	const struct receipt_latency *latency;
};

/*
 * Latency (logarithmic) over percentiles (nines), up to HTML_PLOT_LINES lines,
 * with a key.  Nothing where no line has buckets.
 */
void html_plot_latency(
	struct buf *b, const struct html_plot_line *lines, size_t n);

/*
 * Operations a second of a window over its time, and dashed the worst latency
 * of each second (logarithmic).  Nothing for fewer than two intervals.
 */
void html_plot_series(
	struct buf *b, const char *name, const struct receipt_window *w);

#endif
