#include "base/text.h"

#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define E_ACUTE	 "\xc3\xa9"
#define COMBINED "e\xcc\x81"
#define HAN	 "\xe6\xbc\xa2"
#define KANJI	 HAN "\xe5\xad\x97"

static const struct text_style plain = { 40, false, false };
static const struct text_style rich = { 40, true, true };

/* Columns of the longest line of b; every line must be ended. */
static size_t
longest(const struct buf *b)
{
	const char *p = buf_text(b), *end;
	char line[500];
	size_t most = 0, n;

	for (; *p; p = end + 1) {
		end = strchr(p, '\n');
		if (!end || (size_t)(end - p) >= sizeof(line))
			return SIZE_MAX;
		memcpy(line, p, (size_t)(end - p));
		line[end - p] = '\0';
		n = text_columns(line);
		most = n > most ? n : most;
	}
	return most;
}

static int
no_blank_ends(const struct buf *b)
{
	return !strstr(buf_text(b), " \n");
}

static void
test_utf8(void)
{
	OK(text_is_utf8("", 0), "nothing");
	OK(text_is_utf8("a\0" KANJI, 8), "with a NUL");
	OK(!text_is_utf8("ab\xff", 3), "a wrong byte at the end");
	OK(text_is_utf8("ab\xff", 2), "but not behind it");
	OK(!text_is_utf8(HAN, 2), "cut short");
	OK(!text_is_utf8("\xed\xa0\x80", 3), "a surrogate");
	OK(!text_is_utf8("\xc0\x80", 2), "overlong");
}

static void
test_columns(void)
{
	static const struct {
		const char *s;
		size_t columns;
	} rows[] = {
		{ "", 0 },
		{ "abc", 3 },
		{ "a\tb\n", 4 },
		{ "\xff\xfe", 2 },
		{ E_ACUTE, 1 },
		{ COMBINED, 1 },
		{ KANJI, 4 },
		{ "\xed\x95\x9c", 2 },		   /* Hangul, one block */
		{ "\xe1\x84\x92\xe1\x85\xa1", 2 }, /* Hangul, joined */
		{ "\xf0\x9f\x98\x80", 2 },	   /* a face */
		{ "\xef\xbc\xa1", 2 },		   /* full width A */
		{ "\xe2\x94\x80", 1 },		   /* a line */
		{ "\xe2\x96\x88", 1 },		   /* a block */
		{ "\xef\xbb\xbf"
		  "a",
			1 },	       /* byte order mark */
		{ "\xe2\x80\x8b", 0 }, /* zero width space */
		{ "\xc2\xb5s", 2 },
	};
	size_t i;

	for (i = 0; i < COUNT(rows); i++)
		EQ_U64(text_columns(rows[i].s), rows[i].columns, rows[i].s);
}

static void
test_clean(void)
{
	static const struct {
		const char *s, *utf8, *ascii;
	} rows[] = {
		{ "abc", "abc", "abc" },
		{ "", "", "" },
		{ "a\x1b[2Jb", "a?[2Jb", "a?[2Jb" },
		{ "a\nb\tc\r", "a?b?c?", "a?b?c?" },
		{ "\xc2\x9b"
		  "2J",
			"?2J", "?2J" },
		{ "\xff" E_ACUTE, "?" E_ACUTE, "??" },
		{ COMBINED, COMBINED, "e" },
		{ KANJI, KANJI, "??" },
		{ "\xe2\x80\xae"
		  "evil",
			"?evil", "?evil" },
	};
	struct buf b;
	size_t i;

	buf_init(&b);
	for (i = 0; i < COUNT(rows); i++) {
		buf_reset(&b);
		text_clean(&b, rows[i].s, true);
		EQ_STR(buf_text(&b), rows[i].utf8, "cleaned");
		buf_reset(&b);
		text_clean(&b, rows[i].s, false);
		EQ_STR(buf_text(&b), rows[i].ascii, "in ASCII");
	}
	buf_free(&b);
}

