/*
 * test_target.c: the target has no name, is written in full with data that
 * nothing can make smaller, and what goes wrong has a sentence.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "disk/fill.h"
#include "disk/target.h"
#include "disk/target_extents.h"
#include "tap.h"

#define MIB (UINT64_C(1) << 20)

static char dir_path[] = "/var/tmp/test-target-XXXXXX";
static _Atomic uint64_t slots[1];

/* A lab, a record and a target in the directory `path`. */
struct bench {
	int dir_fd;
	struct lab lab;
	struct record record;
	struct target target;
	struct target_wish wish;
	struct err e;
};

static int
bench_open(struct bench *b, const char *path, uint64_t size_bytes)
{
	memset(b, 0, sizeof(*b));
	lab_init(&b->lab);
	b->target.fd = -1;
	b->record.outstanding = slots;
	b->record.slot_count = 1;
	b->wish.size_bytes = size_bytes;
	b->wish.bs_unit_bytes = 4096;
	b->wish.fstype = "";
	b->dir_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return lab_enter(&b->lab, b->dir_fd, &b->e);
}

static void
bench_close(struct bench *b)
{
	struct stat st;

	target_close(&b->target);
	OK(lab_leave(&b->lab, &b->e) == 0, "(the lab is left)");
	OK(fstatat(b->dir_fd, LAB_NAME, &st, AT_SYMLINK_NOFOLLOW) < 0,
		"(and nothing stays)");
	close(b->dir_fd);
}

/* The same in a child that reports by its exit status. */
static int
bench_end(struct bench *b)
{
	target_close(&b->target);
	if (lab_leave(&b->lab, &b->e) < 0)
		return 1;
	return faccessat(b->dir_fd, LAB_NAME, F_OK, 0) == 0 ||
	       close(b->dir_fd) < 0;
}

static int
bench_make(struct bench *b)
{
	memset(&b->e, 0, sizeof(b->e));
	return target_make(&b->target, &b->lab, &b->wish, &b->e);
}

static int
bench_prepare(struct bench *b)
{
	memset(&b->e, 0, sizeof(b->e));
	return target_prepare(&b->target, &b->record, &b->e);
}

static void
says(const struct bench *b, int code, const char *part, const char *what)
{
	if (!OK(b->e.code == code && strstr(b->e.text, part), what))
		printf("# code %d, %s\n", b->e.code, b->e.text);
}

/* ---- the data ------------------------------------------------------------ */

static int
by_content(const void *a, const void *b)
{
	return memcmp(a, b, FILL_BLOCK_BYTES);
}

static void
data(void)
{
	const size_t size = 8 * MIB;
	unsigned char *one = malloc(size), *two = malloc(size);
	size_t counts[256] = { 0 }, equal = 0;
	double chi = 0, want = (double)size / 256;
	struct fill f;

	fill_init(&f, 1);
	fill_next(&f, one, size / 2);
	fill_next(&f, one + size / 2, size / 2);
	fill_init(&f, 1);
	fill_next(&f, two, size);
	OK(memcmp(one, two, size) == 0, "one seed, one stream");
	fill_init(&f, 2);
	fill_next(&f, two, size);
	for (size_t i = 0; i < size; i++)
		equal += one[i] == two[i];
	OK(equal < size / 200, "another seed, another stream");
	for (size_t i = 0; i < size; i++)
		counts[one[i]]++;
	for (int i = 0; i < 256; i++)
		chi += ((double)counts[i] - want) * ((double)counts[i] - want) /
		       want;
	/* 255 degrees of freedom: 99.99 % lie below 347 */
	OK(chi < 400, "all bytes equally often");
	qsort(one, size / FILL_BLOCK_BYTES, FILL_BLOCK_BYTES, by_content);
	equal = 0;
	for (size_t i = FILL_BLOCK_BYTES; i < size; i += FILL_BLOCK_BYTES)
		equal += by_content(one + i, one + i - FILL_BLOCK_BYTES) == 0;
	EQ_U64(equal, 0, "no two blocks are equal");
	fill_init(&f, 1);
	fill_next(&f, two, 5);
	OK(f.next == 1, "a rest shorter than its number");
	free(one);
	free(two);
}

