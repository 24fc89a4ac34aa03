/*
 * pressure: the counters that say what else went on while we measured.
 *
 * Sampled by the supervising process at the gates of a window; the difference
 * of two samples is what the window saw.  A counter that is not there is
 * PRESSURE_UNKNOWN, and so is any difference that ran backwards or that the
 * elapsed time does not allow (lxcfs).
 *
 * The files are opened once and read anew by pread.  A sample costs a few
 * system calls and a walk over the machine's tasks: it is taken at the gates of
 * a window; inside of one only ticks are.
 */
#ifndef HOST_PRESSURE_H
#define HOST_PRESSURE_H

#include <stdint.h>

#include "host/pressure_tasks.h"

#define PRESSURE_UNKNOWN     UINT64_MAX
#define PRESSURE_CPUS_MAX    256 /* that are looked at one by one */
#define PRESSURE_SECONDS_MAX 512

/* What tasks waited for: /proc/pressure (Linux 4.20, where it is switched on) */
enum pressure_stall {
	PRESSURE_CPU,
	PRESSURE_IO,
	PRESSURE_MEMORY,
	PRESSURE_STALLS
};

/* Where to look: filled once. */
struct pressure_source {
	int steal_exported; /* is the hypervisor known to report steal? */
	unsigned cpus;	    /* that /proc/stat counts; 0 = not known */
	/* -1 = not there; proc_fd is the directory */
	int stat_fd, device_fd, stall_fd[PRESSURE_STALLS], proc_fd;
};

/*
 * Fill f.  dev: the lowest single disk, 0:0 = there is none.  virtualisation
 * is host's word: steal is known to be reported where KVM offers it (CPUID),
 * on Xen, on machines that are none ("none": always 0), and wherever some was
 * counted already.  A disk whose queue counts nothing (iostats 0) has no
 * counters.
 */
void pressure_source_init(struct pressure_source *f, const char *root,
	unsigned dev_major, unsigned dev_minor, const char *virtualisation);

/* Close what is open; f is then a source that tells nothing. */
void pressure_source_close(struct pressure_source *f);

/* /proc/stat's time of one CPU or all, in 1/100 s. */
struct pressure_ticks {
	uint64_t total; /* user to steal (guest time is in user already) */
	uint64_t steal;
};

struct pressure_sample {
	uint64_t at_ns; /* clock_now_ns */
	unsigned cpus;	/* as in the source */
	uint64_t cpu_total_ticks, cpu_steal_ticks;
	/* /sys/dev/block/M:m/stat; bytes are sectors * 512 */
	uint64_t device_read_bytes, device_write_bytes;
	uint64_t device_read_ios, device_write_ios;
	uint64_t device_read_wait_ns, device_write_wait_ns;
	uint64_t stall_ns[PRESSURE_STALLS]; /* "some": at least one task */
	struct pressure_tasks tasks;
	/* each CPU; count 0 where they are not told or too many */
	struct pressure_ticks cpu[PRESSURE_CPUS_MAX];
	unsigned cpu_count;
};

void pressure_take(struct pressure_sample *s, const struct pressure_source *f);

/* Only the time of all CPUs, as cheap as it can be. */
void pressure_take_ticks(
	struct pressure_ticks *t, const struct pressure_source *f);

/*
 * Steal between two of those taken elapsed_ns apart, in per cent of the time
 * of `cpus` CPUs (0 = not known): 0..100, NAN where they do not tell.
 */
double pressure_steal_pct(const struct pressure_ticks *a,
	const struct pressure_ticks *b, unsigned cpus, uint64_t elapsed_ns);

/* What lies between two samples; each PRESSURE_UNKNOWN where not told. */
struct pressure_delta {
	double steal_pct;	    /* 0..100, NAN = not told */
	double steal_worst_cpu_pct; /* of the CPU that lost most */
	/* CPU time of other programs and of the kernel's own threads, in per
	 * cent of one CPU: above 100 where they had several; NAN = not told */
	double others_cpu_pct, kernel_cpu_pct;
	uint64_t device_read_bytes, device_write_bytes;
	uint64_t device_read_ios, device_write_ios;
	/* Sum over the disk's requests of the time that each took. */
	uint64_t device_read_wait_ns, device_write_wait_ns;
	uint64_t stall_ns[PRESSURE_STALLS];
	/* By pressure_seconds; 0 and NAN where nobody counted seconds. */
	double steal_worst_second_pct;
	uint64_t steal_interval_ns;
	uint32_t steal_count;
	float steal_series_pct[PRESSURE_SECONDS_MAX];
};

/* Nothing is told. */
void pressure_clear(struct pressure_delta *d);

/* Fills all but what pressure_seconds gives, which is cleared. */
void pressure_between(struct pressure_delta *d, const struct pressure_sample *a,
	const struct pressure_sample *b);

/*
 * Time that the task `tid` of process `pid` waited for a CPU, in ns, from
 * schedstat; tid 0 = the process's first thread; PRESSURE_UNKNOWN where not
 * told.  pid 0 = ourselves.
 */
uint64_t pressure_runqueue_wait_ns(const char *root, int pid, int tid);

#endif
