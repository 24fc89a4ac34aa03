/*
 * finding_around: rules about what else went on while it was measured.  Part
 * of finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_AROUND_H
#define RECEIPT_FINDING_AROUND_H

#include "receipt/finding_case.h"

/*
 * CPU time that the threads of w used themselves, in per cent of the cores
 * that they could have; NAN: not told.
 */
double finding_around_own_pct(
	const struct finding_case *c, const struct finding_window *w);
/* Time that each was ready to run and had no CPU. */
double finding_around_wait_pct(const struct finding_window *w);

void finding_around_steal(struct finding_case *c);
void finding_around_cpu(struct finding_case *c);
void finding_around_others(struct finding_case *c);
void finding_around_limits(struct finding_case *c);
void finding_around_slow_clock(struct finding_case *c);
void finding_around_clock_doubtful(struct finding_case *c);

#endif
