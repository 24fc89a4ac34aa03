#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/screen.h"
#include "app/stop.h"
#include "app/stream.h"
#include "base/buf.h"
#include "base/file.h"
#include "base/units.h"

#define WIDTH_LEAST   40
#define WIDTH_DEFAULT 80
#define WIDTH_MOST    80 /* a table is read, not spread */

enum screen_color
screen_color_of(const char *word)
{
	if (word && strcmp(word, "always") == 0)
		return SCREEN_ALWAYS;
	if (word && strcmp(word, "never") == 0)
		return SCREEN_NEVER;
	return SCREEN_AUTO;
}

static const char *
env(const char *name)
{
	const char *v = getenv(name);

	return v && *v ? v : NULL;
}

static bool
is_dumb(void)
{
	const char *term = env("TERM");

	return !term || strcmp(term, "dumb") == 0;
}

static bool
says_utf8(void)
{
	const char *v = env("LC_ALL");

	if (!v)
		v = env("LC_CTYPE");
	if (!v)
		v = env("LANG");
	return v && (strcasestr(v, "utf-8") || strcasestr(v, "utf8"));
}

static int
width_of(int fd)
{
	struct winsize w;
	const char *columns = env("COLUMNS");
	uint64_t n = 0;

	if (columns && units_parse_u64(columns, 1, 10000, &n, NULL) == 0)
		;
	else if (isatty(fd) && ioctl(fd, TIOCGWINSZ, &w) == 0 && w.ws_col)
		n = w.ws_col;
	else
		n = WIDTH_DEFAULT;
	if (n < WIDTH_LEAST)
		n = WIDTH_LEAST;
	if (n > WIDTH_MOST)
		n = WIDTH_MOST;
	return (int)n;
}

void
screen_style(int fd, enum screen_color color, struct text_style *out)
{
	out->width = width_of(fd);
	out->utf8 = says_utf8();
	out->color = color == SCREEN_ALWAYS ||
		     (color == SCREEN_AUTO && isatty(fd) && !is_dumb() &&
			     !env("NO_COLOR"));
}

bool
screen_is_live(int fd)
{
	static const char *const serial[] = { "/dev/ttyS", "/dev/hvc",
		"/dev/ttyAMA", "/dev/ttyUSB", "/dev/console", NULL };
	const char *name;
	size_t i;

	if (!isatty(fd) || is_dumb())
		return false;
	name = ttyname(fd);
	for (i = 0; name && serial[i]; i++)
		if (strncmp(name, serial[i], strlen(serial[i])) == 0)
			return false;
	return true;
}

static const struct file screen_stdout = { STDOUT_FILENO, "standard output" };

int
screen_out(const void *data, size_t len, struct err *e)
{
	return stream_write(&screen_stdout, data, len, STREAM_FOREVER, e);
}

int
screen_result(const void *data, size_t len, struct err *e)
{
	bool hasty = stop_signal() || stream_is_regular(STDOUT_FILENO);

	return stream_write(&screen_stdout, data, len,
		hasty ? SCREEN_PATIENT_NS : STREAM_FOREVER, e);
}

void
screen_note(const void *data, size_t len, uint64_t patience_ns)
{
	const struct file f = { STDERR_FILENO, "standard error" };

	/* nobody is left to tell */
	(void)stream_write(&f, data, len, patience_ns, NULL);
}

void
screen_say(const char *fmt, ...)
{
	static const char poor[] = "ioreceipt: out of memory\n";
	char text[1024];
	struct buf line;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	buf_init(&line);
	buf_str(&line, "ioreceipt: ");
	text_clean(&line, text, true);
	buf_char(&line, '\n');
	if (buf_failed(&line))
		screen_note(poor, sizeof(poor) - 1, SCREEN_SAY_NS);
	else
		screen_note(buf_text(&line), line.len, SCREEN_SAY_NS);
	buf_free(&line);
}
