/*
 * below: files of /proc, /sys and /etc below a root directory ("" = the real
 * one).  All of them are optional facts: what cannot be had is absent, never
 * an error.  Paths come as printf formats and begin with "/"; one that is
 * longer than PATH_MAX is absent too.
 */
#ifndef HOST_BELOW_H
#define HOST_BELOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

#define BELOW_UNKNOWN	UINT64_MAX
#define BELOW_NAMES_MAX 64
#define BELOW_FILE_MAX	((size_t)16 << 20)

/* root and the path, joined; -1 where they do not fit. */
int below_path(char *out, size_t size, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* One line as file_line has it, "" where absent. True where it has text. */
bool below_line(const char *root, char *out, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* A file of one decimal number below 2^64 - 1; else BELOW_UNKNOWN. */
uint64_t below_number(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Append a file of at most BELOW_FILE_MAX bytes. -1 where absent. */
int below_text(const char *root, struct buf *out, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Is there anything of this name (links followed)? */
bool below_exists(const char *root, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Target of a symbolic link, "" and false where it is none or too long. */
bool below_link(const char *root, char *out, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Names in a directory, sorted by strcmp; no dot files. */
struct below_names {
	char name[BELOW_NAMES_MAX][64];
	unsigned count;
	bool more; /* some did not fit */
};

/* count is 0 where there is no such directory. */
void below_names(struct below_names *n, const char *root, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
