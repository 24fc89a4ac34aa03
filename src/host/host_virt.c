#include "host/host_virt.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "host/below.h"
#include "host/cpuid.h"

/* ---- machines ------------------------------------------------------------ */

/*
 * DMI vendor or product beginning with `text`.  strong: believed against
 * CPUID, which on these names the hypervisor only ("kvm" on both clouds).
 */
static const struct dmi {
	const char *text;
	const char *word;
	bool strong;
} dmis[] = {
	{ "Amazon EC2", "amazon", true },
	{ "Google Compute Engine", "google", true },
	{ "VirtualBox", "oracle", true },
	{ "innotek GmbH", "oracle", true },
	{ "Parallels", "parallels", true },
	{ "Xen", "xen", true },
	{ "VMware", "vmware", false },
	{ "KVM", "kvm", false },
	{ "OpenStack", "kvm", false },
	{ "KubeVirt", "kvm", false },
	{ "QEMU", "qemu", false },
	{ "Bochs", "bochs", false },
	{ "BHYVE", "bhyve", false },
	{ "Apple Virtualization", "apple", false },
};

/* The first row that vendor or product begin with; NULL = none. */
static const struct dmi *
dmi_find(const struct host *h)
{
	size_t i, len;

	for (i = 0; i < sizeof(dmis) / sizeof(dmis[0]); i++) {
		len = strlen(dmis[i].text);
		if (strncmp(h->dmi_product, dmis[i].text, len) == 0 ||
			strncmp(h->dmi_vendor, dmis[i].text, len) == 0)
			return &dmis[i];
	}
	return NULL;
}

/* x86 lists what the processor can: is the word among the first CPU's? */
enum flag { FLAG_UNKNOWN, FLAG_OFF, FLAG_ON };

static enum flag
hypervisor_flag(const char *cpuinfo)
{
	static const char word[] = "hypervisor";
	const char *p = strstr(cpuinfo, "\nflags"), *end;
	size_t len;

	if (!p)
		return FLAG_UNKNOWN;
	p++;
	end = p + strcspn(p, "\n");
	while (p < end) {
		p += strspn(p, " \t");
		len = strcspn(p, " \t\n");
		if (len == sizeof(word) - 1 && memcmp(p, word, len) == 0)
			return FLAG_ON;
		p += len ? len : 1;
	}
	return FLAG_OFF;
}

void
host_virt_machine(struct host *h, const char *cpuinfo, const char *root)
{
	enum flag flag = hypervisor_flag(cpuinfo);
	const struct dmi *dmi = dmi_find(h);
	const char *cpu = root[0] == '\0' ? cpuid_hypervisor() : "";
	const char *word = "";
	char type[24], dom0[64];

	below_line(root, type, sizeof(type), "/sys/hypervisor/type");
	below_line(root, dom0, sizeof(dom0), "/proc/xen/capabilities");
	if (strstr(dom0, "control_d"))
		word = "none"; /* the machine's own system, beside Xen */
	else if ((flag == FLAG_OFF && !type[0]) ||
		 strstr(h->dmi_product, ".metal"))
		word = "none"; /* clouds sell whole machines too */
	else if (dmi && dmi->strong)
		word = dmi->word;
	else if (cpu[0] && strcmp(cpu, "vm-other") != 0)
		word = cpu;
	else if (dmi)
		word = dmi->word;
	else if (strncmp(h->dmi_vendor, "Microsoft", 9) == 0 && flag == FLAG_ON)
		word = "microsoft";
	else if (type[0])
		word = strcmp(type, "xen") == 0 ? "xen" : "vm-other";
	else if (flag == FLAG_ON)
		word = "vm-other";
	snprintf(h->virtualisation, sizeof(h->virtualisation), "%s", word);
}

/* ---- containers ---------------------------------------------------------- */

/*
 * The kernel's first namespaces have fixed numbers (<linux/nsfs.h>,
 * PROC_PID_INIT_INO since Linux 3.8); the first mount namespace only since
 * 6.17, before that it is the one of process 1.
 */