/* What is in the file: gzip must not make it smaller. */
static void
on_disk(const struct bench *b)
{
	char command[160];
	FILE *p;
	long n = 0;

	snprintf(command, sizeof(command),
		"head -c 4194304 /proc/%jd/fd/%d | gzip -9 | wc -c",
		(intmax_t)getpid(), b->target.fd);
	p = popen(command, "r");
	if (!p || fscanf(p, "%ld", &n) != 1 || n == 0)
		SKIP("no gzip");
	else
		OK(n > 4194304, "gzip -9 makes it no smaller");
	if (p)
		pclose(p);
}

/* ---- a good run ---------------------------------------------------------- */

static void
good(uint64_t size_bytes)
{
	struct bench b;
	struct stat st;

	OK(bench_open(&b, dir_path, size_bytes) == 0, "a lab");
	OK(bench_make(&b) == 0, "a target");
	OK(fstat(b.target.fd, &st) == 0 && st.st_nlink == 0 && st.st_size == 0,
		"without name and content");
	OK((fcntl(b.target.fd, F_GETFL) & O_DIRECT) != 0, "direct");
	OK((fcntl(b.target.fd, F_GETFD) & FD_CLOEXEC) != 0, "closed on exec");
	OK(b.target.align_bytes >= 512 && 4096 % b.target.align_bytes == 0,
		"its alignment");
	OK(b.target.promised_bytes > size_bytes, "room was promised");
	OK(target_check(&b.target, &b.e) < 0 && b.e.code == ERR_INCOMPLETE,
		"not yet of its size");
	if (!OK(bench_prepare(&b) == 0, "prepare"))
		printf("# %s\n", b.e.text);
	OK(target_check(&b.target, &b.e) == 0, "of its size");
	OK(b.record.prepare.done, "done");
	EQ_U64(b.record.prepare.bytes, size_bytes, "bytes");
	EQ_U64(atomic_load(&b.record.prepared_bytes), size_bytes, "progress");
	EQ_U64(atomic_load(&b.record.outstanding[0]), 0, "nothing outstanding");
	EQ_I64(atomic_load(&b.record.phase), RECORD_SETTLE, "phase");
	EQ_I64(b.record.prepare.extents_written, 1, "all extents are written");
	OK(b.record.prepare.elapsed_ns > 0, "time");
	OK(b.record.prepare.first_quarter_ns +
				b.record.prepare.last_quarter_ns <
			b.record.prepare.elapsed_ns,
		"and that of its quarters");
	OK(b.record.prepare.kernel_write_bytes == UINT64_MAX ||
			b.record.prepare.kernel_write_bytes >=
				size_bytes * 95 / 100,
		"the kernel saw the bytes go out");
	on_disk(&b);
	OK(ftruncate(b.target.fd, (off_t)size_bytes - 4096) == 0 &&
			target_check(&b.target, &b.e) < 0,
		"a cut target is seen");
	says(&b, ERR_INCOMPLETE, "not the", "and named");
	bench_close(&b);
}

/* The stream on the disk is the one of the seed, up to the last byte. */
static void
content(void)
{
	const size_t size = 3 * MIB + 8192;
	unsigned char *want = malloc(size + MIB), *got = malloc(size);
	struct bench b;
	struct fill f;

	bench_open(&b, dir_path, size);
	OK(bench_make(&b) == 0 && bench_prepare(&b) == 0, "an odd size");
	fcntl(b.target.fd, F_SETFL, 0);
	OK(pread(b.target.fd, got, size, 0) == (ssize_t)size, "read all");
	fill_init(&f, b.target.seed);
	fill_next(&f, want, 4 * MIB);
	OK(memcmp(want, got, size) == 0, "all of it is the seed's stream");
	bench_close(&b);
	free(want);
	free(got);
}

