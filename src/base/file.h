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
 * (ERR_INPUT); cannot be opened or read, or no memory: ERR_OPEN.  "-" is
 * stdin.  After an error out has what it had before.
 */
int file_read(const char *path, size_t max, struct buf *out, struct err *e);

/* The same below a directory descriptor (openat, O_CLOEXEC); "-" is a name. */
int file_read_at(int dir_fd, const char *path, size_t max, struct buf *out,
	struct err *e);

/* The same from where f stands to its end; f stays open. */
int file_read_fd(
	const struct file *f, size_t max, struct buf *out, struct err *e);

#define FILE_LINE_MAX 4095 /* longest line given, in bytes */

/*
 * One short line of /proc or /sys below root (a directory, "" = "/"; a '/'
 * is put between where path has none): root + path, cut at the first newline
 * or NUL, at size - 1 bytes (never inside of a character), trailing blanks
 * removed.  Tabs become blanks, other controls '?'.  Returns its length (0
 * for an empty line), -1 where the file is absent, unreadable or not UTF-8.
 * Never an error: such facts are optional.
 */
int file_line(const char *root, const char *path, char *out, size_t size);

/*
 * write(2) until all is out: EINTR and short writes are met, a descriptor
 * that does not block is waited for.  ERR_OUTPUT.
 */
int file_write_all(
	const struct file *f, const void *data, size_t len, struct err *e);

/*
 * A file that appears under its name only when it is whole.
 *
 * file_stage_open makes a nameless file (O_TMPFILE) in the directory of
 * path, or, where the filesystem has none or neither way to name one is open
 * to us (linkat by descriptor wants a capability, by /proc wants /proc), a
 * hidden ".NAME.PID.part" beside it.  file_stage_commit writes, syncs, puts
 * it in place and syncs the directory; file_stage_drop leaves no trace.
 * Neither leaves anything open, and after a commit that failed there is no
 * trace either, but for a directory that could not be synced: then the file
 * is in place, and the error says so.  All failures are ERR_OUTPUT.
 *
 * What has the name already:
 * - a regular file is replaced by rename; its other links keep the old
 *   content, its mode and owner are not carried over (the new file's mode is
 *   0644 less the umask).  Where it may be written but not replaced (it is a
 *   mount point, its directory takes no files or refuses the rename) it is
 *   written over in place, the one case that is not all or nothing;
 * - a symlink to a regular file stays, the file that it points to is
 *   replaced there; one that points to nothing is refused;
 * - the very file that our stdout or stderr is (/dev/stdout, a terminal) is
 *   written through that descriptor, from where it stands;
 * - a directory and a block device are refused;
 * - anything else (/dev/full, /dev/null, a pipe) is opened for plain writing;
 *   a pipe waits for its reader then.
 * A kill between the two steps of replacing a file may leave the hidden name.
 */
struct file_stage {
	int fd;		  /* -1 = none */
	int dir_fd;	  /* where the name will be, -1 for plain files */
	char name[256];	  /* last component of the path */
	char part[288];	  /* name of the hidden file, "" if nameless */
	bool over;	  /* the file itself is open, to be written over */
	const char *path; /* borrowed, for messages */
};

int file_stage_open(struct file_stage *s, const char *path, struct err *e);
int file_stage_commit(
	struct file_stage *s, const void *data, size_t len, struct err *e);
void file_stage_drop(struct file_stage *s);

/* One call for a file that is written now. */
int file_replace(const char *path, const void *data, size_t len, struct err *e);

/*
 * Let go of the caller's stdin, stdout and stderr: a child that may hang must
 * not keep a reader of our output waiting.  The root directory takes their
 * place, which is there in any chroot: what is written to it fails.
 */
void file_leave_stdio(void);

/*
 * Ask the filesystem of directory dir whether it still answers: what is there,
 * and with `write` for a nameless file, which goes at once.  What it answers
 * does not matter: where it does not, the call never comes back.
 */
void file_try_dir(const char *dir, bool write);

/* Make the directory path unless it exists already (one level, mode 0755
 * less the umask).  ERR_OUTPUT where it cannot be, or is no directory. */
int file_make_dir(const char *path, struct err *e);

/*
 * The same for a directory that files will be made in later: may they be?
 * *made = it was not there before; then file_unmake_dir takes it away again,
 * if nothing is in it.
 */
int file_open_dir(const char *path, bool *made, struct err *e);
void file_unmake_dir(const char *path);

#endif
