/*
 * finding_between: rules that hold windows beside each other.  Part of
 * finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_BETWEEN_H
#define RECEIPT_FINDING_BETWEEN_H

#include "receipt/finding_case.h"

void finding_between_neighbour(struct finding_case *c);
void finding_between_first_touch(struct finding_case *c);
void finding_between_erratic(struct finding_case *c);
void finding_between_scaling(struct finding_case *c);
void finding_between_high_iops(struct finding_case *c);

#endif
