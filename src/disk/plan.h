/*
 * plan: what a run is going to do: jobs, windows, sizes, and its digest text.
 *
 * Two receipts are like for like only if their plans have one canonical text.
 * It includes the method's number: raised whenever loop, ticker, data or
 * sequence change in a way that moves figures.
 */
#ifndef DISK_PLAN_H
#define DISK_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "disk/job.h"

#define PLAN_METHOD	 1
#define PLAN_JOBS_MAX	 64
#define PLAN_WINDOWS_MAX 128
#define PLAN_SUITE_MAX	 32

/* Which of fio's generations of default seeds the offsets follow. */
enum plan_sequence { PLAN_FIO_335, PLAN_FIO_334 };

/* What the command line asked for; NULL / 0 / negative = not given. */
struct plan_request {
	const char *suite;	 /* NULL: "baseline", or none if jobs given */
	const char *only;	 /* glob over window names */
	const char *const *jobs; /* fio words, one string a job */
	size_t job_count;
	const struct job *parsed; /* of a job file, instead of both */
	size_t parsed_count;
	uint64_t size_bytes; /* 0 = as declared */
	uint64_t runtime_ns; /* 0 = as declared */
	uint64_t ramp_ns;    /* UINT64_MAX = as declared */
	uint32_t runs;	     /* 0 = as declared */
	enum plan_sequence sequence;
	bool keep_cow;
};

struct plan_window {
	char name[JOB_NAME_MAX]; /* the job's name */
	uint32_t job;		 /* index */
	uint32_t run;		 /* 1 .. runs */
};

/*
 * The neighbour probe: its samples are the last windows of the plan, runs of
 * its last job.  Sample k (0 ..) ends where (k + 1) * every_ns does, counted
 * from the moment when the first one was ready: the supervisor opens their
 * gates by the clock, and watches CPU steal from there to the last one's end.
 */
struct plan_probe {
	uint32_t samples; /* 0 = the plan has no probe */
	uint64_t length_ns, every_ns;
};

struct plan {
	char suite[PLAN_SUITE_MAX]; /* "baseline", or "custom" */
	struct job jobs[PLAN_JOBS_MAX];
	uint32_t job_count;
	struct plan_window windows[PLAN_WINDOWS_MAX];
	uint32_t window_count;
	struct plan_probe probe;
	uint64_t size_bytes;  /* of the target */
	uint64_t floor_bytes; /* the suite's own floor of free space */
	enum plan_sequence sequence;
	bool keep_cow;
};

/*
 * Fill p.  ERR_USAGE: unknown suite (nearest named), bad job words, --only
 * that matches nothing, a size smaller than a block, too many windows, two
 * jobs of one name, two of a suite, jobs and a job file together.
 *
 * size_bytes is the span of each job: with an offset_increment the regions
 * scale in proportion.  A job without a size takes the largest that another
 * one has, else 512 MiB.  Jobs without a name are job1, job2 ... by place.
 * The target is the largest span, rounded up to a whole page.
 *
 * A probe has as many samples as its suite declares.  A shorter runtime_ns
 * shortens it, never to samples of less than 100 ms unless they follow each
 * other at once; ramp_ns and runs are not its own.  `only` keeps it where it
 * matches the name of its job.
 */
int plan_make(struct plan *p, const struct plan_request *r, struct err *e);

/* Jobs and windows without the probe's, which are the last. */
static inline uint32_t
plan_jobs(const struct plan *p)
{
	return p->job_count - (p->probe.samples ? 1 : 0);
}

static inline uint32_t
plan_windows(const struct plan *p)
{
	return p->window_count - p->probe.samples;
}

/* Time that window n takes: ramp and runtime; of a sample every_ns. */
uint64_t plan_window_ns(const struct plan *p, uint32_t n);

/* When sample n's (a window's) gate opens, after the probe's beginning. */
uint64_t plan_sample_at_ns(const struct plan *p, uint32_t n);

/* The canonical text; its SHA-256 is the plan's digest. */
void plan_canonical(const struct plan *p, struct buf *out);
const char *plan_sequence_word(enum plan_sequence s); /* "fio3.35" */

/* What the run needs and does, computed from the plan alone. */
struct plan_cost {
	uint64_t windows_ns;	/* ramp + runtime of all; 0-time jobs: see
	                               unbounded */
	uint64_t diag_ns;	/* the probes beside them, see diag.h */
	uint64_t prepare_bytes; /* written once */
	uint64_t buffers_bytes; /* largest window: numjobs x iodepth x bs */
	uint32_t slots;		/* largest numjobs x iodepth */
	uint32_t iodepth;	/* largest of one context */
	uint32_t threads;	/* largest numjobs */
	bool unbounded;		/* some window ends by size, not by time */
	bool writes;		/* some window writes */
};
void plan_cost(const struct plan *p, struct plan_cost *out);

/* Append a job file that fio itself runs (stonewall between windows). */
void plan_fio(const struct plan *p, const char *filename, struct buf *out);

#endif
