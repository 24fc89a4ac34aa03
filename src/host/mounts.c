#include "host/mounts.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "host/below.h"
#include "host/mounts_id.h"
#include "host/mounts_parse.h"

/*
 * Filesystems by statfs f_type, from <linux/magic.h> and, where a filesystem
 * keeps its number to itself, from its own source.
 */
static const struct magic {
	uint64_t magic;
	const char *fstype;
} magics[] = {
	{ 0x01021994, "tmpfs" },
	{ 0x858458f6, "ramfs" },
	{ 0x958458f6, "hugetlbfs" },
	{ 0xef53, "ext4" },
	{ 0x58465342, "xfs" },
	{ 0x9123683e, "btrfs" },
	{ 0xf2f52010, "f2fs" },
	{ 0xca451a4e, "bcachefs" },
	{ 0x2fc12fc1, "zfs" },
	{ 0x794c7630, "overlay" },
	{ 0x61756673, "aufs" },
	{ 0xf15f, "ecryptfs" },
	{ 0x6969, "nfs" },
	{ 0xff534d42, "cifs" },
	{ 0xfe534d42, "smb3" },
	{ 0x00c36400, "ceph" },
	{ 0x01021997, "9p" },
	{ 0x65735546, "fuse" },
	{ 0x786f4256, "vboxsf" },
	{ 0x0bd00bd0, "lustre" },
	{ 0x47504653, "gpfs" },
	{ 0x01161970, "gfs2" },
	{ 0x7461636f, "ocfs2" },
	{ 0x3153464a, "jfs" },
	{ 0x52654973, "reiserfs" },
	{ 0x3434, "nilfs2" },
	{ 0x73717368, "squashfs" },
	{ 0xe0f5e1e2, "erofs" },
	{ 0x9660, "iso9660" },
	{ 0x15013346, "udf" },
	{ 0x4d44, "vfat" },
	{ 0x2011bab0, "exfat" },
	{ 0x7366746e, "ntfs3" },
};

const char *
mounts_fstype(uint64_t magic)
{
	size_t i;

	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magics[i].magic == magic)
			return magics[i].fstype;
	return "";
}

bool
mounts_option(
	const struct mounts_entry *m, const char *key, char *out, unsigned size)
{
	return mounts_parse_option(m->options, key, out, size);
}

/* ---- the table ----------------------------------------------------------- */

static int
table_read(const char *root, struct buf *text, struct err *e)
{
	buf_init(text);
	if (below_text(root, text, "/proc/self/mountinfo") == 0)
		return 0;
	buf_free(text);
	return err_set(e, ERR_REFUSED, 0,
		"cannot read /proc/self/mountinfo: the mount table is not "
		"known here");
}

/* The next line that parses; *raw is the line itself. */
static bool
table_next(const char **at, const char **raw, struct mounts_entry *m)
{
	const char *end;

	while (**at) {
		*raw = *at;
		end = strchr(*at, '\n');
		*at = end ? end + 1 : *at + strlen(*at);
		if (mounts_parse(*raw, m) == 0)
			return true;
	}
	return false;
}

static bool
table_by_id(const struct buf *text, uint64_t id, struct mounts_entry *out)
{
	const char *at = buf_text(text), *raw;

	while (table_next(&at, &raw, out))
		if (out->id == id)
			return true;
	return false;
}

/*
 * The longest mount point above path, the last of equal ones (it lies on
 * top); only those of device dev where that is given.
 */
static bool
table_by_path(const struct buf *text, const char *path, const dev_t *dev,
	struct mounts_entry *out)
{
	const char *at = buf_text(text), *raw;
	struct mounts_entry m;
	long best = -1, n;

	while (table_next(&at, &raw, &m)) {
		n = mounts_parse_covers(raw, path);
		if (n < best || n < 0)
			continue;
		if (dev && makedev(m.dev_major, m.dev_minor) != *dev)
			continue;
		best = n;
		*out = m;
	}
	return best >= 0;
}

/* "mnt_id:" of fdinfo: since Linux 3.15. */
static uint64_t
fdinfo_id(int fd, const char *root)
{
	static const char key[] = "\nmnt_id:";
	uint64_t id = MOUNTS_ID_UNKNOWN;
	char digits[24] = "";
	struct buf text;
	const char *p;
	size_t len;

	buf_init(&text);
	below_text(root, &text, "/proc/self/fdinfo/%d", fd);
	p = strstr(buf_text(&text), key);
	if (p) {
		p += sizeof(key) - 1;
		p += strspn(p, " \t");
		len = strspn(p, "0123456789");
		if (len < sizeof(digits))
			memcpy(digits, p, len);
	}
	if (units_parse_u64(digits, 0, UINT64_MAX - 1, &id, NULL) != 0)
		id = MOUNTS_ID_UNKNOWN;
	buf_free(&text);
	return id;
}

/* Where the kernel gives no mount id: by device and path. */
static bool
table_by_fd(const struct buf *text, int fd, const char *path, const char *root,
	struct mounts_entry *out)
{
	char full[PATH_MAX];
	struct stat st;

	if (path[0] != '/') {
		if (!below_link(
			    root, full, sizeof(full), "/proc/self/fd/%d", fd))
			return false;
		path = full;
	}
	if (fstat(fd, &st) != 0)
		return false;
	if (table_by_path(text, path, &st.st_dev, out))
		return true;
	/* btrfs shows another device number in stat than in the table */
	return major(st.st_dev) == 0 && table_by_path(text, path, NULL, out);
}

