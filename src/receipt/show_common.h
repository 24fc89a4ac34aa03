/*
 * show_common: figures, names and lines as all renderings for readers write
 * them.
 *
 * A figure that is not there is "" (absent) or "-" (withheld: fewer than one
 * sample lies beyond it), never 0; one that fewer than ten samples lie beyond
 * has a "~" in front (hist_trust).
 */
#ifndef RECEIPT_SHOW_COMMON_H
#define RECEIPT_SHOW_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

enum {
	SHOW_COMMON_FIGURE = 32, /* holds any figure */
	SHOW_COMMON_LABEL = 11	 /* columns of the words at the left */
};

/*
 * Complete, and nothing in the receipt itself says otherwise: no reasons, no
 * failed check of a window, the lab gone.  *why (may be NULL) is what
 * contradicts a receipt that claims to be complete, else NULL.
 */
bool show_common_complete(const struct receipt *r, const char **why);

/* Is there a text?  Absent ones are NULL or "" (shape.h). */
bool show_common_told(const char *s);

/* Is the check one that ends a run?  ("reached-device" of prepare does not.) */
bool show_common_binding(const struct receipt_check *c);

/* "1,562" from 100 on, "73.5" below, "0.250" below 1; NAN is "". */
char *show_common_rate(double per_second, char *out, size_t size);
/* MiB/s of B/s: "205.66", from 1000 on "1,234"; NAN is "". */
char *show_common_mibs(double bytes_per_second, char *out, size_t size);
/* Milliseconds with 3 decimals; "<0.001" for less; "" and "-" as above. */
char *show_common_ms(uint64_t ns, char *out, size_t size);
/* The same of a percentile of l (NULL: ""), with its "~". */
char *show_common_percentile(const struct receipt_latency *l, double per_cent,
	char *out, size_t size);

/* The value of that percentile: a number, SHAPE_WITHHELD or SHAPE_ABSENT. */
uint64_t show_common_value(const struct receipt_latency *l, double per_cent);

/* The job that w is of; NULL where the receipt does not have it. */
const struct receipt_job *show_common_job(
	const struct receipt *r, const struct receipt_window *w);

/* Does its name not say all: are there, or were to be, several runs? */
bool show_common_has_runs(
	const struct receipt *r, const struct receipt_window *w);

/*
 * Append the name of w, behind it " #2" where there are several runs.  A name
 * is one word (blanks in it become '_'): it stands at the left edge and must
 * not look like a line of ours.
 */
void show_common_word(struct buf *b, const char *name, bool utf8);
void show_common_name(struct buf *b, const struct receipt *r,
	const struct receipt_window *w, bool utf8);

/*
 * "label      text", wrapped, the label in color.  label is ours: ASCII,
 * shorter than SHOW_COMMON_LABEL, "" for none; text is cleaned.  An empty or
 * NULL text gives nothing.
 */
struct show_common_label {
	const char *word;
	enum text_color color;
};
void show_common_line(struct buf *b, const struct show_common_label *label,
	const char *text, const struct text_style *style);

/* IOPS of reads and writes together; NAN where there are none. */
double show_common_iops(const struct receipt_window *w);

#endif
