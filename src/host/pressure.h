/*
 * pressure: the counters that say what else went on while we measured.
 *
 * Sampled by the supervising process at the gates of a window; the difference
 * of two samples is what the window saw.  A counter that is not there is
 * PRESSURE_UNKNOWN, and so is any difference that ran backwards or that the
 * elapsed time does not allow (lxcfs).
 */
#ifndef HOST_PRESSURE_H
#define HOST_PRESSURE_H

#include <stdint.h>

#define PRESSURE_UNKNOWN UINT64_MAX

/* Where to look: filled once. dev 0:0 = no single disk below the target. */
struct pressure_source {
	const char *root;
	unsigned dev_major, dev_minor; /* the lowest single disk */
	int steal_exported; /* is the hypervisor known to report steal? */
	unsigned cpus;	    /* that /proc/stat counts; 0 = not known */
};

/*
 * Fill f; root is borrowed.  virtualisation is host's word: steal is known to
 * be reported where KVM offers it (CPUID), on Xen, on machines that are none
 * ("none": always 0), and wherever some was counted already.
 */
void pressure_source_init(struct pressure_source *f, const char *root,
	unsigned dev_major, unsigned dev_minor, const char *virtualisation);

struct pressure_sample {
	uint64_t at_ns;		  /* clock_now_ns */
	unsigned cpus;		  /* as in the source */
	uint64_t cpu_total_ticks; /* /proc/stat's first line: user to steal
	                             (guest time is in user already) */
	uint64_t cpu_steal_ticks;
	uint64_t device_read_bytes; /* /sys/dev/block/M:m/stat sectors * 512 */
	uint64_t device_write_bytes;
	uint64_t device_read_ios, device_write_ios;
};

void pressure_take(struct pressure_sample *s, const struct pressure_source *f);

/* What lies between two samples; each PRESSURE_UNKNOWN where not told. */
struct pressure_delta {
	double steal_pct; /* 0..100, NAN = not told */
	uint64_t device_read_bytes, device_write_bytes;
	uint64_t device_read_ios, device_write_ios;
};

void pressure_between(struct pressure_delta *d, const struct pressure_sample *a,
	const struct pressure_sample *b);

/*
 * Time that the task `tid` of process `pid` waited for a CPU, in ns, from
 * schedstat; tid 0 = the process's first thread; PRESSURE_UNKNOWN where not
 * told.  pid 0 = ourselves.
 */
uint64_t pressure_runqueue_wait_ns(const char *root, int pid, int tid);

#endif
