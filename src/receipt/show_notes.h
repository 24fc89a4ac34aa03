/*
 * show_notes: what the figures of several windows say together, in sentences
 * that carry the figures and no judgement: the spread of repeated runs, what
 * more depth did, where fio's usual latency is far from what an application
 * waits, and what others did meanwhile.
 */
#ifndef RECEIPT_SHOW_NOTES_H
#define RECEIPT_SHOW_NOTES_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

void show_notes(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
