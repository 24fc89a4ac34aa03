/*
 * compare_show: renderings of a comparison (compare.h).
 *
 * Where receipts are unlike and that was not asked for, each one has the list
 * of what differs and no figures.
 */
#ifndef RECEIPT_COMPARE_SHOW_H
#define RECEIPT_COMPARE_SHOW_H

#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"
#include "receipt/compare.h"

/* At most style->width columns; facts that differ stand above the figures. */
void compare_show_table(const struct compare *c, const struct text_style *style,
	struct buf *out);

/* One JSON object on one line and an LF, schema "ioreceipt-compare/1". */
int compare_show_json(const struct compare *c, struct buf *out, struct err *e);

/*
 * RFC 4180, a row a metric and group, header first.  Threat: a spreadsheet
 * takes a cell that begins with = + - @ for a formula; a text that does, or
 * begins with a blank, has a ' in front.
 */
void compare_show_csv(const struct compare *c, struct buf *out);

/*
 * One page (html.h): up to eight groups, what differs above their figures, and
 * the distributions of those that are one receipt each and stayed.
 */
void compare_show_html(const struct compare *c, struct buf *out);

/*
 * Names of facts in which the groups differ, in their order, one after the
 * other: start with *at = 0; NULL after the last.
 */
const char *compare_show_fact(const struct compare *c, size_t *at);

/* Groups whose own facts are looked through. */
#define COMPARE_SHOW_FACT_GROUPS 16

#endif
