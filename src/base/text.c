#include "base/text.h"

#include <string.h>

#include "base/utf8.h"

struct text_range {
	uint32_t first, last;
};

/* Two columns: East Asian wide and full-width blocks, and emoji. */
static const struct text_range text_wide[] = {
	{ 0x1100, 0x115f },   /* Hangul, leading */
	{ 0x2e80, 0x303e },   /* CJK radicals, punctuation */
	{ 0x3041, 0x33ff },   /* kana, CJK letters and months */
	{ 0x3400, 0x4dbf },   /* CJK A */
	{ 0x4e00, 0xa4cf },   /* CJK, Yi */
	{ 0xa960, 0xa97f },   /* Hangul A */
	{ 0xac00, 0xd7a3 },   /* Hangul */
	{ 0xf900, 0xfaff },   /* CJK, compatibility */
	{ 0xfe10, 0xfe19 },   /* vertical forms */
	{ 0xfe30, 0xfe6f },   /* compatibility and small forms */
	{ 0xff01, 0xff60 },   /* full width */
	{ 0xffe0, 0xffe6 },   /* full width signs */
	{ 0x17000, 0x18cff }, /* Tangut, Khitan */
	{ 0x1b000, 0x1b2ff }, /* kana, Nushu */
	{ 0x1f300, 0x1f64f }, /* pictures, faces */
	{ 0x1f680, 0x1f6ff }, /* transport */
	{ 0x1f900, 0x1f9ff }, /* more pictures */
	{ 0x1fa70, 0x1faff }, /* still more */
	{ 0x20000, 0x3fffd }, /* CJK B and all later */
};

/* No column: marks set upon the character before, joiners, selectors. */
static const struct text_range text_marks[] = {
	{ 0x0300, 0x036f },   /* accents */
	{ 0x0483, 0x0489 },   /* Cyrillic */
	{ 0x0591, 0x05bd },   /* Hebrew */
	{ 0x05bf, 0x05bf },   /* Hebrew */
	{ 0x05c1, 0x05c2 },   /* Hebrew */
	{ 0x05c4, 0x05c5 },   /* Hebrew */
	{ 0x05c7, 0x05c7 },   /* Hebrew */
	{ 0x0610, 0x061a },   /* Arabic */
	{ 0x064b, 0x065f },   /* Arabic */
	{ 0x0670, 0x0670 },   /* Arabic */
	{ 0x06d6, 0x06dc },   /* Arabic */
	{ 0x06df, 0x06e4 },   /* Arabic */
	{ 0x06e7, 0x06e8 },   /* Arabic */
	{ 0x06ea, 0x06ed },   /* Arabic */
	{ 0x0900, 0x0902 },   /* Devanagari */
	{ 0x093a, 0x093a },   /* Devanagari */
	{ 0x093c, 0x093c },   /* Devanagari */
	{ 0x0941, 0x0948 },   /* Devanagari */
	{ 0x094d, 0x094d },   /* Devanagari */
	{ 0x0951, 0x0957 },   /* Devanagari */
	{ 0x0e31, 0x0e31 },   /* Thai */
	{ 0x0e34, 0x0e3a },   /* Thai */
	{ 0x0e47, 0x0e4e },   /* Thai */
	{ 0x1160, 0x11ff },   /* Hangul, joined to what leads */
	{ 0x1ab0, 0x1aff },   /* accents */
	{ 0x1dc0, 0x1dff },   /* accents */
	{ 0x200b, 0x200f },   /* joiners */
	{ 0x2060, 0x2064 },   /* joiners */
	{ 0x20d0, 0x20f0 },   /* of symbols */
	{ 0x302a, 0x302d },   /* CJK */
	{ 0x3099, 0x309a },   /* kana */
	{ 0xfe00, 0xfe0f },   /* selectors */
	{ 0xfe20, 0xfe2f },   /* halves */
	{ 0xfeff, 0xfeff },   /* byte order */
	{ 0xe0100, 0xe01ef }, /* selectors */
};

