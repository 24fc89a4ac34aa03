#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* In the order in which reasons to end are weighed: err_worse walks it. */
static const struct err_exit err_table[] = {
	{ ERR_USAGE, "usage", "wrong words on the command line" },
	{ ERR_INPUT, "input", "malformed input (receipt, job file, key)" },
	{ ERR_OPEN, "open", "an input cannot be opened" },
	{ ERR_REFUSED, "refused", "refused by the guard, nothing was touched" },
	{ ERR_SIGNAL, "signal", "ended by signal n after clean-up" },
	{ ERR_CLEANUP, "cleanup",
		"clean-up failed: something of ours may be left, named "
		"exactly" },
	{ ERR_INCOMPLETE, "incomplete",
		"not complete: I/O error, no space, stall given up, failed "
		"check" },
	{ ERR_OUTPUT, "output", "output could not be written" },
	{ ERR_DIFFERS, "differs", "complete, but a requirement does not hold" },
	{ ERR_UPLOAD, "upload", "complete, upload failed, receipt kept" },
	{ ERR_NONE, "complete", "complete: all that was asked for was done" },
	{ 0, NULL, NULL },
};

/*
 * Append what fits of s[0..n), marking a cut by "...", and keep `keep`
 * bytes free behind it.
 */
static size_t
err_append(struct err *e, size_t at, const char *s, size_t keep)
{
	size_t n = strlen(s), room = sizeof(e->text) - 1 - keep;

	room = room > at ? room - at : 0;
	if (n <= room) {
		memcpy(e->text + at, s, n);
		at += n;
	} else if (room >= 3) {
		n = utf8_cut(s, n, room - 3);
		memcpy(e->text + at, s, n);
		memcpy(e->text + at + n, "...", 3);
		at += n + 3;
	}
	e->text[at] = '\0';
	return at;
}

/* A scratch text one longer than what is kept, so that a cut is seen. */
struct err_scratch {
	char text[sizeof(((struct err *)0)->text) + 1];
};

static void err_format(struct err_scratch *to, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

static void
err_format(struct err_scratch *to, const char *fmt, va_list args)
{
	if (vsnprintf(to->text, sizeof(to->text), fmt, args) < 0)
		to->text[0] = '\0';
	/* Names of files and words of the user are in it. */
	utf8_clean(to->text, strlen(to->text));
}

int
err_set(struct err *e, int code, int sys, const char *fmt, ...)
{
	struct err_scratch now;
	const char *why;
	va_list args;
	size_t at;

	if (!e)
		return -1;
	va_start(args, fmt);
	err_format(&now, fmt, args);
	va_end(args);
	e->code = code;
	e->sys = sys;
	why = sys ? strerror(sys) : "";
	at = err_append(e, 0, now.text, sys ? 2 + strlen(why) : 0);
	if (sys) {
		at = err_append(e, at, ": ", 0);
		err_append(e, at, why, 0);
	}
	return -1;
}

int
err_wrap(struct err *e, const char *fmt, ...)
{
	struct err_scratch now;
	struct err old;
	va_list args;
	size_t at;

	if (!e)
		return -1;
	va_start(args, fmt);
	err_format(&now, fmt, args);
	va_end(args);
	old = *e;
	at = err_append(e, 0, now.text, 0);
	at = err_append(e, at, ": ", 0);
	err_append(e, at, old.text, 0);
	return -1;
}

static int
err_rank(int code)
{
	int i, unknown = 0;

	for (i = 0; err_table[i].name; i++) {
		if (err_table[i].code == code)
			return i;
		if (err_table[i].code == ERR_SIGNAL && code > ERR_SIGNAL)
			return i;
		if (err_table[i].code == ERR_INCOMPLETE)
			unknown = i;
	}
	return unknown;
}

int
err_worse(int a, int b)
{
	return err_rank(b) < err_rank(a) ? b : a;
}

const struct err_exit *
err_exits(void)
{
	return err_table;
}
