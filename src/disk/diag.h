/*
 * diag: what the machine itself adds to an I/O, measured beside the windows.
 *
 * A thread that waits for a read goes to sleep; its CPU goes idle; in a
 * virtual machine the hypervisor takes the CPU away and has to give it back.
 * At depth 1 that can be a quarter of the latency, and no counter shows it.
 * Three probes do:
 *   gaps    reads the clock without a pause; where two readings lie more than
 *           20 us apart somebody else had the CPU.  The hypervisor's share
 *           shows here even where the kernel counts no steal.
 *   wake    sleeps of 60 us; what they take more is the way back to the CPU.
 *   polled  the plan's own job of random reads at depth 1 again, spinning on
 *           the completions instead of sleeping.  Its median beside that of
 *           the windows is what sleeping and waking cost.
 *
 * None of it belongs to the figures of a run, moves them, or writes to the
 * target.  `gaps` and `wake` run before the target is written and after the
 * last window, `polled` after the last window.
 *
 * Only for plans with a job of random reads, iodepth 1, one thread, libaio,
 * that ends by time (the first such is meant).  `polled` takes a sixth of
 * that job's runtime, at least 0.2 s and at most 2 s; `gaps` 0.15 and `wake`
 * 0.1 of that: 3 s in all beside windows of 12 s and longer, 0.3 s beside
 * those of 1.2 s and shorter.  Without a ring of completions to look at
 * (--reap=syscall) `polled` is left out.  A probe that was stopped for a while
 * (SIGSTOP) leaves no figure.
 */
#ifndef DISK_DIAG_H
#define DISK_DIAG_H

#include <stdint.h>

#include "base/err.h"
#include "disk/hist.h"
#include "disk/plan.h"

#define DIAG_GAP_NS   UINT64_C(20000) /* a longer one is a gap */
#define DIAG_SLEEP_NS UINT64_C(60000)

struct engine;
struct record;

struct diag_gaps {
	uint64_t elapsed_ns; /* 0: there is no figure */
	uint64_t count, lost_ns, longest_ns;
};

enum diag_when { DIAG_BEFORE, DIAG_AFTER, DIAG_TIMES };

/* In the record; the histograms have no counts where there is no job. */
struct diag {
	struct diag_gaps gaps[DIAG_TIMES];
	struct hist wake[DIAG_TIMES]; /* beyond DIAG_SLEEP_NS */
	struct hist polled;	      /* lat */
	uint64_t polled_elapsed_ns;
};

/* The job that the probes are about (it has a window): its index, or -1. */
int diag_job(const struct plan *p);

/* How long all probes take, 0 without a job. */
uint64_t diag_cost_ns(const struct plan *p);

/*
 * `gaps` and `wake`, in the calling process; at once over when the record
 * says stop.
 */
void diag_probe(struct record *r, const struct plan *p, enum diag_when when);

/*
 * All that comes after the last window.  -1: an I/O failed or was lost
 * (ERR_INCOMPLETE), or the record says stop.
 */
int diag_after(struct record *r, const struct plan *p, struct engine *en,
	struct err *e);

#endif
