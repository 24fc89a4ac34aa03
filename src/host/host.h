/*
 * host: facts about this machine that hold for the whole run.
 *
 * Everything under /proc and /sys is read below `root` ("" for the real
 * one), so that saved trees of other machines are fixtures.  A fact that the
 * machine does not tell is absent: "" for text, HOST_UNKNOWN for numbers.
 * Nothing that identifies a machine or a person is read: no host name, no
 * serial, no machine-id.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include <stdint.h>

#define HOST_UNKNOWN UINT64_MAX

struct host {
	char os[96];	 /* "Debian GNU/Linux 12 (bookworm)" */
	char kernel[96]; /* uname -r */
	char arch[32];	 /* uname -m */
	char cpu_model[96];
	uint64_t cpus; /* usable by this process */
	uint64_t memory_bytes;
	char virtualisation[24]; /* systemd-detect-virt's word: "kvm", "none" */
	char container[24];	 /* "docker", "lxc", "none", ... */
	char dmi_vendor[64];
	char dmi_product[64];
	char clock_source[32]; /* "tsc", "kvm-clock", ... */
	int fstrim_timer;      /* 1 on, 0 off, -1 systemd does not run */
};

/* Fill h.  Cannot fail: what is not told is absent. */
void host_read(struct host *h, const char *root);

/* MemAvailable in bytes, HOST_UNKNOWN where /proc does not tell. */
uint64_t host_memory_available_bytes(const char *root);

#endif
