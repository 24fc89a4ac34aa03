/*
 * test_guard.c: every refusal that can be told without touching anything, and
 * what is let pass.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "disk/guard.h"
#include "disk/guard_kind.h"
#include "host/host.h"
#include "tap.h"

#define MIB    (UINT64_C(1) << 20)
#define GIB    (UINT64_C(1) << 30)
#define NOBODY 65534

static char dir_path[] = "/var/tmp/test-guard-XXXXXX";
static char root_path[64]; /* fixtures of /proc and /sys */
static struct plan plan;

/* ---- helpers -------------------------------------------------------------- */

static const char *
in_dir(const char *name)
{
	static char path[2][256];
	static int which;

	which = !which;
	snprintf(path[which], sizeof(path[which]), "%s/%s", dir_path, name);
	return path[which];
}

static void
fixture(const char *name, const char *text)
{
	FILE *f = fopen(in_dir(name), "w");

	if (!f || fputs(text, f) < 0)
		printf("# cannot write %s\n", name);
	if (f)
		fclose(f);
}

static void
baseline(struct plan *p)
{
	memset(p, 0, sizeof(*p));
	strcpy(p->suite, "baseline");
	p->job_count = 1;
	p->jobs[0].ioengine = JOB_PSYNC;
	p->jobs[0].bs_bytes = 4096;
	p->jobs[0].iodepth = 1;
	p->jobs[0].numjobs = 1;
	p->jobs[0].runs = 1;
	p->window_count = 1;
	p->size_bytes = 512 * MIB;
	p->floor_bytes = 2 * GIB;
}

/* A place with nothing wrong. */
static void
fine(struct guard_view *v)
{
	memset(v, 0, sizeof(*v));
	v->dir_fd = -1;
	strcpy(v->dir, "/data/x");
	v->mount_told = true;
	strcpy(v->mount.point, "/data");
	strcpy(v->mount.fstype, "ext4");
	strcpy(v->mount.options, "rw,relatime");
	strcpy(v->fstype, "ext4");
	strcpy(v->store, "ext4");
	v->stack.backing = STACK_BACKING_DISK;
	v->stack.complete = true;
	v->total_bytes = 20 * GIB;
	v->available_bytes = 10 * GIB;
	v->memory_available_bytes = GIB;
	v->limits.memory_free_bytes = LIMITS_UNKNOWN;
	v->limits.file_size_bytes = LIMITS_UNKNOWN;
}

static void
passes(const struct guard_view *v, const char *what)
{
	struct err e = { 0 };

	if (!OK(guard_judge(v, &plan, false, root_path, &e) == 0, what))
		printf("# %s\n", e.text);
}

/* Refused, with a sentence that has all of the three parts. */
static void
refuses(const struct guard_view *v, const char *const parts[3],
	const char *what)
{
	struct err e = { 0 };
	bool all = guard_judge(v, &plan, false, root_path, &e) < 0 &&
		   e.code == ERR_REFUSED;

	for (int i = 0; i < 3; i++)
		all = all && (!parts[i] || strstr(e.text, parts[i]));
	if (!OK(all, what))
		printf("# %s\n", e.text);
}

#define REFUSES(v, a, b, c, what)                                              \
	refuses(v, (const char *const[3]){ a, b, c }, what)

static void
set_type(struct guard_view *v, const char *fstype)
{
	snprintf(v->fstype, sizeof(v->fstype), "%s", fstype);
	snprintf(v->store, sizeof(v->store), "%s", fstype);
	snprintf(v->mount.fstype, sizeof(v->mount.fstype), "%s", fstype);
}

/* ---- judging: views made by hand ------------------------------------------ */

static void
filesystems(void)
{
	const struct guard_kind *k;
	struct guard_view v;

	fine(&v);
	passes(&v, "ext4 on a disk");
	set_type(&v, "xfs");
	passes(&v, "xfs");
	set_type(&v, "");
	v.stack.backing = STACK_BACKING_UNKNOWN;
	v.mount_told = false;
	passes(&v, "nothing is told: unknown runs");
	set_type(&v, "fuse.sshfs");
	passes(&v, "a filesystem that no table knows");
	for (k = guard_kind_table(); k->fstype; k++) {
		fine(&v);
		set_type(&v, k->fstype);
		EQ_I64(guard_copies_on_write(k->fstype), k->copies, k->fstype);
		if (k->unfit)
			REFUSES(&v, k->fstype, k->why, "--dir", k->fstype);
	}
	OK(!guard_copies_on_write("ext4") && !guard_copies_on_write(""),
		"ext4 does not copy on write");
	fine(&v);
	set_type(&v, "overlay");
	strcpy(v.store, "9p");
	REFUSES(&v, "9p", NULL, NULL, "an overlay over one of them");
}

