/*
 * assemble_diag: what the probes beside the windows found (disk/diag.h).
 * Part of assemble; nobody else includes it.
 */
#ifndef RECEIPT_ASSEMBLE_DIAG_H
#define RECEIPT_ASSEMBLE_DIAG_H

#include "base/arena.h"
#include "disk/plan.h"
#include "disk/record.h"
#include "receipt/receipt.h"

/*
 * *out stays NULL where no probe left a figure.  Memory from a; -1 = out of
 * memory.
 */
int assemble_diag(const struct plan *p, const struct record *r,
	struct receipt_diagnostics **out, struct arena *a);

#endif
