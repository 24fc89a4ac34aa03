#include <jansson.h>
#include <string.h>

#include "base/shape.h"
#include "base/shape_private.h"

/*
 * One document on its way in.  jansson seeds its tables anew in each process
 * (from /dev/urandom, where there is none from the clock), so that nobody can
 * craft keys that meet in one bucket; shape_read_measure bounds the rest.
 */
struct shape_reader {
	struct shape_path path;
	struct arena *arena;
	struct err *e;
	bool lenient;
};

static int shape_read_object(struct shape_reader *r, const struct shape *s,
	json_t *json, char *object);

static int
shape_read_fault(struct shape_reader *r, const char *what)
{
	return err_set(r->e, ERR_INPUT, 0, "%s %s",
		r->path.len ? r->path.text : "the document", what);
}

static int
shape_read_memory(struct shape_reader *r)
{
	return err_set(r->e, ERR_INPUT, 0, "out of memory while reading %s",
		r->path.len ? r->path.text : "the document");
}

static int
shape_read_count(struct shape_reader *r, json_t *json, uint64_t *out)
{
	json_int_t v;

	if (!json_is_integer(json))
		return shape_read_fault(r, "is not an integer");
	v = json_integer_value(json);
	if (v < 0 || (uint64_t)v > SHAPE_MAX)
		return shape_read_fault(r, "is not in 0 .. 2^53 - 1");
	*out = (uint64_t)v;
	return 0;
}

static int
shape_read_rate(struct shape_reader *r, json_t *json, double least, double *out)
{
	double v;

	if (!json_is_number(json))
		return shape_read_fault(r, "is not a number");
	v = json_number_value(json);
	if (!(v >= least && v <= (double)SHAPE_MAX))
		return shape_read_fault(r, "is out of range");
	*out = v + 0.0; /* no negative zero */
	return 0;
}

static int
shape_read_text(struct shape_reader *r, const struct shape_field *f,
	json_t *json, const char **out)
{
	const char *fault;

	if (!json_is_string(json))
		return shape_read_fault(r, "is not a text");
	fault = shape_text_fault(
		f, json_string_value(json), json_string_length(json));
	if (fault)
		return shape_read_fault(r, fault);
	*out = arena_strndup(
		r->arena, json_string_value(json), json_string_length(json));
	return *out ? 0 : shape_read_memory(r);
}

static size_t
shape_read_element_size(const struct shape_field *f)
{
	if (f->kind == SHAPE_LIST)
		return f->sub->size;
	if (f->kind == SHAPE_TEXTS)
		return sizeof(const char *);
	if (f->kind == SHAPE_RATES)
		return sizeof(double);
	if (f->kind == SHAPE_FIGURES)
		return sizeof(struct shape_figure);
	return sizeof(uint64_t);
}

static int
shape_read_element(struct shape_reader *r, const struct shape_field *f,
	json_t *json, void *element)
{
	if (f->kind == SHAPE_LIST)
		return shape_read_object(r, f->sub, json, element);
	if (f->kind == SHAPE_TEXTS)
		return shape_read_text(r, f, json, element);
	if (f->kind == SHAPE_RATES)
		return shape_read_rate(r, json, 0, element);
	return shape_read_count(r, json, element);
}

static int
shape_read_list(struct shape_reader *r, const struct shape_field *f,
	json_t *json, char *elements)
{
	size_t i, back, size = shape_read_element_size(f);

	for (i = 0; i < json_array_size(json); i++) {
		back = shape_path_index(&r->path, i);
		if (shape_read_element(
			    r, f, json_array_get(json, i), elements + i * size))
			return -1;
		shape_path_back(&r->path, back);
	}
	return 0;
}

static int
shape_read_figures(
	struct shape_reader *r, json_t *json, struct shape_figure *figure)
{
	static const struct shape_field row = { .kind = SHAPE_TEXT,
		.max = SHAPE_KEY_MAX };
	const char *key;
	json_t *value;
	size_t back;

