/*
 * Options as a table: every kind, both spellings, and each way to be wrong.
 */
#include <stdbool.h>
#include <stddef.h>

#include "app/option.h"
#include "tap.h"

struct wish {
	bool quiet;
	const char *dir, *mode, *label;
	struct option_texts jobs;
	uint64_t size_bytes, time_ns, count;
};

#define AT(member) offsetof(struct wish, member)

static const struct option_row rows[] = {
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, NULL, 0, 0,
		"say little" },
	{ "dir", 'd', OPTION_TEXT, AT(dir), "DIR", NULL, 0, 0, "where" },
	{ "mode", 0, OPTION_WORD, AT(mode), "a|bc", "a|bc", 0, 0, "how" },
	{ "job", 0, OPTION_TEXTS, AT(jobs), "WORDS", NULL, 0, 0, "what" },
	{ "size", 0, OPTION_BYTES, AT(size_bytes), "SIZE", NULL, 4096, 0,
		"how much" },
	{ "time", 't', OPTION_TIME, AT(time_ns), "TIME", NULL, 0,
		UINT64_C(60000000000), "how long" },
	{ "count", 0, OPTION_COUNT, AT(count), "N", NULL, 1, 9, "how many" },
	{ "label", 0, OPTION_TEXT, AT(label), "TEXT", NULL, 0, 8, "whose" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

#define WORDS_MAX 8

/* Scan up to seven words; returns option_scan's result. */
static int
scan(struct wish *w, struct option_line *line, struct err *e,
	const char *const *words)
{
	static char copy[WORDS_MAX][64];
	static char *argv[WORDS_MAX + 1];
	int n = 0;

	*w = (struct wish){ 0 };
	*e = (struct err){ 0 };
	snprintf(copy[0], sizeof(copy[0]), "run");
	argv[n++] = copy[0];
	for (; words[n - 1]; n++) {
		snprintf(copy[n], sizeof(copy[n]), "%s", words[n - 1]);
		argv[n] = copy[n];
	}
	argv[n] = NULL;
	*line = (struct option_line){ .argc = n, .argv = argv };
	return option_scan(rows, line, w, e);
}

static void
test_kinds(void)
{
	static const char *const words[] = { "-q", "--dir=/x", "--size", "4k",
		"-t2", "--job", "one", NULL };
	static const char *const more[] = { "--mode", "bc", "file", "--count=9",
		"--job=a", "--job=b", "--label=12345\xc3\xa9\x37", NULL };
	struct option_line line;
	struct wish w;
	struct err e;

	EQ_U64(scan(&w, &line, &e, words), 0, "each kind is taken");
	OK(w.quiet, "a flag by its letter");
	EQ_STR(w.dir, "/x", "a text");
	EQ_U64(w.size_bytes, 4096, "bytes, 1024-based");
	EQ_U64(w.time_ns, UINT64_C(2000000000), "a bare time is in seconds");
	EQ_U64(w.jobs.n, 1, "a list of one");
	EQ_U64(scan(&w, &line, &e, more), 0, "options behind an operand");
	EQ_STR(w.mode, "bc", "a word of the list");
	EQ_U64(w.count, 9, "a count at its limit");
	EQ_U64(w.jobs.n, 2, "a list of two");
	EQ_STR(w.label, "12345\xc3\xa9\x37", "a text as long as it may be");
	EQ_STR(line.argv[line.operands], "file", "the operand stays");
	EQ_U64(line.argc - line.operands, 1, "and is the only one");
}

/* words, and what the sentence must have in it */
static const struct {
	const char *words[3];
	const char *says;
} wrong[] = {
	{ { "--quiett" }, "did you mean --quiet?" },
	{ { "--zzzzzzzz" }, "--help lists them" },
	{ { "--quiet=1" }, "takes no value" },
	{ { "--dir" }, "--dir needs a value" },
	{ { "-d" }, "-d needs a value" },
	{ { "-z" }, "no option -z" },
	{ { "--mode", "b" }, "is none of a|bc" },
	{ { "--mode", "a|bc" }, "is none of a|bc" },
	{ { "--size", "4q" }, "--size" },
	{ { "--size", "1k" }, "too little" },
	{ { "--time", "61s" }, "too much" },
	{ { "--count", "0" }, "--count" },
	{ { "--count", "10" }, "--count" },
	{ { "--count", "-1" }, "--count" },
	{ { "--count", "" }, "--count" },
	{ { "--label", "123456789" }, "room for" },
	{ { "--label", "a\nb" }, "control" },
	{ { "--label", "a\033[2J" }, "control" },
	{ { "--label", "\xe2\x80\xaexyz" }, "control" },
	{ { "--label", "\xff" }, "UTF-8" },
};

static void
test_wrong(void)
{
	struct option_line line;
	struct wish w;
	struct err e;
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		OK(scan(&w, &line, &e, wrong[i].words) == -1, wrong[i].says);
		EQ_U64(e.code, ERR_USAGE, "is a fault of usage");
		if (!OK(strstr(e.text, wrong[i].says) != NULL,
			    "and the sentence says so"))
			printf("# %s\n", e.text);
	}
}

static void
test_help(void)
{
	static const char *const words[] = { "--help", "--nonsense", NULL };
	struct option_line line;
	struct wish w;
	struct err e;
	struct buf out;
	size_t i, width = 0;

	EQ_U64(scan(&w, &line, &e, words), 0, "--help comes before errors");
	OK(line.help, "and is seen");
	buf_init(&out);
	option_help(rows, 60, &out);
	for (i = 0; rows[i].name; i++)
		OK(strstr(buf_text(&out), rows[i].name) != NULL, rows[i].name);
	for (i = 0; i < out.len; i++) {
		width = out.data[i] == '\n' ? 0 : width + 1;
		if (width > 60)
			break;
	}
	OK(i == out.len, "no line is wider than asked for");
	buf_free(&out);
}

int
main(void)
{
	test_kinds();
	test_wrong();
	test_help();
	return tap_done();
}
