#include "disk/target_direct.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"

#define TARGET_ALIGN_DEFAULT_BYTES 4096
#define TARGET_ALIGN_MAX_BYTES	   (UINT64_C(1) << 20)

#define TARGET_STATX_DIOALIGN 0x2000U
#define TARGET_AT_EMPTY_PATH  0x1000

/*
 * struct statx of <linux/stat.h>, which cannot be included beside <sys/stat.h>
 * and lacks the last two members before Linux 6.1.
 */
struct target_statx {
	uint32_t mask;
	uint32_t others[37];
	uint32_t dio_mem_align, dio_offset_align; /* at 0x98, 0x9c */
	uint32_t spare[24];
};
_Static_assert(sizeof(struct target_statx) == 256, "the kernel writes 256");

/* Flags of a file that make Linux buffer its I/O, whatever O_DIRECT says. */
static const struct {
	int flag;
	const char *why;
} target_buffered[] = {
	{ 0x0800 /* FS_ENCRYPT_FL */, "are encrypted by the filesystem" },
	{ 0x4000 /* FS_JOURNAL_DATA_FL */, "have their data journalled" },
};

static int
target_direct_flags(const struct target *t, struct err *e)
{
	int flags = 0;

	if (ioctl(t->fd, FS_IOC_GETFLAGS, &flags) < 0)
		return 0;
	for (size_t i = 0;
		i < sizeof(target_buffered) / sizeof(target_buffered[0]); i++)
		if (flags & target_buffered[i].flag)
			return err_set(e, ERR_REFUSED, 0,
				"files in this directory %s, which makes "
				"direct I/O buffered: choose another --dir",
				target_buffered[i].why);
	return 0;
}

static int
target_direct_told(
	struct target *t, const struct target_statx *x, struct err *e)
{
	uint64_t offset = x->dio_offset_align, mem = x->dio_mem_align;

	if (offset == 0 || mem == 0)
		return err_set(e, ERR_REFUSED, 0,
			"the kernel says that files here have no direct I/O "
			"(STATX_DIOALIGN is 0): figures would be the page "
			"cache's; choose another --dir");
	if ((offset & (offset - 1)) || (mem & (mem - 1)) ||
		offset > TARGET_ALIGN_MAX_BYTES || mem > TARGET_ALIGN_MAX_BYTES)
		return err_set(e, ERR_REFUSED, 0,
			"the kernel asks for a direct I/O alignment of %u "
			"bytes, in memory %u, which no run can serve",
			x->dio_offset_align, x->dio_mem_align);
	t->align_bytes = offset;
	t->mem_align_bytes = mem;
	t->align_told = true;
	return 0;
}

int
target_direct_align(
	struct target *t, const struct target_wish *w, struct err *e)
{
	struct target_statx x;
	struct stat st;

	memset(&x, 0, sizeof(x));
	if (syscall(SYS_statx, t->fd, "", TARGET_AT_EMPTY_PATH,
		    TARGET_STATX_DIOALIGN, &x) == 0 &&
		(x.mask & TARGET_STATX_DIOALIGN))
		return target_direct_told(t, &x, e);
	if (target_direct_flags(t, e) < 0)
		return -1;
	t->align_told = false;
	t->align_bytes = TARGET_ALIGN_DEFAULT_BYTES;
	/* btrfs buffers what is smaller than its own sector, without a word. */
	if (w->logical_block_bytes >= 512 &&
		w->logical_block_bytes <= TARGET_ALIGN_MAX_BYTES)
		t->align_bytes = w->logical_block_bytes;
	if (w->fstype && strcmp(w->fstype, "btrfs") == 0 &&
		fstat(t->fd, &st) == 0 && st.st_blksize > 0 &&
		(uint64_t)st.st_blksize > t->align_bytes)
		t->align_bytes = (uint64_t)st.st_blksize;
	t->mem_align_bytes = t->align_bytes;
	return 0;
}

/* Is the file's first page in the page cache? */
static bool
target_direct_cached(const struct target *t)
{
	long page = sysconf(_SC_PAGESIZE);
	unsigned char resident = 0;
	void *map;

	map = mmap(NULL, (size_t)page, PROT_READ, MAP_SHARED, t->fd, 0);
	if (map == MAP_FAILED)
		return false;
	/* FUSE may forbid the mapping, old kernels the question. */
	if (mincore(map, (size_t)page, &resident) < 0)
		resident = 0;
	munmap(map, (size_t)page);
	return resident & 1;
}

/* One transfer of the first block, seen by the watchdog. */
static int
target_direct_once(const struct target *t, struct record *r, const void *from,
	void *to, struct err *e)
{
	size_t len = (size_t)t->align_bytes;
	char text[32];
	ssize_t n;
	int sys;

	do {
		atomic_store(&r->outstanding[0], clock_now_ns());
		n = to ? pread(t->fd, to, len, 0) : pwrite(t->fd, from, len, 0);
		sys = n < 0 ? errno : 0;
		atomic_store(&r->outstanding[0], 0);
	} while (n < 0 && sys == EINTR && atomic_load(&r->stop) == 0);
	if (n == (ssize_t)len)
		return 0;
	units_bytes(len, text, sizeof(text));
	if (sys == EINVAL)
		return err_set(e, ERR_REFUSED, sys,
			"direct I/O of %s does not work here: choose another "
			"--dir",
			text);
	return err_set(e, ERR_INCOMPLETE, sys,
		"the first %s of %s ended after %zd bytes",
		to ? "read" : "write", text, n < 0 ? (ssize_t)0 : n);
}

int
target_direct_probe(const struct target *t, struct record *r, const void *data,
	void *scratch, struct err *e)
{
	size_t len = (size_t)t->align_bytes;

	/* btrfs reads through the page cache into pages never touched before */
	memset(scratch, 0, len);
	if (target_direct_once(t, r, data, NULL, e) < 0 ||
		target_direct_once(t, r, NULL, scratch, e) < 0)
		return -1;
	if (memcmp(data, scratch, len) != 0)
		return err_set(e, ERR_INCOMPLETE, 0,
			"the first %zu bytes of the target read back otherwise "
			"than they were written",
			len);
	if (!t->memory_backed && target_direct_cached(t))
		return err_set(e, ERR_REFUSED, 0,
			"direct I/O is silently buffered here (the page cache "
			"holds what was read past it): choose another --dir");
	return 0;
}
