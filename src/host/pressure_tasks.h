/*
 * pressure_tasks: who had the CPUs: this program, other programs, or the kernel
 * on its own (its threads, which also finish our I/O).
 *
 * Walks /proc once a sample: about 10 us a task, so it is taken at the gates of
 * a window, never inside.  A task that has ended is counted by the one that
 * waited for it (cutime and cstime of proc(5)).
 */
#ifndef HOST_PRESSURE_TASKS_H
#define HOST_PRESSURE_TASKS_H

#include <stdint.h>

#define PRESSURE_TASKS_MAX     8192 /* a machine with more is not told */
#define PRESSURE_TASKS_UNKNOWN UINT64_MAX

/* A thread of the kernel; its ticks as in struct pressure_tasks, cut at 2^32. */
struct pressure_kernel {
	uint32_t pid, ticks;
};

/*
 * CPU time since each task began, in ticks of 1/100 s.  UNKNOWN, and no kernel
 * threads: no /proc, too many tasks, or one that shows us only our own (hidepid,
 * a container: then it has no kernel thread, and who else has the CPUs cannot
 * be seen).
 */
struct pressure_tasks {
	uint64_t others_ticks;
	/* one by one, by pid: nobody waits for those that end */
	struct pressure_kernel kernel[1024];
	unsigned kernel_count; /* more than there is room for: UINT_MAX */
};

/* proc_fd: the directory /proc, -1 = there is none. */
void pressure_tasks_take(struct pressure_tasks *t, int proc_fd);

/* Ticks of all kernel threads from a to b, or UNKNOWN.  What one did that has
 * ended in between is not in it. */
uint64_t pressure_tasks_kernel(
	const struct pressure_tasks *a, const struct pressure_tasks *b);

/* One line of /proc/PID/stat. */
struct pressure_task {
	uint64_t pid, parent;
	uint64_t ticks; /* its own, and of those that it waited for */
	int kernel;	/* a thread of the kernel */
};

/* -1 where it is no such line.  A name may hold anything, ") R 1" too. */
int pressure_tasks_parse(struct pressure_task *t, const char *line);

#endif
