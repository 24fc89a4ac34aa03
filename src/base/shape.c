#include "base/shape.h"

#include <stdio.h>
#include <string.h>

#include "base/shape_private.h"
#include "base/units.h"
#include "base/utf8.h"

/*
 * Doubles of 10^12 and more hold no third decimal that 15 digits could show,
 * they are whole.
 */
double
shape_round(double v)
{
	double size = v < 0 ? -v : v;
	int64_t whole;

	if (v != v)
		return v;
	if (size < 1e12) {
		whole = (int64_t)(size * 1000 + 0.5);
		return (double)(v < 0 ? -whole : whole) / 1000;
	}
	whole = (int64_t)size;
	whole += size - (double)whole >= 0.5;
	return (double)(v < 0 ? -whole : whole);
}

static void
shape_clear_field(const struct shape_field *f, char *object)
{
	static const uint64_t no_count = SHAPE_ABSENT;
	static const double no_rate = __builtin_nan("");
	static const int8_t no_flag = -1;
	static const void *const no_pointer = NULL;
	static const size_t none = 0;
	char *at = object + f->offset;

	switch (f->kind) {
	case SHAPE_COUNT:
		memcpy(at, &no_count, sizeof(no_count));
		break;
	case SHAPE_RATE:
		memcpy(at, &no_rate, sizeof(no_rate));
		break;
	case SHAPE_FLAG:
		memcpy(at, &no_flag, sizeof(no_flag));
		break;
	case SHAPE_LIST:
	case SHAPE_COUNTS:
	case SHAPE_RATES:
	case SHAPE_TEXTS:
	case SHAPE_FIGURES:
		memcpy(object + f->count_offset, &none, sizeof(none));
		memcpy(at, &no_pointer, sizeof(no_pointer));
		break;
	case SHAPE_TEXT:
	case SHAPE_OBJECT:
		memcpy(at, &no_pointer, sizeof(no_pointer));
		break;
	}
}

void
shape_clear(const struct shape *s, void *object)
{
	const struct shape_field *f;

	memset(object, 0, s->size);
	for (f = s->fields; f->key; f++)
		shape_clear_field(f, object);
}

static size_t
shape_path_add(struct shape_path *p, const char *s)
{
	size_t before = p->len, room = sizeof(p->text) - 1 - p->len;
	size_t n = strlen(s);

	n = utf8_cut(s, n, room);
	memcpy(p->text + p->len, s, n);
	p->len += n;
	p->text[p->len] = '\0';
	return before;
}

size_t
shape_path_key(struct shape_path *p, const char *key)
{
	size_t before = p->len;

	if (before > 0)
		shape_path_add(p, ".");
	shape_path_add(p, key);
	return before;
}

size_t
shape_path_index(struct shape_path *p, size_t index)
{
	char text[24], *at = text + sizeof(text);

	/* by hand: it is done for each number of each histogram */
	*--at = '\0';
	*--at = ']';
	do
		*--at = (char)('0' + index % 10);
	while ((index /= 10) > 0);
	*--at = '[';
	return shape_path_add(p, at);
}

void
shape_path_back(struct shape_path *p, size_t len)
{
	p->len = len;
	p->text[len] = '\0';
}

size_t
shape_limit(const struct shape_field *f)
{
	return f->max ? f->max : SHAPE_MAX_DEFAULT;
}

const char *
shape_text_fault(const struct shape_field *f, const char *s, size_t len)
{
	size_t at, n;
	uint32_t point = 0;

	if (len == 0)
		return "is empty";
	if (len > shape_limit(f))
		return "is too long";
	for (at = 0; at < len; at += n) {
		n = utf8_next(s + at, len - at, &point);
		if (n == 0)
			return "is not UTF-8";
		if (point != '\n' && utf8_is_control(point))
			return "has control characters";
	}
	if (f->words && !units_is_word(f->words, s, len))
		return "is not one of its words";
	return NULL;
}