#define TEXT_COUNT(a) (sizeof(a) / sizeof((a)[0]))

static bool
text_in(const struct text_range *r, size_t n, uint32_t point)
{
	size_t i;

	for (i = 0; i < n && r[i].first <= point; i++)
		if (point <= r[i].last)
			return true;
	return false;
}

static int
text_point_columns(uint32_t point)
{
	if (point < 0x300)
		return 1;
	if (text_in(text_marks, TEXT_COUNT(text_marks), point))
		return 0;
	return text_in(text_wide, TEXT_COUNT(text_wide), point) ? 2 : 1;
}

/* One character as it is shown. */
struct text_glyph {
	const char *bytes;
	size_t len;
	int columns;
	size_t used; /* bytes of the source */
};

static struct text_glyph
text_glyph(const char *s, size_t len, bool utf8)
{
	struct text_glyph g = { .bytes = "?", .len = 1, .columns = 1 };
	uint32_t point;
	int columns;

	g.used = utf8_next(s, len, &point);
	if (g.used == 0) {
		g.used = 1;
		return g;
	}
	if (utf8_is_control(point))
		return g;
	columns = text_point_columns(point);
	if (point >= 0x80 && !utf8) {
		g.len = columns > 0;
		g.columns = columns > 0;
		return g;
	}
	g.bytes = s;
	g.len = g.used;
	g.columns = columns;
	return g;
}

/* Columns of s[0..len) as it is shown. */
static size_t
text_measure(const char *s, size_t len, bool utf8)
{
	struct text_glyph g;
	size_t i, columns = 0;

	for (i = 0; i < len; i += g.used) {
		g = text_glyph(s + i, len - i, utf8);
		columns += (size_t)g.columns;
	}
	return columns;
}

/*
 * Append as much of the text as `columns` hold and move *s and *len on to
 * what is left.  Returns the columns that were taken.
 */
static size_t
text_put(struct buf *b, const char **s, size_t *len, size_t columns, bool utf8)
{
	struct text_glyph g;
	size_t taken = 0;

	for (; *len > 0; *s += g.used, *len -= g.used) {
		g = text_glyph(*s, *len, utf8);
		if ((size_t)g.columns > columns - taken)
			break;
		buf_add(b, g.bytes, g.len);
		taken += (size_t)g.columns;
	}
	return taken;
}

bool
text_is_utf8(const char *s, size_t len)
{
	uint32_t point;
	size_t i, n;

	for (i = 0; i < len; i += n) {
		n = utf8_next(s + i, len - i, &point);
		if (n == 0)
			return false;
	}
	return true;
}

size_t
text_columns(const char *s)
{
	return text_measure(s, strlen(s), true);
}

void
text_clean(struct buf *b, const char *s, bool utf8)
{
	size_t len = strlen(s);

	text_put(b, &s, &len, SIZE_MAX, utf8);
}

void
text_cell(struct buf *b, const char *s, int columns, bool right, bool utf8)
{
	size_t len = strlen(s), room = columns > 0 ? (size_t)columns : 0;
	size_t all = text_measure(s, len, utf8);
	size_t dots = all > room && room > 3 ? 3 : 0;

	if (right && all < room)
		buf_repeat(b, " ", room - all);
	all = text_put(b, &s, &len, room - dots, utf8);
	buf_add(b, "...", dots);
	if (!right || len > 0)
		buf_repeat(b, " ", room - dots - all);
}

/* End a line that began at b->len == start, without blanks at its end. */
static void
text_line_end(struct buf *b, size_t start)
{
	while (b->len > start && b->data[b->len - 1] == ' ')
		b->len--;
	if (b->data)
		b->data[b->len] = '\0';
	buf_char(b, '\n');
}

/* Where text_wrap is: a line is begun only when a word comes. */
struct text_wrapper {
	struct buf *b;
	const struct text_style *style;
	size_t indent; /* of all lines but the first */
	size_t column; /* where the next character goes */
	size_t start;  /* b->len at the beginning of the line */
	bool fresh;    /* nothing stands behind the indent yet */
};

