#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "app/option.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "base/utf8.h"

#define ROWS_MAX    64
#define LETTER_NONE 256 /* getopt_long's value for row i is 256 + i */
#define HELP_COLUMN 26

static size_t
count_rows(const struct option_row *rows)
{
	size_t n = 0;

	while (rows[n].name && n < ROWS_MAX)
		n++;
	return n;
}

static int
take_number(const struct option_row *row, const char *value, uint64_t *out,
	struct err *e)
{
	uint64_t max = row->max ? row->max : UINT64_MAX;
	int rc;

	if (row->kind == OPTION_BYTES)
		rc = units_parse_bytes(value, out, e);
	else if (row->kind == OPTION_TIME)
		rc = units_parse_ns(value, CLOCK_NS_PER_S, out, e);
	else
		rc = units_parse_u64(value, row->min, max, out, e);
	if (rc < 0)
		return err_wrap(e, "--%s", row->name);
	if (*out >= row->min && *out <= max)
		return 0;
	return err_set(e, ERR_USAGE, 0, "--%s: %s is %s", row->name, value,
		*out < row->min ? "too little" : "too much");
}

/* Words for a receipt are kept as they are given, or not taken at all. */
static int
take_text(const struct option_row *row, const char *value, const char **out,
	struct err *e)
{
	size_t len = strlen(value), i, n;
	uint32_t point = 0;

	if (row->max && len > row->max)
		return err_set(e, ERR_USAGE, 0,
			"--%s: %zu bytes are more than the %llu that there is "
			"room for",
			row->name, len, (unsigned long long)row->max);
	for (i = 0; row->max && i < len; i += n) {
		n = utf8_next(value + i, len - i, &point);
		if (n == 0)
			return err_set(e, ERR_USAGE, 0, "--%s: is not UTF-8",
				row->name);
		if (utf8_is_control(point))
			return err_set(e, ERR_USAGE, 0,
				"--%s: has control characters (a line break, "
				"perhaps)",
				row->name);
	}
	*out = value;
	return 0;
}

static int
take(const struct option_row *row, const char *value, void *into, struct err *e)
{
	char *member = (char *)into + row->offset;
	struct option_texts *texts;

	switch (row->kind) {
	case OPTION_FLAG:
		*(bool *)member = true;
		return 0;
	case OPTION_TEXT:
		return take_text(row, value, (const char **)member, e);
	case OPTION_TEXTS:
		texts = (struct option_texts *)(void *)member;
		if (texts->n == OPTION_TEXTS_MAX)
			return err_set(e, ERR_USAGE, 0,
				"--%s: more than %d times", row->name,
				OPTION_TEXTS_MAX);
		texts->v[texts->n++] = value;
		return 0;
	case OPTION_WORD:
		if (!units_is_word(row->words, value, strlen(value)))
			return err_set(e, ERR_USAGE, 0,
				"--%s: \"%s\" is none of %s", row->name, value,
				row->words);
		*(const char **)member = value;
		return 0;
	case OPTION_BYTES:
	case OPTION_TIME:
	case OPTION_COUNT:
		break;
	}
	return take_number(row, value, (uint64_t *)(void *)member, e);
}

/* What getopt_long did not take: say which word, and what is near it. */
static int
refuse(const struct option_row *rows, const struct option *longs, int what,
	char **argv, struct err *e)
{
	const char *names[ROWS_MAX + 2], *word = argv[optind - 1], *near;
	size_t i, n = count_rows(rows);

	if (what == ':') {
		if (optopt >= LETTER_NONE)
			return err_set(e, ERR_USAGE, 0, "--%s needs a value",
				longs[optopt - 256].name);
		return err_set(e, ERR_USAGE, 0, "-%c needs a value", optopt);
	}
	if (optopt > 0 && optopt < LETTER_NONE)
		return err_set(e, ERR_USAGE, 0,
			"there is no option -%c; --help lists them", optopt);
	if (optopt >= LETTER_NONE)
		return err_set(e, ERR_USAGE, 0, "--%s takes no value",
			longs[optopt - 256].name);
	for (i = 0; i < n; i++)
		names[i] = rows[i].name;
	names[n] = "help";
	names[n + 1] = NULL;
	while (*word == '-')
		word++;
	near = units_nearest(word, names);
	return err_set(e, ERR_USAGE, 0, "there is no option --%s%s%s%s", word,
		near ? "; did you mean --" : "; --help lists them",
		near ? near : "", near ? "?" : "");
}

/* getopt's own tables from ours. */
static void
prepare(const struct option_row *rows, struct option *longs, char *shorts)
{
	size_t i, n = count_rows(rows);

	*shorts++ = ':';
	*shorts++ = 'h';
	for (i = 0; i < n; i++) {
		longs[i].name = rows[i].name;
		longs[i].has_arg = rows[i].kind == OPTION_FLAG
					   ? no_argument
					   : required_argument;
		longs[i].flag = NULL;
		longs[i].val = LETTER_NONE + (int)i;
		if (!rows[i].letter)
			continue;
		*shorts++ = rows[i].letter;
		if (rows[i].kind != OPTION_FLAG)
			*shorts++ = ':';
	}
	longs[n] = (struct option){ "help", no_argument, NULL, 'h' };
	memset(&longs[n + 1], 0, sizeof(longs[n + 1]));
	*shorts = '\0';
}

static const struct option_row *
row_of(const struct option_row *rows, int what)
{
	size_t i, n = count_rows(rows);

	if (what >= LETTER_NONE)
		return &rows[what - LETTER_NONE];
	for (i = 0; i < n; i++)
		if (rows[i].letter == what)
			return &rows[i];
	return NULL;
}

int
option_scan(const struct option_row *rows, struct option_line *line, void *into,
	struct err *e)
{
	struct option longs[ROWS_MAX + 2];
	char shorts[2 * ROWS_MAX + 4];
	const struct option_row *row;
	int what;

	line->help = false;
	prepare(rows, longs, shorts);
	opterr = 0;
	optind = 0; /* both libcs: forget an earlier scan, start at 1 */
	while ((what = getopt_long(
			line->argc, line->argv, shorts, longs, NULL)) != -1) {
		if (what == 'h') {
			line->help = true;
			return 0;
		}
		row = what == '?' || what == ':' ? NULL : row_of(rows, what);
		if (!row)
			return refuse(rows, longs, what, line->argv, e);
		if (take(row, optarg, into, e) < 0)
			return -1;
	}
	line->operands = optind;
	return 0;
}

void
option_help(const struct option_row *rows, int width, struct buf *out)
{
	struct text_style style = { .width = width };
	size_t i, n = count_rows(rows);
	char name[64];
	struct buf head;

	buf_init(&head);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "%c%c%s --%s%s%s",
			rows[i].letter ? '-' : ' ',
			rows[i].letter ? rows[i].letter : ' ',
			rows[i].letter ? "," : " ", rows[i].name,
			rows[i].arg ? " " : "", rows[i].arg ? rows[i].arg : "");
		if (strlen(name) + 3 > HELP_COLUMN) {
			buf_printf(out, "  %s\n", name);
			name[0] = '\0';
		}
		buf_reset(&head);
		buf_str(&head, "  ");
		text_cell(&head, name, HELP_COLUMN - 2, false, false);
		text_wrap(out, buf_text(&head), rows[i].help, &style);
	}
	buf_free(&head);
}
