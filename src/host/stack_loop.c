#include "host/stack_loop.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "host/below.h"

static const char deleted[] = " (deleted)";

/* What the device itself says of its file. */
struct file_id {
	bool told;
	dev_t dev; /* of the filesystem */
	uint64_t inode;
};

/* The kernel's huge_encode_dev: 12 bits of major between the minor's. */
static dev_t
dev_decode(uint64_t d)
{
	return makedev((unsigned)(d >> 8 & 0xfff),
		(unsigned)((d & 0xff) | (d >> 12 & 0xfff00)));
}

static void
file_id_ask(struct file_id *id, const struct stack_layer *l, const char *root)
{
	struct loop_info64 info;
	char path[64];
	struct stat st;
	int fd;

	memset(id, 0, sizeof(*id));
	if (root[0] != '\0' ||
		below_path(path, sizeof(path), "/dev/", "%s", l->name) != 0)
		return;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	if (fd < 0)
		return;
	/* the node may be anything that somebody gave this name */
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) &&
		st.st_rdev == makedev(l->dev_major, l->dev_minor) &&
		ioctl(fd, LOOP_GET_STATUS64, &info) == 0) {
		id->told = true;
		id->dev = dev_decode(info.lo_device);
		id->inode = info.lo_inode;
	}
	close(fd);
}

/* "/a/b" becomes "/a", "/a" becomes "/". */
static void
to_parent(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash)
		slash[slash == path] = '\0';
}

/* Is the file that we see under path the one that the device has? */
static bool
path_fits(const char *path, bool gone, const struct file_id *id)
{
	struct stat st;

	if (!id->told)
		return true;
	if (stat(path, &st) != 0)
		return false;
	return st.st_dev == id->dev && (gone || st.st_ino == id->inode);
}

void
stack_loop_find(
	struct stack_loop *out, const struct stack_layer *l, const char *root)
{
	const size_t tail = sizeof(deleted) - 1;
	char path[PATH_MAX];
	struct file_id id;
	bool gone = false;
	size_t len;

	memset(out, 0, sizeof(*out));
	out->cached = below_number(root, "/sys/dev/block/%u:%u/loop/dio",
			      l->dev_major, l->dev_minor) == 0;
	file_id_ask(&id, l, root);
	if (below_line(root, path, sizeof(path),
		    "/sys/dev/block/%u:%u/loop/backing_file", l->dev_major,
		    l->dev_minor)) {
		out->kind = STACK_LOOP_DEVICE;
		if (stack_block_of_path(path, root, &out->dev) == 0)
			return;
		len = strlen(path);
		gone = len > tail && !below_exists(root, "%s", path) &&
		       strcmp(path + len - tail, deleted) == 0;
		if (gone) {
			path[len - tail] = '\0';
			to_parent(path);
		}
		out->kind = STACK_LOOP_MOUNT;
		if (path_fits(path, gone, &id) &&
			mounts_of_path(path, root, &out->mount, NULL) == 0)
			return;
	}
	if (id.told && mounts_of_device(major(id.dev), minor(id.dev), root,
			       &out->mount) == 0) {
		out->kind = STACK_LOOP_MOUNT;
	} else if (id.told && major(id.dev) != 0) {
		out->kind = STACK_LOOP_DEVICE;
		out->dev.dev_major = major(id.dev);
		out->dev.dev_minor = minor(id.dev);
	} else {
		out->kind = STACK_LOOP_UNKNOWN;
	}
}
