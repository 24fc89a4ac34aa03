#include "receipt/scrub.h"

#include <stdbool.h>
#include <string.h>

/* Ended by NULL. */
static const char *const scrub_kept[] = { "/proc", "/sys", "/dev", NULL };

static bool
scrub_ends(char c)
{
	return c == '\0' || strchr(" \t\n\"'`,;:()<>|", c) != NULL;
}

static size_t
scrub_length(const char *path)
{
	size_t n = 0;

	while (!scrub_ends(path[n]))
		n++;
	return n;
}

/* Does text begin with the path dir, and not only with its letters? */
static bool
scrub_is_below(const char *text, const char *dir)
{
	size_t n = strlen(dir);

	return n > 0 && !strncmp(text, dir, n) &&
	       (text[n] == '/' || scrub_ends(text[n]) || text[n] == '.');
}

static bool
scrub_is_kept(const char *path)
{
	size_t i;

	if (scrub_is_below(path, "/dev/shm"))
		return false;
	for (i = 0; scrub_kept[i]; i++)
		if (scrub_is_below(path, scrub_kept[i]))
			return true;
	return false;
}

char *
scrub_paths(const char *text, const char *dir, struct arena *a)
{
	/* "PATH" for "/" is the most that it grows */
	char *out = arena_alloc(a, 4 * strlen(text) + 1, 1), *to = out;
	bool at_start = true;

	/* of the root directory nothing is secret, and all is below it */
	if (!dir || !strcmp(dir, "/"))
		dir = "";
	while (out && *text) {
		if (at_start && scrub_is_below(text, dir)) {
			memcpy(to, "DIR", 3);
			to += 3;
			text += strlen(dir);
		} else if (at_start && *text == '/' && !scrub_is_kept(text)) {
			memcpy(to, "PATH", 4);
			to += 4;
			text += scrub_length(text);
		} else {
			at_start = scrub_ends(*text) || *text == '=';
			*to++ = *text++;
			continue;
		}
		at_start = false;
	}
	return out;
}
