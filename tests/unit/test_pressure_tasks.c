#include "host/pressure_tasks.h"

#include <fcntl.h>
#include <unistd.h>

#include "tap.h"
#include "tree.h"

#define U PRESSURE_TASKS_UNKNOWN

/* pid (name) state ppid, then 4 numbers, flags, 4 faults, utime stime ... */
#define STAT(pid, name, ppid, flags, times)                                    \
#pid " (" name ") S " #ppid " 1 1 0 -1 " #flags " 9 8 7 6 " times      \
	     " 20 0 1 0 300 4096 5 18446744073709551615\n"

static void
test_parse(void)
{
	static const char *const bad[] = { "", "1", "x (y) S 1", "1 y S 1",
		"1 (y)", "1 (y) S", "1 (y) S 1 2 3 4 5 6 7 8 9 10 11 12 13",
		"1 (y) S 1 2 3 4 5 6 7 8 9 10 eleven 12 13 14 15" };
	struct pressure_task t;

	OK(pressure_tasks_parse(
		   &t, STAT(42, "a b", 7, 4194304, "10 20 300 400")) == 0,
		"a program");
	EQ_U64(t.pid, 42, "pid");
	EQ_U64(t.parent, 7, "parent");
	EQ_U64(t.ticks, 730, "its time, and that of those it waited for");
	EQ_I64(t.kernel, 0, "not the kernel's");
	OK(pressure_tasks_parse(
		   &t, STAT(42, "evil) R 1 1 1 (x)", 7, 0, "1 2 3 4")) == 0,
		"a name that looks like the rest");
	EQ_U64(t.parent, 7, "its parent");
	OK(pressure_tasks_parse(
		   &t, STAT(9, "kworker/0:1", 2, 2129984, "5 6 0 0")) == 0,
		"a thread of the kernel");
	EQ_I64(t.kernel, 1, "is seen");
	EQ_U64(t.ticks, 11, "its time");
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		OK(pressure_tasks_parse(&t, bad[i]) != 0, bad[i]);
}

static void
take(struct pressure_tasks *t, const struct tree *tree)
{
	char path[PATH_MAX];
	int fd;

	tree_path(tree, "/proc", path);
	fd = open(path, O_RDONLY | O_DIRECTORY);
	pressure_tasks_take(t, fd);
	if (fd >= 0)
		close(fd);
}

static struct pressure_tasks a, b;

static void
test_take(void)
{
	struct tree t;

	tree_init(&t);
	take(&a, &t);
	EQ_U64(a.others_ticks, U, "no /proc");
	tree_text(&t, "/proc/1/stat", STAT(1, "init", 0, 0, "100 0 50 0"));
	tree_text(&t, "/proc/50/stat", STAT(50, "ioreceipt", 1, 0, "7 7 7 7"));
	tree_text(&t, "/proc/51/stat", STAT(51, "ioreceipt", 50, 0, "9 9 0 0"));
	tree_text(&t, "/proc/99/stat", STAT(99, "hog", 1, 0, "1000 200 0 0"));
	tree_text(&t, "/proc/meminfo", "1\n");
	take(&a, &t);
	EQ_U64(a.others_ticks, U, "who are we?");
	tree_link(&t, "/proc/self", "50");
	take(&a, &t);
	EQ_U64(a.others_ticks, U, "no kernel thread: a container");
	tree_text(
		&t, "/proc/2/stat", STAT(2, "kthreadd", 0, 2129984, "3 0 0 0"));
	tree_text(&t, "/proc/11/stat", STAT(11, "kw", 2, 2129984, "0 40 0 0"));
	take(&a, &t);
	EQ_U64(a.others_ticks, 1350, "all but us and our child");
	EQ_U64(a.kernel_count, 2, "threads of the kernel");
	EQ_U64(pressure_tasks_kernel(&a, &a), 0, "nothing passed");
	tree_text(&t, "/proc/11/stat", STAT(11, "kw", 2, 2129984, "0 65 0 0"));
	tree_text(&t, "/proc/12/stat", STAT(12, "new", 2, 2129984, "0 5 0 0"));
	take(&b, &t);
	EQ_U64(pressure_tasks_kernel(&a, &b), 30, "one went on, one is new");
	EQ_U64(pressure_tasks_kernel(&b, &a), 40,
		"one has ended; fewer ticks: another of that number");
	tree_text(&t, "/proc/99/stat", "");
	take(&b, &t);
	EQ_U64(b.others_ticks, 150, "one that has just gone");
	tree_free(&t);
}

/* This machine: whatever it is, two looks agree with each other. */
static void
test_here(void)
{
	int fd = open("/proc", O_RDONLY | O_DIRECTORY);

	pressure_tasks_take(&a, fd);
	pressure_tasks_take(&b, fd);
	close(fd);
	if (a.others_ticks == U || b.others_ticks == U) {
		OK(a.kernel_count == 0 || b.kernel_count == 0, "not told here");
		return;
	}
	OK(pressure_tasks_kernel(&a, &b) != U, "the kernel's threads");
	pressure_tasks_take(&b, -1);
	EQ_U64(pressure_tasks_kernel(&a, &b), U, "no directory");
}

static void
test_many(void)
{
	memset(&a, 0, sizeof(a));
	memset(&b, 0, sizeof(b));
	a.kernel_count = b.kernel_count = UINT_MAX;
	EQ_U64(pressure_tasks_kernel(&a, &b), U, "more than there is room for");
}

int
main(void)
{
	test_parse();
	test_take();
	test_here();
	test_many();
	return tap_done();
}
