#include <sys/resource.h>

#include "host/limits.h"
#include "tap.h"
#include "tree.h"

/* The entry of a device, or one that fits nothing. */
static struct limits_io
io_of(const struct limits *l, unsigned dev_major, unsigned dev_minor)
{
	static const struct limits_io none;
	unsigned i;

	for (i = 0; i < l->io_count; i++)
		if (l->io[i].dev_major == dev_major &&
			l->io[i].dev_minor == dev_minor)
			return l->io[i];
	return none;
}

static void
test_v2(void)
{
	struct limits_io io;
	struct limits l;
	struct tree t;

	tree_load(&t, "docker");
	limits_read(&l, t.root);
	/*
	 * worker: 400000000 - 150000000 = 250000000 (no memory.stat);
	 * root: memory.high 500000000 - (300000000 - 60000000 - 40000000)
	 */
	EQ_U64(l.memory_free_bytes, 250000000, "the tightest level");
	EQ_U64(l.io_count, 2, "two devices");
	io = io_of(&l, 254, 0);
	EQ_STR(io.source, "cgroup v2 io.max", "source");
	EQ_U64(io.rbps, 2097152, "rbps of the inner group");
	EQ_U64(io.wbps, 10485760, "wbps of the outer group");
	EQ_U64(io.riops, 3000, "the smaller riops");
	EQ_U64(io.wiops, LIMITS_UNKNOWN, "no wiops");
	io = io_of(&l, 8, 16);
	EQ_U64(io.wiops, 120, "the other device");
	EQ_U64(io.rbps, LIMITS_UNKNOWN, "max is no limit");
	OK(!l.io_more, "all of them");
	EQ_U64(l.aio_max_nr, 65536, "aio-max-nr");
	EQ_U64(l.aio_nr, 1024, "aio-nr");

	tree_text(&t, "/sys/fs/cgroup/memory.high", "310000000\n");
	limits_read(&l, t.root);
	EQ_U64(l.memory_free_bytes, 110000000,
		"a group above is tighter; pages of files count as free");
	tree_text(&t, "/sys/fs/cgroup/memory.high", "100\n");
	limits_read(&l, t.root);
	EQ_U64(l.memory_free_bytes, 0, "over the limit: nothing is free");
	tree_free(&t);
}

static void
test_cpu(void)
{
	struct limits l;
	struct tree t;

	tree_init(&t);
	tree_text(&t, "/proc/self/cgroup", "3:cpu,cpuacct:/a\n0::/b/c\n");
	tree_text(&t, "/proc/self/mountinfo",
		"101 1 0:30 / /cg2 rw - cgroup2 cgroup2 rw\n"
		"102 1 0:31 / /cg1 rw - cgroup cgroup rw,cpu,cpuacct\n");
	limits_read(&l, t.root);
	OK(l.cpu_pct == 0, "no quota");
	tree_text(&t, "/cg2/b/c/cpu.max", "max 100000\n");
	tree_text(&t, "/cg1/a/cpu.cfs_quota_us", "-1\n");
	tree_text(&t, "/cg1/a/cpu.cfs_period_us", "100000\n");
	limits_read(&l, t.root);
	OK(l.cpu_pct == 0, "max and -1 are none");
	tree_text(&t, "/cg2/b/c/cpu.max", "150000 100000\n");
	tree_text(&t, "/cg2/b/cpu.max", "200000 100000\n");
	limits_read(&l, t.root);
	OK(l.cpu_pct > 149.9 && l.cpu_pct < 150.1, "the tighter level of v2");
	tree_text(&t, "/cg1/a/cpu.cfs_quota_us", "25000\n");
	limits_read(&l, t.root);
	OK(l.cpu_pct > 24.9 && l.cpu_pct < 25.1, "v1, tighter still");
	tree_free(&t);
	tree_load(&t, "lxcfs");
	limits_read(&l, t.root);
	OK(l.cpu_pct > 49.9 && l.cpu_pct < 50.1, "half a CPU");
	EQ_U64(io_of(&l, 8, 0).wiops, 500, "and a limit of a disk");
	tree_free(&t);
}