	json_object_foreach(json, key, value)
	{
		if (shape_text_fault(&row, key, strlen(key)))
			return shape_read_fault(r, "has a malformed key");
		figure->key = arena_strdup(r->arena, key);
		if (!figure->key)
			return shape_read_memory(r);
		back = shape_path_key(&r->path, key);
		if (shape_read_rate(
			    r, value, -(double)SHAPE_MAX, &figure->value))
			return -1;
		shape_path_back(&r->path, back);
		figure++;
	}
	return 0;
}

static int
shape_read_array(struct shape_reader *r, const struct shape_field *f,
	json_t *json, char *object)
{
	bool figures = f->kind == SHAPE_FIGURES;
	size_t count;
	void *elements;

	if (figures ? !json_is_object(json) : !json_is_array(json))
		return shape_read_fault(
			r, figures ? "is not an object" : "is not a list");
	count = figures ? json_object_size(json) : json_array_size(json);
	if (count > shape_limit(f))
		return shape_read_fault(r, "has too many elements");
	/* [] is not absent: it has a pointer, if to nothing */
	elements = arena_alloc(
		r->arena, count ? count : 1, shape_read_element_size(f));
	if (!elements)
		return shape_read_memory(r);
	memcpy(object + f->offset, &elements, sizeof(elements));
	memcpy(object + f->count_offset, &count, sizeof(count));
	return figures ? shape_read_figures(r, json, elements)
		       : shape_read_list(r, f, json, elements);
}

static int
shape_read_sub(struct shape_reader *r, const struct shape_field *f,
	json_t *json, char *object)
{
	void *sub = arena_alloc(r->arena, 1, f->sub->size);

	if (!sub)
		return shape_read_memory(r);
	memcpy(object + f->offset, &sub, sizeof(sub));
	return shape_read_object(r, f->sub, json, sub);
}

static int
shape_read_flag(struct shape_reader *r, json_t *json, char *at)
{
	if (!json_is_boolean(json))
		return shape_read_fault(r, "is not true or false");
	*at = json_is_true(json);
	return 0;
}

static int
shape_read_field(struct shape_reader *r, const struct shape_field *f,
	json_t *json, char *object)
{
	void *at = object + f->offset;

	switch (f->kind) {
	case SHAPE_COUNT:
		if (json_is_null(json) && f->flags & SHAPE_NULLABLE) {
			*(uint64_t *)at = SHAPE_WITHHELD;
			return 0;
		}
		return shape_read_count(r, json, at);
	case SHAPE_RATE:
		return shape_read_rate(r, json, 0, at);
	case SHAPE_FLAG:
		return shape_read_flag(r, json, at);
	case SHAPE_TEXT:
		return shape_read_text(r, f, json, at);
	case SHAPE_OBJECT:
		return shape_read_sub(r, f, json, object);
	case SHAPE_LIST:
	case SHAPE_COUNTS:
	case SHAPE_RATES:
	case SHAPE_TEXTS:
	case SHAPE_FIGURES:
		break;
	}
	return shape_read_array(r, f, json, object);
}

static const struct shape_field *
shape_read_row(const struct shape *s, const char *key)
{
	const struct shape_field *f;

	for (f = s->fields; f->key; f++)
		if (!strcmp(f->key, key))
			return f;
	return NULL;
}

static int
shape_read_keys(struct shape_reader *r, const struct shape *s, json_t *json,
	char *object)
{
	static const struct shape_field key_row = { .kind = SHAPE_TEXT,
		.max = SHAPE_KEY_MAX };
	const struct shape_field *f;
	const char *key;
	json_t *value;
	size_t back;

	json_object_foreach(json, key, value)
	{
		f = shape_read_row(s, key);
		if (!f && r->lenient)
			continue;
		if (!f && shape_text_fault(&key_row, key, strlen(key)))
			return shape_read_fault(r, "has a malformed key");
		back = shape_path_key(&r->path, key);
		if (!f)
			return shape_read_fault(r, "is not known");
		if (shape_read_field(r, f, value, object))
			return -1;
		shape_path_back(&r->path, back);
	}
	return 0;
}

