/*
 * finding_neighbour: reads one at a time that differ from run to run or from
 * second to second while nothing on this machine explains it.  Part of
 * finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_NEIGHBOUR_H
#define RECEIPT_FINDING_NEIGHBOUR_H

#include "receipt/finding_case.h"

void finding_neighbour(struct finding_case *c);

#endif
