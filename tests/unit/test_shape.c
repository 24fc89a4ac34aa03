#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/shape.h"
#include "tap.h"

struct leaf {
	uint64_t n, p50;
	double iops;
};

static const struct shape_field leaf_fields[] = {
	{ "n", SHAPE_COUNT, SHAPE_REQUIRED, offsetof(struct leaf, n), 0, NULL,
		NULL, 0, "samples" },
	{ "p50", SHAPE_COUNT, SHAPE_NULLABLE, offsetof(struct leaf, p50), 0,
		NULL, NULL, 0, "median" },
	{ "iops", SHAPE_RATE, 0, offsetof(struct leaf, iops), 0, NULL, NULL, 0,
		"operations a second" },
	{ 0 },
};
static const struct shape leaf_shape = { "leaf", sizeof(struct leaf),
	leaf_fields, "One leaf." };

struct tree {
	const char *name, *state;
	int8_t done;
	struct leaf *read;
	struct leaf *windows;
	size_t window_count;
	uint64_t *ios;
	size_t io_count;
	double *percentiles;
	size_t percentile_count;
	const char **words;
	size_t word_count;
	struct shape_figure *figures;
	size_t figure_count;
};

#define AT(m) offsetof(struct tree, m)
static const struct shape_field tree_fields[] = {
	{ "name", SHAPE_TEXT, SHAPE_REQUIRED, AT(name), 0, NULL, NULL, 16,
		"a name" },
	{ "state", SHAPE_TEXT, 0, AT(state), 0, NULL, "synced|unset", 0, NULL },
	{ "done", SHAPE_FLAG, 0, AT(done), 0, NULL, NULL, 0, "is it?" },
	{ "read", SHAPE_OBJECT, 0, AT(read), 0, &leaf_shape, NULL, 0,
		"a leaf" },
	{ "windows", SHAPE_LIST, 0, AT(windows), AT(window_count), &leaf_shape,
		NULL, 4, "leaves" },
	{ "ios", SHAPE_COUNTS, 0, AT(ios), AT(io_count), NULL, NULL, 3,
		"numbers" },
	{ "percentiles", SHAPE_RATES, 0, AT(percentiles), AT(percentile_count),
		NULL, NULL, 3, "rates" },
	{ "words", SHAPE_TEXTS, 0, AT(words), AT(word_count), NULL, NULL, 3,
		"texts" },
	{ "figures", SHAPE_FIGURES, 0, AT(figures), AT(figure_count), NULL,
		NULL, 3, "free keys" },
	{ 0 },
};
static const struct shape tree_shape = { "tree", sizeof(struct tree),
	tree_fields, "A tree." };

/* Everything there is, once. */
static const char full[] =
	"{\"name\":\"a\\\"b\\n\xc3\xa9\",\"state\":\"unset\",\"done\":true,"
	"\"read\":{\"n\":9007199254740991,\"p50\":null,\"iops\":1561.7},"
	"\"windows\":[{\"n\":0},{\"n\":2,\"p50\":3}],\"ios\":[1,0,3],"
	"\"percentiles\":[50,99.9],\"words\":[\"x\"],\"figures\":{\"cv\":0.016,"
	"\"drop\":-2.5}}";

static int
parse(const struct shape *s, struct shape_json json, void *object,
	struct arena *a, struct err *e)
{
	return shape_read(s, &json, object, a, e);
}

#define STRICT(s, n)  ((struct shape_json){ s, n, false })
#define LENIENT(s, n) ((struct shape_json){ s, n, true })

static char *
written(const struct tree *t, struct buf *b, struct err *e)
{
	buf_reset(b);
	return shape_write(&tree_shape, t, b, e) ? NULL : b->data;
}