static void
places(void)
{
	struct guard_view v;
	struct err e = { 0 };

	fine(&v);
	v.read_only = true;
	REFUSES(&v, "read-only", "/data", NULL, "read-only");
	fine(&v);
	v.stack.backing = STACK_BACKING_MEMORY;
	strcpy(v.stack.why, "zram0 is a block device in memory");
	REFUSES(&v, "zram0", "not on a disk", "--allow-memory-backed",
		"memory");
	OK(guard_judge(&v, &plan, true, root_path, &e) == 0,
		"memory, if it was asked for");
	fine(&v);
	v.flags = 0x20;
	REFUSES(&v, "append-only", NULL, NULL, "a directory append-only");
	v.flags = 0x10;
	REFUSES(&v, "immutable", NULL, NULL, "a directory immutable");
	v.flags = 0x80000;
	passes(&v, "a directory of extents");
}

static void
buffered(void)
{
	struct guard_view v;

	fine(&v);
	strcpy(v.mount.options, "rw,relatime,data=journal");
	REFUSES(&v, "data=journal", "/data", NULL, "ext4 data=journal");
	strcpy(v.mount.options, "rw,relatime,data=ordered");
	passes(&v, "ext4 data=ordered");

	fine(&v);
	set_type(&v, "zfs");
	fixture("root/sys/module/zfs/version", "2.2.7-1\n");
	REFUSES(&v, "ZFS 2.2.7-1", "2.3", NULL, "an older ZFS");
	fixture("root/sys/module/zfs/version", "0.8.6-1ubuntu1\n");
	REFUSES(&v, "ZFS 0.8.6", NULL, NULL, "a much older ZFS");
	fixture("root/sys/module/zfs/version", "2.3.0-rc1\n");
	passes(&v, "ZFS 2.3");
	fixture("root/sys/module/zfs/version", "10.0\n");
	passes(&v, "ZFS 10");
	fixture("root/sys/module/zfs/version", "v2.3\n");
	REFUSES(&v, "ZFS v2.3", NULL, NULL, "a version that does not parse");
	unlink(in_dir("root/sys/module/zfs/version"));
	REFUSES(&v, "not told", NULL, NULL, "a ZFS without version");
}

static void
on_btrfs(void)
{
	struct guard_view v;

	fine(&v);
	set_type(&v, "btrfs");
	fixture("root/proc/sys/kernel/osrelease", "6.14.0-1-amd64\n");
	passes(&v, "btrfs: the target will be NOCOW");
	plan.keep_cow = true;
	REFUSES(&v, "6.14.0", "--keep-cow", NULL, "--keep-cow from 6.14 on");
	strcpy(v.mount.options, "rw,nodatacow");
	passes(&v, "--keep-cow where nothing is copied");
	strcpy(v.mount.options, "rw,nodatasum,relatime");
	passes(&v, "--keep-cow without checksums");
	strcpy(v.mount.options, "rw");
	v.flags = 0x00800000;
	passes(&v, "--keep-cow in a directory of chattr +C");
	v.flags = 0;
	set_type(&v, "overlay");
	strcpy(v.store, "btrfs");
	REFUSES(&v, "6.14.0", NULL, NULL, "--keep-cow below an overlay");
	set_type(&v, "btrfs");
	fixture("root/proc/sys/kernel/osrelease", "6.13.9\n");
	passes(&v, "--keep-cow before 6.14");
	fixture("root/proc/sys/kernel/osrelease", "5.15.0\n");
	passes(&v, "--keep-cow on 5.15");
	fixture("root/proc/sys/kernel/osrelease", "7.0\n");
	REFUSES(&v, "7.0", NULL, NULL, "--keep-cow on 7.0");
	plan.keep_cow = false;
}

