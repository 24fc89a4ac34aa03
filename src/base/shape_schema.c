#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/shape_private.h"

/*
 * Texts carry none of utf8_is_control but the line feed, which the pattern
 * says in the words of every dialect of regular expressions.
 */
#define SHAPE_SCHEMA_TEXT                                                      \
	"^[^\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f"                     \
	"\\u2028-\\u202e\\u2066-\\u2069]*$"

static int shape_schema_define(json_t *defs, const struct shape *s);

static json_t *
shape_schema_words(const char *words)
{
	json_t *list = json_array();
	size_t n;

	for (;;) {
		n = strcspn(words, "|");
		if (json_array_append_new(list, json_stringn(words, n)) != 0)
			goto fail;
		if (words[n] == '\0')
			return list;
		words += n + 1;
	}
fail:
	json_decref(list);
	return NULL;
}

static json_t *
shape_schema_text(const struct shape_field *f)
{
	if (f->words)
		return json_pack("{so}", "enum", shape_schema_words(f->words));
	return json_pack("{ss si sI ss}", "type", "string", "minLength", 1,
		"maxLength", (json_int_t)shape_limit(f), "pattern",
		SHAPE_SCHEMA_TEXT);
}

static json_t *
shape_schema_count(bool nullable)
{
	json_t *type = nullable ? json_pack("[ss]", "integer", "null")
				: json_string("integer");

	return json_pack("{so si sI}", "type", type, "minimum", 0, "maximum",
		(json_int_t)SHAPE_MAX);
}

static json_t *
shape_schema_number(json_int_t least)
{
	return json_pack("{ss sI sI}", "type", "number", "minimum", least,
		"maximum", (json_int_t)SHAPE_MAX);
}

static json_t *
shape_schema_ref(const struct shape *sub)
{
	return json_pack("{so}", "$ref", json_sprintf("#/$defs/%s", sub->name));
}

static json_t *
shape_schema_array(const struct shape_field *f, json_t *items)
{
	return json_pack("{ss so sI}", "type", "array", "items", items,
		"maxItems", (json_int_t)shape_limit(f));
}

static json_t *
shape_schema_figures(const struct shape_field *f)
{
	return json_pack("{ss so s{ss si si} sI}", "type", "object",
		"additionalProperties",
		shape_schema_number(-(json_int_t)SHAPE_MAX), "propertyNames",
		"pattern", SHAPE_SCHEMA_TEXT, "minLength", 1, "maxLength",
		SHAPE_KEY_MAX, "maxProperties", (json_int_t)shape_limit(f));
}

static json_t *
shape_schema_value(const struct shape_field *f)
{
	switch (f->kind) {
	case SHAPE_COUNT:
		return shape_schema_count(f->flags & SHAPE_NULLABLE);
	case SHAPE_RATE:
		return shape_schema_number(0);
	case SHAPE_FLAG:
		return json_pack("{ss}", "type", "boolean");
	case SHAPE_TEXT:
		return shape_schema_text(f);
	case SHAPE_OBJECT:
		return shape_schema_ref(f->sub);
	case SHAPE_LIST:
		return shape_schema_array(f, shape_schema_ref(f->sub));
	case SHAPE_COUNTS:
		return shape_schema_array(f, shape_schema_count(false));
	case SHAPE_RATES:
		return shape_schema_array(f, shape_schema_number(0));
	case SHAPE_TEXTS:
		return shape_schema_array(f, shape_schema_text(f));
	case SHAPE_FIGURES:
		break;
	}
	return shape_schema_figures(f);
}

/* The keywords of s into out; what s refers to into defs. */
static int
shape_schema_body(json_t *out, json_t *defs, const struct shape *s)
{
	json_t *properties = json_object(), *required = json_array(), *v;
	const struct shape_field *f;
	int rc = 0;

	for (f = s->fields; f->key; f++) {
		v = shape_schema_value(f);
		if (v && f->doc)
			rc |= json_object_set_new(
				v, "description", json_string(f->doc));
		rc |= json_object_set_new(properties, f->key, v);
		if (f->flags & SHAPE_REQUIRED)
			rc |= json_array_append_new(
				required, json_string(f->key));
		if (f->sub)
			rc |= shape_schema_define(defs, f->sub);
	}
	if (s->doc)
		rc |= json_object_set_new(
			out, "description", json_string(s->doc));
	rc |= json_object_set_new(out, "type", json_string("object"));
	rc |= json_object_set_new(out, "properties", properties);
	rc |= json_object_set_new(out, "required", required);
	rc |= json_object_set_new(out, "additionalProperties", json_false());
	return rc;
}

static int
shape_schema_define(json_t *defs, const struct shape *s)
{
	json_t *out;

	if (json_object_get(defs, s->name))
		return 0;
	out = json_object();
	if (json_object_set_new(defs, s->name, out) != 0)
		return -1;
	return shape_schema_body(out, defs, s);
}

static int
shape_schema_append(const char *data, size_t len, void *out)
{
	buf_add(out, data, len);
	return buf_failed(out) ? -1 : 0;
}

int
shape_schema(
	const struct shape *s, const char *id, struct buf *out, struct err *e)
{
	json_t *defs = json_object();
	json_t *root = json_pack("{ss ss ss}", "$schema",
		"https://json-schema.org/draft/2020-12/schema", "$id", id,
		"title", s->name);
	int rc = shape_schema_body(root, defs, s);

	rc |= json_object_set_new(root, "$defs", defs);
	if (rc == 0)
		rc = json_dump_callback(
			root, shape_schema_append, out, JSON_INDENT(2));
	buf_char(out, '\n');
	json_decref(root);
	if (rc == 0 && !buf_failed(out))
		return 0;
	return err_set(e, ERR_INCOMPLETE, 0,
		"out of memory while writing the schema of %s", s->name);
}