static void
holes(void)
{
	char path[64];
	uint64_t at = 0;
	int fd;

	snprintf(path, sizeof(path), "%s/holes", dir_path);
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	unlink(path);
	if (ftruncate(fd, 1 << 20) < 0 ||
		target_extents_written(fd, 1 << 20, &at) < 0) {
		SKIP("no FIEMAP here");
		close(fd);
		return;
	}
	EQ_I64(target_extents_written(fd, 1 << 20, &at), 0, "a hole is seen");
	OK(posix_fallocate(fd, 0, 1 << 20) == 0 && fsync(fd) == 0, "reserve");
	EQ_I64(target_extents_written(fd, 1 << 20, &at), 0,
		"unwritten extents are seen");
	for (int i = 0; i < 256; i++)
		if (i != 200 && pwrite(fd, path, 64, i * 4096) != 64)
			break;
	fsync(fd);
	EQ_I64(target_extents_written(fd, 1 << 20, &at), 0, "one of them too");
	EQ_U64(at, 200 * 4096, "and where it is");
	OK(pwrite(fd, path, 64, 200 * 4096) == 64 && fsync(fd) == 0, "write");
	EQ_I64(target_extents_written(fd, 1 << 20, &at), 1, "all written");
	close(fd);
}

/* ---- refusals ------------------------------------------------------------- */

static void
sizes(void)
{
	struct bench b;

	bench_open(&b, dir_path, MIB);
	b.wish.bs_unit_bytes = 100;
	OK(bench_make(&b) < 0 && b.target.fd < 0, "a block of 100 bytes");
	says(&b, ERR_REFUSED, "100 B", "refused, with the figure");
	b.wish.bs_unit_bytes = 4096;
	b.wish.size_bytes = MIB + 100;
	OK(bench_make(&b) < 0, "a size of 1 MiB and 100 bytes");
	says(&b, ERR_REFUSED, "multiple", "refused");
	b.wish.size_bytes = 0;
	OK(bench_make(&b) < 0, "a size of 0");
	bench_close(&b);
}

static void
stopped(void)
{
	struct bench b;

	bench_open(&b, dir_path, 8 * MIB);
	OK(bench_make(&b) == 0, "make");
	atomic_store(&b.record.stop, SIGTERM);
	OK(bench_prepare(&b) < 0, "stopped by a signal");
	says(&b, ERR_SIGNAL + SIGTERM, "0 B of 8 MiB", "says where");
	OK(!b.record.prepare.done && b.record.prepare.bytes == 0, "not done");
	atomic_store(&b.record.stop, -1);
	OK(bench_prepare(&b) < 0, "stopped by the watchdog");
	says(&b, ERR_INCOMPLETE, "stopped", "is 3");
	bench_close(&b);
}

static void
limited(rlim_t limit)
{
	struct bench b;
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct rlimit r = { limit, limit };
		int ok;

		signal(SIGXFSZ, SIG_IGN);
		bench_open(&b, dir_path, 4 * MIB);
		ok = bench_make(&b) == 0 && setrlimit(RLIMIT_FSIZE, &r) == 0 &&
		     bench_prepare(&b) < 0 && b.e.code == ERR_INCOMPLETE &&
		     b.e.sys == EFBIG && strstr(b.e.text, "RLIMIT_FSIZE");
		if (!ok)
			printf("# %d %s\n", b.e.code, b.e.text);
		fflush(stdout);
		target_close(&b.target);
		_exit(ok && lab_leave(&b.lab, NULL) == 0 ? 0 : 1);
	}
	waitpid(pid, &status, 0);
	EQ_I64(status, 0, "RLIMIT_FSIZE below the size");
}

/* ---- on filesystems made for it ------------------------------------------ */

/*
 * Make an image with `mkfs` (a format with one %s), mount it with options in
 * a child's own mount namespace and run f there; 77 = cannot.
 */