static void
test_round_trip(struct arena *a, struct buf *b)
{
	struct tree t;
	struct err e = { 0 };

	OK(!parse(&tree_shape, STRICT(full, strlen(full)), &t, a, &e),
		"a full document is read");
	EQ_STR(t.name, "a\"b\n\xc3\xa9", "text is unescaped");
	EQ_U64(t.read->n, SHAPE_MAX, "the largest count");
	EQ_U64(t.read->p50, SHAPE_WITHHELD, "null is withheld");
	EQ_U64(t.windows[0].p50, SHAPE_ABSENT, "what is not there is absent");
	OK(isnan(t.windows[0].iops), "an absent rate is NAN");
	EQ_I64(t.done, 1, "a flag");
	EQ_U64(t.window_count, 2, "a list's count");
	EQ_U64(t.figure_count, 2, "figures' count");
	EQ_STR(t.figures[1].key, "drop", "figures keep their order");
	EQ_STR(written(&t, b, &e), full, "and written back the same");
}

static void
test_absent(struct arena *a, struct buf *b)
{
	struct tree t;
	struct err e = { 0 };

	shape_clear(&tree_shape, &t);
	EQ_I64(t.done, -1, "a cleared flag is absent");
	OK(!written(&t, b, &e), "a required member may not be absent");
	EQ_I64(e.code, ERR_INCOMPLETE, "that is exit status 3");
	EQ_STR(e.text, "cannot write name: it is absent", "naming the key");
	t.name = "";
	OK(!written(&t, b, &e), "an empty text is absent");
	t.name = "x";
	EQ_STR(written(&t, b, &e), "{\"name\":\"x\"}",
		"absent keys are left out");
	t.ios = arena_alloc(a, 1, sizeof(*t.ios));
	EQ_STR(written(&t, b, &e), "{\"name\":\"x\",\"ios\":[]}",
		"a list of none that has a pointer is []");
	OK(!parse(&tree_shape, STRICT(b->data, b->len), &t, a, &e) && t.ios &&
			t.io_count == 0,
		"and is told apart when read");
}

static void
test_write_faults(struct arena *a, struct buf *b)
{
	struct err e = { 0 };
	struct tree t;
	struct leaf leaf;

	shape_clear(&tree_shape, &t);
	shape_clear(&leaf_shape, &leaf);
	t.name = "x";
	t.windows = &leaf;
	t.window_count = 1;
	OK(!written(&t, b, &e), "a required member of a list's element");
	EQ_STR(e.text, "cannot write windows[0].n: it is absent",
		"by its path");
	leaf.n = SHAPE_MAX + 1;
	OK(!written(&t, b, &e), "a count above 2^53 - 1");
	leaf.n = SHAPE_WITHHELD;
	OK(!written(&t, b, &e), "withheld where null is not allowed");
	leaf.n = 1;
	leaf.iops = -1;
	OK(!written(&t, b, &e), "a negative rate");
	leaf.iops = INFINITY;
	OK(!written(&t, b, &e), "an infinite rate");
	leaf.iops = NAN;
	t.name = "12345678901234567";
	OK(!written(&t, b, &e), "a text that is too long");
	t.name = "a\x1b[31m";
	OK(!written(&t, b, &e), "a text with an escape");
	EQ_STR(e.text, "cannot write name: it has control characters",
		"said so");
	t.name = "\xff";
	OK(!written(&t, b, &e), "a text that is not UTF-8");
	t.name = "x";
	t.state = "unse";
	OK(!written(&t, b, &e), "a word that is none of the row's");
	t.state = "synced";
	t.window_count = 5;
	OK(!written(&t, b, &e), "too many elements");
	t.windows = NULL;
	OK(!written(&t, b, &e), "a count without elements");
	t.window_count = 0;
	t.figures = arena_alloc(a, 2, sizeof(*t.figures));
	t.figure_count = 2;
	t.figures[0].key = t.figures[1].key = "k";
	OK(!written(&t, b, &e), "a key twice");
	t.figures[1].key = "l";
	OK(written(&t, b, &e), "and otherwise fine");
}

