#include "host/host.h"

#include <limits.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/units.h"
#include "base/utf8.h"
#include "host/below.h"
#include "host/host_virt.h"

/* ---- files of several lines ---------------------------------------------- */

/*
 * Value of the first line "key <sep> value" in the text, blanks around it
 * removed, cleaned for UTF-8 and controls; false where there is no such line.
 */
static bool
line_value(const char *text, const char *key, char sep, char *out, size_t size)
{
	size_t len = strlen(key), n;
	const char *p;

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		if (strncmp(text, key, len) != 0)
			continue;
		p = text + len;
		p += strspn(p, " \t");
		if (*p++ != sep)
			continue;
		p += strspn(p, " \t");
		n = strcspn(p, "\n");
		while (n && strchr(" \t\r", p[n - 1]))
			n--;
		n = utf8_cut(p, n, size - 1);
		memcpy(out, p, n);
		utf8_clean(out, n);
		return out[0] != '\0';
	}
	return false;
}

/* os-release(5): a shell's assignment, perhaps quoted, with backslashes. */
static void
unquote(char *s)
{
	char quote = *s == '"' || *s == '\'' ? *s : '\0';
	const char *from = quote ? s + 1 : s;

	while (*from && *from != quote) {
		if (quote != '\'' && *from == '\\' && from[1])
			from++;
		*s++ = *from++;
	}
	*s = '\0';
}

static void
os_read(struct host *h, const char *root)
{
	static const char *const files[] = { "/etc/os-release",
		"/usr/lib/os-release" };
	struct buf b;
	size_t i;

	for (i = 0; i < 2 && !h->os[0]; i++) {
		buf_init(&b);
		below_text(root, &b, "%s", files[i]);
		if (line_value(buf_text(&b), "PRETTY_NAME", '=', h->os,
			    sizeof(h->os)))
			unquote(h->os);
		buf_free(&b);
	}
}

/* "16384 kB" in bytes. */
static uint64_t
kb_bytes(char *value)
{
	uint64_t kb;
	char *end = strstr(value, " kB");

	if (!end)
		return HOST_UNKNOWN;
	*end = '\0';
	if (units_parse_u64(value, 0, HOST_UNKNOWN / 1024 - 1, &kb, NULL) != 0)
		return HOST_UNKNOWN;
	return kb * 1024;
}

static uint64_t
meminfo_bytes(const char *root, const char *key)
{
	uint64_t bytes = HOST_UNKNOWN;
	char value[32];
	struct buf b;

	buf_init(&b);
	below_text(root, &b, "/proc/meminfo");
	if (line_value(buf_text(&b), key, ':', value, sizeof(value)))
		bytes = kb_bytes(value);
	buf_free(&b);
	return bytes;
}

uint64_t
host_memory_available_bytes(const char *root)
{
	return meminfo_bytes(root, "MemAvailable");
}

/* ---- what system calls tell ---------------------------------------------- */

static void
kernel_read(struct host *h, const char *root)
{
	struct utsname u;

	below_line(root, h->kernel, sizeof(h->kernel),
		"/proc/sys/kernel/osrelease");
	if (uname(&u) != 0)
		return;
	snprintf(h->arch, sizeof(h->arch), "%.31s", u.machine);
	if (!h->kernel[0] && root[0] == '\0')
		snprintf(h->kernel, sizeof(h->kernel), "%.95s", u.release);
}

static uint64_t
cpus_usable(void)
{
	cpu_set_t set;
	long online;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (uint64_t)CPU_COUNT(&set);
	/* EINVAL: more than 1024 CPUs */
	online = sysconf(_SC_NPROCESSORS_ONLN);
	return online > 0 ? (uint64_t)online : HOST_UNKNOWN;
}

/* Without /proc, as in an empty chroot. */
static uint64_t
memory_by_sysconf(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	if (pages <= 0 || size <= 0)
		return HOST_UNKNOWN;
	return (uint64_t)pages * (uint64_t)size;
}

/* ---- DMI ----------------------------------------------------------------- */

/* What makers of boards leave in when they have nothing to say. */
static const char *const fillers[] = { "To Be Filled By O.E.M.",
	"To be filled by O.E.M.", "System manufacturer", "System Product Name",
	"Default string", "Not Specified", "Not Applicable", "Unknown", "None",
	"empty", "O.E.M", "OEM", NULL };

static void
dmi_line(const char *root, const char *name, char *out, size_t size)
{
	size_t i;

	below_line(root, out, size, "/sys/class/dmi/id/%s", name);
	for (i = 0; fillers[i]; i++)
		if (strcmp(out, fillers[i]) == 0)
			out[0] = '\0';
}

/* What systemctl enable makes; of a cron job nothing is known here. */
static int
fstrim_timer(const char *root)
{
	static const char *const places[] = { "/etc", "/run", "/usr/lib",
		"/lib", NULL };
	char to[PATH_MAX];
	int i;

	if (!below_exists(root, "/run/systemd/system"))
		return -1;
	for (i = 0; places[i]; i++)
		if (below_link(root, to, sizeof(to),
			    "%s/systemd/system/timers.target.wants/"
			    "fstrim.timer",
			    places[i]))
			return 1;
	return 0;
}

void
host_read(struct host *h, const char *root)
{
	struct buf cpuinfo;

	memset(h, 0, sizeof(*h));
	os_read(h, root);
	kernel_read(h, root);
	buf_init(&cpuinfo);
	below_text(root, &cpuinfo, "/proc/cpuinfo");
	line_value(buf_text(&cpuinfo), "model name", ':', h->cpu_model,
		sizeof(h->cpu_model));
	h->cpus = cpus_usable();
	h->memory_bytes = meminfo_bytes(root, "MemTotal");
	if (h->memory_bytes == HOST_UNKNOWN && root[0] == '\0')
		h->memory_bytes = memory_by_sysconf();
	dmi_line(root, "sys_vendor", h->dmi_vendor, sizeof(h->dmi_vendor));
	dmi_line(root, "product_name", h->dmi_product, sizeof(h->dmi_product));
	host_virt_machine(h, buf_text(&cpuinfo), root);
	host_virt_container(h, root);
	buf_free(&cpuinfo);
	h->fstrim_timer = fstrim_timer(root);
	below_line(root, h->clock_source, sizeof(h->clock_source),
		"/sys/devices/system/clocksource/clocksource0/"
		"current_clocksource");
}
