/*
 * compare_advice: advice that one side was given and the other was not, and
 * the figures that it is about: somebody changed something between two runs,
 * did it help?
 */
#ifndef RECEIPT_COMPARE_ADVICE_H
#define RECEIPT_COMPARE_ADVICE_H

#include <stddef.h>

#include "receipt/compare.h"

/* A row of the table: a finding that names a command, what it should move. */
struct compare_advice {
	const char *code;    /* of the finding */
	const char *figures; /* glob over the names of metrics */
};

/* The table, ended by code NULL. */
extern const struct compare_advice compare_advice_table[];

/*
 * Is the advice in the facts of only one of the first two groups?  0 or 1 =
 * that group; -1 = in none, in both, or one is a median, which has no findings.
 */
int compare_advice_of(const struct compare *c, const struct compare_advice *a);

/* The metric after *at that it is about; NULL after the last. Start at 0. */
const struct compare_metric *compare_advice_metric(
	const struct compare *c, const struct compare_advice *a, size_t *at);

#endif
