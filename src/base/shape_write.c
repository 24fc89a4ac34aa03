#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "base/shape_private.h"

/* One document on its way out. */
struct shape_writer {
	struct shape_path path;
	struct err *e;
};

static json_t *shape_write_object(
	struct shape_writer *w, const struct shape *s, const char *object);

/* A wrong receipt is not written: says where and what.  Returns NULL. */
static json_t *
shape_write_fault(struct shape_writer *w, const char *what)
{
	err_set(w->e, ERR_INCOMPLETE, 0, "cannot write %s: it %s",
		w->path.len ? w->path.text : "the document", what);
	return NULL;
}

static json_t *
shape_write_memory(struct shape_writer *w)
{
	err_set(w->e, ERR_INCOMPLETE, 0,
		"out of memory while writing a document");
	return NULL;
}

/* Without an exponent whatever the size, without a point where it is whole. */
static json_t *
shape_write_number(double v)
{
	double rounded = shape_round(v);
	int64_t whole = (int64_t)rounded;

	return (double)whole == rounded ? json_integer(whole)
					: json_real(rounded);
}

static json_t *
shape_write_count(struct shape_writer *w, uint64_t v)
{
	if (v > SHAPE_MAX)
		return shape_write_fault(w, "is above 2^53 - 1");
	return json_integer((json_int_t)v);
}

static json_t *
shape_write_rate(struct shape_writer *w, double v, double least)
{
	if (!(v >= least && v <= (double)SHAPE_MAX))
		return shape_write_fault(w, "is out of range");
	return shape_write_number(v);
}

static json_t *
shape_write_text(
	struct shape_writer *w, const struct shape_field *f, const char *s)
{
	const char *fault;

	if (!s)
		return shape_write_fault(w, "is absent");
	fault = shape_text_fault(f, s, strlen(s));
	if (fault)
		return shape_write_fault(w, fault);
	return json_string(s);
}

/* One element of a list, or NULL with e filled or not (then: memory). */
static json_t *
shape_write_element(struct shape_writer *w, const struct shape_field *f,
	const char *elements, size_t i)
{
	uint64_t count;
	const char *text;
	double rate;

	if (f->kind == SHAPE_LIST)
		return shape_write_object(
			w, f->sub, elements + i * f->sub->size);
	if (f->kind == SHAPE_TEXTS) {
		memcpy(&text, elements + i * sizeof(text), sizeof(text));
		return shape_write_text(w, f, text);
	}
	if (f->kind == SHAPE_RATES) {
		memcpy(&rate, elements + i * sizeof(rate), sizeof(rate));
		return shape_write_rate(w, rate, 0);
	}
	memcpy(&count, elements + i * sizeof(count), sizeof(count));
	return shape_write_count(w, count);
}

static json_t *
shape_write_list(struct shape_writer *w, const struct shape_field *f,
	const char *elements, size_t count)
{
	json_t *list = json_array(), *v;
	size_t i, back;

	for (i = 0; i < count; i++) {
		back = shape_path_index(&w->path, i);
		v = shape_write_element(w, f, elements, i);
		shape_path_back(&w->path, back);
		if (json_array_append_new(list, v) != 0)
			goto fail;
	}
	return list;
fail:
	json_decref(list);
	return NULL;
}

static json_t *
shape_write_figures(struct shape_writer *w, const char *elements, size_t count)
{
	static const struct shape_field key = { .kind = SHAPE_TEXT,
		.max = SHAPE_KEY_MAX };
	json_t *object = json_object(), *v;
	struct shape_figure figure;
	size_t i, back;

	for (i = 0; i < count; i++) {
		memcpy(&figure, elements + i * sizeof(figure), sizeof(figure));
		v = shape_write_text(w, &key, figure.key);
		json_decref(v);
		if (!v)
			goto fail;
		back = shape_path_key(&w->path, figure.key);
		if (json_object_get(object, figure.key))
			v = shape_write_fault(w, "is there twice");
		else
			v = shape_write_rate(
				w, figure.value, -(double)SHAPE_MAX);
		shape_path_back(&w->path, back);
		if (json_object_set_new(object, figure.key, v) != 0)
			goto fail;
	}
	return object;
fail:
	json_decref(object);
	return NULL;
}

static json_t *
shape_write_array(
	struct shape_writer *w, const struct shape_field *f, const char *object)
{
	const char *elements;
	size_t count;

