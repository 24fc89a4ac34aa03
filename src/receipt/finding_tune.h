/*
 * finding_tune: settings of this machine that could be other ones.  Part of
 * finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_TUNE_H
#define RECEIPT_FINDING_TUNE_H

#include "receipt/finding_case.h"

void finding_tune_scheduler(struct finding_case *c);
void finding_tune_discard(struct finding_case *c);
void finding_tune_atime(struct finding_case *c);

#endif
