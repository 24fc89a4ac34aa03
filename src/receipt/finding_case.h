/*
 * finding_case: one receipt before its judges: what they look at, and how
 * they say what they found.  Part of finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_CASE_H
#define RECEIPT_FINDING_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "disk/plan.h"
#include "receipt/finding.h"
#include "receipt/receipt.h"

#define FINDING_CASE_FIGURES 12 /* of one finding */
#define FINDING_CASE_TEXT    512

/* A window that may be judged, with what is wanted of it everywhere. */
struct finding_window {
	const struct receipt_window *w;
	const struct receipt_job *job;
	uint64_t slots;	  /* I/Os in flight: iodepth x numjobs */
	uint64_t threads; /* numjobs */
	/* Operations in each whole interval, a second's worth of them. */
	double *rates;
	size_t rate_count;
	double interval_s;
};

struct finding_case {
	const struct receipt *receipt;
	const struct finding_rule *rules; /* the table */
	const struct finding_rule *rule;  /* the row that judges now */
	struct finding_window windows[PLAN_WINDOWS_MAX];
	size_t window_count;
	/* Which rule holds in which window. */
	bool marks[FINDING_RULES][PLAN_WINDOWS_MAX];
	struct arena *arena;
	struct receipt_finding *found; /* room for one a row */
	size_t found_count;
	bool failed; /* out of memory */
};

/* The judging rule's limit of that name; NAN where it has none. */
double finding_case_limit(const struct finding_case *c, const char *name);
/* The same of another row. */
double finding_case_limit_of(
	const struct finding_case *c, const char *code, const char *name);

/* Note that the judging rule holds in window i; does `code` hold there? */
void finding_case_mark(struct finding_case *c, size_t i);
bool finding_case_marked(
	const struct finding_case *c, const char *code, size_t i);
/* Has the rule of that code, which comes before this one, found something? */
bool finding_case_has(const struct finding_case *c, const char *code);
/* Does one of several, ended by NULL? */
bool finding_case_marked_any(
	const struct finding_case *c, const char *const *codes, size_t i);

/* The window where a rule is clearest, and in how many it holds. */
struct finding_worst {
	size_t at, count;
	double by;
};

/*
 * The judging rule holds in window i, by so much (the larger, the clearer):
 * marks it.  A worst begins as zeros.
 */
void finding_case_count(struct finding_case *c, struct finding_worst *worst,
	size_t i, double by);

/* A finding in the making. */
struct finding_draft {
	const char *level;	/* "note", "warning" */
	const char *confidence; /* "possible", "likely"; NULL: it is a fact */
	const char *command;	/* that would change it, NULL: none */
	struct shape_figure figures[FINDING_CASE_FIGURES];
	size_t figure_count;
};

#define FINDING_NOTE	 "note"
#define FINDING_WARNING	 "warning"
#define FINDING_POSSIBLE "possible"
#define FINDING_LIKELY	 "likely"

/* Add a figure (keys as in the receipt, unit included); NAN adds none. */
void finding_case_figure(struct finding_draft *d, const char *key, double v);
/* "windows", where there are several. */
void finding_case_windows(
	struct finding_draft *d, const struct finding_worst *worst);

/* Put it down, with its sentence; a row has one finding at most. */
void finding_case_say(struct finding_case *c, const struct finding_draft *d,
	const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* "qd1-randread run 2", or the name alone where there is one run. */
const char *finding_case_where(struct finding_case *c, size_t i);
/* "", or " (in 3 windows)". */
const char *finding_case_more(
	struct finding_case *c, const struct finding_worst *worst);

/* Texts of figures, memory from the case: "5,000", "0.264 ms", "4 KiB". */
const char *finding_case_rate(struct finding_case *c, double per_second);
const char *finding_case_ms(struct finding_case *c, uint64_t ns);
const char *finding_case_bytes(struct finding_case *c, uint64_t bytes);

/* lat of the window's reads, else of its writes; NULL: it has none. */
const struct receipt_latency *finding_case_latency(
	const struct finding_window *w);
/* IOPS of both directions, NAN where not told. */
double finding_case_iops(const struct finding_window *w);
/* Do a and b differ in depth alone? */
bool finding_case_alike(
	const struct finding_window *a, const struct finding_window *b);
/* One I/O at a time? */
bool finding_case_alone(const struct finding_window *w);
/* As deep as the suites' deepest (FINDING_COMMON, deep_slots)? */
bool finding_case_deep(
	const struct finding_case *c, const struct finding_window *w);
/* Is s that word?  NULL is none. */
bool finding_case_is(const char *s, const char *word);

#endif