	memcpy(&elements, object + f->offset, sizeof(elements));
	memcpy(&count, object + f->count_offset, sizeof(count));
	if (count > shape_limit(f))
		return shape_write_fault(w, "has too many elements");
	if (count > 0 && !elements)
		return shape_write_fault(w, "has a count but no elements");
	return f->kind == SHAPE_FIGURES
		       ? shape_write_figures(w, elements, count)
		       : shape_write_list(w, f, elements, count);
}

/* Numbers and flags: what is held in the object itself. */
static json_t *
shape_write_scalar(
	struct shape_writer *w, const struct shape_field *f, const char *at)
{
	uint64_t count;
	double rate;

	if (f->kind == SHAPE_FLAG)
		return json_boolean(*(const int8_t *)at == 1);
	if (f->kind == SHAPE_RATE) {
		memcpy(&rate, at, sizeof(rate));
		return shape_write_rate(w, rate, 0);
	}
	memcpy(&count, at, sizeof(count));
	if (count == SHAPE_WITHHELD && f->flags & SHAPE_NULLABLE)
		return json_null();
	return shape_write_count(w, count);
}

static json_t *
shape_write_value(
	struct shape_writer *w, const struct shape_field *f, const char *object)
{
	const char *pointer;

	switch (f->kind) {
	case SHAPE_COUNT:
	case SHAPE_RATE:
	case SHAPE_FLAG:
		return shape_write_scalar(w, f, object + f->offset);
	case SHAPE_LIST:
	case SHAPE_COUNTS:
	case SHAPE_RATES:
	case SHAPE_TEXTS:
	case SHAPE_FIGURES:
		return shape_write_array(w, f, object);
	case SHAPE_TEXT:
	case SHAPE_OBJECT:
		break;
	}
	memcpy(&pointer, object + f->offset, sizeof(pointer));
	return f->kind == SHAPE_TEXT ? shape_write_text(w, f, pointer)
				     : shape_write_object(w, f->sub, pointer);
}

static bool
shape_write_absent(const struct shape_field *f, const char *object)
{
	const char *at = object + f->offset, *pointer;
	size_t elements;
	uint64_t count;
	double rate;

	if (f->kind == SHAPE_COUNT) {
		memcpy(&count, at, sizeof(count));
		return count == SHAPE_ABSENT;
	}
	if (f->kind == SHAPE_RATE) {
		memcpy(&rate, at, sizeof(rate));
		return isnan(rate);
	}
	if (f->kind == SHAPE_FLAG)
		return *(const int8_t *)at < 0;
	memcpy(&pointer, at, sizeof(pointer));
	if (f->kind == SHAPE_TEXT)
		return !pointer || !*pointer;
	if (f->kind == SHAPE_OBJECT)
		return !pointer;
	memcpy(&elements, object + f->count_offset, sizeof(elements));
	return !pointer && elements == 0;
}

static json_t *
shape_write_object(
	struct shape_writer *w, const struct shape *s, const char *object)
{
	json_t *out = json_object(), *v;
	const struct shape_field *f;
	size_t back;

	for (f = s->fields; f->key; f++) {
		back = shape_path_key(&w->path, f->key);
		if (!shape_write_absent(f, object)) {
			v = shape_write_value(w, f, object);
			if (json_object_set_new_nocheck(out, f->key, v) != 0)
				goto fail;
		} else if (f->flags & SHAPE_REQUIRED) {
			shape_write_fault(w, "is absent");
			goto fail;
		}
		shape_path_back(&w->path, back);
	}
	return out;
fail:
	json_decref(out);
	return NULL;
}

static int
shape_write_append(const char *data, size_t len, void *out)
{
	buf_add(out, data, len);
	return buf_failed(out) ? -1 : 0;
}

int
shape_write(const struct shape *s, const void *object, struct buf *out,
	struct err *e)
{
	/* a fault of our own is known by its code; the rest is memory */
	struct err fault = { .code = ERR_NONE };
	struct shape_writer w = { .e = &fault };
	json_t *tree = shape_write_object(&w, s, object);
	int rc = -1;

	if (tree)
		rc = json_dump_callback(tree, shape_write_append, out,
			JSON_COMPACT | JSON_REAL_PRECISION(15));
	json_decref(tree);
	if (rc == 0)
		return 0;
	if (fault.code == ERR_NONE)
		shape_write_memory(&w);
	return err_set(e, fault.code, 0, "%s", fault.text);
}
