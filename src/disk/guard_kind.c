#include "disk/guard_kind.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/file.h"
#include "base/units.h"

#define GUARD_NOCOW_FL 0x00800000 /* FS_NOCOW_FL */

/*
 * Sources: the kernel's Documentation/filesystems and fs/NAME; filesystems
 * that are not here are fine or found out by the first block (target_direct).
 */
static const struct guard_kind kinds[] = {
	/* fstype, copies, unfit, why */
	{ "btrfs", true, false, "" },
	{ "zfs", true, false, "" },
	{ "bcachefs", true, false, "" },
	{ "f2fs", true, false, "" }, /* a log: old blocks wait for a cleaner */
	{ "nilfs2", true, true, "a log that buffers all that is written" },
	{ "squashfs", false, true, "an image that cannot be written" },
	{ "erofs", false, true, "an image that cannot be written" },
	{ "iso9660", false, true, "an image that cannot be written" },
	{ "cramfs", false, true, "an image that cannot be written" },
	{ "romfs", false, true, "an image that cannot be written" },
	{ "9p", false, true,
		"another machine's files, cached in ways not told here" },
	{ "virtiofs", false, true,
		"the host's files, cached in ways not told here" },
	{ "ecryptfs", false, true,
		"encrypted in the page cache, without direct I/O" },
	{ "aufs", false, true, "a union that does not tell where it writes" },
	{ "hugetlbfs", false, true, "memory that cannot be written as files" },
	{ "cgroup", false, true, "no filesystem for data" },
	{ "cgroup2", false, true, "no filesystem for data" },
	{ "configfs", false, true, "no filesystem for data" },
	{ "tracefs", false, true, "no filesystem for data" },
	{ "debugfs", false, true, "no filesystem for data" },
	{ "proc", false, true, "no filesystem for data" },
	{ "sysfs", false, true, "no filesystem for data" },
	{ "resctrl", false, true, "no filesystem for data" },
	{ NULL, false, false, NULL },
};

/* Mount options under which direct I/O goes through the page cache. */
static const struct {
	const char *fstype;
	const char *option, *value;
} buffered[] = {
	{ "ext4", "data", "journal" },
	{ "ext3", "data", "journal" },
	{ "reiserfs", "data", "journal" },
};

const struct guard_kind *
guard_kind_table(void)
{
	return kinds;
}

static const struct guard_kind *
guard_kind_find(const char *fstype)
{
	const struct guard_kind *k;

	for (k = kinds; k->fstype; k++)
		if (strcmp(k->fstype, fstype) == 0)
			return k;
	return NULL;
}

int
guard_kind_fit(const struct guard_view *v, struct err *e)
{
	const struct guard_kind *k = guard_kind_find(v->fstype);

	if (!k || !k->unfit)
		k = guard_kind_find(v->store);
	if (!k || !k->unfit)
		return 0;
	return err_set(e, ERR_REFUSED, 0,
		"%s is on %s, %s: nothing to measure here, use a --dir on a "
		"disk",
		v->dir, k->fstype, k->why);
}

/* The number that *at begins with, and *at behind it; false without one. */
static bool
guard_kind_number(const char **at, uint64_t *out)
{
	size_t len = strspn(*at, "0123456789");
	char digits[20];

	snprintf(digits, sizeof(digits), "%.*s", (int)len, *at);
	*at += len;
	return len < sizeof(digits) &&
	       units_parse_u64(digits, 0, UINT32_MAX, out, NULL) == 0;
}

/* Is "6.14.0-rc1" at least major.minor?  What does not parse is not. */
static bool
guard_kind_at_least(const char *version, uint64_t major, uint64_t minor)
{
	uint64_t have;

	if (!guard_kind_number(&version, &have) || *version != '.')
		return false;
	if (have != major)
		return have > major;
	version++;
	return guard_kind_number(&version, &have) && have >= minor;
}

static void
guard_kind_kernel(const char *root, char *out, size_t size)
{
	struct utsname u;

	if (file_line(root, "/proc/sys/kernel/osrelease", out, size) > 0)
		return;
	snprintf(out, size, "%s", uname(&u) == 0 ? u.release : "");
}

/*
 * Before OpenZFS 2.3 O_DIRECT was accepted and meant nothing.  An unknown
 * version is taken for an old one.
 */
static int
guard_kind_zfs(const char *root, struct err *e)
{
	char version[64];

	if (file_line(root, "/sys/module/zfs/version", version,
		    sizeof(version)) <= 0)
		return err_set(e, ERR_REFUSED, 0,
			"the version of ZFS is not told here, and before 2.3 "
			"its direct I/O is silently buffered: figures would "
			"be its cache's; use a --dir on another filesystem");
	if (guard_kind_at_least(version, 2, 3))
		return 0;
	return err_set(e, ERR_REFUSED, 0,
		"ZFS %s buffers direct I/O silently (it is direct from 2.3 "
		"on): figures would be its cache's; use a --dir on another "
		"filesystem",
		version);
}

/*
 * Since Linux 6.14 btrfs writes through the page cache wherever it keeps
 * checksums (its commit 968f19c5b1b7).  A NOCOW target has none.
 */
static int
guard_kind_btrfs(const struct guard_view *v, bool keep_cow, const char *root,
	struct err *e)
{
	char kernel[96], unused[8];

	guard_kind_kernel(root, kernel, sizeof(kernel));
	if (!keep_cow || (v->flags & GUARD_NOCOW_FL) ||
		!guard_kind_at_least(kernel, 6, 14))
		return 0;
	/* below an overlay its options are not known: then no exception */
	if (strcmp(v->fstype, "btrfs") == 0 &&
		(mounts_option(
			 &v->mount, "nodatacow", unused, sizeof(unused)) ||
			mounts_option(&v->mount, "nodatasum", unused,
				sizeof(unused))))
		return 0;
	return err_set(e, ERR_REFUSED, 0,
		"btrfs of Linux %s buffers direct writes of files with "
		"checksums: figures would be the page cache's; leave out "
		"--keep-cow, or use another --dir",
		kernel);
}

int
guard_kind_direct(const struct guard_view *v, bool keep_cow, const char *root,
	struct err *e)
{
	char value[32];

	if (strcmp(v->store, "zfs") == 0)
		return guard_kind_zfs(root, e);
	if (strcmp(v->store, "btrfs") == 0)
		return guard_kind_btrfs(v, keep_cow, root, e);
	for (size_t i = 0; i < sizeof(buffered) / sizeof(buffered[0]); i++) {
		if (strcmp(v->fstype, buffered[i].fstype) != 0 ||
			!mounts_option(&v->mount, buffered[i].option, value,
				sizeof(value)) ||
			strcmp(value, buffered[i].value) != 0)
			continue;
		return err_set(e, ERR_REFUSED, 0,
			"%s is mounted with %s=%s, which makes direct I/O "
			"buffered: use a --dir on another filesystem",
			v->mount.point, buffered[i].option, value);
	}
	return 0;
}
