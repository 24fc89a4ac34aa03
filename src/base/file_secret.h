/*
 * file_secret: files that nobody else may read: keys, tokens, what waits to be
 * sent.
 */
#ifndef BASE_FILE_SECRET_H
#define BASE_FILE_SECRET_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Append the file to out, which the caller wipes.  Refused (ERR_INPUT): a
 * symbolic link, what is no regular file, a file that group or others may
 * touch, more than max bytes.  ERR_OPEN where it cannot be opened; sys is
 * ENOENT where it is not there.
 */
int file_secret_read(
	const char *path, size_t max, struct buf *out, struct err *e);

/*
 * Make the file, mode 0600, with that content; it appears under its name only
 * when it is whole and on the disk.  What has the name already stays:
 * ERR_OUTPUT, sys EEXIST.  Its directory must be there.
 */
int file_secret_make(
	const char *path, const void *data, size_t len, struct err *e);

/* Remove it, and see that the directory knows: ERR_OUTPUT. */
int file_secret_remove(const char *path, struct err *e);

/* Make the folder, mode 0700, or see that it is one which group and others may
 * not touch: ERR_OUTPUT. */
int file_secret_dir(const char *path, struct err *e);

/* Wipe what b holds, and free it. */
void file_secret_wipe(struct buf *b);

#endif
