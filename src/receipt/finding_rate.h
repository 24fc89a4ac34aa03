/*
 * finding_rate: rules over the seconds of a window.  Part of finding; nobody
 * else includes it.
 */
#ifndef RECEIPT_FINDING_RATE_H
#define RECEIPT_FINDING_RATE_H

#include "receipt/finding_case.h"

/*
 * Fill w's rates from its series, memory from a; none where it has no series.
 * -1 = out of memory.
 */
int finding_rate_fill(struct finding_window *w, struct arena *a);

/*
 * The seconds that rules look at: without the first and the last.  Returns
 * how many, 0 = too short to tell.
 */
size_t finding_rate_seconds(const struct finding_case *c,
	const struct finding_window *w, const double **out);

void finding_rate_cap(struct finding_case *c);
void finding_rate_burst(struct finding_case *c);
void finding_rate_unsteady(struct finding_case *c);

#endif
