#include "host/mounts_parse.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "host/mounts.h"

/* A piece of a line. */
struct span {
	const char *p;
	size_t len;
};

/*
 * The next field up to a blank or the line's end.  Two blanks are an empty
 * field: a mount may have been given an empty source.
 */
static int
field_next(const char **line, struct span *f)
{
	const char *p = *line;

	if (!p)
		return -1;
	f->p = p;
	f->len = strcspn(p, " \n");
	*line = p[f->len] == ' ' ? p + f->len + 1 : NULL;
	return 0;
}

static int
span_number(struct span f, uint64_t max, uint64_t *out)
{
	char digits[24];

	if (f.len >= sizeof(digits))
		return -1;
	memcpy(digits, f.p, f.len);
	digits[f.len] = '\0';
	return units_parse_u64(digits, 0, max, out, NULL);
}

/* One character of an escaped text: "\040" is a blank. */
static char
char_next(struct span *f)
{
	const char *p = f->p;
	size_t used = 1;
	char c = *p;

	if (f->len >= 4 && c == '\\' && p[1] >= '0' && p[1] <= '3' &&
		p[2] >= '0' && p[2] <= '7' && p[3] >= '0' && p[3] <= '7') {
		c = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 |
			   (p[3] - '0'));
		used = 4;
	}
	f->p += used;
	f->len -= used;
	return c;
}

/* Escapes undone; -1 where it was cut. */
static int
span_text(struct span f, char *out, size_t size)
{
	size_t n = 0;

	while (f.len && n + 1 < size)
		out[n++] = char_next(&f);
	out[n] = '\0';
	return f.len ? -1 : 0;
}

/* The next option of a list with commas. */
static bool
option_next(struct span *list, struct span *option)
{
	const char *comma;

	if (!list->len)
		return false;
	comma = memchr(list->p, ',', list->len);
	option->p = list->p;
	option->len = comma ? (size_t)(comma - list->p) : list->len;
	list->p += option->len + (comma ? 1 : 0);
	list->len -= option->len + (comma ? 1 : 0);
	return true;
}

/* Has the option this key (the value, if any, goes to *value)? */
static bool
option_is(struct span option, const char *key, struct span *value)
{
	size_t len = strlen(key);

	if (option.len < len || memcmp(option.p, key, len) != 0)
		return false;
	value->p = option.p + len;
	value->len = option.len - len;
	if (value->len == 0)
		return true;
	if (*value->p != '=')
		return false;
	value->p++;
	value->len--;
	return true;
}

static void
options_add(struct mounts_entry *m, struct span list)
{
	size_t at = strlen(m->options);
	struct span option, value;

	while (option_next(&list, &option)) {
		if (option_is(option, "lowerdir", &value) ||
			option_is(option, "lowerdir+", &value) ||
			option_is(option, "datadir+", &value) ||
			at + 1 + option.len >= sizeof(m->options))
			continue;
		if (at)
			m->options[at++] = ',';
		memcpy(m->options + at, option.p, option.len);
		at += option.len;
		m->options[at] = '\0';
	}
}

static int
parse_device(struct span f, struct mounts_entry *out)
{
	const char *colon = memchr(f.p, ':', f.len);
	struct span major, minor;
	uint64_t a, b;

	if (!colon)
		return -1;
	major = (struct span){ f.p, (size_t)(colon - f.p) };
	minor = (struct span){ colon + 1, f.len - major.len - 1 };
	if (span_number(major, UINT_MAX, &a) != 0 ||
		span_number(minor, UINT_MAX, &b) != 0)
		return -1;
	out->dev_major = (unsigned)a;
	out->dev_minor = (unsigned)b;
	return 0;
}

/* FUSE filesystems name themselves: only what names are made of passes. */
static void
text_plain(char *s)
{
	for (; *s; s++)
		if (!(*s >= 'a' && *s <= 'z') && !(*s >= 'A' && *s <= 'Z') &&
			!(*s >= '0' && *s <= '9') && !strchr("._+-", *s))
			*s = '?';
}

int
mounts_parse(const char *line, struct mounts_entry *out)
{
	struct span f[6], tag;
	size_t i;

	memset(out, 0, sizeof(*out));
	for (i = 0; i < 6; i++)
		if (field_next(&line, &f[i]) != 0)
			return -1;
	if (span_number(f[0], UINT64_MAX - 1, &out->id) != 0 ||
		parse_device(f[2], out) != 0)
		return -1;
	span_text(f[3], out->root, sizeof(out->root));
	span_text(f[4], out->point, sizeof(out->point));
	options_add(out, f[5]);
	do { /* "shared:1" and the like, ended by "-" */
		if (field_next(&line, &tag) != 0)
			return -1;
	} while (tag.len != 1 || *tag.p != '-');
	if (field_next(&line, &tag) != 0 || !tag.len)
		return -1;
	span_text(tag, out->fstype, sizeof(out->fstype));
	text_plain(out->fstype);
	if (field_next(&line, &tag) != 0)
		return -1;
	span_text(tag, out->source, sizeof(out->source));
	if (field_next(&line, &tag) == 0)
		options_add(out, tag);
	return 0;
}

bool
mounts_parse_option(
	const char *options, const char *key, char *out, size_t size)
{
	struct span list = { options, strlen(options) }, option, value;

	out[0] = '\0';
	while (option_next(&list, &option)) {
		if (!option_is(option, key, &value))
			continue;
		if (span_text(value, out, size) == 0)
			return true;
		out[0] = '\0';
		return false;
	}
	return false;
}

long
mounts_parse_covers(const char *line, const char *path)
{
	struct span point = { "", 0 };
	size_t n = 0;
	int i;

	for (i = 0; i < 5; i++)
		if (field_next(&line, &point) != 0)
			return -1;
	if (point.len == 1 && *point.p == '/')
		return path[0] == '/' ? 0 : -1;
	while (point.len) {
		if (path[n] == '\0' || char_next(&point) != path[n])
			return -1;
		n++;
	}
	return path[n] == '\0' || path[n] == '/' ? (long)n : -1;
}