static int
shape_read_object(struct shape_reader *r, const struct shape *s, json_t *json,
	char *object)
{
	const struct shape_field *f;

	if (!json_is_object(json))
		return shape_read_fault(r, "is not an object");
	shape_clear(s, object);
	if (shape_read_keys(r, s, json, object))
		return -1;
	for (f = s->fields; f->key; f++) {
		if (!(f->flags & SHAPE_REQUIRED) ||
			json_object_get(json, f->key))
			continue;
		shape_path_key(&r->path, f->key);
		return shape_read_fault(r, "is missing");
	}
	return 0;
}

/*
 * Before anything is built from the text: how deep and how much is it?
 * A comma or a colon stands before each value but the first of a list.
 */
static int
shape_read_measure(const char *json, size_t len, struct err *e)
{
	size_t i, depth = 0, containers = 0, values = 0;
	bool text = false;

	for (i = 0; i < len; i++) {
		char c = json[i];

		if (text) {
			i += c == '\\';
			text = c != '"';
			continue;
		}
		text = c == '"';
		values += c == ',' || c == ':';
		if (c == '{' || c == '[') {
			containers++;
			depth++;
		} else if ((c == '}' || c == ']') && depth > 0) {
			depth--;
		}
		if (depth > SHAPE_MAX_DEPTH)
			return err_set(e, ERR_INPUT, 0,
				"nested deeper than %d at byte %zu",
				SHAPE_MAX_DEPTH, i);
		if (containers > SHAPE_MAX_CONTAINERS ||
			values > SHAPE_MAX_VALUES)
			return err_set(e, ERR_INPUT, 0,
				"more than %zu objects and lists or %zu values",
				SHAPE_MAX_CONTAINERS, SHAPE_MAX_VALUES);
	}
	return 0;
}

/* jansson's own sentence may quote the text, terminal escapes and all. */
static int
shape_read_syntax(const json_error_t *at, struct err *e)
{
	/* ended by NULL */
	static const struct {
		enum json_error_code code;
		const char *what;
	} table[] = {
		{ json_error_out_of_memory, "out of memory" },
		{ json_error_stack_overflow, "nested too deep" },
		{ json_error_invalid_utf8, "not UTF-8" },
		{ json_error_premature_end_of_input, "ends too early" },
		{ json_error_end_of_input_expected,
			"something follows its end" },
		{ json_error_null_character, "a NUL in a text" },
		{ json_error_null_byte_in_key, "a NUL in a key" },
		{ json_error_duplicate_key, "a key occurs twice" },
		{ json_error_numeric_overflow, "a number is too large" },
		{ json_error_invalid_syntax, "not JSON" },
		{ json_error_unknown, NULL },
	};
	enum json_error_code code = json_error_code(at);
	size_t i = 0;

	while (table[i].what && table[i].code != code)
		i++;
	return err_set(e, ERR_INPUT, 0, "%s (line %d, column %d)",
		table[i].what ? table[i].what : "not JSON", at->line,
		at->column);
}

int
shape_read(const struct shape *s, const struct shape_json *json, void *object,
	struct arena *arena, struct err *e)
{
	struct shape_reader r = {
		.arena = arena, .e = e, .lenient = json->lenient
	};
	json_error_t at;
	json_t *tree;
	int rc;

	if (shape_read_measure(json->text, json->len, e))
		return -1;
	tree = json_loadb(json->text, json->len, JSON_REJECT_DUPLICATES, &at);
	if (!tree)
		return shape_read_syntax(&at, e);
	rc = shape_read_object(&r, s, tree, object);
	json_decref(tree);
	return rc;
}