static void
text_wrap_break(struct text_wrapper *w)
{
	text_line_end(w->b, w->start);
	w->start = w->b->len;
	w->column = 0;
	w->fresh = true;
}

static void
text_wrap_word(struct text_wrapper *w, const char *s, size_t len)
{
	size_t width = (size_t)w->style->width;
	size_t columns = text_measure(s, len, w->style->utf8);

	if (!w->fresh && w->column + 1 + columns > width)
		text_wrap_break(w);
	if (w->fresh && w->column > w->indent && w->column + columns > width)
		text_wrap_break(w);
	if (!w->fresh) {
		buf_char(w->b, ' ');
		w->column++;
	}
	while (len > 0) {
		if (w->column < w->indent) {
			buf_repeat(w->b, " ", w->indent - w->column);
			w->column = w->indent;
		}
		w->column += text_put(
			w->b, &s, &len, width - w->column, w->style->utf8);
		w->fresh = false;
		if (len > 0)
			text_wrap_break(w);
	}
}

void
text_wrap(struct buf *b, const char *first, const char *s,
	const struct text_style *style)
{
	struct text_wrapper w = { .b = b, .style = style, .fresh = true };
	struct text_style at_least = *style;
	size_t n = strlen(first);

	/* So narrow that a wide character would never fit: not a screen. */
	if (at_least.width < TEXT_WIDTH_MIN)
		at_least.width = TEXT_WIDTH_MIN;
	w.style = &at_least;
	w.start = b->len;
	w.column = text_put(b, &first, &n, (size_t)at_least.width, style->utf8);
	w.indent = w.column;
	if (w.indent > (size_t)at_least.width / 2)
		w.indent = 4;
	while (*s) {
		n = strcspn(s, " \n");
		if (n > 0)
			text_wrap_word(&w, s, n);
		s += n;
		if (*s == '\n' && s[1])
			text_wrap_break(&w);
		if (*s)
			s++;
	}
	text_line_end(b, w.start);
}

void
text_colored(struct buf *b, enum text_color color, const char *s,
	const struct text_style *style)
{
	static const char *const codes[] = {
		[TEXT_PLAIN] = NULL,
		[TEXT_BOLD] = "\033[1m",
		[TEXT_DIM] = "\033[2m",
		[TEXT_RED] = "\033[31m",
		[TEXT_GREEN] = "\033[32m",
		[TEXT_YELLOW] = "\033[33m",
	};
	const char *code = style->color ? codes[color] : NULL;

	if (code)
		buf_str(b, code);
	buf_str(b, s);
	if (code)
		buf_str(b, "\033[0m");
}

/* Mean of the values that share the i-th of `shown` columns. */
static double
text_spark_mean(const uint64_t *v, size_t n, size_t i, size_t shown)
{
	size_t from = n / shown * i + n % shown * i / shown;
	size_t to = n / shown * (i + 1) + n % shown * (i + 1) / shown;
	double sum = 0;
	size_t k;

	for (k = from; k < to; k++)
		sum += (double)v[k];
	return sum / (double)(to - from);
}

void
text_spark(struct buf *b, const uint64_t *v, size_t n, int columns, bool utf8)
{
	size_t shown = columns > 0 ? (size_t)columns : 0, i;
	double most = 0, mean;
	unsigned height;

	if (n < shown)
		shown = n;
	for (i = 0; i < shown; i++) {
		mean = text_spark_mean(v, n, i, shown);
		if (mean > most)
			most = mean;
	}
	for (i = 0; i < shown; i++) {
		mean = text_spark_mean(v, n, i, shown);
		height = most > 0 ? (unsigned)(mean / most * 7 + 0.5) : 0;
		if (utf8) {
			buf_str(b, "\xe2\x96");
			buf_char(b, (char)(0x81 + height));
		} else {
			buf_char(b, " .:-=+*#"[height]);
		}
	}
}
