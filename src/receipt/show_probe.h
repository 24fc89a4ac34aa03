/*
 * show_probe: the neighbour probe in two lines: what the samples' p99 was and
 * how far they lie apart, and what the hypervisor took meanwhile.
 */
#ifndef RECEIPT_SHOW_PROBE_H
#define RECEIPT_SHOW_PROBE_H

#include "base/buf.h"
#include "base/text.h"
#include "receipt/receipt.h"

/* Nothing where there is no probe. */
void show_probe(const struct receipt *r, const struct text_style *style,
	struct buf *out);

#endif
