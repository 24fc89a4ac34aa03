#include "receipt/curve.h"

#include <math.h>

#include "disk/hist.h"
#include "receipt/latency.h"

/* The value below which p of the n samples lie, within [min, max]. */
static double
value_at(const uint64_t *counts, double p, const struct receipt_latency *l)
{
	double want = p * (double)l->n, sum = 0, ns;
	uint32_t i;

	for (i = 0; i < HIST_FIO_BUCKETS - 1; i++) {
		sum += (double)counts[i];
		if (counts[i] && sum >= want)
			break;
	}
	ns = (double)hist_fio_value(i);
	if (ns > (double)l->max)
		return (double)l->max;
	return ns < (double)l->min ? (double)l->min : ns;
}

void
curve_of(const struct receipt_latency *l, struct curve *c)
{
	uint64_t counts[HIST_FIO_BUCKETS];
	size_t i;

	c->count = 0;
	if (!l || l->n == 0 || latency_unfold(l, counts) < 0)
		return;
	for (i = 0; i < CURVE_MAX; i++) {
		double beyond = pow(10, -(double)i / CURVE_STEPS);

		if (beyond * (double)l->n < 1)
			break;
		c->ns[c->count++] = value_at(counts, 1 - beyond, l);
	}
}

const char *
curve_mark(unsigned nines)
{
	static const char *const marks[CURVE_NINES + 1] = { "min", "p90", "p99",
		"p99.9", "p99.99", "p99.999" };

	return marks[nines <= CURVE_NINES ? nines : CURVE_NINES];
}
