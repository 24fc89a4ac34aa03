#include <string.h>

#include "base/shape.h"
#include "base/shape_private.h"
#include "base/utf8.h"

static int
shape_tidy_text(
	const struct shape_field *f, const char **text, struct arena *arena)
{
	char *copy;
	size_t len;

	if (!*text || f->words)
		return 0;
	len = strlen(*text);
	copy = arena_strndup(
		arena, *text, utf8_cut(*text, len, shape_limit(f)));
	if (!copy)
		return -1;
	utf8_clean(copy, strlen(copy));
	*text = copy;
	return 0;
}

static int
shape_tidy_list(const struct shape_field *f, char *elements, size_t count,
	struct arena *arena)
{
	void *at;
	size_t i;

	for (i = 0; i < count; i++) {
		at = elements + i * (f->kind == SHAPE_LIST
						    ? f->sub->size
						    : sizeof(const char *));
		if (f->kind == SHAPE_LIST ? shape_tidy(f->sub, at, arena)
					  : shape_tidy_text(f, at, arena))
			return -1;
	}
	return 0;
}

static int
shape_tidy_field(const struct shape_field *f, char *object, struct arena *arena)
{
	void *at = object + f->offset, *below;
	size_t count;

	switch (f->kind) {
	case SHAPE_COUNT:
		if (*(uint64_t *)at > SHAPE_MAX &&
			*(uint64_t *)at != SHAPE_WITHHELD)
			*(uint64_t *)at = SHAPE_ABSENT;
		return 0;
	case SHAPE_RATE:
		if (!(*(double *)at >= 0 && *(double *)at <= (double)SHAPE_MAX))
			*(double *)at = __builtin_nan("");
		*(double *)at = shape_round(*(double *)at);
		return 0;
	case SHAPE_TEXT:
		return shape_tidy_text(f, at, arena);
	case SHAPE_OBJECT:
		memcpy(&below, at, sizeof(below));
		return below ? shape_tidy(f->sub, below, arena) : 0;
	case SHAPE_LIST:
	case SHAPE_TEXTS:
		memcpy(&below, at, sizeof(below));
		memcpy(&count, object + f->count_offset, sizeof(count));
		return below ? shape_tidy_list(f, below, count, arena) : 0;
	case SHAPE_FLAG:
	case SHAPE_COUNTS:
	case SHAPE_RATES:
	case SHAPE_FIGURES:
		break;
	}
	return 0;
}

int
shape_tidy(const struct shape *s, void *object, struct arena *arena)
{
	const struct shape_field *f;

	for (f = s->fields; f->key; f++)
		if (shape_tidy_field(f, object, arena))
			return -1;
	return 0;
}
