/*
 * assemble_probe: the neighbour probe, from what was measured to the receipt.
 *
 * Figures over all samples are there only if all samples are: over fewer they
 * would be other figures under the same name.
 */
#ifndef RECEIPT_ASSEMBLE_PROBE_H
#define RECEIPT_ASSEMBLE_PROBE_H

#include <stdint.h>

#include "base/arena.h"
#include "disk/plan.h"
#include "disk/record.h"
#include "receipt/receipt.h"

/* An empty probe, room for all samples of the plan; NULL = out of memory. */
struct receipt_probe *assemble_probe_begin(
	const struct plan *p, struct arena *a);

/* Add window w of the plan, a sample, which is `from` in full. */
void assemble_probe_sample(struct receipt_probe *out, const struct record *r,
	uint32_t w, const struct receipt_window *from);

/* Steal, and the figures over all samples.  -1 = out of memory. */
int assemble_probe_end(struct receipt_probe *out, const struct plan *p,
	const struct record_probe *r, struct arena *a);

#endif
