#include <sys/utsname.h>

#include "base/utf8.h"
#include "host/below.h"
#include "host/cpuid.h"
#include "host/host.h"
#include "tap.h"
#include "tree.h"

static void
test_virtio(void)
{
	struct utsname u;
	struct host h;
	struct tree t;

	tree_load(&t, "virtio");
	host_read(&h, t.root);
	EQ_STR(h.os, "Debian GNU/Linux 12 (bookworm)", "os");
	EQ_STR(h.kernel, "6.1.0-27-amd64", "kernel");
	EQ_STR(h.cpu_model, "Intel Xeon Processor (Skylake, IBRS)", "cpu");
	EQ_U64(h.memory_bytes, UINT64_C(4017828) * 1024, "memory");
	EQ_STR(h.dmi_vendor, "DigitalOcean", "vendor");
	EQ_STR(h.dmi_product, "Droplet", "product");
	EQ_STR(h.clock_source, "kvm-clock", "clock source");
	EQ_STR(h.virtualisation, "vm-other", "a flag, and no other word");
	EQ_STR(h.container, "none", "no container");
	OK(h.cpus >= 1 && h.cpus < 100000, "usable CPUs");
	EQ_U64(host_memory_available_bytes(t.root), UINT64_C(3401192) * 1024,
		"available");
	OK(uname(&u) == 0 && strcmp(h.arch, u.machine) == 0, "arch");
	tree_free(&t);
}

static void
test_fstrim(void)
{
	static const char wanted[] = "/etc/systemd/system/timers.target.wants/"
				     "fstrim.timer";
	struct host h;
	struct tree t;

	tree_load(&t, "virtio");
	host_read(&h, t.root);
	EQ_I64(h.fstrim_timer, -1, "no systemd, nothing is told of its timers");
	tree_text(&t, "/run/systemd/system/x", "");
	host_read(&h, t.root);
	EQ_I64(h.fstrim_timer, 0, "systemd without the timer");
	tree_link(&t, wanted, "/lib/systemd/system/fstrim.timer");
	host_read(&h, t.root);
	EQ_I64(h.fstrim_timer, 1, "a link is what enable makes");
	tree_free(&t);
}

/* tree; the words that are to be seen */
static const struct row {
	const char *tree, *virtualisation, *container, *vendor;
} rows[] = {
	{ "nvme", "amazon", "", "Amazon EC2" },
	{ "dm", "none", "", "" },
	{ "several", "xen", "", "Xen" },
	{ "docker", "qemu", "docker", "QEMU" },
	{ "cgroup1", "", "docker", "" },
	{ "hyperv", "microsoft", "none", "Microsoft Corporation" },
	{ "lxcfs", "none", "lxc", "" },
};

static void
test_rows(void)
{
	struct host h;
	struct tree t;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		tree_load(&t, rows[i].tree);
		host_read(&h, t.root);
		printf("# %s\n", rows[i].tree);
		EQ_STR(h.virtualisation, rows[i].virtualisation, "machine");
		EQ_STR(h.container, rows[i].container, "container");
		EQ_STR(h.dmi_vendor, rows[i].vendor, "vendor");
		tree_free(&t);
	}
}

static void
expect_machine(const char *vendor, const char *product, const char *flags,
	const char *want)
{
	char text[128];
	struct host h;
	struct tree t;

	tree_init(&t);
	snprintf(text, sizeof(text), "processor : 0\n%s\n", flags);
	tree_text(&t, "/proc/cpuinfo", text);
	tree_text(&t, "/sys/class/dmi/id/sys_vendor", vendor);
	tree_text(&t, "/sys/class/dmi/id/product_name", product);
	host_read(&h, t.root);
	printf("# %s, %s, %s\n", vendor, product, flags);
	EQ_STR(h.virtualisation, want, "machine");
	tree_free(&t);
}

