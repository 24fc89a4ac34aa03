#include "host/pressure_tasks.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"

#define PF_KTHREAD   0x00200000 /* <linux/sched.h> */
#define LINE_MAX_LEN 1024

/* Numbers behind the state in /proc/PID/stat, proc(5). */
enum { PPID = 0, FLAGS = 5, UTIME = 10, STIME, CUTIME, CSTIME, COLUMNS };

/* The next word as a number; a negative one (of a session, a terminal) is 0. */
static int
take_number(const char **at, uint64_t *out)
{
	char digits[24];
	size_t len;

	*at += strspn(*at, " ");
	len = strcspn(*at, " \n");
	if (len == 0 || len >= sizeof(digits))
		return -1;
	memcpy(digits, *at, len);
	digits[len] = '\0';
	*at += len;
	*out = 0;
	return digits[0] == '-'
		       ? 0
		       : units_parse_u64(digits, 0, PRESSURE_TASKS_UNKNOWN - 1,
				 out, NULL);
}

int
pressure_tasks_parse(struct pressure_task *t, const char *line)
{
	const char *at = line, *name_end = strrchr(line, ')');
	uint64_t column[COLUMNS];
	int i;

	if (take_number(&at, &t->pid) != 0 || !name_end || name_end < at)
		return -1;
	at = name_end + 1;
	at += strspn(at, " ");
	if (*at == '\0')
		return -1;
	at++; /* the state, a letter */
	for (i = 0; i < COLUMNS; i++)
		if (take_number(&at, &column[i]) != 0)
			return -1;
	t->parent = column[PPID];
	t->kernel = (column[FLAGS] & PF_KTHREAD) != 0;
	t->ticks = column[UTIME] + column[STIME];
	if (!t->kernel)
		t->ticks += column[CUTIME] + column[CSTIME];
	return 0;
}

/* 0 where the task has just gone, or is hidden from us. */
static int
task_read(struct pressure_task *t, int proc_fd, const char *pid)
{
	char path[64], line[LINE_MAX_LEN];
	size_t len = strlen(pid);
	ssize_t n;
	int fd;

	if (len > sizeof(path) - sizeof("/stat"))
		return 0;
	memcpy(path, pid, len);
	memcpy(path + len, "/stat", sizeof("/stat"));
	fd = openat(proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	line[n > 0 ? n : 0] = '\0';
	return pressure_tasks_parse(t, line) == 0;
}

static DIR *
proc_open(int proc_fd)
{
	int fd = proc_fd < 0 ? -1
			     : openat(proc_fd, ".",
				       O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir && fd >= 0)
		close(fd);
	return dir;
}

/* By pid, which is how /proc lists them: so each goes to the end. */
static void
kernel_put(struct pressure_tasks *sum, const struct pressure_task *t)
{
	const unsigned room = sizeof(sum->kernel) / sizeof(sum->kernel[0]);
	struct pressure_kernel *k = sum->kernel;
	unsigned at = sum->kernel_count;

	if (at == room || at == UINT_MAX) {
		sum->kernel_count = UINT_MAX;
		return;
	}
	for (; at > 0 && k[at - 1].pid > t->pid; at--)
		k[at] = k[at - 1];
	k[at] = (struct pressure_kernel){ (uint32_t)t->pid,
		t->ticks < UINT32_MAX ? (uint32_t)t->ticks : UINT32_MAX };
	sum->kernel_count++;
}

/* All tasks but self and its children; -1 where there are too many. */
static int
walk(struct pressure_tasks *sum, int proc_fd, DIR *dir, uint64_t self)
{
	struct pressure_task t;
	struct dirent *entry;
	int seen = 0;

	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
			continue;
		if (++seen > PRESSURE_TASKS_MAX)
			return -1;
		if (!task_read(&t, proc_fd, entry->d_name))
			continue;
		if (t.kernel)
			kernel_put(sum, &t);
		else if (t.pid != self && t.parent != self)
			sum->others_ticks += t.ticks;
	}
	return 0;
}

void
pressure_tasks_take(struct pressure_tasks *t, int proc_fd)
{
	struct pressure_task self;
	DIR *dir = proc_open(proc_fd);
	int told;

	t->others_ticks = 0;
	t->kernel_count = 0;
	told = dir && task_read(&self, proc_fd, "self") &&
	       walk(t, proc_fd, dir, self.pid) == 0 && t->kernel_count > 0;
	if (!told) {
		t->others_ticks = PRESSURE_TASKS_UNKNOWN;
		t->kernel_count = 0;
	}
	if (dir)
		closedir(dir);
}

uint64_t
pressure_tasks_kernel(
	const struct pressure_tasks *a, const struct pressure_tasks *b)
{
	const struct pressure_kernel *was = a->kernel;
	uint64_t ticks = 0;
	unsigned i, j = 0;

	if (a->kernel_count == 0 || a->kernel_count == UINT_MAX ||
		b->kernel_count == 0 || b->kernel_count == UINT_MAX)
		return PRESSURE_TASKS_UNKNOWN;
	for (i = 0; i < b->kernel_count; i++) {
		const struct pressure_kernel *now = &b->kernel[i];

		while (j < a->kernel_count && was[j].pid < now->pid)
			j++;
		ticks += now->ticks;
		/* fewer ticks than before: another one with that number */
		if (j < a->kernel_count && was[j].pid == now->pid &&
			was[j].ticks <= now->ticks)
			ticks -= was[j].ticks;
	}
	return ticks;
}
