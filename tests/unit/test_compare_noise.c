/*
 * Is what is called noise noise?  False alarms are counted over pairs of
 * series that differ by chance alone, real changes over pairs that do.
 */
#include <math.h>

#include "base/rng.h"
#include "receipt/compare_noise.h"
#include "tap.h"

enum { PAIRS = 400, LONGEST = 60 };

/* A disk that does not change: rates hang together from second to second. */
struct disk {
	struct rng rng;
	double rate, cv; /* a second, and its coefficient of variation */
	double memory;	 /* correlation of one second with the next */
	double state;
};

static double
uniform(struct disk *d)
{
	return ((double)(rng_next(&d->rng) >> 11) + 0.5) * 0x1p-53;
}

static double
normal(struct disk *d)
{
	return sqrt(-2 * log(uniform(d))) * cos(6.283185307179586 * uniform(d));
}

/* The next second of an AR(1) process; now and then a stall of a third. */
static uint64_t
second(struct disk *d)
{
	double m = d->memory, rate;

	d->state = m * d->state + sqrt(1 - m * m) * normal(d);
	rate = d->rate * exp(d->cv * d->state);
	if (uniform(d) < 0.01)
		rate *= 0.67;
	return (uint64_t)(rate + 0.5);
}

static double
window(struct disk *d, size_t n, double change, double *noise)
{
	uint64_t v[LONGEST];
	double sum = 0;
	size_t i;

	d->state = normal(d);
	for (i = 0; i < n; i++) {
		v[i] = (uint64_t)((double)second(d) * change + 0.5);
		sum += (double)v[i];
	}
	*noise = compare_noise_rates(v, n, rng_next(&d->rng));
	return sum / (double)n;
}

/* Share of pairs that are called changed, in per cent. */
static double
called_changed(struct disk *d, size_t n, double change)
{
	double a, b, na, nb;
	int i, changed = 0;

	for (i = 0; i < PAIRS; i++) {
		a = window(d, n, 1, &na);
		b = window(d, n, change, &nb);
		changed += fabs(log(b / a)) > compare_noise_both(na, nb);
	}
	return 100.0 * changed / PAIRS;
}

static void
test_seconds(void)
{
	static const size_t lengths[] = { 12, 30, 60 };
	static const double memories[] = { 0, 0.4, 0.7 };
	struct disk d = { .rate = 9000, .cv = 0.06 };
	char what[96];
	double pct;
	size_t i, k;

	rng_seed(&d.rng, 20261201);
	for (i = 0; i < 3; i++)
		for (k = 0; k < 3; k++) {
			d.memory = memories[k];
			pct = called_changed(&d, lengths[i], 1);
			snprintf(what, sizeof(what),
				"%zu s, memory %.1f: %.1f %% false alarms",
				lengths[i], memories[k], pct);
			OK(pct <= 9, what);
		}
	d.memory = 0.4;
	pct = called_changed(&d, 12, 1.5);
	snprintf(
		what, sizeof(what), "half more in 12 s is found: %.1f %%", pct);
	OK(pct >= 90, what);
	pct = called_changed(&d, 60, 1.1);
	snprintf(what, sizeof(what), "a tenth more in 60 s is found: %.1f %%",
		pct);
	OK(pct >= 90, what);
}

/* Runs of one disk, which drifts a little between them. */
static double
runs(struct disk *d, size_t n, double change, double *noise)
{
	double v[16];
	size_t i;

	for (i = 0; i < n; i++)
		v[i] = d->rate * change * exp(d->cv * normal(d));
	*noise = compare_noise_runs(v, n);
	d->state = 0;
	for (i = 0; i < n; i++)
		d->state += log(v[i]);
	return exp(d->state / (double)n);
}

static double
runs_changed(struct disk *d, size_t n, double change)
{
	double a, b, na, nb;
	int i, changed = 0;

	for (i = 0; i < 10 * PAIRS; i++) {
		a = runs(d, n, 1, &na);
		b = runs(d, n, change, &nb);
		changed += fabs(log(b / a)) > compare_noise_both(na, nb);
	}
	return 10.0 * changed / PAIRS;
}

