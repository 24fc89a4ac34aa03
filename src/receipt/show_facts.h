/*
 * show_facts: the upper part of the table: what this receipt is and whether it
 * is complete, the machine, the storage stack, the target.  What the machine
 * did not tell is not mentioned.
 */
#ifndef RECEIPT_SHOW_FACTS_H
#define RECEIPT_SHOW_FACTS_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"
#include "receipt/show_flow.h"

void show_facts(const struct receipt *r, const struct text_style *style,
	struct buf *out);

/* The lines "machine"; "storage" and "limits" alone. */
void show_facts_machine(const struct receipt *r, struct show_flow *f);
void show_facts_target(const struct receipt_target *t, struct show_flow *f);

#endif
