/* What a shape says in pairs of path and text, and what several have in
 * common. */
#include <math.h>

#include "base/shape_combine.h"
#include "base/shape_walk.h"
#include "tap.h"

struct part {
	const char *name;
	uint64_t count;
};

struct thing {
	const char *text;
	uint64_t count, withheld, absent;
	double rate;
	int8_t flag;
	struct part *one;
	struct part *parts;
	size_t part_count;
	uint64_t *row;
	size_t row_count;
};

static const struct shape_field part_rows[] = {
	{ "name", SHAPE_TEXT, 0, offsetof(struct part, name), 0, NULL, NULL, 0,
		"" },
	{ "count", SHAPE_COUNT, 0, offsetof(struct part, count), 0, NULL, NULL,
		0, "" },
	{ 0 },
};
static const struct shape part = { "part", sizeof(struct part), part_rows, "" };

#define AT(m) offsetof(struct thing, m)
static const struct shape_field thing_rows[] = {
	{ "text", SHAPE_TEXT, 0, AT(text), 0, NULL, NULL, 0, "" },
	{ "count", SHAPE_COUNT, 0, AT(count), 0, NULL, NULL, 0, "" },
	{ "withheld", SHAPE_COUNT, SHAPE_NULLABLE, AT(withheld), 0, NULL, NULL,
		0, "" },
	{ "absent", SHAPE_COUNT, 0, AT(absent), 0, NULL, NULL, 0, "" },
	{ "rate", SHAPE_RATE, 0, AT(rate), 0, NULL, NULL, 0, "" },
	{ "flag", SHAPE_FLAG, 0, AT(flag), 0, NULL, NULL, 0, "" },
	{ "one", SHAPE_OBJECT, 0, AT(one), 0, &part, NULL, 0, "" },
	{ "parts", SHAPE_LIST, 0, AT(parts), AT(part_count), &part, NULL, 0,
		"" },
	{ "row", SHAPE_COUNTS, 0, AT(row), AT(row_count), NULL, NULL, 0, "" },
	{ 0 },
};
static const struct shape thing = { "thing", sizeof(struct thing), thing_rows,
	"" };

static void
say(const char *path, const char *value, void *arg)
{
	char *out = arg;
	size_t n = strlen(out);

	snprintf(out + n, 400 - n, "%s=%s;", path, value);
}

static void
test_walk(void)
{
	struct part parts[] = { { "a", 1 }, { NULL, 2 } };
	uint64_t row[] = { 1, 2, 3 };
	struct thing t = { "x", 7, SHAPE_WITHHELD, SHAPE_ABSENT, 1.5, 1,
		&parts[0], parts, 2, row, 3 };
	char out[400] = "";
	struct shape_walk w = { say, out };

	shape_walk(&thing, &t, &w);
	EQ_STR(out,
		"text=x;count=7;withheld=withheld;rate=1.5;flag=true;"
		"one.name=a;one.count=1;parts[0].name=a;parts[0].count=1;"
		"parts[1].count=2;row=1 2 3;",
		"each that is there");
	shape_clear(&thing, &t);
	out[0] = '\0';
	shape_walk(&thing, &t, &w);
	EQ_STR(out, "", "nothing of nothing");
}

static void
test_combine(void)
{
	struct part p[3] = { { "a", 1 }, { "a", 4 }, { "b", 2 } };
	uint64_t row[] = { 1, 2 };
	struct thing t[3], out;
	const void *objects[3] = { &t[0], &t[1], &t[2] };
	struct arena a;
	struct shape_combine how = { SHAPE_COMBINE_MEDIAN, objects, 3, &a };
	size_t i;

	arena_init(&a);
	for (i = 0; i < 3; i++)
		t[i] = (struct thing){ "x", 10 - i, 5, 5, (double)i, 1, &p[i],
			&p[i], 1, row, 2 };
	t[1].withheld = SHAPE_WITHHELD;
	t[2].absent = SHAPE_ABSENT;
	t[2].flag = 0;
	OK(shape_combine(&thing, &how, &out) == 0, "medians");
	EQ_STR(out.text, "x", "a text that all have");
	EQ_U64(out.count, 9, "the middle count");
	EQ_U64(out.withheld, SHAPE_WITHHELD, "one withheld: withheld");
	EQ_U64(out.absent, SHAPE_ABSENT, "one absent: absent");
	OK(out.rate == 1, "the middle rate");
	OK(out.flag == -1, "flags that differ");
	OK(out.one && !out.one->name && out.one->count == 2, "below");
	OK(out.part_count == 1 && out.parts[0].count == 2, "in lists");
	OK(!out.row && out.row_count == 0, "no median of a row");
	how.n = 2;
	OK(shape_combine(&thing, &how, &out) == 0 && out.count == 10,
		"of two the middle, rounded up");
	how.how = SHAPE_COMBINE_EQUAL;
	t[1].part_count = 0;
	OK(shape_combine(&thing, &how, &out) == 0, "what all agree on");
	OK(out.count == SHAPE_ABSENT && isnan(out.rate), "counts that differ");
	OK(out.row_count == 2 && out.row == row, "a row that is the same");
	OK(!out.parts && out.part_count == 0, "lists of unlike length");
	arena_free(&a);
}

int
main(void)
{
	test_walk();
	test_combine();
	return tap_done();
}
