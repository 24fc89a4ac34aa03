/*
 * cpuid: what the processor says about the hypervisor that it runs under
 * (x86: CPUID leaves from 0x40000000; on other machines nothing).
 *
 * Hypervisors lie about themselves on purpose: KVM with Hyper-V's interfaces
 * switched on answers as Hyper-V first and as itself 0x100 further on.
 */
#ifndef HOST_CPUID_H
#define HOST_CPUID_H

/* systemd-detect-virt's word, "vm-other" for an unknown one, "" for none. */
const char *cpuid_hypervisor(void);

/* Does KVM account steal time for us? 1, 0, or -1 where it is not KVM. */
int cpuid_kvm_steal(void);

#endif
