#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/units.h"
#include "disk/fill.h"
#include "disk/target.h"
#include "disk/target_direct.h"
#include "disk/target_extents.h"

#define TARGET_CHUNK_BYTES ((size_t)512 << 10) /* the peak of our memory */

/* Writes in a row that move nothing on: then it is no accident. */
#define TARGET_SHORT_TRIES 3

/* bytes written by this process to devices: proc(5), /proc/pid/io */
static uint64_t
target_prepare_written(void)
{
	static const char key[] = "\nwrite_bytes: ";
	uint64_t bytes = UINT64_MAX;
	char digits[24] = "";
	struct buf b;
	const char *at;
	size_t len;

	buf_init(&b);
	if (file_read("/proc/self/io", 4096, &b, NULL) == 0 &&
		(at = strstr(buf_text(&b), key)) != NULL) {
		at += sizeof(key) - 1;
		len = strspn(at, "0123456789");
		if (len < sizeof(digits))
			memcpy(digits, at, len);
	}
	buf_free(&b);
	if (units_parse_u64(digits, 0, UINT64_MAX - 1, &bytes, NULL) < 0)
		return UINT64_MAX;
	return bytes;
}

static int
target_prepare_stopped(
	const struct target *t, const struct record *r, struct err *e)
{
	int stop = atomic_load(&r->stop);
	char done[32], size[32];

	if (stop == 0)
		return 0;
	units_bytes(atomic_load(&r->prepared_bytes), done, sizeof(done));
	units_bytes(t->size_bytes, size, sizeof(size));
	return err_set(e, stop > 0 ? ERR_SIGNAL + stop : ERR_INCOMPLETE, 0,
		"stopped while the target was written, at %s of %s", done,
		size);
}

/* The limit that this process has on the size of files, UINT64_MAX if none. */
static uint64_t
target_prepare_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) < 0 ||
		limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

static int
target_prepare_full(const struct target *t, const char *done, const char *size,
	int sys, struct err *e)
{
	char promised[32], now[32] = "unknown";
	struct statvfs vfs;

	units_bytes(t->promised_bytes, promised, sizeof(promised));
	if (fstatvfs(t->fd, &vfs) == 0)
		units_bytes((uint64_t)vfs.f_bavail *
				    (vfs.f_frsize ? vfs.f_frsize : vfs.f_bsize),
			now, sizeof(now));
	return err_set(e, ERR_INCOMPLETE, sys,
		"the target could be written to %s of %s only; %s were "
		"promised to this user before, now it is %s: %s",
		done, size, promised, now,
		sys == EDQUOT ? "a quota is smaller, choose a smaller --size"
			      : "a thin or shared pool behind it is full, "
				"somebody else filled it, or a smaller --size "
				"is needed");
}

/* Why the write of len bytes (or, with 0, the fsync) at `at` failed. */
static int
target_prepare_failed(
	const struct target *t, uint64_t at, size_t len, int sys, struct err *e)
{
	uint64_t limit = target_prepare_limit();
	char done[32], size[32], part[32];

	units_bytes(at, done, sizeof(done));
	units_bytes(t->size_bytes, size, sizeof(size));
	units_bytes(len, part, sizeof(part));
	if (sys == ENOSPC || sys == EDQUOT)
		return target_prepare_full(t, done, size, sys, e);
	/* A limit between two blocks cuts the write to what is not aligned. */
	if ((sys == EFBIG || sys == EINVAL) && limit < t->size_bytes) {
		units_bytes(limit, part, sizeof(part));
		return err_set(e, ERR_INCOMPLETE, EFBIG,
			"the target could be written to %s of %s only: files "
			"of this process may have %s (RLIMIT_FSIZE, ulimit -f)",
			done, size, part);
	}
	if (sys == EFBIG)
		return err_set(e, ERR_INCOMPLETE, sys,
			"the target could be written to %s of %s only: this "
			"filesystem has no larger files, choose a smaller "
			"--size",
			done, size);
	if (sys == EINVAL && at == 0 && len > 0)
		return err_set(e, ERR_REFUSED, sys,
			"direct I/O does not work here: choose another --dir");
	if (len == 0)
		return err_set(e, ERR_INCOMPLETE, sys,
			"fsync of the target of %s", size);
	return err_set(e, ERR_INCOMPLETE, sys,
		"write of %s at offset %" PRIu64 " of the target of %s", part,
		at, size);
}

/* All of data to offset `at`; what a short write left is written again. */
static int
target_prepare_chunk(const struct target *t, struct record *r,
	const unsigned char *data, uint64_t at, struct err *e)
{
	size_t len = TARGET_CHUNK_BYTES, done = 0;
	unsigned tries = 0;
	ssize_t n;
	int sys;

	if (t->size_bytes - at < len)
		len = (size_t)(t->size_bytes - at);
	while (done < len) {
		if (target_prepare_stopped(t, r, e) < 0)
			return -1;
		atomic_store(&r->outstanding[0], clock_now_ns());
		n = pwrite(t->fd, data + done, len - done, (off_t)(at + done));
		sys = errno;
		atomic_store(&r->outstanding[0], 0);
		if (n < 0 && sys == EINTR)
			continue;
		if (n < 0)
			return target_prepare_failed(
				t, at + done, len - done, sys, e);
		/* Direct I/O can go on only from an aligned place. */
		n -= n % (ssize_t)t->align_bytes;
		tries = n > 0 ? 0 : tries + 1;
		if (tries == TARGET_SHORT_TRIES)
			return err_set(e, ERR_INCOMPLETE, 0,
				"writes to the target stay short at offset "
				"%" PRIu64,
				at + done);
		done += (size_t)n;
		atomic_store(&r->prepared_bytes, at + done);
	}
	return 0;
}