static void
test_tidy(struct arena *a, struct buf *b)
{
	static const char *words[] = { "ok", "a\tb" };
	struct leaf leaf = { SHAPE_MAX + 1, SHAPE_WITHHELD, INFINITY };
	struct err e = { 0 };
	struct tree t;

	shape_clear(&tree_shape, &t);
	/* cut before the letter that does not fit whole */
	t.name = "123456789012345\xc3\xa9";
	t.state = "unset";
	t.words = words;
	t.word_count = 2;
	t.read = &leaf;
	OK(!shape_tidy(&tree_shape, &t, a), "tidied");
	EQ_STR(t.name, "123456789012345", "a text that is too long is cut");
	EQ_STR(words[1], "a?b", "controls are replaced, in lists too");
	EQ_U64(leaf.n, SHAPE_ABSENT, "a count that is too large is absent");
	EQ_U64(leaf.p50, SHAPE_WITHHELD, "what is withheld stays so");
	OK(isnan(leaf.iops), "a rate that is none is absent");
	leaf.n = 1;
	leaf.iops = 2.0 / 3;
	OK(!shape_tidy(&tree_shape, &t, a) && leaf.iops == 0.667,
		"a rate becomes what a reader will see");
	OK(shape_round(-1.23456) == -1.235 && isnan(shape_round(NAN)) &&
			shape_round(123456789012345.678) == 123456789012346,
		"shape_round");
	leaf.iops = NAN;
	EQ_STR(written(&t, b, &e),
		"{\"name\":\"123456789012345\",\"state\":\"unset\","
		"\"read\":{\"n\":1,\"p50\":null},\"words\":[\"ok\",\"a?b\"]}",
		"and can be written");
}

static void
test_rates(struct buf *b)
{
	/* ended by NULL */
	static const struct {
		double v;
		const char *text;
	} table[] = {
		{ 0, "0" },
		{ 0.0004, "0" },
		{ 0.0005, "0.001" },
		{ 0.012, "0.012" },
		{ 20.21, "20.21" },
		{ 1561.7004, "1561.7" },
		{ 52648.6666666, "52648.667" },
		{ 215649484.8, "215649484.8" },
		{ 999999999999.999, "999999999999.999" },
		{ 999999999999.9996, "1000000000000" },
		{ 123456789012345.678, "123456789012346" },
		{ 9007199254740991.0, "9007199254740991" },
		{ 0, NULL },
	};
	struct leaf leaf = { 1, SHAPE_ABSENT, 0 }, back;
	struct arena a;
	struct err e = { 0 };
	char want[80], again[80];
	size_t i;

	arena_init(&a);
	for (i = 0; table[i].text; i++) {
		leaf.iops = table[i].v;
		buf_reset(b);
		shape_write(&leaf_shape, &leaf, b, &e);
		snprintf(want, sizeof(want), "{\"n\":1,\"iops\":%s}",
			table[i].text);
		EQ_STR(b->data, want, table[i].text);
		OK(!parse(&leaf_shape, STRICT(b->data, b->len), &back, &a, &e),
			"is read");
		snprintf(again, sizeof(again), "%s", b->data);
		buf_reset(b);
		shape_write(&leaf_shape, &back, b, &e);
		EQ_STR(b->data, again, "and written the same again");
	}
	arena_free(&a);
}

