/*
 * compare_sample: values of one figure, one a receipt, in bounded memory.
 *
 * Up to COMPARE_SAMPLE_MAX values are kept as they are; more are counted in
 * bins of a relative width of 2^-10, which are doubled as often as it takes
 * to hold all in COMPARE_SAMPLE_MAX bins: n, least and most stay exact, a
 * quantile is then off by at most compare_sample_error_pct.  Which values
 * came first makes no difference.
 */
#ifndef RECEIPT_COMPARE_SAMPLE_H
#define RECEIPT_COMPARE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#define COMPARE_SAMPLE_MAX 256

union compare_sample_item {
	double value;
	struct {
		uint32_t index, count;
	} bin;
};

struct compare_sample {
	uint64_t n;
	double least, most;
	union compare_sample_item *items; /* sorted bins, or values as added */
	uint32_t used, room;
	int8_t level; /* -1: values; else bins are 2^(level - 10) wide */
};

void compare_sample_init(struct compare_sample *s);
void compare_sample_free(struct compare_sample *s);

/* v: finite, not negative.  -1 = out of memory. */
int compare_sample_add(struct compare_sample *s, double v);

/*
 * The value of rank k (1 .. n; others are clamped), after compare_sample_sort
 * where the sample still holds values.
 */
double compare_sample_rank(const struct compare_sample *s, uint64_t k);
void compare_sample_sort(struct compare_sample *s);

/* Middle value, mean of the middle two; sorts.  NAN of no values. */
double compare_sample_median(struct compare_sample *s);

/* 0 while the values are kept. */
double compare_sample_error_pct(const struct compare_sample *s);

#endif
