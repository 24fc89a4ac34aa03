#include "receipt/scrub.h"

#include <stdbool.h>
#include <string.h>

#include "base/utf8.h"

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

/*
 * How much of the text is the name dir, or that of a directory above it (a
 * mount point: both may hold blanks), or its beginning where a sentence was
 * cut.  *word = what it becomes.
 */
static size_t
scrub_one(const char *text, const char *dir, const char **word)
{
	size_t n = 0, above = 0;

	/* of "/" and "." nothing is secret */
	if (!dir[0] || !dir[1])
		return 0;
	*word = "DIR";
	if (scrub_is_below(text, dir))
		return strlen(dir);
	while (text[n] && text[n] == dir[n]) {
		n++;
		if (dir[n] == '/' && scrub_ends(text[n]))
			above = n;
	}
	if (n > 1 && !strncmp(text + n, "...", 3))
		return n;
	*word = "PATH";
	return dir[0] == '/' ? above : 0;
}

static size_t
scrub_measured(const char *text, const char *const *dirs, const char **word)
{
	size_t i, n = 0;

	for (i = 0; dirs[i] && n == 0; i++)
		n = scrub_one(text, dirs[i], word);
	return n;
}

/* Sentences are clean text: so have names to be that are looked for. */
static const char **
scrub_clean(const char *const *dirs, struct arena *a)
{
	const char **out;
	size_t i, n = 0;
	char *copy;

	while (dirs[n])
		n++;
	out = arena_alloc(a, n + 1, sizeof(*out));
	for (i = 0; out && i < n; i++) {
		copy = arena_strdup(a, dirs[i]);
		if (!copy)
			return NULL;
		utf8_clean(copy, strlen(copy));
		out[i] = copy;
	}
	return out;
}

char *
scrub_paths(const char *text, const char *const *dirs, struct arena *a)
{
	/* "PATH" for "/" is the most that it grows */
	char *out = arena_alloc(a, 4 * strlen(text) + 1, 1), *to = out;
	const char **names = scrub_clean(dirs, a), *word;
	bool at_start = true;
	size_t n;

	if (!names)
		return NULL;
	while (out && *text) {
		n = at_start ? scrub_measured(text, names, &word) : 0;
		if (n == 0 && at_start && *text == '/' &&
			!scrub_is_kept(text)) {
			word = "PATH";
			n = scrub_length(text);
		}
		if (n > 0) {
			memcpy(to, word, strlen(word));
			to += strlen(word);
			text += n;
			at_start = false;
		} else {
			at_start = scrub_ends(*text) || *text == '=';
			*to++ = *text++;
		}
	}
	return out;
}