static void
test_read_faults(struct arena *a)
{
	/* the document and the start of the sentence; ended by NULL */
	static const struct {
		const char *json, *fault;
	} table[] = {
		{ "", "ends too early" },
		{ "{", "ends too early" },
		{ "{\"name\":\"x\"}}", "something follows" },
		{ "{\"name\":\"x\"} x", "something follows" },
		{ "[]", "the document is not an object" },
		{ "nul", "not JSON" },
		{ "{\"name\":\"x\",\"name\":\"x\"}", "a key occurs twice" },
		{ "{}", "name is missing" },
		{ "{\"name\":null}", "name is not a text" },
		{ "{\"name\":\"\"}", "name is empty" },
		{ "{\"name\":\"12345678901234567\"}", "name is too long" },
		{ "{\"name\":\"\\u001b[31m\"}", "name has control" },
		{ "{\"name\":\"\\u0085\"}", "name has control" },
		{ "{\"name\":\"\x1b[31m\"}", "not JSON" },
		{ "{\"name\":\"a\\u0000\"}", "a NUL in a text" },
		{ "{\"name\":\"\xff\"}", "not UTF-8" },
		{ "{\"name\":\"\xc0\x80\"}", "not UTF-8" },
		{ "{\"name\":\"\\ud800\"}", "not JSON" },
		{ "{\"name\":\"x\",\"a\\u0000\":1}", "a NUL in a key" },
		{ "{\"name\":\"x\",\"\\u001b\":1}",
			"the document has a malformed key" },
		{ "{\"name\":\"x\",\"more\":1}", "more is not known" },
		{ "{\"name\":\"x\",\"state\":\"sync\"}",
			"state is not one of" },
		{ "{\"name\":\"x\",\"done\":1}", "done is not true or false" },
		{ "{\"name\":\"x\",\"done\":null}",
			"done is not true or false" },
		{ "{\"name\":\"x\",\"read\":[]}", "read is not an object" },
		{ "{\"name\":\"x\",\"read\":{\"n\":1.0}}",
			"read.n is not an integer" },
		{ "{\"name\":\"x\",\"read\":{\"n\":\"1\"}}",
			"read.n is not an integer" },
		{ "{\"name\":\"x\",\"read\":{\"n\":-1}}",
			"read.n is not in 0" },
		{ "{\"name\":\"x\",\"read\":{\"n\":9007199254740992}}",
			"read.n is not in 0" },
		{ "{\"name\":\"x\",\"read\":{\"n\":18446744073709551616}}",
			"a number is too large" },
		{ "{\"name\":\"x\",\"read\":{\"n\":null}}",
			"read.n is not an integer" },
		{ "{\"name\":\"x\",\"read\":{\"n\":1,\"iops\":-0.1}}",
			"read.iops is out of range" },
		{ "{\"name\":\"x\",\"read\":{\"n\":1,\"iops\":1e400}}",
			"a number is too large" },
		{ "{\"name\":\"x\",\"read\":{\"n\":1,\"iops\":NaN}}",
			"not JSON" },
		{ "{\"name\":\"x\",\"windows\":[{\"n\":1},{\"n\":1,\"p50\":-1}]"
		  "}",
			"windows[1].p50 is not in 0" },
		{ "{\"name\":\"x\",\"windows\":[{\"n\":1},{}]}",
			"windows[1].n is missing" },
		{ "{\"name\":\"x\",\"windows\":[1]}",
			"windows[0] is not an object" },
		{ "{\"name\":\"x\",\"windows\":{}}", "windows is not a list" },
		{ "{\"name\":\"x\",\"ios\":[1,2,3,4]}",
			"ios has too many elements" },
		{ "{\"name\":\"x\",\"ios\":[1,2.5]}",
			"ios[1] is not an integer" },
		{ "{\"name\":\"x\",\"percentiles\":[1,-1]}",
			"percentiles[1] is out of range" },
		{ "{\"name\":\"x\",\"words\":[\"a\",1]}",
			"words[1] is not a text" },
		{ "{\"name\":\"x\",\"figures\":[]}",
			"figures is not an object" },
		{ "{\"name\":\"x\",\"figures\":{\"a\":\"b\"}}",
			"figures.a is not a number" },
		{ "{\"name\":\"x\",\"figures\":{\"\":1}}",
			"figures has a malformed key" },
		{ NULL, NULL },
	};
	struct tree t;
	struct err e;
	size_t i;

	for (i = 0; table[i].json; i++) {
		e.code = 0;
		e.text[0] = '\0';
		OK(parse(&tree_shape,
			   STRICT(table[i].json, strlen(table[i].json)), &t, a,
			   &e) == -1 &&
				e.code == ERR_INPUT,
			table[i].json);
		if (!OK(!strncmp(
				e.text, table[i].fault, strlen(table[i].fault)),
			    table[i].fault))
			printf("# got \"%s\"\n", e.text);
	}
	OK(parse(&tree_shape, STRICT("{\"name\":\"x\"}\0", 13), &t, a, &e),
		"a NUL behind the end");
}