static double
range_changed(struct disk *d, size_t n)
{
	double lo[2], hi[2], v;
	int i, k, changed = 0;
	size_t j;

	for (i = 0; i < 10 * PAIRS; i++) {
		for (k = 0; k < 2; k++) {
			lo[k] = INFINITY;
			hi[k] = 0;
			for (j = 0; j < n; j++) {
				v = exp(d->cv * normal(d));
				lo[k] = fmin(lo[k], v);
				hi[k] = fmax(hi[k], v);
			}
		}
		changed += lo[0] > hi[1] || lo[1] > hi[0];
	}
	return 10.0 * changed / PAIRS;
}

static void
test_runs(void)
{
	struct disk d = { .rate = 900, .cv = 0.05 };
	char what[96];
	double pct;
	size_t n;

	rng_seed(&d.rng, 7);
	for (n = 2; n <= 5; n++) {
		pct = runs_changed(&d, n, 1);
		snprintf(what, sizeof(what),
			"%zu runs a side: %.1f %% false alarms (ranges: %.1f)",
			n, pct, range_changed(&d, n));
		OK(pct <= 5, what);
	}
	OK(range_changed(&d, 2) > 25 && range_changed(&d, 3) > 7,
		"ranges of 2 and 3 runs are too narrow to tell");
	OK(runs_changed(&d, 3, 1.5) > 90, "half more in 3 runs is found");
	OK(runs_changed(&d, 5, 1.2) > 90, "a fifth more in 5 runs is found");
}

/* Runs that follow each other, in sessions that differ as much as they do. */
static void
test_sessions(void)
{
	struct disk d = { .cv = 0.05 };
	double v[2][3], session, pct[2];
	int i, k, j, changed[2] = { 0 };
	char what[96];

	rng_seed(&d.rng, 9);
	for (i = 0; i < 10 * PAIRS; i++) {
		for (k = 0; k < 2; k++) {
			session = d.cv * normal(&d);
			for (j = 0; j < 3; j++)
				v[k][j] = exp(session + d.cv * normal(&d));
		}
		session = fabs(log(v[0][0] * v[0][1] * v[0][2] / v[1][0] /
				   v[1][1] / v[1][2])) /
			  3;
		changed[0] += session >
			      compare_noise_both(compare_noise_session(v[0], 3),
				      compare_noise_session(v[1], 3));
		changed[1] += session >
			      compare_noise_both(compare_noise_runs(v[0], 3),
				      compare_noise_runs(v[1], 3));
	}
	for (k = 0; k < 2; k++)
		pct[k] = 10.0 * changed[k] / PAIRS;
	snprintf(what, sizeof(what),
		"runs of two sessions: %.1f %% false alarms (as if of one: "
		"%.1f)",
		pct[0], pct[1]);
	OK(pct[0] <= 5 && pct[1] > 7, what);
}

static void
test_tables(void)
{
	OK(fabs(compare_noise_t(1) - 12.706) < 0.001, "t of 1");
	OK(fabs(compare_noise_t(11) - 2.201) < 0.001, "t of 11");
	OK(fabs(compare_noise_t(30) - 2.042) < 0.001, "t of 30");
	OK(fabs(compare_noise_t(1000) - 1.962) < 0.001, "t of 1000");
	OK(isnan(compare_noise_t(0)), "t of none");
}

static void
test_edges(void)
{
	const uint64_t same[10] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5 };
	const uint64_t none[10] = { 0 };
	const double zero[2] = { 0, 1 }, two[2] = { 1, 1.1 };
	struct compare_sample s;
	int i;

	OK(compare_noise_rates(same, 10, 1) == 0, "rates that never change");
	OK(isnan(compare_noise_rates(same, 9, 1)), "nine seconds say nothing");
	OK(isnan(compare_noise_rates(none, 10, 1)), "nothing happened");
	OK(isnan(compare_noise_runs(zero, 2)), "a figure of 0");
	OK(isnan(compare_noise_runs(two, 1)), "one run");
	OK(compare_noise_both(0, 0) == COMPARE_NOISE_FLOOR, "the floor");
	OK(isnan(compare_noise_both(NAN, 0)), "not known on one side");
	OK(isnan(compare_noise_both(0, NAN)), "not known on the other");
	compare_sample_init(&s);
	for (i = 0; i < 1000; i++)
		compare_sample_add(&s, 1000 + i);
	OK(fabs(compare_noise_sample(&s) - 0.02) < 0.003,
		"ranks of a thousand values");
	compare_sample_free(&s);
}

int
main(void)
{
	test_seconds();
	test_runs();
	test_sessions();
	test_tables();
	test_edges();
	return tap_done();
}
