/*
 * compare_take: the figures of one receipt into the cells of its group.
 */
#ifndef RECEIPT_COMPARE_TAKE_H
#define RECEIPT_COMPARE_TAKE_H

#include "receipt/compare.h"

/* All that are chosen.  -1: too many (ERR_INPUT), no memory. */
int compare_take(struct compare *c, struct compare_group *g,
	const struct receipt *r, struct err *e);

/* Cells for that metric and all that there are so far; -1 = no memory. */
int compare_take_widen(
	struct compare *c, struct compare_group *g, size_t metric);

#endif