int
mounts_of_fd(int dir_fd, const char *path, const char *root,
	struct mounts_entry *out, struct err *e)
{
	uint64_t id = mounts_id_of_fd(dir_fd);
	struct buf text;
	bool found;

	if (table_read(root, &text, e) != 0)
		return -1;
	if (id == MOUNTS_ID_UNKNOWN)
		id = fdinfo_id(dir_fd, root);
	if (id != MOUNTS_ID_UNKNOWN)
		found = table_by_id(&text, id, out);
	else
		found = table_by_fd(&text, dir_fd, path, root, out);
	buf_free(&text);
	if (found)
		return 0;
	/* below a chroot, the mount that holds the chroot is not listed */
	return err_set(e, ERR_REFUSED, 0,
		"/proc/self/mountinfo has no entry for the mount of %s", path);
}

static int
of_path_by_prefix(const char *path, const char *root, struct mounts_entry *out,
	struct err *e)
{
	struct buf text;
	bool found;

	if (table_read(root, &text, e) != 0)
		return -1;
	found = table_by_path(&text, path, NULL, out);
	buf_free(&text);
	return found ? 0
		     : err_set(e, ERR_REFUSED, 0,
			       "/proc/self/mountinfo has no mount above %s",
			       path);
}

int
mounts_of_path(const char *path, const char *root, struct mounts_entry *out,
	struct err *e)
{
	int fd, result;

	if (path[0] != '/')
		return err_set(
			e, ERR_REFUSED, 0, "%s is not an absolute path", path);
	if (root[0] != '\0') {
		/* mount ids of a saved tree are not this kernel's */
		if (below_exists(root, "%s", path))
			return of_path_by_prefix(path, root, out, e);
		return err_set(
			e, ERR_REFUSED, ENOENT, "%s is not visible here", path);
	}
	fd = open(path, O_PATH | O_CLOEXEC);
	if (fd < 0 && errno == EACCES)
		return of_path_by_prefix(path, root, out, e);
	if (fd < 0)
		return err_set(
			e, ERR_REFUSED, errno, "%s is not visible here", path);
	result = mounts_of_fd(fd, path, root, out, e);
	close(fd);
	return result;
}

int
mounts_of_device(unsigned dev_major, unsigned dev_minor, const char *root,
	struct mounts_entry *out)
{
	const char *at, *raw;
	struct buf text;
	int result = -1;

	if (table_read(root, &text, NULL) != 0)
		return -1;
	at = buf_text(&text);
	while (result != 0 && table_next(&at, &raw, out))
		if (out->dev_major == dev_major && out->dev_minor == dev_minor)
			result = 0;
	buf_free(&text);
	return result;
}

/* ---- without the table --------------------------------------------------- */

int
mounts_guess_fd(int dir_fd, struct mounts_entry *out, struct err *e)
{
	struct statvfs flags;
	struct statfs fs;
	struct stat st;

	memset(out, 0, sizeof(*out));
	if (fstatfs(dir_fd, &fs) != 0 || fstatvfs(dir_fd, &flags) != 0 ||
		fstat(dir_fd, &st) != 0)
		return err_set(e, ERR_REFUSED, errno,
			"cannot ask which filesystem the directory is on");
	out->dev_major = major(st.st_dev);
	out->dev_minor = minor(st.st_dev);
	/* f_type is signed in some libcs and sign-extended there */
	snprintf(out->fstype, sizeof(out->fstype), "%s",
		mounts_fstype((uint32_t)fs.f_type));
	snprintf(out->options, sizeof(out->options), "%s",
		flags.f_flag & ST_RDONLY ? "ro" : "rw");
	return 0;
}

/* ---- what overlays answer ------------------------------------------------ */

bool
mounts_may_be_upper(
	const struct mounts_entry *m, const char *path, const char *root)
{
	struct statfs all, upper;

	if (root[0] != '\0' || statfs(m->point, &all) != 0 ||
		statfs(path, &upper) != 0)
		return true;
	return all.f_blocks == upper.f_blocks && all.f_bsize == upper.f_bsize;
}

/* Does the mount point answer as m does?  Asked again if it changes. */
static bool
same_figures(const struct mounts_entry *m, const char *point)
{
	struct statfs a, b;
	int i;

	for (i = 0; i < 3; i++) {
		if (statfs(m->point, &a) != 0 || statfs(point, &b) != 0 ||
			a.f_blocks == 0 || a.f_blocks != b.f_blocks ||
			a.f_bsize != b.f_bsize)
			return false;
		if (a.f_files == b.f_files && a.f_bfree == b.f_bfree &&
			a.f_ffree == b.f_ffree)
			return true;
	}
	return false;
}

int
mounts_same_filesystem(const struct mounts_entry *m, const char *root,
	struct mounts_entry *out)
{
	const char *at, *raw;
	struct buf text;
	int result = -1;

	if (root[0] != '\0' || table_read(root, &text, NULL) != 0)
		return -1;
	at = buf_text(&text);
	while (result != 0 && table_next(&at, &raw, out)) {
		/* statfs on a dead server would never return */
		if (out->dev_major == 0 && strcmp(out->fstype, "tmpfs") != 0 &&
			strcmp(out->fstype, "btrfs") != 0)
			continue;
		if (same_figures(m, out->point))
			result = 0;
	}
	buf_free(&text);
	return result;
}
