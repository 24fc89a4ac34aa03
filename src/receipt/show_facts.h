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

void show_facts(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
