/*
 * compare_judge: figures out of samples, and what is to be said of them.
 */
#ifndef RECEIPT_COMPARE_JUDGE_H
#define RECEIPT_COMPARE_JUDGE_H

#include "receipt/compare.h"

/* Each cell's figure, range and own noise. */
void compare_judge_figures(struct compare *c);

/* Groups by that metric, the best first; those without it last. */
void compare_judge_sort(struct compare *c, size_t metric);

/* Groups by their names. */
void compare_judge_order(struct compare *c);

/* Each cell against the first group's. */
void compare_judge_changes(struct compare *c);

#endif
