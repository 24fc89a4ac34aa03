/*
 * assemble_window: the figures of one measured window, and those over several.
 * Part of assemble; nobody else includes it.
 */
#ifndef RECEIPT_ASSEMBLE_WINDOW_H
#define RECEIPT_ASSEMBLE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "disk/plan.h"
#include "disk/record.h"
#include "host/pressure.h"
#include "receipt/receipt.h"

/* One window as it was planned and measured (RECORD_MEASURED). */
struct assemble_window {
	const struct job *job;
	const struct plan_window *plan;
	const struct record_window *measured;
	const struct pressure_delta *delta; /* NULL = not sampled */
	uint64_t ticker_ns;
	bool coarse; /* one of many: lat in coarse buckets */
};

/* All figures but the checks; memory from a.  -1 = out of memory. */
int assemble_window(const struct assemble_window *in,
	struct receipt_window *out, struct arena *a);

/*
 * The figures over all runs of the plan's first job of random reads at depth
 * 1 that has several; *out stays NULL where the plan has no such job or a run
 * of it was not measured.  -1 = out of memory.
 */
int assemble_window_summary(const struct plan *p, const struct record *r,
	struct receipt_summary **out, struct arena *a);

#endif