static void
test_v1(void)
{
	struct limits_io io;
	struct limits l;
	struct tree t;

	tree_load(&t, "cgroup1");
	limits_read(&l, t.root);
	EQ_U64(l.memory_free_bytes, 268435456 - 168435456 + 25000000,
		"memory, pages of files counted as free");
	EQ_U64(l.io_count, 2, "two devices");
	io = io_of(&l, 8, 0);
	EQ_STR(io.source, "cgroup v1 blkio.throttle", "source");
	EQ_U64(io.rbps, 1048576, "rbps");
	EQ_U64(io.wbps, LIMITS_UNKNOWN, "no wbps");
	EQ_U64(io.riops, LIMITS_UNKNOWN, "0 is no limit");
	EQ_U64(io.wiops, 200, "the tighter level");
	EQ_U64(io_of(&l, 8, 16).wiops, 600, "the other device");
	EQ_U64(l.aio_max_nr, LIMITS_UNKNOWN, "not told");

	tree_text(&t, "/sys/fs/cgroup/memory/memory.limit_in_bytes",
		"9223372036854771712\n");
	limits_read(&l, t.root);
	EQ_U64(l.memory_free_bytes, LIMITS_UNKNOWN, "v1's number for none");
	tree_free(&t);
}

/* More devices than fit, lines of nonsense, groups that are not to be seen. */
static void
test_odd(void)
{
	struct limits l;
	struct tree t;

	tree_init(&t);
	limits_read(&l, t.root);
	EQ_U64(l.memory_free_bytes, LIMITS_UNKNOWN, "an empty root: memory");
	EQ_U64(l.io_count, 0, "I/O");
	EQ_U64(l.aio_max_nr, LIMITS_UNKNOWN, "asynchronous I/O");

	tree_text(&t, "/proc/self/mountinfo",
		"1 0 0:30 /other /cg rw - cgroup2 cgroup rw\n");
	tree_text(&t, "/proc/self/cgroup",
		"nonsense\n0\n0:\n1:memory\n0::/../../elsewhere\n");
	tree_text(&t, "/cg/memory.max", "1000\n");
	tree_text(&t, "/cg/memory.current", "1\n");
	tree_text(&t, "/cg/io.max",
		"8:0 rbps=1\n8 rbps=2\n:1 rbps=2\n8:x rbps=2\n\nx\n"
		"8:1 rbps=-1 wbps=0 riops= wiops=9x foo=3 bar 7\n"
		"8:2 rbps=1\n8:3 rbps=1\n8:4 rbps=1\n8:5 rbps=1\n8:6 rbps=1\n"
		"8:7 rbps=1\n8:8 rbps=1\n8:9 rbps=1\n8:2 rbps=0 wbps=5\n");
	limits_read(&l, t.root);
	EQ_U64(l.memory_free_bytes, 999, "a path outside: what is mounted");
	EQ_U64(l.io_count, LIMITS_MAX, "as many devices as fit");
	OK(l.io_more, "and that there are more");
	EQ_U64(io_of(&l, 8, 2).wbps, 5, "one device in two lines");
	EQ_U64(io_of(&l, 8, 2).rbps, 1, "0 is no limit");
	tree_free(&t);
}

static void
test_file_size(void)
{
	struct rlimit old, small;
	struct limits l;

	if (getrlimit(RLIMIT_FSIZE, &old) != 0) {
		SKIP("no RLIMIT_FSIZE");
		return;
	}
	limits_read(&l, "/nowhere");
	EQ_U64(l.file_size_bytes,
		old.rlim_cur == RLIM_INFINITY ? LIMITS_UNKNOWN : old.rlim_cur,
		"as it is");
	small = old;
	small.rlim_cur = 1 << 20;
	OK(setrlimit(RLIMIT_FSIZE, &small) == 0, "a smaller one");
	limits_read(&l, "");
	EQ_U64(l.file_size_bytes, 1 << 20, "is seen");
	setrlimit(RLIMIT_FSIZE, &old);
}

int
main(void)
{
	test_v2();
	test_v1();
	test_cpu();
	test_odd();
	test_file_size();
	return tap_done();
}
