#include "base/file_secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define FLAGS (O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)

static int
check(const struct file *f, struct err *e)
{
	struct stat st;

	if (fstat(f->fd, &st) < 0)
		return err_set(e, ERR_OPEN, errno, "%s", f->name);
	if (!S_ISREG(st.st_mode))
		return err_set(
			e, ERR_INPUT, 0, "%s is no regular file", f->name);
	if (st.st_mode & 077)
		return err_set(e, ERR_INPUT, 0,
			"%s is open to others (mode %04o); `chmod 600 '%s'` "
			"keeps it secret",
			f->name, (unsigned)st.st_mode & 07777, f->name);
	return 0;
}

int
file_secret_read(const char *path, size_t max, struct buf *out, struct err *e)
{
	struct file f = { open(path, FLAGS), path };
	int rc;

	if (f.fd < 0 && errno == ELOOP)
		return err_set(e, ERR_INPUT, 0,
			"%s is a symbolic link; name the file itself", path);
	if (f.fd < 0)
		return err_set(e, ERR_OPEN, errno, "open %s", path);
	rc = check(&f, e);
	if (rc == 0)
		rc = file_read_fd(&f, max, out, e);
	close(f.fd);
	return rc;
}

/* The directory of path; *name = its last component. */
static int
open_parent(const char *path, const char **name, struct err *e)
{
	const char *slash = strrchr(path, '/');
	char dir[4096];
	int fd;

	*name = slash ? slash + 1 : path;
	if (**name == '\0' || strlen(path) >= sizeof(dir))
		return err_set(
			e, ERR_OUTPUT, 0, "%s: is no name of a file", path);
	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - path) : 1,
		slash ? path : ".");
	fd = open(slash == path ? "/" : dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		err_set(e, ERR_OUTPUT, errno, "the directory of %s", path);
	return fd;
}

static int
sync_dir(int dir_fd)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 ? -1 : fsync(fd);

	if (fd >= 0)
		close(fd);
	return rc;
}

/* The content into a hidden file, which then gets the name if that is free. */
static int
fill(int dir_fd, const char *part, const char *name, const struct buf *data)
{
	struct file f = { openat(dir_fd, part,
				  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
					  O_CLOEXEC,
				  0600),
		name };
	struct err e = { 0 };
	int error = 0;

	if (f.fd < 0)
		return errno;
	if (fchmod(f.fd, 0600) < 0)
		error = errno;
	else if (file_write_all(&f, data->data, data->len, &e) < 0)
		error = e.sys ? e.sys : EIO;
	else if (fsync(f.fd) < 0 || linkat(dir_fd, part, dir_fd, name, 0) < 0)
		error = errno;
	if (close(f.fd) < 0 && !error)
		error = errno;
	unlinkat(dir_fd, part, 0);
	return error;
}

int
file_secret_make(const char *path, const void *data, size_t len, struct err *e)
{
	union {
		const void *from;
		char *to;
	} content = { .from = data };
	struct buf view = { .data = content.to, .len = len };
	char part[300];
	const char *name;
	int dir_fd = open_parent(path, &name, e), error;

	if (dir_fd < 0)
		return -1;
	snprintf(part, sizeof(part), ".%.240s.%d.part", name, (int)getpid());
	error = fill(dir_fd, part, name, &view);
	if (!error && sync_dir(dir_fd) < 0)
		error = errno;
	close(dir_fd);
	return error ? err_set(e, ERR_OUTPUT, error, "make %s", path) : 0;
}

int
file_secret_remove(const char *path, struct err *e)
{
	const char *name;
	int dir_fd = open_parent(path, &name, e), error = 0;

	if (dir_fd < 0)
		return -1;
	if (unlinkat(dir_fd, name, 0) < 0 || sync_dir(dir_fd) < 0)
		error = errno;
	close(dir_fd);
	return error ? err_set(e, ERR_OUTPUT, error, "remove %s", path) : 0;
}

int
file_secret_dir(const char *path, struct err *e)
{
	struct stat st;

	if (mkdir(path, 0700) < 0 && errno != EEXIST)
		return err_set(
			e, ERR_OUTPUT, errno, "make the folder %s", path);
	if (stat(path, &st) < 0)
		return err_set(e, ERR_OUTPUT, errno, "%s", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(e, ERR_OUTPUT, 0, "%s is no folder", path);
	if (st.st_mode & 077)
		return err_set(e, ERR_OUTPUT, 0,
			"%s is open to others (mode %04o); `chmod 700 '%s'` "
			"keeps it yours",
			path, (unsigned)st.st_mode & 07777, path);
	if (access(path, R_OK | W_OK | X_OK) < 0)
		return err_set(e, ERR_OUTPUT, errno, "%s", path);
	return 0;
}

void
file_secret_wipe(struct buf *b)
{
	if (b->data)
		explicit_bzero(b->data, b->size);
	buf_free(b);
}
