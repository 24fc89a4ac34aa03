/*
 * finding_throttle: rules over distributions that say something holds I/Os
 * back.  Part of finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_THROTTLE_H
#define RECEIPT_FINDING_THROTTLE_H

#include "receipt/finding_case.h"

void finding_throttle_rate_limited(struct finding_case *c);
void finding_throttle_slices(struct finding_case *c);
void finding_throttle_stall(struct finding_case *c);
void finding_throttle_jitter(struct finding_case *c);

#endif