static void
test_machines(void)
{
	const char *on = "flags : fpu hypervisor", *off = "flags : fpu vmx";

	expect_machine("Google", "Google Compute Engine", on, "google");
	expect_machine(
		"Microsoft Corporation", "Virtual Machine", on, "microsoft");
	expect_machine("Microsoft Corporation", "Surface", off, "none");
	expect_machine("VMware, Inc.", "VMware7,1", on, "vmware");
	expect_machine("innotek GmbH", "VirtualBox", on, "oracle");
	expect_machine("Hetzner", "vServer", on, "vm-other");
	expect_machine("Red Hat", "KVM", on, "kvm");
	expect_machine("OpenStack Foundation", "OpenStack Nova", on, "kvm");
	expect_machine("QEMU", "Standard PC", off, "none");
	expect_machine("Amazon EC2", "m5.metal", off, "none");
	expect_machine("Amazon EC2", "m6g.metal", "Features : fp", "none");
	expect_machine("Amazon EC2", "m6g.large", "Features : fp", "amazon");
	expect_machine("", "", "Features : fp", "");
	expect_machine("", "", "flags : fpu nohypervisor hypervisorx", "none");
	expect_machine("", "", "bugs : x\nflags:\nhypervisor", "none");
}

static void
expect_container(const struct tree *t, const char *want, const char *what)
{
	struct host h;

	host_read(&h, t->root);
	EQ_STR(h.container, want, what);
}

static void
test_containers(void)
{
	static const char lxc[] = "PATH=/bin\0container=lxc\0X=container=no";
	struct tree t;

	tree_init(&t);
	expect_container(&t, "", "nothing is told");
	tree_text(&t, "/.dockerenv", "");
	expect_container(&t, "docker", "a mark of docker");
	tree_text(&t, "/run/.containerenv", "");
	expect_container(&t, "podman", "a mark of podman");
	tree_put(&t, "/proc/1/environ", "w", lxc, sizeof(lxc));
	expect_container(&t, "lxc", "the word of process 1");
	tree_text(&t, "/proc/1/environ", "container=alice's own");
	expect_container(&t, "container-other", "unknown words stay here");
	tree_link(&t, "/proc/self/ns/pid", "pid:[4026531836]");
	tree_link(&t, "/proc/self/ns/mnt", "mnt:[4026531832]");
	expect_container(&t, "none", "the first namespaces outweigh marks");
	tree_free(&t);

	tree_init(&t);
	tree_link(&t, "/proc/self/ns/pid", "pid:[4026532222]");
	expect_container(&t, "container-other", "another pid namespace");
	tree_text(&t, "/proc/self/cgroup", "0::/kubepods.slice/x\n");
	expect_container(&t, "kubernetes", "by its cgroup");
	tree_free(&t);

	tree_init(&t);
	tree_link(&t, "/proc/self/ns/pid", "pid:[4026531836]");
	tree_link(&t, "/proc/self/ns/mnt", "mnt:[4026532999]");
	tree_link(&t, "/proc/1/ns/mnt", "mnt:[4026531840]");
	expect_container(&t, "none", "a service with its own mounts");
	tree_text(&t, "/run/.containerenv", "");
	expect_container(&t, "podman", "a container among our processes");
	tree_free(&t);
}

static void
expect_os(const struct tree *t, const char *text, const char *want)
{
	struct host h;

	tree_text(t, "/etc/os-release", text);
	host_read(&h, t->root);
	EQ_STR(h.os, want, want[0] ? want : "no name of the system");
}