static void
test_cell(void)
{
	static const struct {
		const char *s;
		int columns;
		bool right, utf8;
		const char *want;
	} rows[] = {
		{ "abc", 5, false, true, "abc  " },
		{ "abc", 5, true, true, "  abc" },
		{ "abc", 3, false, true, "abc" },
		{ "abc", 3, true, true, "abc" },
		{ "abcd", 3, false, true, "abc" },
		{ "abcde", 4, false, true, "a..." },
		{ "abcde", 4, true, true, "a..." },
		{ "abcdef", 5, false, true, "ab..." },
		{ "abc", 0, false, true, "" },
		{ "abc", -1, true, true, "" },
		{ "", 2, false, true, "  " },
		{ KANJI, 4, false, true, KANJI },
		{ KANJI HAN, 5, false, true, HAN "..." },
		{ KANJI HAN, 4, false, true, "... " },
		{ KANJI HAN, 4, true, true, "... " },
		{ KANJI, 3, false, true, HAN " " },
		{ KANJI, 4, false, false, "??  " },
		{ COMBINED "bcd", 4, false, true, COMBINED "bcd" },
		{ COMBINED COMBINED "bcd", 4, false, true, COMBINED "..." },
		{ COMBINED, 3, true, false, "  e" },
		{ "a\x1b"
		  "b",
			4, false, true, "a?b " },
	};
	struct buf b;
	size_t i;

	buf_init(&b);
	for (i = 0; i < COUNT(rows); i++) {
		buf_reset(&b);
		text_cell(&b, rows[i].s, rows[i].columns, rows[i].right,
			rows[i].utf8);
		EQ_STR(buf_text(&b), rows[i].want, "cell");
	}
	buf_free(&b);
}

/* Any bytes in any width: valid, free of controls, exactly that wide. */
static void
test_cell_any(void)
{
	char s[24];
	uint64_t x = 42;
	struct buf b;
	size_t i, k;
	int ok = 1, columns;

	buf_init(&b);
	for (i = 0; i < 50000; i++) {
		for (k = 0; k < sizeof(s) - 1; k++) {
			x = x * UINT64_C(6364136223846793005) + 1442695;
			s[k] = (char)(x >> 56 ? x >> 56 : 1);
			/* Real characters more often than chance has them. */
			if (k > 2 && x >> 40 & 1) {
				memcpy(s + k - 2,
					x >> 41 & 1 ? HAN : "a\xcc\x81", 3);
			}
		}
		s[k] = '\0';
		columns = (int)(i % 20);
		buf_reset(&b);
		text_cell(&b, s, columns, i % 3 == 0, i % 5 != 0);
		ok &= text_columns(buf_text(&b)) == (size_t)columns;
		ok &= text_is_utf8(buf_text(&b), b.len);
	}
	OK(ok, "every cell is as wide as it was asked for");
	buf_free(&b);
}

static void
test_wrap(void)
{
	static const struct {
		const char *first, *s, *want;
	} rows[] = {
		{ "", "", "\n" },
		{ "note: ", "", "note:\n" },
		{ "- ", "short", "- short\n" },
		{ "- ", "  a   b  ", "- a b\n" },
		{ "- ", "one two three four five six seven eight nine",
			"- one two three four five six seven\n"
			"  eight nine\n" },
		{ "", "1234567890 1234567890 1234567890 1234567",
			"1234567890 1234567890 1234567890 1234567\n" },
		{ "", "1234567890 1234567890 1234567890 12345678",
			"1234567890 1234567890 1234567890\n12345678\n" },
		{ "> ", "a\nb\n\nc\n", "> a\n  b\n\n  c\n" },
		{ "> ",
			"/a/path/that/is/so/long/that/no/line/of/a/screen/"
			"holds/it end",
			"> /a/path/that/is/so/long/that/no/line/o\n"
			"  f/a/screen/holds/it end\n" },
		{ "> ", "x 123456789012345678901234567890123456789",
			"> x\n"
			"  12345678901234567890123456789012345678\n"
			"  9\n" },
		{ "a heading of twenty-six cols: ", "word another-word end",
			"a heading of twenty-six cols: word\n"
			"    another-word end\n" },
		{ "a heading that fills all of forty colum: ", "word",
			"a heading that fills all of forty colum:\n"
			"    word\n" },
		{ "> ", "a\x1b[2Jb", "> a?[2Jb\n" },
		{ "> ", KANJI "\xc3\xa9", "> ???\n" },
	};
	struct text_style narrow = { 1, false, true };
	struct buf b;
	size_t i;

	buf_init(&b);
	for (i = 0; i < COUNT(rows); i++) {
		buf_reset(&b);
		text_wrap(&b, rows[i].first, rows[i].s, &plain);
		EQ_STR(buf_text(&b), rows[i].want, "wrapped");
		OK(longest(&b) <= 40 && no_blank_ends(&b), "fits");
	}
	buf_reset(&b);
	text_wrap(&b, HAN " ",
		KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI,
		&rich);
	EQ_STR(buf_text(&b),
		HAN " " KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI
		    "\n   " KANJI "\n",
		"wide characters break where they fit");
	buf_reset(&b);
	text_wrap(&b, KANJI, KANJI KANJI, &narrow);
	EQ_STR(buf_text(&b), KANJI KANJI KANJI "\n", "no screen is too narrow");
	buf_free(&b);
}

