/*
 * host_virt: on what this system runs, in the words of systemd-detect-virt(1).
 * Each sign alone can lie, so several are weighed; where none tells, the word
 * stays "".
 */
#ifndef HOST_HOST_VIRT_H
#define HOST_HOST_VIRT_H

#include "host/host.h"

/*
 * Fill h->virtualisation from DMI (already in h), CPUID (real root only),
 * /sys/hypervisor and the text of /proc/cpuinfo.  "none" only where cpuinfo
 * lists flags and has not the hypervisor's.
 */
void host_virt_machine(struct host *h, const char *cpuinfo, const char *root);

/*
 * Fill h->container: "docker", "podman", "lxc", "systemd-nspawn",
 * "kubernetes", "container-other", "none".  A /.dockerenv in a machine that
 * was made of an image is no container: there the process is in the first
 * namespaces.
 */
void host_virt_container(struct host *h, const char *root);

#endif