static void
space(void)
{
	struct guard_view v;

	fine(&v);
	EQ_U64(guard_space_wanted(&v, &plan), 2 * GIB,
		"baseline: 512 MiB and 1.5 GiB");
	v.available_bytes = 2 * GIB;
	passes(&v, "exactly enough");
	v.available_bytes = 2 * GIB - 1;
	REFUSES(&v, "needs 2 GiB", "1.99 GiB are", "/data (ext4)",
		"a byte less: both figures, the mount");
	v.available_bytes = 1900 * MIB;
	REFUSES(&v, "needs 2 GiB", "1.85 GiB", "1.5 GiB of it", "1900 MiB");
	v.available_bytes = 0;
	REFUSES(&v, "0 B are available", "/data", NULL, "nothing");
	v.mount_told = false;
	REFUSES(&v, "/data/x", NULL, NULL, "no mount told: the directory");

	fine(&v);
	plan.size_bytes = 4 * GIB;
	EQ_U64(guard_space_wanted(&v, &plan), 5632 * MIB, "4 GiB");
	v.available_bytes = 4 * GIB;
	REFUSES(&v, "5.5 GiB", "--size 2G", "4 GiB are", "what would fit");
	v.available_bytes = 10 * GIB;
	v.total_bytes = 200 * GIB;
	EQ_U64(guard_space_wanted(&v, &plan), 14 * GIB - 200 * GIB % 100 / 20,
		"5 % of the filesystem stays free");
	REFUSES(&v, "5 % of the filesystem", "14 GiB", NULL, "and is named");
	fine(&v);
	set_type(&v, "btrfs");
	EQ_U64(guard_space_wanted(&v, &plan), 8 * GIB + 1536 * MIB,
		"twice the size where it copies on write");
	v.available_bytes = 9 * GIB;
	REFUSES(&v, "twice", "--size 2G", NULL, "and says so");
	set_type(&v, "overlay");
	strcpy(v.store, "btrfs");
	EQ_U64(guard_space_wanted(&v, &plan), 8 * GIB + 1536 * MIB,
		"below an overlay too");
	plan.size_bytes = 64 * MIB;
	fine(&v);
	EQ_U64(guard_space_wanted(&v, &plan), 2 * GIB, "the suite's floor");
	v.available_bytes = 1900 * MIB;
	REFUSES(&v, "baseline never runs with less", "free some", NULL,
		"and says so");
	plan.size_bytes = UINT64_MAX / 2;
	EQ_U64(guard_space_wanted(&v, &plan), UINT64_MAX, "no overflow");
	baseline(&plan);

	fine(&v);
	v.stack.count = 1;
	v.stack.layers[0].pool_free_bytes = GIB;
	passes(&v, "a thin pool with twice the size left");
	v.stack.layers[0].pool_free_bytes = GIB - 1;
	REFUSES(&v, "thin pool", "512 MiB", "extend the pool", "a byte less");
	v.stack.layers[0].pool_free_bytes = STACK_UNKNOWN;
	passes(&v, "a pool that does not tell");
}

static void
limits(void)
{
	struct guard_view v;

	fine(&v);
	v.limits.file_size_bytes = 512 * MIB;
	passes(&v, "RLIMIT_FSIZE of exactly the size");
	v.limits.file_size_bytes = 512 * MIB - 1;
	REFUSES(&v, "RLIMIT_FSIZE", "512 MiB", "ulimit -f", "a byte less");
	v.limits.file_size_bytes = 0;
	REFUSES(&v, "0 B", NULL, NULL, "of 0");

	fine(&v);
	plan.jobs[0].iodepth = 64;
	plan.jobs[0].bs_bytes = MIB;
	v.memory_available_bytes = 256 * MIB;
	passes(&v, "buffers of 25 %");
	v.memory_available_bytes = 256 * MIB - 4096;
	REFUSES(&v, "64 MiB", "25 %", "are available", "of more");
	v.memory_available_bytes = HOST_UNKNOWN;
	passes(&v, "memory that is not told");
	v.limits.memory_free_bytes = 128 * MIB;
	REFUSES(&v, "128 MiB", "cgroup", NULL, "a cgroup's limit");
	EQ_U64(guard_memory_bytes(&v), 128 * MIB, "the smaller one counts");
	baseline(&plan);
}

static void
wishes(void)
{
	struct guard_view v;
	struct target_wish w;

	fine(&v);
	v.stack.count = 3;
	v.stack.layers[0].kind = STACK_FILESYSTEM;
	v.stack.layers[0].logical_block_bytes = STACK_UNKNOWN;
	v.stack.layers[1].kind = STACK_DM;
	v.stack.layers[1].logical_block_bytes = 4096;
	v.stack.layers[2].kind = STACK_DISK;
	v.stack.layers[2].logical_block_bytes = 512;
	plan.job_count = 2;
	plan.jobs[1] = plan.jobs[0];
	plan.jobs[1].bs_bytes = 512;
	plan.keep_cow = true;
	guard_wish(&v, &plan, &w);
	EQ_U64(w.size_bytes, 512 * MIB, "the target's size");
	EQ_U64(w.bs_unit_bytes, 512, "what all blocks are multiples of");
	plan.jobs[1].bs_bytes = 6144;
	guard_wish(&v, &plan, &w);
	EQ_U64(w.bs_unit_bytes, 2048, "of 4 KiB and 6 KiB that is 2 KiB");
	EQ_U64(w.logical_block_bytes, 4096, "the largest block below");
	EQ_STR(w.fstype, "ext4", "the filesystem");
	OK(w.keep_cow && !w.memory_backed, "its flags");
	baseline(&plan);
}