static void
test_lenient(struct arena *a)
{
	static const char json[] =
		"{\"new\":{\"a\":[1,{}]},\"name\":\"x\",\"read\":{\"n\":1,"
		"\"newer\":null}}";
	struct tree t;
	struct err e = { 0 };

	OK(parse(&tree_shape, STRICT(json, strlen(json)), &t, a, &e),
		"unknown keys are errors");
	OK(!parse(&tree_shape, LENIENT(json, strlen(json)), &t, a, &e) &&
			t.read->n == 1,
		"but where asked to be lenient");
}

/* count times s behind head. */
static void
repeat(struct buf *b, const char *head, const char *s, size_t count)
{
	buf_reset(b);
	buf_str(b, head);
	buf_repeat(b, s, count);
}

static void
test_bounds(struct arena *a, struct buf *b)
{
	struct tree t;
	struct err e = { 0 };

	repeat(b, "{\"deep\":", "[", 31);
	buf_repeat(b, "]", 31);
	buf_str(b, ",\"name\":\"x\"}");
	OK(!parse(&tree_shape, LENIENT(b->data, b->len), &t, a, &e),
		"32 levels are read");
	repeat(b, "{\"deep\":", "[", 32);
	OK(parse(&tree_shape, LENIENT(b->data, b->len), &t, a, &e) &&
			strstr(e.text, "deeper than 32"),
		"33 are not");
	repeat(b, "", "[", 1000000);
	OK(parse(&tree_shape, LENIENT(b->data, b->len), &t, a, &e),
		"nor a million");
	repeat(b, "{\"windows\":[", "{},", 1000000);
	OK(parse(&tree_shape, LENIENT(b->data, b->len), &t, a, &e) &&
			strstr(e.text, "objects and lists"),
		"a million windows");
	repeat(b, "{\"ios\":[", "1,", 1000000);
	OK(parse(&tree_shape, LENIENT(b->data, b->len), &t, a, &e) &&
			strstr(e.text, "values"),
		"a million numbers");
	repeat(b, "{\"name\":\"", "[{\\\"", 1000000);
	buf_str(b, "\"}");
	OK(parse(&tree_shape, LENIENT(b->data, b->len), &t, a, &e) &&
			!strcmp(e.text, "name is too long"),
		"brackets and quotes inside of texts do not count");
}

static void
test_schema(struct buf *b)
{
	struct err e = { 0 };
	const char *s;

	buf_reset(b);
	OK(!shape_schema(&tree_shape, "urn:x:tree", b, &e), "a schema");
	s = buf_text(b);
	OK(strstr(s, "\"$schema\": \"https://json-schema.org/draft/2020-12/"),
		"by its dialect");
	OK(strstr(s, "\"$id\": \"urn:x:tree\""), "its id");
	OK(strstr(s, "\"$ref\": \"#/$defs/leaf\""), "refers to the leaf");
	s = strstr(s, "\"$defs\"");
	OK(s && strstr(s, "\"leaf\": {") &&
			!strstr(strstr(s, "\"leaf\": {") + 1, "\"leaf\": {"),
		"which is defined once");
	EQ_STR(b->data + b->len - 2, "}\n", "LF at the end");
}

int
main(void)
{
	struct arena a;
	struct buf b;

	arena_init(&a);
	buf_init(&b);
	test_round_trip(&a, &b);
	test_absent(&a, &b);
	test_write_faults(&a, &b);
	test_tidy(&a, &b);
	test_rates(&b);
	test_read_faults(&a);
	test_lenient(&a);
	test_bounds(&a, &b);
	test_schema(&b);
	buf_free(&b);
	arena_free(&a);
	return tap_done();
}
