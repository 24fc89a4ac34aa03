#include "disk/words.h"

#include <string.h>

static const char blanks[] = " \t\r\n";

void
words_init(struct words *w, const char *text)
{
	w->at = text;
	w->variable = false;
}

static bool
is_one_of(char c, const char *set)
{
	return c && strchr(set, c);
}

static void
skip_between(struct words *w)
{
	for (;;) {
		w->at += strspn(w->at, blanks);
		if (*w->at == '#')
			w->at += strcspn(w->at, "\n");
		else if (w->at[0] == '\\' && w->at[1] == '\n')
			w->at += 2;
		else
			return;
	}
}

/* What stands behind a backslash; inside double quotes few are special. */
static void
take_escaped(struct words *w, struct buf *out, bool quoted)
{
	char c = w->at[1];

	w->at++;
	if (!c)
		return;
	w->at++;
	if (c == '\n')
		return;
	if (quoted && !is_one_of(c, "\"\\$`"))
		buf_char(out, '\\');
	buf_char(out, c);
}

static int
take_quoted(struct words *w, struct buf *out, struct err *e)
{
	char quote = *w->at++;

	while (*w->at != quote) {
		if (!*w->at)
			return err_set(e, ERR_USAGE, 0,
				"a quote (%c) is opened and not closed", quote);
		if (quote == '"' && *w->at == '\\') {
			take_escaped(w, out, true);
			continue;
		}
		if (quote == '"' && is_one_of(*w->at, "$`"))
			w->variable = true;
		buf_char(out, *w->at++);
	}
	w->at++;
	return 0;
}

static int
take_plain(struct words *w, struct buf *out, struct err *e)
{
	if (is_one_of(*w->at, "|&;<>()"))
		return err_set(e, ERR_USAGE, 0,
			"'%c' outside quotes is for a shell: give the words of "
			"one fio command only",
			*w->at);
	if (is_one_of(*w->at, "$`"))
		w->variable = true;
	/* ${name} is one thing, whatever stands between the braces */
	if (w->at[0] == '$' && w->at[1] == '{')
		while (*w->at && *w->at != '}')
			buf_char(out, *w->at++);
	if (*w->at)
		buf_char(out, *w->at++);
	return 0;
}

int
words_next(struct words *w, struct buf *out, struct err *e)
{
	int status = 0;

	buf_reset(out);
	w->variable = false;
	skip_between(w);
	if (!*w->at)
		return 0;
	while (!status && *w->at && !is_one_of(*w->at, blanks)) {
		if (*w->at == '\\')
			take_escaped(w, out, false);
		else if (*w->at == '"' || *w->at == '\'')
			status = take_quoted(w, out, e);
		else
			status = take_plain(w, out, e);
	}
	if (!status && buf_failed(out))
		return err_set(e, ERR_INCOMPLETE, 0, "out of memory");
	return status ? -1 : 1;
}