static void
on_image(unsigned mib, const char *mkfs, const char *options,
	int (*f)(const char *point), const char *what)
{
	char command[512], make[200];
	int status, fd;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		char image[96], point[96];

		snprintf(image, sizeof(image), "%s/image", dir_path);
		snprintf(point, sizeof(point), "%s/point", dir_path);
		fd = open(image, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
		if (fd < 0 || ftruncate(fd, (off_t)mib << 20) < 0 ||
			mkdir(point, 0700) < 0)
			_exit(76);
		close(fd);
		if (unshare(CLONE_NEWNS) < 0 ||
			mount("", "/", "", MS_REC | MS_PRIVATE, NULL) < 0)
			_exit(77);
		snprintf(make, sizeof(make), "%s %s >/dev/null 2>&1", mkfs,
			image);
		snprintf(command, sizeof(command),
			"mount -o loop%s%s %s %s 2>/dev/null",
			*options ? "," : "", options, image, point);
		if (system(make) != 0 || system(command) != 0)
			_exit(77);
		status = f(point);
		fflush(stdout);
		snprintf(command, sizeof(command), "umount %s", point);
		_exit(system(command) == 0 ? status : 75);
	}
	waitpid(pid, &status, 0);
	snprintf(command, sizeof(command), "rm -f %s/image; rmdir %s/point",
		dir_path, dir_path);
	if (system(command) != 0)
		printf("# the image stays\n");
	if (WEXITSTATUS(status) == 77)
		SKIP("cannot make or mount that filesystem here");
	else
		EQ_I64(status, 0, what);
}

static int
fail(const struct bench *b, int line)
{
	printf("# line %d: code %d, %s\n", line, b->e.code, b->e.text);
	return 1;
}

static int
full_disk(const char *point)
{
	struct bench b;

	if (bench_open(&b, point, 64 * MIB) < 0 || bench_make(&b) < 0)
		return fail(&b, __LINE__);
	if (bench_prepare(&b) == 0 || b.e.code != ERR_INCOMPLETE ||
		b.e.sys != ENOSPC || !strstr(b.e.text, " of 64 MiB only") ||
		!strstr(b.e.text, "promised"))
		return fail(&b, __LINE__);
	printf("# %s\n", b.e.text);
	return bench_end(&b) ? fail(&b, __LINE__) : 0;
}

static int
journalled(const char *point)
{
	struct bench b;

	if (bench_open(&b, point, 4 * MIB) < 0)
		return fail(&b, __LINE__);
	if (bench_make(&b) == 0) {
		/* before 6.1 only the first block shows it */
		if (bench_prepare(&b) == 0)
			return fail(&b, __LINE__);
		target_close(&b.target);
	}
	if (b.e.code != ERR_REFUSED || !strstr(b.e.text, "another --dir"))
		return fail(&b, __LINE__);
	printf("# %s\n", b.e.text);
	return bench_end(&b) ? fail(&b, __LINE__) : 0;
}

static int
on_btrfs(const char *point)
{
	struct bench b;

	if (bench_open(&b, point, 16 * MIB) < 0)
		return fail(&b, __LINE__);
	b.wish.fstype = "btrfs";
	b.wish.logical_block_bytes = 512;
	if (bench_make(&b) < 0 || !b.target.nocow)
		return fail(&b, __LINE__);
	if (b.target.align_bytes < 4096)
		return fail(&b, __LINE__);
	if (bench_prepare(&b) < 0 || b.record.prepare.extents_written != 1)
		return fail(&b, __LINE__);
	target_close(&b.target);
	/* not prepared: from Linux 6.14 on such a file is buffered */
	b.wish.keep_cow = true;
	if (bench_make(&b) < 0 || b.target.nocow)
		return fail(&b, __LINE__);
	return bench_end(&b) ? fail(&b, __LINE__) : 0;
}

static int
plain(const char *point)
{
	struct bench b;

	if (bench_open(&b, point, 8 * MIB + 4096) < 0 || bench_make(&b) < 0 ||
		bench_prepare(&b) < 0)
		return fail(&b, __LINE__);
	return bench_end(&b) ? fail(&b, __LINE__) : 0;
}

/* Accepts O_TMPFILE, knows no O_DIRECT: a failing open leaves its file. */
static int
on_ramfs(const char *point)
{
	struct bench b;

	if (mount("none", point, "ramfs", 0, "mode=0700") < 0)
		return 77;
	if (bench_open(&b, point, MIB) < 0)
		return fail(&b, __LINE__);
	if (bench_make(&b) == 0 || b.e.code != ERR_REFUSED ||
		!strstr(b.e.text, "O_DIRECT is refused"))
		return fail(&b, __LINE__);
	return bench_end(&b) || umount(point) < 0 ? fail(&b, __LINE__) : 0;
}

