/*
 * words: a command line cut into words as a shell would cut it, so that a
 * line copied out of an article can be given as one string.
 *
 * Taken as sh takes them: blanks and newlines between words, '...', "...",
 * \x, backslash-newline, # comments at the start of a word.  Nothing is
 * expanded: "$TARGET" stays as it is, and a word that held an unquoted or
 * double-quoted $ or ` is marked.  Operators (| & ; < >) and parentheses
 * outside quotes are errors: they are the shell's, not the program's.
 */
#ifndef DISK_WORDS_H
#define DISK_WORDS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"

struct words {
	const char *at; /* borrowed text that is left */
	bool variable;	/* the last word held a $ or ` */
};

void words_init(struct words *w, const char *text);

/* 1: the next word is in out; 0: no more; -1: ERR_USAGE. */
int words_next(struct words *w, struct buf *out, struct err *e);

#endif
