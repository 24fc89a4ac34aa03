/*
 * err: what went wrong, in one sentence a person can act on.
 *
 * A function that can fail returns 0 / -1 (or NULL) and fills the caller's
 * struct err, always its last parameter.  The sentence names what was
 * attempted, on which file, with which numbers, and what to do next where
 * that is known.  It has no newline and no "ioreceipt:" in front; whatever
 * was put into it, the sentence is valid UTF-8 without control characters
 * (each one, and each invalid byte, became '?').
 *
 * `code` is the exit status that the failure asks for (err_exits);
 * a caller that knows better (a cleanup after an error) may replace it.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err_code {
	ERR_NONE = 0,
	ERR_DIFFERS = 1,    /* complete, but a requirement does not hold */
	ERR_REFUSED = 2,    /* refused by the guard, nothing was touched */
	ERR_INCOMPLETE = 3, /* I/O error, no space, stall, failed check */
	ERR_UPLOAD = 4,	    /* complete, upload failed */
	ERR_CLEANUP = 5,    /* something of ours may be left */
	ERR_OUTPUT = 6,	    /* output could not be written */
	ERR_USAGE = 64,	    /* wrong words on the command line */
	ERR_INPUT = 65,	    /* malformed receipt, job file, key */
	ERR_OPEN = 66,	    /* an input that cannot be opened */
	ERR_SIGNAL = 128    /* + n: ended by signal n */
};

struct err {
	int code;	/* enum err_code, or 128 + n */
	int sys;	/* errno of the failed call, 0 where there is none */
	char text[480]; /* one sentence, UTF-8, cut by "..." if longer */
};

/*
 * Fill e (which may be NULL) and return -1, so that a function may end in
 * `return err_set(e, ...)`.  With sys != 0 ": " and strerror(sys) are
 * appended, for which room is kept.  The text may come from e itself.
 */
int err_set(struct err *e, int code, int sys, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * Put "what: " in front of the sentence that e already holds; code and sys
 * stay.  Returns -1.
 */
int err_wrap(struct err *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * The order in which several reasons to end are weighed: the first of
 * 64 65 66, 2, 128+n, 5, 3, 6, 1, 4, 0.  Returns whichever of a and b
 * comes first, a where they weigh the same; a code that is not in the
 * table weighs as 3.
 */
int err_worse(int a, int b);

/* One row of the table of exit statuses, for --help and README's test.
 * Signals have one row, ERR_SIGNAL. */
struct err_exit {
	int code;
	const char *name;    /* "refused" */
	const char *meaning; /* "refused by the guard, nothing was touched" */
};

/* The table, in the order of err_worse, ended by name == NULL. */
const struct err_exit *err_exits(void);

#endif