static void
test_color(void)
{
	enum text_color c;
	struct buf b;

	buf_init(&b);
	for (c = TEXT_PLAIN; c <= TEXT_YELLOW; c++) {
		buf_reset(&b);
		text_colored(&b, c, "x", &plain);
		EQ_STR(buf_text(&b), "x", "no escape without color");
		buf_reset(&b);
		text_colored(&b, c, "x", &rich);
		if (c == TEXT_PLAIN)
			EQ_STR(buf_text(&b), "x", "plain is bare");
		else
			OK(!strncmp(b.data, "\033[", 2) &&
					strstr(b.data, "mx\033[0m"),
				"escape, text, end");
	}
	buf_free(&b);
}

static void
test_spark(void)
{
	static const uint64_t steps[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
	static const uint64_t pairs[] = { 0, 0, 2, 4, 10, 4 };
	static const uint64_t huge[] = { UINT64_MAX, UINT64_MAX, 0, 0 };
	static const uint64_t zero[] = { 0, 0 };
	static const struct {
		const uint64_t *v;
		size_t n;
		int columns;
		const char *want;
	} rows[] = {
		{ steps, 8, 80, " .:-=+*#" },
		{ steps, 8, 8, " .:-=+*#" },
		{ steps, 8, 4, ".-+#" },
		{ pairs, 6, 3, " -#" },
		{ pairs, 5, 2, " #" },
		{ huge, 4, 4, "##  " },
		{ huge, 4, 2, "# " },
		{ huge, 4, 1, "#" },
		{ zero, 2, 9, "  " },
		{ zero, 0, 9, "" },
		{ steps, 8, 0, "" },
		{ steps, 8, -5, "" },
		{ NULL, 0, 5, "" },
	};
	struct buf b;
	size_t i;

	buf_init(&b);
	for (i = 0; i < COUNT(rows); i++) {
		buf_reset(&b);
		text_spark(&b, rows[i].v, rows[i].n, rows[i].columns, false);
		EQ_STR(buf_text(&b), rows[i].want, "spark");
	}
	buf_reset(&b);
	text_spark(&b, steps, 8, 8, true);
	EQ_STR(buf_text(&b),
		"\xe2\x96\x81\xe2\x96\x82\xe2\x96\x83\xe2\x96\x84"
		"\xe2\x96\x85\xe2\x96\x86\xe2\x96\x87\xe2\x96\x88",
		"eight heights");
	buf_free(&b);
}

/* A buffer that failed before: nothing crashes, nothing is added. */
static void
test_failed(void)
{
	static const uint64_t v[] = { 1 };
	struct buf b;

	buf_init(&b);
	buf_str(&b, "x ");
	buf_add(&b, "x", SIZE_MAX);
	text_wrap(&b, "> ", "some words", &plain);
	text_spark(&b, v, 1, 4, true);
	OK(buf_failed(&b) && b.len <= 2, "stays failed");
	buf_free(&b);
	buf_add(&b, "x", SIZE_MAX);
	text_wrap(&b, "> ", "some words", &plain);
	EQ_STR(buf_text(&b), "", "also where nothing was held");
	buf_free(&b);
}

int
main(void)
{
	test_utf8();
	test_columns();
	test_clean();
	test_cell();
	test_cell_any();
	test_wrap();
	test_color();
	test_spark();
	test_failed();
	return tap_done();
}
