#include "host/below.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/units.h"

static int path_join(char *out, size_t size, const char *root, const char *fmt,
	va_list ap) __attribute__((format(printf, 4, 0)));

static int
path_join(char *out, size_t size, const char *root, const char *fmt, va_list ap)
{
	size_t len = strlen(root);
	int rest;

	if (len >= size)
		return -1;
	memcpy(out, root, len);
	rest = vsnprintf(out + len, size - len, fmt, ap);
	return rest < 0 || (size_t)rest >= size - len ? -1 : 0;
}

/* The path that the caller's fmt and arguments make below root. */
#define PATH_OF(path, root, fmt, result)                                       \
	do {                                                                   \
		va_list ap_;                                                   \
		va_start(ap_, fmt);                                            \
		(result) = path_join(path, sizeof(path), root, fmt, ap_);      \
		va_end(ap_);                                                   \
	} while (0)

int
below_path(char *out, size_t size, const char *root, const char *fmt, ...)
{
	va_list ap;
	int result;

	va_start(ap, fmt);
	result = path_join(out, size, root, fmt, ap);
	va_end(ap);
	return result;
}

bool
below_line(const char *root, char *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	int result;

	PATH_OF(path, root, fmt, result);
	if (result == 0 && file_line("", path, out, size) > 0)
		return true;
	out[0] = '\0';
	return false;
}

uint64_t
below_number(const char *root, const char *fmt, ...)
{
	char path[PATH_MAX], line[32];
	uint64_t value;
	int result;

	PATH_OF(path, root, fmt, result);
	if (result != 0 || file_line("", path, line, sizeof(line)) <= 0)
		return BELOW_UNKNOWN;
	if (units_parse_u64(line, 0, BELOW_UNKNOWN - 1, &value, NULL) != 0)
		return BELOW_UNKNOWN;
	return value;
}

int
below_text(const char *root, struct buf *out, const char *fmt, ...)
{
	char path[PATH_MAX];
	int result;

	PATH_OF(path, root, fmt, result);
	if (result != 0 || file_read(path, BELOW_FILE_MAX, out, NULL) != 0)
		return -1;
	return buf_failed(out) ? -1 : 0;
}

bool
below_exists(const char *root, const char *fmt, ...)
{
	char path[PATH_MAX];
	struct stat st;
	int result;

	PATH_OF(path, root, fmt, result);
	return result == 0 && stat(path, &st) == 0;
}

bool
below_link(const char *root, char *out, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	int result;
	ssize_t len = -1;

	PATH_OF(path, root, fmt, result);
	if (result == 0)
		len = readlink(path, out, size);
	if (len < 0 || (size_t)len >= size)
		len = 0;
	out[len] = '\0';
	return len > 0;
}

static int
name_order(const void *a, const void *b)
{
	return strcmp(a, b);
}

void
below_names(struct below_names *n, const char *root, const char *fmt, ...)
{
	char path[PATH_MAX];
	struct dirent *d;
	size_t len;
	DIR *dir;
	int result;

	n->count = 0;
	n->more = false;
	PATH_OF(path, root, fmt, result);
	dir = result == 0 ? opendir(path) : NULL;
	if (!dir)
		return;
	while ((d = readdir(dir))) {
		len = strlen(d->d_name);
		if (d->d_name[0] == '.')
			continue;
		if (n->count == BELOW_NAMES_MAX || len >= sizeof(n->name[0])) {
			n->more = true;
			continue;
		}
		memcpy(n->name[n->count++], d->d_name, len + 1);
	}
	closedir(dir);
	qsort(n->name, n->count, sizeof(n->name[0]), name_order);
}
