/* The staged files of base/file.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/utf8.h"

enum {
	STAGE_TRIES = 16,    /* hidden names, should some be taken */
	STAGE_NAME_MAX = 200 /* bytes of the name in the hidden one */
};

/*
 * Where stdin, stdout or stderr is closed, open gives their number, and what
 * is printed later would end up in our file.
 */
static int
stage_above_stdio(int fd)
{
	int up, sys;

	if (fd < 0 || fd > STDERR_FILENO)
		return fd;
	up = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	sys = errno;
	close(fd);
	errno = sys;
	return up;
}

static bool
stage_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* A descriptor of stdout or stderr if that is what has the name, else -1. */
static int
stage_stdio(const struct stat *there)
{
	struct stat st;
	int fd, mode;

	for (fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fstat(fd, &st) || !stage_same(&st, there))
			continue;
		mode = fcntl(fd, F_GETFL);
		if (mode >= 0 && (mode & O_ACCMODE) != O_RDONLY)
			return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	}
	return -1;
}

static void
stage_close(struct file_stage *s)
{
	if (s->fd >= 0)
		close(s->fd);
	if (s->dir_fd >= 0)
		close(s->dir_fd);
	s->fd = s->dir_fd = -1;
	s->part[0] = '\0';
}

/* Open the directory of `where` and note the last component. */
static int
stage_place(struct file_stage *s, const char *where, struct err *e)
{
	const char *slash = strrchr(where, '/');
	const char *name = slash ? slash + 1 : where;
	size_t len = slash ? (size_t)(slash - where) : 0;
	char dir[PATH_MAX];

	if (!*name)
		return err_set(e, ERR_OUTPUT, 0,
			"cannot write \"%s\": the name of a file is missing",
			s->path);
	if (strlen(name) >= sizeof(s->name) || len >= sizeof(dir))
		return err_set(e, ERR_OUTPUT, ENAMETOOLONG,
			"cannot write \"%s\"", s->path);
	memcpy(s->name, name, strlen(name) + 1);
	memcpy(dir, where, len);
	dir[len] = '\0';
	if (len == 0)
		memcpy(dir, slash ? "/" : ".", 2);
	s->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* A directory that may be written but not listed is good enough. */
	if (s->dir_fd < 0 && errno == EACCES)
		s->dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	s->dir_fd = stage_above_stdio(s->dir_fd);
	if (s->dir_fd < 0)
		return err_set(e, ERR_OUTPUT, errno,
			"cannot write \"%s\": cannot open its directory \"%s\"",
			s->path, dir);
	return 0;
}

/* The link to our file in /proc; false where that is not it. */
static bool
stage_proc(const struct file_stage *s, char *out, size_t size)
{
	struct stat link, own;

	snprintf(out, size, "/proc/self/fd/%d", s->fd);
	return !stat(out, &link) && !fstat(s->fd, &own) &&
	       stage_same(&link, &own);
}

/* Give the nameless file a name, by descriptor or by /proc. */
static int
stage_link(const struct file_stage *s, const char *name)
{
	char proc[40];

	if (!linkat(s->fd, "", s->dir_fd, name, AT_EMPTY_PATH))
		return 0;
	if (errno == EEXIST)
		return -1;
	if (!stage_proc(s, proc, sizeof(proc))) {
		errno = ENOENT;
		return -1;
	}
	return linkat(AT_FDCWD, proc, s->dir_fd, name, AT_SYMLINK_FOLLOW);
}

/*
 * A nameless file, if it looks as if it could be named later.  The look is
 * a link to ".": EEXIST says that all but the name would have been right.
 */
static bool
stage_open_nameless(struct file_stage *s)
{
	s->fd = stage_above_stdio(
		openat(s->dir_fd, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0644));
	if (s->fd < 0)
		return false;
	if (stage_link(s, ".") == -1 && errno == EEXIST)
		return true;
	close(s->fd);
	s->fd = -1;
	return false;
}

