/*
 * option: options as tables.  One table says what an option is called, what
 * it fills and what it means; getopt_long scans, --help is printed from the
 * same rows.
 */
#ifndef APP_OPTION_H
#define APP_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define OPTION_TEXTS_MAX 64

enum option_kind {
	OPTION_FLAG,  /* bool: becomes true */
	OPTION_TEXT,  /* const char * */
	OPTION_TEXTS, /* struct option_texts: may be given several times */
	OPTION_BYTES, /* uint64_t, "512M" */
	OPTION_TIME,  /* uint64_t ns, "12s"; a bare number is seconds */
	OPTION_COUNT, /* uint64_t, min .. max */
	OPTION_WORD   /* const char *, one of words "a|b|c" */
};

struct option_texts {
	const char *v[OPTION_TEXTS_MAX];
	size_t n;
};

/* One option.  The columns, in the order the tables give them: */
struct option_row {
	const char *name; /* long name without dashes */
	char letter;	  /* its letter, 0 = none */
	enum option_kind kind;
	size_t offset;	   /* of the member it fills */
	const char *arg;   /* how --help calls its argument, NULL = none */
	const char *words; /* OPTION_WORD: what it may be */
	uint64_t min, max; /* OPTION_COUNT, BYTES, TIME; max 0 = no limit.
	                      OPTION_TEXT: bytes that a receipt has room for,
	                      of clean UTF-8; 0 = not for a receipt */
	const char *help;  /* one sentence */
};

/* A command line: argc and argv in, what is not an option out. */
struct option_line {
	int argc;
	char **argv;  /* permuted: operands move to the end */
	int operands; /* index of the first operand, argc where there is none */
	bool help;    /* --help or -h was there; the rest was not looked at */
};

/*
 * Scan line->argv[1..] into the struct `into`.  ERR_USAGE with a sentence
 * that names the nearest option.
 */
int option_scan(const struct option_row *rows, struct option_line *line,
	void *into, struct err *e);

/* Append the rows as an aligned list, at most width columns. */
void option_help(const struct option_row *rows, int width, struct buf *out);

#endif