#define FIRST_PID "pid:[4026531836]"
#define FIRST_MNT "mnt:[4026531832]"

enum place { PLACE_UNKNOWN, PLACE_FIRST, PLACE_INNER };

static enum place
pid_namespace(const char *root)
{
	char link[64];

	if (!below_link(root, link, sizeof(link), "/proc/self/ns/pid"))
		return PLACE_UNKNOWN;
	return strcmp(link, FIRST_PID) == 0 ? PLACE_FIRST : PLACE_INNER;
}

static enum place
mnt_namespace(const char *root)
{
	char own[64], first[64];

	if (!below_link(root, own, sizeof(own), "/proc/self/ns/mnt"))
		return PLACE_UNKNOWN;
	if (strcmp(own, FIRST_MNT) == 0)
		return PLACE_FIRST;
	if (!below_link(root, first, sizeof(first), "/proc/1/ns/mnt"))
		return PLACE_UNKNOWN;
	return strcmp(own, first) == 0 ? PLACE_FIRST : PLACE_INNER;
}

/* "container=lxc" in the environment of process 1 (strings with NULs). */
static bool
environment_word(const char *root, char *out, size_t size)
{
	static const char key[] = "container=";
	const char *p, *end;
	struct buf b;

	buf_init(&b);
	out[0] = '\0';
	if (below_text(root, &b, "/proc/1/environ") == 0) {
		end = buf_text(&b) + b.len;
		for (p = buf_text(&b); p < end; p += strlen(p) + 1)
			if (strncmp(p, key, sizeof(key) - 1) == 0)
				snprintf(out, size, "%s", p + sizeof(key) - 1);
	}
	buf_free(&b);
	return out[0] != '\0';
}

/* What managers of containers call themselves. */
static const char *const known[] = { "docker", "podman", "oci", "lxc-libvirt",
	"lxc", "systemd-nspawn", "rkt", "wsl", "proot", "pouch", NULL };

/* How they name the cgroups that they make, where those are shown. */
static const struct part {
	const char *text;
	const char *word;
} cgroup_parts[] = {
	{ "/kubepods", "kubernetes" },
	{ "/docker", "docker" },
	{ "/libpod", "podman" },
	{ "/lxc", "lxc" },
};

/* Only words that we know go into a receipt. */
static const char *
known_word(const char *text)
{
	size_t i;

	for (i = 0; known[i]; i++)
		if (strcmp(known[i], text) == 0)
			return known[i];
	return "container-other";
}

/* Paths of the machine's cgroups, where they are shown. */
static const char *
cgroup_word(const char *root)
{
	const char *word = "";
	struct buf b;
	size_t i;

	buf_init(&b);
	below_text(root, &b, "/proc/self/cgroup");
	for (i = 0; i < sizeof(cgroup_parts) / sizeof(cgroup_parts[0]); i++)
		if (!word[0] && strstr(buf_text(&b), cgroup_parts[i].text))
			word = cgroup_parts[i].word;
	buf_free(&b);
	return word;
}

void
host_virt_container(struct host *h, const char *root)
{
	enum place pid = pid_namespace(root), mnt = mnt_namespace(root);
	const char *word = "";
	char own[24];

	if (pid == PLACE_FIRST && mnt == PLACE_FIRST)
		word = "none";
	else if (below_exists(root, "/proc/vz") &&
		 !below_exists(root, "/proc/bc"))
		word = "openvz";
	else if (environment_word(root, own, sizeof(own)) ||
		 below_line(root, own, sizeof(own), "/run/systemd/container"))
		word = known_word(own);
	else if (below_exists(root, "/run/.containerenv"))
		word = "podman";
	else if (below_exists(root, "/.dockerenv"))
		word = "docker";
	else if (below_exists(root, "/run/secrets/kubernetes.io"))
		word = "kubernetes";
	else if (cgroup_word(root)[0])
		word = cgroup_word(root);
	else if (pid == PLACE_INNER)
		word = "container-other";
	else if (pid == PLACE_FIRST)
		word = "none";
	snprintf(h->container, sizeof(h->container), "%s", word);
}