/* ---- looking: the real machine --------------------------------------------- */

static void
looks(void)
{
	struct guard_view v;
	struct err e = { 0 };
	struct stat st, seen;

	OK(guard_look(&v, dir_path, "", &e) == 0, "look");
	OK(fstat(v.dir_fd, &seen) == 0 && stat(dir_path, &st) == 0 &&
			st.st_ino == seen.st_ino,
		"at that directory");
	EQ_STR(v.dir, dir_path, "its name");
	OK((fcntl(v.dir_fd, F_GETFD) & FD_CLOEXEC) != 0, "closed on exec");
	OK(v.total_bytes > 0 && v.available_bytes <= v.total_bytes, "space");
	OK(!v.mount_told || strcmp(v.mount.fstype, v.fstype) == 0, "mount");
	OK(v.store[0] || !v.mount_told, "where it is stored");
	OK(v.stack.count > 0, "stack");
	OK(!v.read_only, "not read-only");
	guard_close(&v);
	OK(v.dir_fd == -1, "closed");
	guard_close(&v);

	if (symlink(dir_path, in_dir("link")) == 0 &&
		guard_look(&v, in_dir("link"), "", &e) == 0) {
		EQ_STR(v.dir, dir_path, "a symlink is shown resolved");
		guard_close(&v);
	}
	/* a root without /proc and /sys */
	OK(guard_look(&v, dir_path, in_dir("nothing"), &e) == 0,
		"nothing is told: no failure");
	OK(!v.mount_told && v.stack.backing == STACK_BACKING_UNKNOWN &&
			v.fstype[0],
		"unknown, but for the filesystem's name");
	OK(v.memory_available_bytes == HOST_UNKNOWN, "no memory told");
	guard_close(&v);
}

static void
cannot_look(const char *dir, const char *part, const char *what)
{
	struct guard_view v;
	struct err e = { 0 };

	OK(guard_look(&v, dir, "", &e) < 0 && e.code == ERR_REFUSED, what);
	if (!OK(strstr(e.text, part) && strstr(e.text, dir), "and says why"))
		printf("# %s\n", e.text);
	OK(v.dir_fd == -1, "nothing stays open");
}

/* May be looked at, but not be used? */
static bool
forbidden(const char *name)
{
	struct guard_view v;
	struct err e = { 0 };
	int rc;

	if (guard_look(&v, in_dir(name), "", &e) < 0)
		return false;
	rc = guard_judge(&v, &plan, false, "", &e);
	guard_close(&v);
	return rc < 0 && e.code == ERR_REFUSED && e.sys == EACCES &&
	       strstr(e.text, "no right");
}

static int
nobody_looks(void)
{
	/* may be written, may not be listed */
	if (forbidden("dropbox"))
		return 3;
	return forbidden("rootonly") && forbidden("readable") ? 0 : 1;
}

static void
not_there(void)
{
	int status;
	pid_t pid;

	cannot_look(in_dir("missing"), "No such file", "no such directory");
	fixture("file", "x");
	cannot_look(in_dir("file"), "not a directory", "a file");
	mkfifo(in_dir("fifo"), 0600);
	cannot_look(in_dir("fifo"), "not a directory", "a fifo");
	if (symlink("loop", in_dir("loop")) == 0)
		cannot_look(in_dir("loop"), "cannot be opened", "a circle");
	cannot_look("", "cannot be opened", "no name at all");
	if (geteuid() != 0) {
		SKIP("other users: not root");
		return;
	}
	mkdir(in_dir("rootonly"), 0700);
	mkdir(in_dir("readable"), 0755);
	mkdir(in_dir("dropbox"), 0700);
	chmod(in_dir("dropbox"), 0733);
	chmod(dir_path, 0755);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(99);
		_exit(nobody_looks());
	}
	waitpid(pid, &status, 0);
	EQ_I64(status, 0, "what nobody may not write to");
}

/* ---- looking: mounts in a namespace of our own ----------------------------- */

/* Look at `name` and judge; does the sentence hold part (NULL: it passes)? */
static int
judged(const char *name, const char *part)
{
	struct guard_view v;
	struct err e = { 0 };
	int rc = guard_look(&v, in_dir(name), "", &e);

	if (rc == 0) {
		v.available_bytes = v.total_bytes = 100 * GIB;
		rc = guard_judge(&v, &plan, false, "", &e);
		guard_close(&v);
	}
	if ((rc == 0) == (part == NULL) &&
		(!part || (e.code == ERR_REFUSED && strstr(e.text, part))))
		return 0;
	printf("# %s: %s\n", name, e.text);
	fflush(stdout);
	return 1;
}

