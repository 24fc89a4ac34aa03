/*
 * finding_queue: rules about how the I/O was issued and what carries the
 * figures.  Part of finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_QUEUE_H
#define RECEIPT_FINDING_QUEUE_H

#include "receipt/finding_case.h"

void finding_queue_submit_blocks(struct finding_case *c);
void finding_queue_not_full(struct finding_case *c);
void finding_queue_wake_cost(struct finding_case *c);
void finding_queue_few_samples(struct finding_case *c);

#endif