/* After the chunk that ends at `end`: is a quarter over?  Whole chunks only. */
static void
target_prepare_quarter(const struct target *t, struct record *r, uint64_t end,
	uint64_t *since_ns)
{
	uint64_t quarter =
		t->size_bytes / 4 / TARGET_CHUNK_BYTES * TARGET_CHUNK_BYTES;

	if (quarter == 0)
		return;
	if (end == quarter)
		r->prepare.first_quarter_ns = clock_now_ns() - *since_ns;
	else if (end == 3 * quarter)
		*since_ns = clock_now_ns();
	else if (end == 4 * quarter)
		r->prepare.last_quarter_ns = clock_now_ns() - *since_ns;
}

/* All chunks, the first one looked at before there are more. */
static int
target_prepare_write(const struct target *t, struct record *r,
	unsigned char *buffer, struct err *e)
{
	uint64_t since_ns = clock_now_ns();
	struct fill fill;

	r->prepare.first_quarter_ns = r->prepare.last_quarter_ns = 0;
	fill_init(&fill, t->seed);
	for (uint64_t at = 0; at < t->size_bytes; at += TARGET_CHUNK_BYTES) {
		fill_next(&fill, buffer, TARGET_CHUNK_BYTES);
		if (target_prepare_chunk(t, r, buffer, at, e) < 0)
			return -1;
		if (at == 0 && target_direct_probe(t, r, buffer,
				       buffer + TARGET_CHUNK_BYTES, e) < 0)
			return -1;
		target_prepare_quarter(
			t, r, at + TARGET_CHUNK_BYTES, &since_ns);
	}
	return 0;
}

static int
target_prepare_settle(const struct target *t, struct record *r, struct err *e)
{
	int rc, sys;

	atomic_store(&r->phase, RECORD_SETTLE);
	do {
		if (target_prepare_stopped(t, r, e) < 0)
			return -1;
		atomic_store(&r->outstanding[0], clock_now_ns());
		rc = fsync(t->fd);
		sys = errno;
		atomic_store(&r->outstanding[0], 0);
	} while (rc < 0 && sys == EINTR);
	if (rc < 0)
		return target_prepare_failed(t, t->size_bytes, 0, sys, e);
	/* Whatever has got into the page cache: it must not serve a read. */
	posix_fadvise(t->fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}

static int
target_prepare_look(const struct target *t, struct record *r, struct err *e)
{
	uint64_t at;
	int rc;

	/* The map of extents may have to be read: watched, as I/O is. */
	atomic_store(&r->outstanding[0], clock_now_ns());
	rc = target_check(t, e);
	if (rc == 0)
		r->prepare.extents_written =
			target_extents_written(t->fd, t->size_bytes, &at);
	atomic_store(&r->outstanding[0], 0);
	if (rc < 0)
		return -1;
	if (r->prepare.extents_written == 0)
		return err_set(e, ERR_INCOMPLETE, 0,
			"the target has an unwritten part at offset %" PRIu64
			" though all of it was written: reads there would not "
			"reach the disk",
			at);
	return 0;
}

int
target_prepare(struct target *t, struct record *r, struct err *e)
{
	size_t size_bytes = TARGET_CHUNK_BYTES + (size_t)t->align_bytes;
	uint64_t began_ns = clock_now_ns(), before, after;
	void *buffer;
	int rc = -1;

	atomic_store(&r->prepared_bytes, 0);
	atomic_store(&r->phase, RECORD_PREPARE);
	r->prepare.kernel_write_bytes = UINT64_MAX;
	r->prepare.extents_written = -1;
	buffer = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (buffer == MAP_FAILED)
		return err_set(e, ERR_INCOMPLETE, errno,
			"memory for writing the target (%zu bytes)",
			size_bytes);
	before = target_prepare_written();
	if (target_prepare_write(t, r, buffer, e) < 0 ||
		target_prepare_settle(t, r, e) < 0) {
		if (e && e->sys == EINTR)
			target_prepare_stopped(t, r, e);
		goto done;
	}
	r->prepare.elapsed_ns = clock_now_ns() - began_ns;
	r->prepare.bytes = t->size_bytes;
	after = target_prepare_written();
	if (before != UINT64_MAX && after != UINT64_MAX && after >= before)
		r->prepare.kernel_write_bytes = after - before;
	if (target_prepare_look(t, r, e) < 0)
		goto done;
	r->prepare.done = true;
	rc = 0;
done:
	munmap(buffer, size_bytes);
	return rc;
}
