#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/utf8.h"

/* read(2), begun again after a signal. */
static ssize_t
file_read_some(int fd, void *out, size_t size)
{
	ssize_t n;

	do
		n = read(fd, out, size);
	while (n < 0 && errno == EINTR);
	return n;
}

/* Take back what was added since `len`. */
static void
file_forget(struct buf *out, size_t len)
{
	out->len = len;
	if (out->data)
		out->data[len] = '\0';
}

int
file_read_fd(const struct file *f, size_t max, struct buf *out, struct err *e)
{
	size_t before = out->len, got = 0;
	char chunk[16384];
	ssize_t n;

	while ((n = file_read_some(f->fd, chunk, sizeof(chunk))) > 0) {
		if ((size_t)n > max - got) {
			file_forget(out, before);
			return err_set(e, ERR_INPUT, 0,
				"\"%s\" is longer than the %zu bytes that are "
				"read of such a file",
				f->name, max);
		}
		got += (size_t)n;
		buf_add(out, chunk, (size_t)n);
	}
	if (n < 0) {
		int sys = errno;

		file_forget(out, before);
		return err_set(e, ERR_OPEN, sys, "cannot read \"%s\"", f->name);
	}
	if (buf_failed(out)) {
		file_forget(out, before);
		return err_set(
			e, ERR_OPEN, ENOMEM, "cannot read \"%s\"", f->name);
	}
	return 0;
}

int
file_read_at(int dir_fd, const char *path, size_t max, struct buf *out,
	struct err *e)
{
	struct file f = { .name = path };
	int rc;

	f.fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (f.fd < 0)
		return err_set(e, ERR_OPEN, errno, "cannot open \"%s\"", path);
	rc = file_read_fd(&f, max, out, e);
	close(f.fd);
	return rc;
}

int
file_read(const char *path, size_t max, struct buf *out, struct err *e)
{
	const struct file in = { .fd = STDIN_FILENO, .name = "stdin" };

	if (!strcmp(path, "-"))
		return file_read_fd(&in, max, out, e);
	return file_read_at(AT_FDCWD, path, max, out, e);
}

/* Fill out[0..size) as far as fd gives; -1 where it cannot be read. */
static ssize_t
file_read_head(int fd, char *out, size_t size)
{
	size_t got = 0;
	ssize_t n = 0;

	while (got < size) {
		n = file_read_some(fd, out + got, size - got);
		if (n <= 0)
			break;
		got += (size_t)n;
	}
	return n < 0 ? -1 : (ssize_t)got;
}

/* Judge and clean the line at s[0..len); its length, or -1. */
static int
file_line_clean(char *s, size_t len)
{
	uint32_t point;
	size_t i, n;

	for (i = 0; i < len; i += n) {
		n = utf8_next(s + i, len - i, &point);
		if (n == 0)
			return -1;
		if (point == '\t')
			s[i] = ' ';
	}
	while (len > 0 && s[len - 1] == ' ')
		len--;
	return (int)utf8_clean(s, len);
}

int
file_line(const char *root, const char *path, char *out, size_t size)
{
	char name[PATH_MAX], head[FILE_LINE_MAX + 2];
	size_t max, len;
	ssize_t got;
	int fd, n;

	if (size == 0)
		return -1;
	out[0] = '\0';
	max = size - 1 < FILE_LINE_MAX ? size - 1 : FILE_LINE_MAX;
	n = snprintf(name, sizeof(name), "%s%s%s", root,
		*path == '/' ? "" : "/", path);
	if (n < 0 || (size_t)n >= sizeof(name))
		return -1;
	/* Nothing that stands in for such a file may hold us up. */
	fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -1;
	/* One byte more than fits: so it is seen where a line is cut. */
	got = file_read_head(fd, head, max + 1);
	close(fd);
	if (got < 0)
		return -1;
	head[got] = '\0';
	len = strcspn(head, "\n");
	if (len > max)
		len = utf8_cut(head, len, max);
	n = file_line_clean(head, len);
	if (n >= 0)
		memcpy(out, head, (size_t)n + 1);
	return n;
}

int
file_write_all(
	const struct file *f, const void *data, size_t len, struct err *e)
{
	struct pollfd wait = { .fd = f->fd, .events = POLLOUT };
	const char *p = data;
	ssize_t n;

	while (len > 0) {
		n = write(f->fd, p, len);
		if (n > 0) {
			p += n;
			len -= (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			poll(&wait, 1, -1);
			continue;
		}
		return err_set(e, ERR_OUTPUT, n < 0 ? errno : EIO,
			"cannot write \"%s\" (%zu bytes are missing)", f->name,
			len);
	}
	return 0;
}

int
file_replace(const char *path, const void *data, size_t len, struct err *e)
{
	struct file_stage s;

	if (file_stage_open(&s, path, e))
		return -1;
	return file_stage_commit(&s, data, len, e);
}

void
file_try_dir(const char *dir, bool write)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), file;
	struct statvfs ignored;

	if (fd < 0)
		return;
	(void)fstatvfs(fd, &ignored);
	file = write ? openat(fd, ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)
		     : -1;
	if (file >= 0)
		close(file);
	close(fd);
}

int
file_make_dir(const char *path, struct err *e)
{
	struct stat st;

	if (mkdir(path, 0755) == 0)
		return 0;
	if (errno != EEXIST)
		return err_set(e, ERR_OUTPUT, errno,
			"cannot make the directory \"%s\"", path);
	if (stat(path, &st) < 0)
		return err_set(e, ERR_OUTPUT, errno, "cannot use \"%s\"", path);
	if (!S_ISDIR(st.st_mode))
		return err_set(
			e, ERR_OUTPUT, 0, "\"%s\" is no directory", path);
	return 0;
}

void
file_leave_stdio(void)
{
	/* by O_PATH, which wants no right to list it */
	int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC), i;

	for (i = 0; i <= STDERR_FILENO; i++) {
		if (fd < 0)
			close(i);
		else if (fd != i)
			dup2(fd, i);
	}
	if (fd > STDERR_FILENO)
		close(fd);
}

int
file_open_dir(const char *path, bool *made, struct err *e)
{
	struct stat st;

	*made = stat(path, &st) < 0 && errno == ENOENT;
	if (file_make_dir(path, e) < 0)
		return -1;
	/* EPERM: of a container profile that does not know the call */
	if (faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0 ||
		errno == EPERM)
		return 0;
	return err_set(
		e, ERR_OUTPUT, errno, "cannot make files in \"%s\"", path);
}

void
file_unmake_dir(const char *path)
{
	/* not empty: somebody has a use for it */
	(void)rmdir(path);
}
