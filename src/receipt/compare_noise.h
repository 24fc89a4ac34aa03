/*
 * compare_noise: how far a figure may be off by chance alone, at 95 %.
 *
 * Everything here is half of an interval on the scale of natural logarithms:
 * 0.05 is +-5 %.  NAN = cannot be said.  Two figures differ by more than
 * noise where |ln(b / a)| > compare_noise_both(half of a, half of b).
 *
 * Repeated runs.  Of 2 to 7 values: t(n - 1) s / sqrt(n), of the logarithms
 * (Student 1908).  The plain range of so few is too narrow: of two runs it
 * holds the true value one time in two, of three three in four; t is 12.7
 * and 4.3 there, against 1.96.  Runs of one receipt follow each other and
 * share whatever went on meanwhile: between sessions at least as much is
 * taken to change as between runs, t(n - 1) s sqrt(1 + 1 / n).  From 8 values
 * on the ranks of the median that hold it in 95 % of all cases,
 * n/2 -+ 0.98 sqrt(n) (Conover, Practical Nonparametric Statistics, ch. 3),
 * which asks for no shape: fleets are skewed.  Halves add as squares, which
 * is never less than the approximation of Cochran and Cox (Experimental
 * Designs, 1950) and so errs towards "within the noise" where both sides are
 * small.  Where one side is one receipt and the other several, that one is
 * taken to vary as those do.
 *
 * A window that ran once has its one-second rates.  They hang together (a
 * slow second is followed by another), so whole blocks of them are drawn anew
 * (circular block bootstrap, Politis and Romano 1992; blocks of
 * 1 + 1.5 n^(1/3), 1000 draws); the interval of the mean is widened by
 * t(k - 1) / 1.96 for k = n / block blocks, as so few blocks say little of
 * how far blocks differ, and by n / (n - block) for what blocks hide.
 * Fewer than 10 seconds: cannot be said.  IOPS, bandwidth and the mean
 * latency have that interval (in a closed loop they are one figure).  For
 * percentiles the same variance is turned into the number of independent
 * samples that would give it (of a renewal process var(N) / N^2 = cv^2 / N),
 * and the ranks p -+ 1.96 sqrt(p (1 - p) / n) of the histogram are read;
 * fewer than 5 of those beyond p: cannot be said; nor where rates vary less
 * than that many independent latencies would make them, as a limit holds them
 * and the latencies do what they like below it.  Other figures of one
 * window (min, max, of submissions) cannot be said.
 *
 * The draws are the same for the same receipts: their seed is made of the
 * receipt's id and its plan's digest.
 */
#ifndef RECEIPT_COMPARE_NOISE_H
#define RECEIPT_COMPARE_NOISE_H

#include <stddef.h>
#include <stdint.h>

#include "receipt/compare_sample.h"
#include "receipt/metric.h"
#include "receipt/receipt.h"

#define COMPARE_NOISE_SECONDS 10    /* fewer say nothing */
#define COMPARE_NOISE_FLOOR   0.001 /* what figures resolve, both sides */
#define COMPARE_NOISE_RANKS   8	    /* values from which ranks are used */

/* Quantile 0.975 of Student's t with df >= 1 degrees of freedom. */
double compare_noise_t(uint64_t df);

/* Of n values; NAN where n < 2 or one is not above 0. */
double compare_noise_runs(const double *v, size_t n);

/* The same of runs that follow each other, of the session they were in. */
double compare_noise_session(const double *v, size_t n);

/* Standard deviation of the logarithms (n - 1); NAN as above. */
double compare_noise_deviation(const double *v, size_t n);

/* Of the sample's median, by either rule; sorts it. */
double compare_noise_sample(struct compare_sample *s);

/* Of the mean of n rates a second. */
double compare_noise_rates(const uint64_t *rates, size_t n, uint64_t seed);

/* What the seconds of the directions looked at last say; zeroed at first. */
struct compare_noise_memory {
	const struct receipt_lane *lanes[8];
	double noise[8];
	unsigned next;
};

/* Of one figure of one run of a receipt; m->window is not NULL. */
double compare_noise_window(const struct metric *m, uint64_t seed,
	struct compare_noise_memory *memory);

uint64_t compare_noise_seed(const struct receipt *r);

/* Of a quotient of two figures, at least COMPARE_NOISE_FLOOR. */
double compare_noise_both(double a, double b);

#endif
