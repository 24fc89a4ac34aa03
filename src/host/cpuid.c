#include "host/cpuid.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#define LEAF_BASE     0x40000000u
#define LEAF_STEP     0x100u
#define LEAF_END      0x40001000u
#define HYPERVISOR    (1u << 31) /* leaf 1, ecx */
#define KVM_STEAL     (1u << 5)	 /* KVM_FEATURE_STEAL_TIME, <asm/kvm_para.h> */
#define SIGNATURE_LEN 12

/* Signatures in ebx, ecx, edx of the leaf, and systemd's word for them. */
static const struct signature {
	char text[SIGNATURE_LEN + 1];
	const char *word;
} signatures[] = {
	{ "KVMKVMKVM\0\0\0", "kvm" },
	{ "Linux KVM Hv", "kvm" },
	{ "XenVMMXenVMM", "xen" },
	{ "TCGTCGTCGTCG", "qemu" },
	{ "VMwareVMware", "vmware" },
	{ "VBoxVBoxVBox", "oracle" },
	{ "bhyve bhyve ", "bhyve" },
	{ "prl hyperv  ", "parallels" },
	{ " lrpepyh  vr", "parallels" },
	{ "QNXQVMBSQG\0\0", "qnx" },
	{ "ACRNACRNACRN", "acrn" },
	{ "SRESRESRESRE", "sre" },
	{ "Apple VZ\0\0\0\0", "apple" },
	{ "Microsoft Hv", "microsoft" },
};

static int
under_hypervisor(void)
{
	unsigned a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c & HYPERVISOR);
}

/* Index in signatures, or their count for an unknown one. */
static size_t
signature_at(unsigned leaf)
{
	unsigned max, text[3];
	size_t i;

	__cpuid(leaf, max, text[0], text[1], text[2]);
	for (i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++)
		if (memcmp(text, signatures[i].text, SIGNATURE_LEN) == 0)
			break;
	return i;
}

const char *
cpuid_hypervisor(void)
{
	const size_t count = sizeof(signatures) / sizeof(signatures[0]);
	const char *word = "vm-other";
	unsigned leaf;
	size_t i;

	if (!under_hypervisor())
		return "";
	for (leaf = LEAF_BASE; leaf < LEAF_END; leaf += LEAF_STEP) {
		i = signature_at(leaf);
		if (i == count)
			continue;
		word = signatures[i].word;
		if (strcmp(word, "microsoft") != 0)
			break; /* else somebody may stand behind it */
	}
	return word;
}

int
cpuid_kvm_steal(void)
{
	unsigned leaf, a, b, c, d;
	size_t i;

	if (!under_hypervisor())
		return -1;
	for (leaf = LEAF_BASE; leaf < LEAF_END; leaf += LEAF_STEP) {
		i = signature_at(leaf);
		if (i < sizeof(signatures) / sizeof(signatures[0]) &&
			strcmp(signatures[i].word, "kvm") == 0) {
			__cpuid(leaf + 1, a, b, c, d);
			return (a & KVM_STEAL) != 0;
		}
	}
	return -1;
}

#else

const char *
cpuid_hypervisor(void)
{
	return "";
}

int
cpuid_kvm_steal(void)
{
	return -1;
}

#endif