/* The n-th hidden name beside the final one. */
static void
stage_hidden_name(struct file_stage *s, int n)
{
	int len = (int)utf8_cut(s->name, strlen(s->name), STAGE_NAME_MAX);
	char more[16] = "";

	if (n > 0)
		snprintf(more, sizeof(more), "-%d", n);
	snprintf(s->part, sizeof(s->part), ".%.*s.%ld%s.part", len, s->name,
		(long)getpid(), more);
}

static int
stage_open_part(struct file_stage *s, struct err *e)
{
	int n, sys;

	for (n = 0; n < STAGE_TRIES; n++) {
		stage_hidden_name(s, n);
		s->fd = openat(s->dir_fd, s->part,
			O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW | O_CLOEXEC,
			0644);
		if (s->fd >= 0 || errno != EEXIST)
			break;
	}
	s->fd = stage_above_stdio(s->fd);
	if (s->fd >= 0)
		return 0;
	sys = errno;
	s->part[0] = '\0'; /* no file of ours has that name */
	return err_set(e, ERR_OUTPUT, sys,
		"cannot write \"%s\": cannot make a file in its directory",
		s->path);
}

/* A symlink was met: stage beside the regular file that it points to. */
static int
stage_follow(struct file_stage *s, const struct stat *there, struct err *e)
{
	char *real = realpath(s->path, NULL);
	struct stat st;
	int rc;

	/* The kernel judged the link when `there` was looked up: same file? */
	if (!real || lstat(real, &st) || !stage_same(&st, there))
		rc = err_set(e, ERR_OUTPUT, 0,
			"cannot write \"%s\": where that symlink points cannot "
			"be told for sure",
			s->path);
	else
		rc = stage_place(s, real, e);
	free(real);
	return rc;
}

/* What has the name exists: 1 if s is ready, 0 to go on in dir_fd, -1. */
static int
stage_existing(struct file_stage *s, const struct stat *there, struct err *e)
{
	struct stat own;

	if (S_ISDIR(there->st_mode))
		return err_set(e, ERR_OUTPUT, 0,
			"cannot write \"%s\": that is a directory; name a file "
			"in it, such as %s/receipt.json",
			s->path, s->path);
	/* Whatever was meant, a receipt at the start of a disk was not. */
	if (S_ISBLK(there->st_mode))
		return err_set(e, ERR_OUTPUT, 0,
			"cannot write \"%s\": that is a block device, none is "
			"ever written",
			s->path);
	s->fd = stage_stdio(there);
	if (s->fd >= 0)
		return 1;
	if (!S_ISREG(there->st_mode)) {
		s->fd = stage_above_stdio(
			open(s->path, O_WRONLY | O_CLOEXEC | O_NOCTTY));
		if (s->fd >= 0)
			return 1;
		return err_set(
			e, ERR_OUTPUT, errno, "cannot write \"%s\"", s->path);
	}
	if (!lstat(s->path, &own) && S_ISLNK(own.st_mode))
		return stage_follow(s, there, e);
	return stage_place(s, s->path, e);
}