static int
memory_mounts(void)
{
	char options[700];

	if (mount("none", in_dir("m"), "tmpfs", 0, "size=16m") < 0)
		return 77;
	if (judged("m", "tmpfs") != 0)
		return 1;
	mkdir(in_dir("m/up"), 0755);
	mkdir(in_dir("m/work"), 0755);
	snprintf(options, sizeof(options),
		"lowerdir=%s/low,upperdir=%s/m/up,workdir=%s/m/work", dir_path,
		dir_path, dir_path);
	if (mount("none", in_dir("o"), "overlay", 0, options) == 0) {
		if (judged("o", "in memory") != 0)
			return 2;
		umount(in_dir("o"));
	} else {
		printf("# no overlay\n");
	}
	if (mount("none", in_dir("o"), "ramfs", 0, NULL) == 0) {
		if (judged("o", "ramfs") != 0)
			return 3;
		umount(in_dir("o"));
	}
	if (mount("none", in_dir("m"), NULL, MS_REMOUNT | MS_RDONLY, NULL) ==
			0 &&
		judged("m", "read-only") != 0)
		return 4;
	umount(in_dir("m"));
	return 0;
}

/* A loop file on tmpfs: the filesystem's own words say ext4. */
static int
loop_on_memory(void)
{
	char command[900];
	int rc;

	if (mount("none", in_dir("m"), "tmpfs", 0, "size=32m") < 0)
		return 77;
	snprintf(command, sizeof(command),
		"truncate -s 16M %s/m/img && mkfs.ext4 -q %s/m/img "
		">/dev/null 2>&1 && mount -o loop %s/m/img %s/o 2>/dev/null",
		dir_path, dir_path, dir_path, dir_path);
	if (system(command) != 0) {
		umount(in_dir("m"));
		return 77;
	}
	rc = judged("o", "in memory");
	umount(in_dir("o"));
	umount(in_dir("m"));
	return rc;
}

static int
bind_read_only(void)
{
	int rc;

	if (mount(in_dir("low"), in_dir("o"), NULL, MS_BIND, NULL) < 0 ||
		mount("none", in_dir("o"), NULL,
			MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) < 0)
		return 77;
	rc = judged("o", "read-only");
	umount(in_dir("o"));
	return rc;
}

static int
append_only(void)
{
	char command[200];
	int rc;

	snprintf(command, sizeof(command), "chattr +a %s 2>/dev/null",
		in_dir("low"));
	if (system(command) != 0)
		return 77;
	rc = judged("low", "append-only");
	snprintf(command, sizeof(command), "chattr -a %s", in_dir("low"));
	if (system(command) != 0)
		return 1;
	snprintf(command, sizeof(command), "chattr +i %s", in_dir("low"));
	if (rc != 0 || system(command) != 0)
		return 77;
	rc = judged("low", "immutable");
	snprintf(command, sizeof(command), "chattr -i %s", in_dir("low"));
	return system(command) != 0 ? 1 : rc;
}

static void
mounted(int (*f)(void), const char *what)
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (unshare(CLONE_NEWNS) < 0 ||
			mount("", "/", "", MS_REC | MS_PRIVATE, NULL) < 0)
			_exit(77);
		_exit(f());
	}
	waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == 77)
		SKIP("no right to do that here");
	else
		EQ_I64(status, 0, what);
}

int
main(void)
{
	static const char *const dirs[] = { "root", "root/sys",
		"root/sys/module", "root/sys/module/zfs", "root/proc",
		"root/proc/sys", "root/proc/sys/kernel", "m", "o", "low" };
	char command[64];

	if (!mkdtemp(dir_path))
		return 1;
	for (size_t i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		mkdir(in_dir(dirs[i]), 0755);
	snprintf(root_path, sizeof(root_path), "%s/root", dir_path);
	baseline(&plan);
	filesystems();
	places();
	buffered();
	on_btrfs();
	space();
	limits();
	wishes();
	looks();
	not_there();
	mounted(memory_mounts, "memory, by whatever way");
	mounted(loop_on_memory, "a loop file on tmpfs");
	mounted(bind_read_only, "a read-only bind of a writable filesystem");
	mounted(append_only, "directories that keep what is in them");
	snprintf(command, sizeof(command), "rm -r %s", dir_path);
	if (system(command) != 0)
		printf("# %s stays\n", dir_path);
	return tap_done();
}
