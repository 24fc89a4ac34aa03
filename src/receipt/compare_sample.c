#include "receipt/compare_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BIN_BITS = 10 };

void
compare_sample_init(struct compare_sample *s)
{
	memset(s, 0, sizeof(*s));
	s->least = s->most = NAN;
	s->level = -1;
}

void
compare_sample_free(struct compare_sample *s)
{
	free(s->items);
	compare_sample_init(s);
}

/* Exponent and the upper bits of the mantissa: bins of 2^-10 of the octave. */
static uint32_t
compare_sample_bin(double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	return (uint32_t)(bits >> (52 - BIN_BITS));
}

/* The middle of bin `index` of that level. */
static double
compare_sample_middle(uint32_t index, int level)
{
	uint64_t low = (uint64_t)index << level << (52 - BIN_BITS);
	uint64_t width = UINT64_C(1) << level << (52 - BIN_BITS);
	double v;

	low += width / 2;
	memcpy(&v, &low, sizeof(v));
	return v;
}

static int
compare_sample_room(struct compare_sample *s)
{
	uint32_t room = s->room ? 2 * s->room : 4;
	void *items;

	if (s->used < s->room)
		return 0;
	items = realloc(s->items, room * sizeof(*s->items));
	if (!items)
		return -1;
	s->items = items;
	s->room = room;
	return 0;
}

/* The place of the first bin that is not below index. */
static uint32_t
compare_sample_place(const struct compare_sample *s, uint32_t index)
{
	uint32_t low = 0, high = s->used, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (s->items[middle].bin.index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Twice as wide: neighbours become one. */
static void
compare_sample_widen(struct compare_sample *s)
{
	union compare_sample_item *b = s->items;
	uint32_t i, n = 0;

	for (i = 0; i < s->used; i++) {
		b[i].bin.index /= 2;
		if (n > 0 && b[n - 1].bin.index == b[i].bin.index)
			b[n - 1].bin.count += b[i].bin.count;
		else
			b[n++] = b[i];
	}
	s->used = n;
	s->level++;
}

static void
compare_sample_count(struct compare_sample *s, double v)
{
	uint32_t index = compare_sample_bin(v) >> s->level, at;
	union compare_sample_item *b = s->items;

	at = compare_sample_place(s, index);
	if (at < s->used && b[at].bin.index == index) {
		b[at].bin.count++;
		return;
	}
	if (s->used == COMPARE_SAMPLE_MAX) {
		compare_sample_widen(s);
		compare_sample_count(s, v);
		return;
	}
	memmove(&b[at + 1], &b[at], (s->used - at) * sizeof(*b));
	b[at].bin.index = index;
	b[at].bin.count = 1;
	s->used++;
}

/* From values to bins. */
static void
compare_sample_to_bins(struct compare_sample *s)
{
	double v[COMPARE_SAMPLE_MAX];
	uint32_t i, n = s->used;

	for (i = 0; i < n; i++)
		v[i] = s->items[i].value;
	s->used = 0;
	s->level = 0;
	for (i = 0; i < n; i++)
		compare_sample_count(s, v[i]);
}

int
compare_sample_add(struct compare_sample *s, double v)
{
	if (s->level < 0 && s->used == COMPARE_SAMPLE_MAX)
		compare_sample_to_bins(s);
	if (s->level < 0) {
		if (compare_sample_room(s))
			return -1;
		s->items[s->used++].value = v;
	} else {
		compare_sample_count(s, v);
	}
	s->least = s->n && s->least < v ? s->least : v;
	s->most = s->n && s->most > v ? s->most : v;
	s->n++;
	return 0;
}

static int
compare_sample_order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void
compare_sample_sort(struct compare_sample *s)
{
	if (s->level < 0 && s->used > 1)
		qsort(s->items, s->used, sizeof(*s->items),
			compare_sample_order);
}

double
compare_sample_rank(const struct compare_sample *s, uint64_t k)
{
	uint64_t sum = 0;
	uint32_t i;
	double v;

	if (s->n == 0)
		return NAN;
	if (k <= 1)
		return s->least;
	if (k >= s->n)
		return s->most;
	if (s->level < 0)
		return s->items[k - 1].value;
	for (i = 0; i < s->used; i++) {
		sum += s->items[i].bin.count;
		if (sum >= k)
			break;
	}
	v = compare_sample_middle(s->items[i].bin.index, s->level);
	return v < s->least ? s->least : v > s->most ? s->most : v;
}

double
compare_sample_median(struct compare_sample *s)
{
	compare_sample_sort(s);
	if (s->n % 2)
		return compare_sample_rank(s, s->n / 2 + 1);
	return (compare_sample_rank(s, s->n / 2) +
		       compare_sample_rank(s, s->n / 2 + 1)) /
	       2;
}

double
compare_sample_error_pct(const struct compare_sample *s)
{
	return s->level < 0 ? 0 : 50 * ldexp(1, s->level - BIN_BITS);
}