/* openat of this process fails with EOPNOTSUPP if it wants a nameless file. */
static int
forbid_nameless(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, args[2])),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_TMPFILE & ~O_DIRECTORY,
			0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 6, filter };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
			       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
				       &program) < 0
		       ? -1
		       : 0;
}

static int
named_only(const char *point)
{
	struct bench b;
	char path[160];
	struct stat st;
	int fd;

	if (forbid_nameless() < 0)
		return 77;
	if (openat(AT_FDCWD, point, O_TMPFILE | O_RDWR, 0600) >= 0 ||
		errno != EOPNOTSUPP)
		return 77;
	if (bench_open(&b, point, 2 * MIB) < 0 || bench_make(&b) < 0)
		return fail(&b, __LINE__);
	if (fstat(b.target.fd, &st) < 0 || st.st_nlink != 0 ||
		bench_prepare(&b) < 0 || target_check(&b.target, &b.e) < 0)
		return fail(&b, __LINE__);
	target_close(&b.target);
	/* a file of that name that we did not make is not ours to remove */
	snprintf(path, sizeof(path), "%s/%s", LAB_NAME, b.lab.target);
	fd = openat(b.dir_fd, path, O_CREAT | O_WRONLY | O_EXCL, 0600);
	if (fd < 0 || bench_make(&b) == 0 || b.e.code != ERR_REFUSED ||
		fstat(fd, &st) < 0 || st.st_nlink != 1)
		return fail(&b, __LINE__);
	close(fd);
	return bench_end(&b) ? fail(&b, __LINE__) : 0;
}

/* f in a child, with a directory of its own. */
static void
in_child(int (*f)(const char *point), const char *what)
{
	char point[96];
	int status;
	pid_t pid;

	snprintf(point, sizeof(point), "%s/point", dir_path);
	if (mkdir(point, 0700) < 0)
		return;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (geteuid() == 0 && unshare(CLONE_NEWNS) == 0)
			mount("", "/", "", MS_REC | MS_PRIVATE, NULL);
		status = f(point);
		fflush(stdout);
		_exit(status);
	}
	waitpid(pid, &status, 0);
	OK(rmdir(point) == 0, "(its directory is empty)");
	if (WEXITSTATUS(status) == 77)
		SKIP("no right to do that here");
	else
		EQ_I64(status, 0, what);
}

static void
in_memory(void)
{
	struct bench b;
	struct stat st;

	if (stat("/dev/shm", &st) < 0 || access("/dev/shm", W_OK) < 0 ||
		bench_open(&b, "/dev/shm", 4 * MIB) < 0) {
		SKIP("no /dev/shm");
		return;
	}
	b.wish.memory_backed = true;
	if (bench_make(&b) < 0) {
		says(&b, ERR_REFUSED, "O_DIRECT", "tmpfs before 6.6: refused");
	} else {
		OK(bench_prepare(&b) == 0, "tmpfs, if it was allowed");
		target_close(&b.target);
		b.wish.memory_backed = false;
		OK(bench_make(&b) == 0 && bench_prepare(&b) < 0,
			"tmpfs, if it was taken for a disk");
		says(&b, ERR_REFUSED, "silently buffered", "is found out");
	}
	bench_close(&b);
}

int
main(void)
{
	if (!mkdtemp(dir_path))
		return 1;
	data();
	good(8 * MIB);
	good(4 * MIB + 4096);
	content();
	holes();
	sizes();
	stopped();
	limited(2 * MIB);
	limited(2 * MIB + 100);
	in_child(named_only, "a filesystem without nameless files");
	in_child(on_ramfs, "a filesystem without direct I/O");
	in_memory();
	on_image(16, "mkfs.ext4 -q -b 1024", "", full_disk, "a full ext4");
	on_image(40, "mkfs.ext4 -q", "data=journal", journalled,
		"journalled data is refused");
	on_image(40, "mkfs.ext4 -q -b 1024", "", plain, "ext4 of 1k blocks");
	on_image(320, "mkfs.xfs -q", "", plain, "xfs");
	on_image(160, "mkfs.btrfs -q", "", on_btrfs, "btrfs");
	if (rmdir(dir_path) < 0)
		printf("# %s stays\n", dir_path);
	return tap_done();
}
