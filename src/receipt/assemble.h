/*
 * assemble: from what a run has in its hands to a receipt.
 *
 * Takes data only (disk's and host's), computes every figure once, and
 * judges each window by its own checks.  A window that was not measured to
 * its end gives no figures.
 */
#ifndef RECEIPT_ASSEMBLE_H
#define RECEIPT_ASSEMBLE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "disk/guard.h"
#include "disk/plan.h"
#include "disk/record.h"
#include "disk/target.h"
#include "host/host.h"
#include "host/pressure.h"
#include "receipt/receipt.h"

struct assemble_reason {
	char what[96];
	char why[512];
};

#define ASSEMBLE_REASONS_MAX 16

/* All of it borrowed; NULL where the run did not come so far. */
struct assemble {
	const struct plan *plan;
	const struct record *record;
	const struct host *host;
	const struct guard_view *view;
	const struct target *target;
	const struct pressure_delta *window_delta; /* one a window */
	const struct pressure_delta *prepare_delta;
	const struct receipt_tool *tool;
	const char *jti, *plan_digest;
	const char *sub, *note, *nonce, *aud;
	const char *dir;	    /* --dir as given: taken out of all texts */
	int64_t started_s, ended_s; /* wall clock */
	const char *clock_state;
	uint64_t clock_read_cost_ns;
	uint64_t ticker_ns;
	bool allowed_memory, took_over;
	struct assemble_reason reasons[ASSEMBLE_REASONS_MAX];
	unsigned reason_count; /* why it is not complete */
	int lab_removed;       /* 1, 0, -1 nothing was made */
	const char *left;
};

/*
 * Append a reason (dropped silently only when the table is full of others).
 * Windows that failed or never began need none: assemble_receipt adds them,
 * named "window NAME run N", and leaves out what a reason has told already.
 */
void assemble_reason(struct assemble *in, const char *what, const char *fmt,
	...) __attribute__((format(printf, 3, 4)));

/*
 * Fill out from in, memory from a.  `complete` is true only if in has no
 * reason, every planned window is measured, every check holds and the lab is
 * gone; what is missing is added to `incomplete` (windows that never began
 * are summed up in one reason).  *checks_hold = false when a window's or
 * prepare's own check failed (exit status 3).
 */
int assemble_receipt(struct assemble *in, struct receipt *out, struct arena *a,
	bool *checks_hold, struct err *e);

#endif
