#include "base/shape_walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shape_private.h"

/* On the way through one object. */
struct shape_walker {
	const struct shape_walk *to;
	struct shape_path path;
};

static void shape_walk_object(
	struct shape_walker *w, const struct shape *s, const char *object);

static void
shape_walk_rate(double v, char *out, size_t size)
{
	int n = snprintf(out, size, "%.3f", v);

	while (n > 0 && out[n - 1] == '0')
		out[--n] = '\0';
	if (n > 0 && out[n - 1] == '.')
		out[n - 1] = '\0';
}

/* The text of one scalar; false where it is absent. */
static bool
shape_walk_scalar(enum shape_kind kind, const char *at, char *out, size_t size)
{
	const char *text;
	uint64_t count;
	double rate;

	if (kind == SHAPE_FLAG) {
		snprintf(out, size, "%s", *at == 1 ? "true" : "false");
		return *at >= 0;
	}
	if (kind == SHAPE_TEXT || kind == SHAPE_TEXTS) {
		memcpy(&text, at, sizeof(text));
		snprintf(out, size, "%s", text ? text : "");
		return out[0] != '\0';
	}
	if (kind == SHAPE_RATE || kind == SHAPE_RATES) {
		memcpy(&rate, at, sizeof(rate));
		shape_walk_rate(rate, out, size);
		return !isnan(rate);
	}
	memcpy(&count, at, sizeof(count));
	snprintf(out, size, "%" PRIu64, count);
	if (count == SHAPE_WITHHELD)
		snprintf(out, size, "withheld");
	return count != SHAPE_ABSENT;
}

static void
shape_walk_tell(struct shape_walker *w, const char *value)
{
	w->to->each(w->path.text, value, w->to->arg);
}

/* A list of scalars as one value. */
static void
shape_walk_row(struct shape_walker *w, const struct shape_field *f,
	const char *elements, size_t count)
{
	char value[SHAPE_WALK_VALUE], one[SHAPE_WALK_VALUE];
	size_t i, len = 0,
		  step = f->kind == SHAPE_TEXTS ? sizeof(const char *)
						: sizeof(uint64_t);

	value[0] = '\0';
	for (i = 0; i < count && len < sizeof(value) - 1; i++) {
		shape_walk_scalar(
			f->kind, elements + i * step, one, sizeof(one));
		len += (size_t)snprintf(value + len, sizeof(value) - len,
			"%s%s", i ? " " : "", one);
	}
	shape_walk_tell(w, value);
}

static void
shape_walk_figures(
	struct shape_walker *w, const struct shape_figure *figures, size_t n)
{
	char value[32];
	size_t i, back;

	for (i = 0; i < n; i++) {
		back = shape_path_key(&w->path, figures[i].key);
		shape_walk_rate(figures[i].value, value, sizeof(value));
		shape_walk_tell(w, value);
		shape_path_back(&w->path, back);
	}
}

static void
shape_walk_list(
	struct shape_walker *w, const struct shape_field *f, const char *object)
{
	const char *elements;
	size_t i, back, count;

	memcpy(&elements, object + f->offset, sizeof(elements));
	memcpy(&count, object + f->count_offset, sizeof(count));
	if (!elements)
		return;
	if (f->kind == SHAPE_FIGURES) {
		shape_walk_figures(w, (const void *)elements, count);
		return;
	}
	if (f->kind != SHAPE_LIST) {
		shape_walk_row(w, f, elements, count);
		return;
	}
	for (i = 0; i < count; i++) {
		back = shape_path_index(&w->path, i);
		shape_walk_object(w, f->sub, elements + i * f->sub->size);
		shape_path_back(&w->path, back);
	}
}

static void
shape_walk_object(
	struct shape_walker *w, const struct shape *s, const char *object)
{
	const struct shape_field *f;
	char value[SHAPE_WALK_VALUE];
	const char *sub;
	size_t back;

	for (f = s->fields; f->key; f++) {
		back = shape_path_key(&w->path, f->key);
		if (f->count_offset) {
			shape_walk_list(w, f, object);
		} else if (f->kind == SHAPE_OBJECT) {
			memcpy(&sub, object + f->offset, sizeof(sub));
			if (sub)
				shape_walk_object(w, f->sub, sub);
		} else if (shape_walk_scalar(f->kind, object + f->offset, value,
				   sizeof(value))) {
			shape_walk_tell(w, value);
		}
		shape_path_back(&w->path, back);
	}
}

void
shape_walk(
	const struct shape *s, const void *object, const struct shape_walk *to)
{
	struct shape_walker w = { .to = to };

	shape_walk_object(&w, s, object);
}
