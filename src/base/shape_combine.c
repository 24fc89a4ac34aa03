#include "base/shape_combine.h"

#include <math.h>
#include <string.h>

#include "base/stats.h"

/* The member of object i. */
static const char *
shape_combine_at(
	const struct shape_combine *from, const struct shape_field *f, size_t i)
{
	return (const char *)from->objects[i] + f->offset;
}

static uint64_t
shape_combine_count(
	const struct shape_combine *from, const struct shape_field *f)
{
	double v[SHAPE_COMBINE_MAX];
	uint64_t one, first = 0;
	bool withheld = false, same = true;
	size_t i;

	for (i = 0; i < from->n; i++) {
		memcpy(&one, shape_combine_at(from, f, i), sizeof(one));
		if (one == SHAPE_ABSENT)
			return SHAPE_ABSENT;
		first = i ? first : one;
		same &= one == first;
		withheld |= one == SHAPE_WITHHELD;
		v[i] = (double)one;
	}
	if (same)
		return first;
	if (from->how == SHAPE_COMBINE_EQUAL)
		return SHAPE_ABSENT;
	return withheld ? SHAPE_WITHHELD
			: (uint64_t)(stats_median(v, from->n) + 0.5);
}

static double
shape_combine_rate(
	const struct shape_combine *from, const struct shape_field *f)
{
	double v[SHAPE_COMBINE_MAX];
	bool same = true;
	size_t i;

	for (i = 0; i < from->n; i++) {
		memcpy(&v[i], shape_combine_at(from, f, i), sizeof(v[i]));
		if (isnan(v[i]))
			return NAN;
		same &= v[i] == v[0];
	}
	if (from->how == SHAPE_COMBINE_EQUAL)
		return same ? v[0] : NAN;
	return shape_round(stats_median(v, from->n));
}

static int8_t
shape_combine_flag(
	const struct shape_combine *from, const struct shape_field *f)
{
	int8_t one, first = -1;
	size_t i;

	for (i = 0; i < from->n; i++) {
		memcpy(&one, shape_combine_at(from, f, i), sizeof(one));
		if (i > 0 && one != first)
			return -1;
		first = one;
	}
	return first;
}

static const char *
shape_combine_text(
	const struct shape_combine *from, const struct shape_field *f)
{
	const char *one, *first = NULL;
	size_t i;

	for (i = 0; i < from->n; i++) {
		memcpy(&one, shape_combine_at(from, f, i), sizeof(one));
		if (!one || (i > 0 && strcmp(one, first) != 0))
			return NULL;
		first = one;
	}
	return first;
}

/* Room for `count` elements made of those that each object has, from elements
 * of theirs; NULL without memory. */
static void *
shape_combine_elements(const struct shape_combine *from,
	const struct shape_field *f, size_t count)
{
	const void *objects[SHAPE_COMBINE_MAX];
	struct shape_combine below = *from;
	char *made = arena_alloc(from->arena, count ? count : 1, f->sub->size);
	const char *theirs;
	size_t i, k;

	below.objects = objects;
	for (k = 0; made && k < count; k++) {
		for (i = 0; i < from->n; i++) {
			memcpy(&theirs, shape_combine_at(from, f, i),
				sizeof(theirs));
			objects[i] = theirs + k * f->sub->size;
		}
		if (shape_combine(f->sub, &below, made + k * f->sub->size))
			return NULL;
	}
	return made;
}

/* Do all have it (an object, or a list of one length)? */
static bool
shape_combine_all(const struct shape_combine *from, const struct shape_field *f,
	size_t *count)
{
	const char *pointer, *object;
	size_t i, n = 1;

	for (i = 0; i < from->n; i++) {
		memcpy(&pointer, shape_combine_at(from, f, i), sizeof(pointer));
		object = from->objects[i];
		if (f->count_offset)
			memcpy(&n, object + f->count_offset, sizeof(n));
		*count = i ? *count : n;
		if (!pointer || n != *count)
			return false;
	}
	return true;
}

static int
shape_combine_below(const struct shape_combine *from,
	const struct shape_field *f, char *out)
{
	size_t count = 1;
	void *made;

	if (!shape_combine_all(from, f, &count))
		return 0;
	made = shape_combine_elements(from, f, count);
	if (!made)
		return -1;
	memcpy(out + f->offset, &made, sizeof(made));
	if (f->count_offset)
		memcpy(out + f->count_offset, &count, sizeof(count));
	return 0;
}

static size_t
shape_combine_element_size(const struct shape_field *f)
{
	return f->kind == SHAPE_COUNTS ? sizeof(uint64_t) : sizeof(double);
}

/* Numbers in a row: those of the first, where all are the same. */
static void
shape_combine_row(const struct shape_combine *from, const struct shape_field *f,
	char *out)
{
	const char *first, *one;
	size_t i, count = 0;

	if (from->how == SHAPE_COMBINE_MEDIAN ||
		(f->kind != SHAPE_COUNTS && f->kind != SHAPE_RATES) ||
		!shape_combine_all(from, f, &count))
		return;
	memcpy(&first, shape_combine_at(from, f, 0), sizeof(first));
	for (i = 1; i < from->n; i++) {
		memcpy(&one, shape_combine_at(from, f, i), sizeof(one));
		if (memcmp(one, first, count * shape_combine_element_size(f)))
			return;
	}
	memcpy(out + f->offset, &first, sizeof(first));
	memcpy(out + f->count_offset, &count, sizeof(count));
}

static int
shape_combine_field(const struct shape_combine *from,
	const struct shape_field *f, char *out)
{
	const char *text;
	uint64_t count;
	double rate;

	switch (f->kind) {
	case SHAPE_COUNT:
		count = shape_combine_count(from, f);
		memcpy(out + f->offset, &count, sizeof(count));
		return 0;
	case SHAPE_RATE:
		rate = shape_combine_rate(from, f);
		memcpy(out + f->offset, &rate, sizeof(rate));
		return 0;
	case SHAPE_FLAG:
		out[f->offset] = shape_combine_flag(from, f);
		return 0;
	case SHAPE_TEXT:
		text = shape_combine_text(from, f);
		memcpy(out + f->offset, &text, sizeof(text));
		return 0;
	case SHAPE_OBJECT:
	case SHAPE_LIST:
		return shape_combine_below(from, f, out);
	case SHAPE_COUNTS:
	case SHAPE_RATES:
	case SHAPE_TEXTS:
	case SHAPE_FIGURES:
		break;
	}
	shape_combine_row(from, f, out);
	return 0;
}

int
shape_combine(
	const struct shape *s, const struct shape_combine *from, void *out)
{
	const struct shape_field *f;

	shape_clear(s, out);
	for (f = s->fields; f->key; f++)
		if (shape_combine_field(from, f, out))
			return -1;
	return 0;
}
