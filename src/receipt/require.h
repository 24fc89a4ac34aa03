/*
 * require: what the user demands of a run, and whether it is so.
 *
 *   METRIC OP VALUE	a name of receipt/metric.h, one of < <= > >= ==, a
 *			number with its unit: ns us ms s for latencies; none,
 *			k (1000) or M for iops; B/s KiB/s MiB/s GiB/s for bw; %
 *			for shares; none for ratios
 *   no warning		no finding of level warning
 *   no finding CODE	no finding of that code
 *
 * A figure that is withheld, or was not measured, satisfies nothing.
 */
#ifndef RECEIPT_REQUIRE_H
#define RECEIPT_REQUIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"
#include "receipt/metric.h"
#include "receipt/receipt.h"

#define REQUIRE_MAX 64 /* of one run: the field table's limit */

enum require_kind { REQUIRE_METRIC, REQUIRE_NO_WARNING, REQUIRE_NO_FINDING };
enum require_op {
	REQUIRE_BELOW,
	REQUIRE_AT_MOST,
	REQUIRE_ABOVE,
	REQUIRE_AT_LEAST,
	REQUIRE_EQUAL
};

struct require {
	const char *expr; /* as given, borrowed */
	enum require_kind kind;
	char name[METRIC_NAME_MAX]; /* of the metric, or a finding's code */
	enum require_op op;
	double value; /* in the metric's unit */
};

/*
 * Read expr.  of: a receipt with the metrics that there can be (that of
 * metric_plan, before anything is measured).  ERR_USAGE names what is wrong,
 * and the nearest name of a metric or a finding.
 */
int require_parse(struct require *out, const char *expr,
	const struct receipt *of, struct err *e);

/*
 * Hold r, with its findings, to list[0..n) and set r->requirements, memory
 * from a.  -1 = out of memory.
 */
int require_judge(struct receipt *r, const struct require *list, size_t n,
	struct arena *a);

/* Do all that r has hold?  (None is yes.) */
bool require_all_hold(const struct receipt *r);

#endif