static void
test_texts(void)
{
	char text[400], name[300];
	struct host h;
	struct tree t;

	tree_init(&t);
	expect_os(&t, "PRETTY_NAME=Plain\n", "Plain");
	expect_os(&t, "X=1\r\nPRETTY_NAME='it is \\n'\n", "it is \\n");
	expect_os(&t, "PRETTY_NAME=\"a \\\"b\\\" \\$c\"", "a \"b\" $c");
	expect_os(&t, "PRETTY_NAME=\"\"\n", "");
	expect_os(&t, "NAME=x\nXPRETTY_NAME=y\n", "");
	expect_os(&t, "PRETTY_NAME=\"esc \x1b[31m \xff\"\n", "esc ?[31m ?");
	memset(name, 'x', sizeof(name));
	memcpy(name + 92, "\xc3\xbc\xc3\xbc\xc3\xbc", 7);
	snprintf(text, sizeof(text), "PRETTY_NAME=%s\n", name);
	tree_text(&t, "/etc/os-release", text);
	host_read(&h, t.root);
	EQ_U64(strlen(h.os), 94, "a long name is cut between characters");
	tree_text(&t, "/usr/lib/os-release", "PRETTY_NAME=Other\n");
	expect_os(&t, "NAME=x\n", "Other");

	tree_text(&t, "/proc/meminfo", "MemTotal: x kB\nMemAvailable: 5\n");
	tree_text(&t, "/sys/class/dmi/id/sys_vendor", "Default string\n");
	host_read(&h, t.root);
	EQ_U64(h.memory_bytes, HOST_UNKNOWN, "no number of memory");
	EQ_U64(host_memory_available_bytes(t.root), HOST_UNKNOWN, "no unit");
	EQ_STR(h.dmi_vendor, "", "a maker's filler is no vendor");
	EQ_STR(h.kernel, "", "the tree's kernel, not ours");
	tree_free(&t);
}

/* This machine, whatever it is. */
static void
test_real(void)
{
	uint32_t point;
	struct host h;

	host_read(&h, "");
	OK(h.kernel[0] != '\0', "kernel");
	OK(h.arch[0] != '\0', "arch");
	OK(h.cpus > 0 && h.cpus != HOST_UNKNOWN, "CPUs");
	OK(h.memory_bytes > 1 << 20, "memory");
	OK(h.cpu_model[0] == '\0' ||
			utf8_next(h.cpu_model, strlen(h.cpu_model), &point),
		"cpu is text or absent");
	OK(strcmp(h.virtualisation, "none") != 0 ||
			cpuid_hypervisor()[0] == '\0',
		"no machine under a hypervisor is called none");
	OK(cpuid_kvm_steal() <= 0 || cpuid_hypervisor()[0] != '\0',
		"KVM's steal is told only under a hypervisor");
}

static void
test_below(void)
{
	struct below_names n;
	char out[16], path[64];
	struct tree t;
	int i;

	tree_init(&t);
	tree_text(&t, "/n", "18446744073709551614\n");
	EQ_U64(below_number(t.root, "/n"), UINT64_MAX - 1, "largest number");
	tree_text(&t, "/n", "18446744073709551615\n");
	EQ_U64(below_number(t.root, "/n"), BELOW_UNKNOWN, "one more");
	tree_text(&t, "/n", "-1\n");
	EQ_U64(below_number(t.root, "/n"), BELOW_UNKNOWN, "a sign");
	tree_text(&t, "/n", "");
	OK(!below_line(t.root, out, sizeof(out), "/n") && !out[0], "empty");
	tree_link(&t, "/l", "0123456789abcdef");
	OK(!below_link(t.root, out, sizeof(out), "/l") && !out[0],
		"a link that does not fit");
	OK(!below_exists(t.root, "/l"), "and leads nowhere");
	EQ_I64(below_path(out, sizeof(out), "/root", "/%s", "0123456789"), -1,
		"a path that does not fit");
	EQ_I64(below_path(out, 4, "/root", "/"), -1, "a root that does not");
	for (i = 0; i < BELOW_NAMES_MAX + 3; i++) {
		snprintf(path, sizeof(path), "/d/%03d/", i);
		tree_path(&t, path, (char[PATH_MAX]){ 0 });
	}
	below_names(&n, t.root, "/d");
	EQ_U64(n.count, BELOW_NAMES_MAX, "as many names as fit");
	OK(n.more, "and that there are more");
	for (i = 1; i < (int)n.count; i++)
		if (strcmp(n.name[i - 1], n.name[i]) >= 0)
			break;
	EQ_U64(i, n.count, "sorted");
	below_names(&n, t.root, "/nowhere");
	OK(n.count == 0 && !n.more, "no directory, no names");
	tree_free(&t);
}

int
main(void)
{
	test_virtio();
	test_fstrim();
	test_rows();
	test_machines();
	test_containers();
	test_texts();
	test_real();
	test_below();
	return tap_done();
}
