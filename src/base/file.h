/*
 * file: whole files, read with a limit and written all or nothing.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/* An open file that carries its name into every message. fd -1 = closed. */
struct file {
	int fd;
	const char *name; /* borrowed */
};

/*
 * Append the whole of path to out.  Longer than max bytes is an error
 * (ERR_INPUT); cannot be opened or read: ERR_OPEN.  "-" is stdin.
 */
int file_read(const char *path, size_t max, struct buf *out, struct err *e);

/* The same below a directory descriptor (openat), O_CLOEXEC. */
int file_read_at(int dir_fd, const char *path, size_t max, struct buf *out,
	struct err *e);

/*
 * One short line of /proc or /sys below root (a directory, "" = "/"):
 * root + path, cut at the first newline, at size - 1 bytes, trailing blanks
 * removed.  Returns its length, -1 where the file is absent, unreadable or
 * not UTF-8 (controls become '?').  Never an error: such facts are optional.
 */
int file_line(const char *root, const char *path, char *out, size_t size);

/* write(2) until all is out; EINTR and short writes are met. */
int file_write_all(struct file *f, const void *data, size_t len, struct err *e);

/*
 * A file that appears under its name only when it is whole.
 *
 * file_stage_open makes a nameless file (O_TMPFILE) in the directory of
 * path, or, where the filesystem cannot, a hidden ".NAME.PID.part" beside
 * it.  A path that is no regular file (/dev/full, a pipe, /dev/null) is
 * opened for plain writing.  file_stage_commit writes, syncs and puts it in
 * place, replacing what had that name; file_stage_drop leaves no trace.
 * Mode 0644 less the umask.  All failures are ERR_OUTPUT.
 */
struct file_stage {
	int fd;		  /* -1 = none */
	int dir_fd;	  /* where the name will be, -1 for plain files */
	char name[256];	  /* last component of the path */
	char part[288];	  /* name of the hidden file, "" if nameless */
	const char *path; /* borrowed, for messages */
};

int file_stage_open(struct file_stage *s, const char *path, struct err *e);
int file_stage_commit(
	struct file_stage *s, const void *data, size_t len, struct err *e);
void file_stage_drop(struct file_stage *s);

/* One call for a file written now: open, commit, or drop. */
int file_replace(const char *path, const void *data, size_t len, struct err *e);

#endif
