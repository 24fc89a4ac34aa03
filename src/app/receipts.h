/*
 * receipts: the files that a command was given: one by one, or a folder's.
 *
 * Of a folder those whose names end in ".jws" or ".json" are taken, in the order
 * in which the filesystem has them (a folder of 100,000 is not sorted, nor held
 * in memory); NAME.json is left out where NAME.jws lies beside it, which carries
 * the same bytes.  Not looked into: folders in it, hidden files, and what is
 * neither a regular file nor a link to one: a device or a pipe would wait for us.
 */
#ifndef APP_RECEIPTS_H
#define APP_RECEIPTS_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/* Called for each file; -1 ends the walk. */
typedef int receipts_fn(void *arg, const char *path);

/*
 * Call fn for path, or for each file of the folder path.  0, or -1: fn ended it,
 * or e says why the folder could not be read (ERR_OPEN).  A folder without any
 * is an error, too (ERR_INPUT): who names it expects some.
 */
int receipts_walk(const char *path, receipts_fn *fn, void *arg, struct err *e);

/* Append the file, "-" = stdin; ERR_OPEN for what is no regular file. */
int receipts_read(const char *path, size_t max, struct buf *out, struct err *e);

/* Does path end in this suffix, with something before it? */
int receipts_is(const char *path, const char *suffix);

#endif