/* Turn to the regular file that has the name. */
static int
stage_open_over(struct file_stage *s)
{
	struct stat st;
	int fd;

	/* Without O_TRUNC: it keeps its content until there is another. */
	fd = stage_above_stdio(openat(s->dir_fd, s->name,
		O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return -1;
	}
	stage_close(s);
	s->fd = fd;
	s->over = true;
	return 0;
}

/* A rule says no, nothing is broken or full: worth another way. */
static bool
stage_denied(int sys)
{
	return sys == EACCES || sys == EPERM || sys == EROFS || sys == EBUSY;
}

/* A file beside the final one; or, if that exists, that one. */
static int
stage_begin(struct file_stage *s, bool exists, struct err *e)
{
	struct err why;

	if (stage_open_nameless(s) || !stage_open_part(s, &why))
		return 0;
	if (exists && stage_denied(why.sys) && !stage_open_over(s))
		return 0;
	if (e)
		*e = why;
	return -1;
}

int
file_stage_open(struct file_stage *s, const char *path, struct err *e)
{
	bool exists = false;
	struct stat there;
	int rc;

	*s = (struct file_stage){ .fd = -1, .dir_fd = -1, .path = path };
	if (!stat(path, &there)) {
		exists = true;
		rc = stage_existing(s, &there, e);
	} else if (errno != ENOENT) {
		rc = err_set(e, ERR_OUTPUT, errno, "cannot write \"%s\"", path);
	} else if (!lstat(path, &there)) {
		rc = err_set(e, ERR_OUTPUT, 0,
			"cannot write \"%s\": that symlink points to nothing",
			path);
	} else {
		rc = stage_place(s, path, e);
	}
	if (rc == 0)
		rc = stage_begin(s, exists, e);
	if (rc < 0) {
		stage_close(s);
		return -1;
	}
	return 0;
}

static int
stage_sync(int fd)
{
	int rc;

	do
		rc = fsync(fd);
	while (rc && errno == EINTR);
	/* Pipes and devices have nothing to sync. */
	return rc && errno != EINVAL ? -1 : 0;
}

static int
stage_write(struct file_stage *s, const void *data, size_t len, struct err *e)
{
	const struct file f = { .fd = s->fd, .name = s->path };

	if (s->over && ftruncate(s->fd, 0))
		return err_set(
			e, ERR_OUTPUT, errno, "cannot empty \"%s\"", s->path);
	if (file_write_all(&f, data, len, e))
		return -1;
	if (stage_sync(s->fd))
		return err_set(
			e, ERR_OUTPUT, errno, "cannot sync \"%s\"", s->path);
	return 0;
}

/* Move the hidden file to its place; 1 where that is refused. */
static int
stage_rename(struct file_stage *s)
{
	if (renameat(s->dir_fd, s->part, s->dir_fd, s->name))
		return 1;
	s->part[0] = '\0';
	return 0;
}

/* Name the nameless file, hidden if need be; 1 where that is refused. */
static int
stage_name(struct file_stage *s)
{
	int n;

	if (!stage_link(s, s->name))
		return 0;
	for (n = 0; errno == EEXIST && n < STAGE_TRIES; n++) {
		stage_hidden_name(s, n);
		if (!stage_link(s, s->part))
			return 0;
	}
	s->part[0] = '\0';
	return 1;
}

/* The rename was refused: write over what is there, if it may be. */
static int
stage_put_over(
	struct file_stage *s, const void *data, size_t len, struct err *e)
{
	int sys = errno;

	unlinkat(s->dir_fd, s->part, 0);
	s->part[0] = '\0';
	if (!stage_denied(sys) || stage_open_over(s))
		return err_set(e, ERR_OUTPUT, sys, "cannot put \"%s\" in place",
			s->path);
	return stage_write(s, data, len, e);
}

static int
stage_put(struct file_stage *s, const void *data, size_t len, struct err *e)
{
	if (!s->part[0] && stage_name(s)) {
		/* It looked well when it was opened; write it once more. */
		close(s->fd);
		s->fd = -1;
		if (stage_open_part(s, e) || stage_write(s, data, len, e))
			return -1;
	}
	if (s->part[0] && stage_rename(s))
		return stage_put_over(s, data, len, e);
	/* EBADF: a directory that could not be opened for reading. */
	if (stage_sync(s->dir_fd) && errno != EBADF)
		return err_set(e, ERR_OUTPUT, errno,
			"\"%s\" is in place, but its directory cannot be "
			"synced",
			s->path);
	return 0;
}

int
file_stage_commit(
	struct file_stage *s, const void *data, size_t len, struct err *e)
{
	int rc = stage_write(s, data, len, e), fd;

	if (rc == 0 && s->dir_fd >= 0) {
		rc = stage_put(s, data, len, e);
	} else if (rc == 0) {
		/* Not in place by our doing: what close says may be news. */
		fd = s->fd;
		s->fd = -1;
		if (close(fd) && errno != EINTR)
			rc = err_set(e, ERR_OUTPUT, errno,
				"cannot close \"%s\"", s->path);
	}
	file_stage_drop(s);
	return rc;
}

void
file_stage_drop(struct file_stage *s)
{
	if (s->dir_fd >= 0 && s->part[0])
		unlinkat(s->dir_fd, s->part, 0);
	stage_close(s);
}
