/*
 * metric: the one list of named figures of a receipt.
 *
 * <window>.<direction>.<slat|clat|lat>.<stat>, <window>.<direction>.iops|bw,
 * <window>.spread; direction: read write sync commit; stat: min mean p50 p95
 * p99 p99_9 p99_99 max (lat also tw_p50 tw_p99).  Over several runs the value
 * is the worst (lowest rate, highest latency) unless ".median" or ".runN" is
 * appended.  Of the neighbour probe (named as its job): <probe>.p99_min,
 * .p99_max, .p99_spread (of lat), .steal_mean, .steal_worst.  keys, table,
 * requirements, compare and findings all use it.
 */
#ifndef RECEIPT_METRIC_H
#define RECEIPT_METRIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "disk/plan.h"
#include "receipt/receipt.h"

#define METRIC_NAME_MAX 128

enum metric_unit {
	METRIC_IOPS,
	METRIC_BYTES_PER_S,
	METRIC_NS,
	METRIC_PCT,
	METRIC_RATIO
};

struct metric {
	char name[METRIC_NAME_MAX];
	enum metric_unit unit;
	double value; /* NAN = withheld */
	bool few;     /* a percentile that fewer than 10 samples lie beyond */
	bool higher_is_better;
	/*
	 * What it is of, where it is of one run: NULL of several and of the
	 * probe; latency NULL of a rate, else stat is an offset in it.
	 */
	const struct receipt_window *window;
	const struct receipt_lane *lane;
	const struct receipt_latency *latency;
	size_t stat;
};

const char *metric_unit_word(
	enum metric_unit u); /* "iops" "B/s" "ns" "%" "x" */

/*
 * Call each for every metric that r has, in the order of its windows (the
 * plain name first, then .median and .runN where there are several runs).
 */
void metric_each(const struct receipt *r,
	void (*each)(const struct metric *m, void *arg), void *arg);

/*
 * Make out the receipt that a run of p could leave at most, its windows
 * without figures: metric_each of it has every name that p may yield, each
 * withheld or of no meaning.  Memory from a, names borrowed from p; -1 = out
 * of memory.  (metric_plan.c)
 */
int metric_plan(const struct plan *p, struct receipt *out, struct arena *a);

/* ERR_USAGE with the nearest name where r has no such metric. */
int metric_find(const struct receipt *r, const char *name, struct metric *out,
	struct err *e);

#endif
