#include "disk/lab_content.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "disk/lab.h"

#define LAB_CONTENT_COUNT_MAX 1000

const char *
lab_content_kind(mode_t mode)
{
	static const struct {
		mode_t type;
		const char *word;
	} kinds[] = {
		{ S_IFREG, "a file" },
		{ S_IFDIR, "a directory" },
		{ S_IFLNK, "a symbolic link" },
		{ S_IFIFO, "a fifo" },
		{ S_IFSOCK, "a socket" },
		{ S_IFBLK, "a block device" },
		{ S_IFCHR, "a character device" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if ((mode & S_IFMT) == kinds[i].type)
			return kinds[i].word;
	return "something unknown";
}

static void
lab_content_add(struct lab_content *c, const char *name, const char *target)
{
	size_t len = strlen(name);

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return;
	if (strcmp(name, LAB_MARKER) == 0) {
		c->marker = true;
		return;
	}
	if (target[0] && strcmp(name, target) == 0) {
		c->target = true;
		return;
	}
	if (c->foreign++ > 0)
		return;
	len = utf8_cut(name, len, sizeof(c->first) - 1);
	memcpy(c->first, name, len);
	utf8_clean(c->first, len);
}

int
lab_content_read(
	int lab_fd, const char *target, struct lab_content *c, struct err *e)
{
	struct dirent *entry;
	DIR *dir;
	int fd, sys;

	memset(c, 0, sizeof(*c));
	/* Its own description: a shared one would share the read position. */
	fd = openat(lab_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		sys = errno;
		if (fd >= 0)
			close(fd);
		return err_set(e, ERR_REFUSED, sys, "list the lab");
	}
	for (;;) {
		errno = 0;
		entry = readdir(dir);
		if (!entry || c->foreign >= LAB_CONTENT_COUNT_MAX)
			break;
		lab_content_add(c, entry->d_name, target);
	}
	sys = entry ? 0 : errno;
	closedir(dir);
	if (sys)
		return err_set(e, ERR_REFUSED, sys, "list the lab");
	return 0;
}

int
lab_content_check(int lab_fd, const char *name, ino_t ino, struct err *e)
{
	struct stat st;

	if (fstatat(lab_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_set(e, ERR_REFUSED, errno, "stat %s", name);
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_REFUSED, 0,
			"%s is %s, not a file of ours: it stays", name,
			lab_content_kind(st.st_mode));
	if (st.st_uid != geteuid() || st.st_nlink != 1)
		return err_set(e, ERR_REFUSED, 0, "%s %s: it stays", name,
			st.st_nlink != 1 ? "has several links"
					 : "belongs to another user");
	if (ino != 0 && st.st_ino != ino)
		return err_set(
			e, ERR_REFUSED, 0, "%s was exchanged: it stays", name);
	return 0;
}

int
lab_content_drop(int lab_fd, const char *name, ino_t ino, struct err *e)
{
	if (lab_content_check(lab_fd, name, ino, e) < 0)
		return -1;
	if (unlinkat(lab_fd, name, 0) < 0)
		return err_set(e, ERR_REFUSED, errno, "remove %s", name);
	return 0;
}
