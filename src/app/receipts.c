#include "app/receipts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

int
receipts_is(const char *path, const char *suffix)
{
	size_t len = strlen(path), n = strlen(suffix);

	return len > n && strcmp(path + len - n, suffix) == 0;
}

int
receipts_read(const char *path, size_t max, struct buf *out, struct err *e)
{
	struct file f = { -1, path };
	struct stat st;
	int rc;

	if (strcmp(path, "-") == 0)
		return file_read(path, max, out, e);
	f.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f.fd < 0)
		return err_set(e, ERR_OPEN, errno, "open %s", path);
	if (fstat(f.fd, &st) < 0)
		rc = err_set(e, ERR_OPEN, errno, "%s", path);
	else if (!S_ISREG(st.st_mode) && !S_ISFIFO(st.st_mode))
		rc = err_set(e, ERR_OPEN, 0, "%s is no file", path);
	else if (fcntl(f.fd, F_SETFL, 0) < 0)
		rc = err_set(e, ERR_OPEN, errno, "%s", path);
	else
		rc = file_read_fd(&f, max, out, e);
	close(f.fd);
	return rc;
}

/* NAME.json beside a NAME.jws? */
static bool
has_twin(int dir_fd, const char *name)
{
	char twin[300];
	struct stat st;

	if (!receipts_is(name, ".json") || strlen(name) >= sizeof(twin))
		return false;
	snprintf(twin, sizeof(twin), "%.*s.jws", (int)strlen(name) - 5, name);
	return fstatat(dir_fd, twin, &st, 0) == 0 && S_ISREG(st.st_mode);
}

static bool
is_wanted(int dir_fd, const char *name)
{
	struct stat st;

	if (name[0] == '.' ||
		(!receipts_is(name, ".jws") && !receipts_is(name, ".json")))
		return false;
	return fstatat(dir_fd, name, &st, 0) == 0 && S_ISREG(st.st_mode) &&
	       !has_twin(dir_fd, name);
}

static int
walk_folder(
	DIR *dir, const char *path, receipts_fn *fn, void *arg, struct err *e)
{
	const char *slash = receipts_is(path, "/") ? "" : "/";
	struct dirent *entry;
	char file[4096];
	size_t count = 0;

	while ((errno = 0, entry = readdir(dir)) != NULL) {
		if (!is_wanted(dirfd(dir), entry->d_name))
			continue;
		if ((size_t)snprintf(file, sizeof(file), "%s%s%s", path, slash,
			    entry->d_name) >= sizeof(file))
			return err_set(e, ERR_OPEN, ENAMETOOLONG, "%s", path);
		if (fn(arg, file) < 0)
			return -1;
		count++;
	}
	if (errno)
		return err_set(e, ERR_OPEN, errno, "read the folder %s", path);
	if (count == 0)
		return err_set(e, ERR_INPUT, 0,
			"%s holds no receipt (a file named *.jws or *.json)",
			path);
	return 0;
}

int
receipts_walk(const char *path, receipts_fn *fn, void *arg, struct err *e)
{
	DIR *dir = opendir(path);
	int rc;

	if (!dir && errno == ENOTDIR)
		return fn(arg, path);
	if (!dir && (errno == ENOENT || errno == EACCES) &&
		strcmp(path, "-") == 0)
		return fn(arg, path);
	if (!dir)
		return err_set(e, ERR_OPEN, errno, "open %s", path);
	rc = walk_folder(dir, path, fn, arg, e);
	closedir(dir);
	return rc;
}
