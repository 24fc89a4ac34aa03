#include "disk/target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/units.h"
#include "disk/target_direct.h"

#ifndef FS_NOCOW_FL
#define FS_NOCOW_FL 0x00800000
#endif

#define TARGET_FLAGS (O_RDWR | O_DIRECT | O_EXCL | O_CLOEXEC)

/* With a name for a moment: only where there are no nameless files. */
static int
target_open_named(struct target *t, const struct lab *l, struct err *e)
{
	int sys;

	t->fd = openat(
		l->fd, l->target, TARGET_FLAGS | O_CREAT | O_NOFOLLOW, 0600);
	sys = errno;
	/*
	 * A call that fails for O_DIRECT alone has made the file all the same;
	 * the one that found another file of that name has not.
	 */
	if (!(t->fd < 0 && sys == EEXIST) &&
		unlinkat(l->fd, l->target, 0) < 0 && errno != ENOENT)
		return err_set(e, ERR_CLEANUP, errno,
			"the target %s/%s was made and cannot be removed",
			l->name, l->target);
	if (t->fd >= 0)
		return 0;
	if (sys == EINVAL)
		return err_set(e, ERR_REFUSED, 0,
			"this filesystem has no direct I/O (O_DIRECT is "
			"refused): figures would be the page cache's; choose "
			"another --dir");
	return err_set(e, ERR_REFUSED, sys, "make the target %s/%s", l->name,
		l->target);
}

static int
target_open(struct target *t, const struct lab *l, struct err *e)
{
	/* O_EXCL: can never be given a name. */
	t->fd = openat(l->fd, ".", O_TMPFILE | TARGET_FLAGS, 0600);
	if (t->fd >= 0)
		return 0;
	/* EINVAL: no O_DIRECT, or no O_TMPFILE; the named way tells. */
	if (errno == EOPNOTSUPP || errno == EISDIR || errno == ENOENT ||
		errno == EINVAL)
		return target_open_named(t, l, e);
	return err_set(
		e, ERR_REFUSED, errno, "make a nameless file in %s", l->name);
}

static int
target_check_new(const struct target *t, const struct lab *l, struct err *e)
{
	struct stat st;

	if (fstat(t->fd, &st) < 0)
		return err_set(e, ERR_REFUSED, errno, "stat the target");
	if (!S_ISREG(st.st_mode) || st.st_size != 0)
		return err_set(e, ERR_REFUSED, 0,
			"the target that was made in %s is not an empty "
			"regular file",
			l->name);
	if (st.st_nlink != 0)
		return err_set(e, ERR_REFUSED, 0,
			"this filesystem keeps a name for an open file that "
			"was removed (link count %ju), so a killed run could "
			"leave it: choose another --dir",
			(uintmax_t)st.st_nlink);
	return 0;
}

/* Before the first byte, the only time when btrfs lets it be set. */
static int
target_make_nocow(struct target *t, const struct target_wish *w, struct err *e)
{
	int flags = 0;

	if (w->keep_cow || !w->fstype || strcmp(w->fstype, "btrfs") != 0)
		return 0;
	if (ioctl(t->fd, FS_IOC_GETFLAGS, &flags) == 0) {
		flags |= FS_NOCOW_FL;
		if (ioctl(t->fd, FS_IOC_SETFLAGS, &flags) == 0 &&
			ioctl(t->fd, FS_IOC_GETFLAGS, &flags) == 0 &&
			(flags & FS_NOCOW_FL)) {
			t->nocow = true;
			return 0;
		}
	}
	return err_set(e, ERR_REFUSED, errno,
		"the target cannot be made NOCOW on btrfs, where copies and "
		"checksums would be measured instead of the disk: choose "
		"another --dir, or --keep-cow where the kernel is older than "
		"6.14");
}

static int
target_fit(const struct target *t, const struct target_wish *w, struct err *e)
{
	/* Buffers lie one behind the other: a block's size is their step. */
	uint64_t step = t->mem_align_bytes > t->align_bytes ? t->mem_align_bytes
							    : t->align_bytes;
	char bs[32], align[32], size[32];

	units_bytes(w->bs_unit_bytes, bs, sizeof(bs));
	units_bytes(step, align, sizeof(align));
	if (w->bs_unit_bytes % step != 0)
		return err_set(e, ERR_REFUSED, 0,
			"a job has blocks that are multiples of %s only, but "
			"direct I/O here goes by multiples of %s: use --job "
			"with another bs, or another --dir",
			bs, align);
	units_bytes(w->size_bytes, size, sizeof(size));
	units_bytes(t->align_bytes, align, sizeof(align));
	if (w->size_bytes == 0 || w->size_bytes % t->align_bytes != 0)
		return err_set(e, ERR_REFUSED, 0,
			"a target of %s (%" PRIu64 " bytes) is no multiple of "
			"the %s by which direct I/O goes here: choose another "
			"--size",
			size, w->size_bytes, align);
	return 0;
}

int
target_make(struct target *t, const struct lab *l, const struct target_wish *w,
	struct err *e)
{
	struct statvfs vfs;
	struct rng rng;

	memset(t, 0, sizeof(*t));
	t->fd = -1;
	t->size_bytes = w->size_bytes;
	t->memory_backed = w->memory_backed;
	if (rng_init(&rng, e) < 0) {
		if (e)
			e->code = ERR_REFUSED;
		return -1;
	}
	t->seed = rng_next(&rng);
	if (fstatvfs(l->fd, &vfs) == 0)
		t->promised_bytes = (uint64_t)vfs.f_bavail *
				    (vfs.f_frsize ? vfs.f_frsize : vfs.f_bsize);
	if (target_open(t, l, e) < 0 || target_check_new(t, l, e) < 0 ||
		target_make_nocow(t, w, e) < 0 ||
		target_direct_align(t, w, e) < 0 || target_fit(t, w, e) < 0) {
		target_close(t);
		return -1;
	}
	return 0;
}

void
target_close(struct target *t)
{
	if (t->fd >= 0)
		close(t->fd);
	t->fd = -1;
}

int
target_check(const struct target *t, struct err *e)
{
	struct stat st;

	if (fstat(t->fd, &st) < 0)
		return err_set(e, ERR_INCOMPLETE, errno, "stat the target");
	if (!S_ISREG(st.st_mode))
		return err_set(e, ERR_INCOMPLETE, 0,
			"the target is no longer a regular file");
	if (st.st_size < 0 || (uint64_t)st.st_size != t->size_bytes)
		return err_set(e, ERR_INCOMPLETE, 0,
			"the target has %jd bytes, not the %" PRIu64
			" declared: somebody else changed it",
			(intmax_t)st.st_size, t->size_bytes);
	if (st.st_nlink != 0)
		return err_set(e, ERR_INCOMPLETE, 0,
			"the target has got a name (link count %ju): somebody "
			"else changed it",
			(uintmax_t)st.st_nlink);
	return 0;
}
