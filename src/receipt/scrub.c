#include "receipt/scrub.h"

#include <stdbool.h>
#include <string.h>

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

/* /dev/vda tells nothing; /dev/mapper/x and /dev/disk/by-id/x do. */
static bool
scrub_is_kept(const char *path)
{
	size_t i, n = scrub_length(path), slashes = 0;

	for (i = 0; i < n; i++)
		slashes += path[i] == '/';
	if (scrub_is_below(path, "/dev"))
		return slashes <= 2;
	return scrub_is_below(path, "/proc") || scrub_is_below(path, "/sys");
}

/* The length of the name of the directory measured at text, or 0. */
static size_t
scrub_measured(const char *text, const char *const *dirs)
{
	size_t i;

	for (i = 0; dirs[i]; i++)
		if (dirs[i][0] && dirs[i][1] && scrub_is_below(text, dirs[i]))
			return strlen(dirs[i]);
	return 0;
}

char *
scrub_paths(const char *text, const char *const *dirs, struct arena *a)
{
	/* "PATH" for "/" is the most that it grows */
	char *out = arena_alloc(a, 4 * strlen(text) + 1, 1), *to = out;
	bool at_start = true;
	size_t n;

	while (out && *text) {
		n = at_start ? scrub_measured(text, dirs) : 0;
		if (n > 0) {
			memcpy(to, "DIR", 3);
			to += 3;
			text += n;
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
