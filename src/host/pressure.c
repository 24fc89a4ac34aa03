#include "host/pressure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/units.h"
#include "host/below.h"
#include "host/cpuid.h"

#define SECTOR_BYTES	    512 /* of /sys/.../stat, whatever the device's */
#define TICKS_PER_S	    100 /* USER_HZ: the unit of /proc/stat everywhere */
#define COLUMN_STEAL	    7	/* user nice system idle iowait irq softirq */
#define COLUMNS_MAX	    20
#define DEVICE_BYTES_PER_NS 1000 /* 1 TB/s: no disk is faster */

/* ---- lines of numbers ---------------------------------------------------- */

/* Up to max numbers out of the text; how many there were. */
static unsigned
numbers_read(const char *text, uint64_t *out, unsigned max)
{
	unsigned n = 0;
	char digits[24];
	size_t len;

	while (n < max) {
		text += strspn(text, " \t");
		len = strcspn(text, " \t");
		if (len == 0 || len >= sizeof(digits))
			break;
		memcpy(digits, text, len);
		digits[len] = '\0';
		if (units_parse_u64(digits, 0, PRESSURE_UNKNOWN - 1, &out[n],
			    NULL) != 0)
			break;
		text += len;
		n++;
	}
	return n;
}

/* ---- samples ------------------------------------------------------------- */

/* Lines "cpu0 ...", "cpu1 ...": how many CPUs the sums are over. */
static unsigned
cpus_counted(const char *root)
{
	const char *p;
	unsigned n = 0;
	struct buf b;

	buf_init(&b);
	below_text(root, &b, "/proc/stat");
	for (p = buf_text(&b); (p = strstr(p, "\ncpu")); p += 4)
		n += p[4] >= '0' && p[4] <= '9';
	buf_free(&b);
	return n;
}

static void
cpu_take(struct pressure_sample *s, const struct pressure_source *f)
{
	uint64_t column[COLUMNS_MAX];
	unsigned i, n = 0;
	char line[512];

	s->cpu_total_ticks = s->cpu_steal_ticks = PRESSURE_UNKNOWN;
	if (below_line(f->root, line, sizeof(line), "/proc/stat") &&
		strncmp(line, "cpu ", 4) == 0)
		n = numbers_read(line + 4, column, COLUMNS_MAX);
	if (n <= COLUMN_STEAL)
		return; /* old kernels and lxcfs have fewer columns */
	s->cpu_total_ticks = 0;
	for (i = 0; i <= COLUMN_STEAL; i++) {
		if (column[i] > PRESSURE_UNKNOWN - 1 - s->cpu_total_ticks) {
			s->cpu_total_ticks = PRESSURE_UNKNOWN;
			return;
		}
		s->cpu_total_ticks += column[i];
	}
	if (f->steal_exported)
		s->cpu_steal_ticks = column[COLUMN_STEAL];
}

static uint64_t
sectors_bytes(uint64_t sectors)
{
	return sectors < PRESSURE_UNKNOWN / SECTOR_BYTES
		       ? sectors * SECTOR_BYTES
		       : PRESSURE_UNKNOWN;
}

/* Documentation/block/stat.rst: I/Os, merges, sectors, ms; of reads, writes */
static void
device_take(struct pressure_sample *s, const struct pressure_source *f)
{
	uint64_t column[7];
	char line[512];

	s->device_read_bytes = s->device_write_bytes = PRESSURE_UNKNOWN;
	s->device_read_ios = s->device_write_ios = PRESSURE_UNKNOWN;
	if ((f->dev_major == 0 && f->dev_minor == 0) ||
		!below_line(f->root, line, sizeof(line),
			"/sys/dev/block/%u:%u/stat", f->dev_major,
			f->dev_minor) ||
		numbers_read(line, column, 7) < 7)
		return;
	s->device_read_ios = column[0];
	s->device_read_bytes = sectors_bytes(column[2]);
	s->device_write_ios = column[4];
	s->device_write_bytes = sectors_bytes(column[6]);
}

void
pressure_take(struct pressure_sample *s, const struct pressure_source *f)
{
	memset(s, 0, sizeof(*s));
	s->at_ns = clock_now_ns();
	s->cpus = f->cpus;
	cpu_take(s, f);
	device_take(s, f);
}

void
pressure_source_init(struct pressure_source *f, const char *root,
	unsigned dev_major, unsigned dev_minor, const char *virtualisation)
{
	struct pressure_sample now;

	memset(f, 0, sizeof(*f));
	f->root = root;
	f->dev_major = dev_major;
	f->dev_minor = dev_minor;
	f->cpus = cpus_counted(root);
	f->steal_exported = 1;
	if (strcmp(virtualisation, "none") == 0 ||
		strcmp(virtualisation, "xen") == 0 ||
		(root[0] == '\0' && cpuid_kvm_steal() == 1))
		return;
	pressure_take(&now, f);
	f->steal_exported = now.cpu_steal_ticks != PRESSURE_UNKNOWN &&
			    now.cpu_steal_ticks > 0;
}

/* ---- differences --------------------------------------------------------- */

/* b - a, or UNKNOWN where one is, it ran backwards, or it is over most. */
static uint64_t
grown(uint64_t a, uint64_t b, uint64_t most)
{
	if (a == PRESSURE_UNKNOWN || b == PRESSURE_UNKNOWN || b < a ||
		b - a > most)
		return PRESSURE_UNKNOWN;
	return b - a;
}

/*
 * Ticks that the CPUs can have counted: elapsed time and a tenth, since idle
 * and busy time are counted by different clocks, and a few for rounding.
 */
static uint64_t
ticks_most(const struct pressure_sample *a, const struct pressure_sample *b)
{
	double s = (double)(b->at_ns - a->at_ns) / (double)CLOCK_NS_PER_S;

	if (b->cpus == 0)
		return PRESSURE_UNKNOWN;
	return (uint64_t)(b->cpus * (s * TICKS_PER_S * 1.1 + 10));
}

void
pressure_between(struct pressure_delta *d, const struct pressure_sample *a,
	const struct pressure_sample *b)
{
	uint64_t elapsed_ns = b->at_ns - a->at_ns, most, total, steal;

	memset(d, 0, sizeof(*d));
	d->steal_pct = NAN;
	d->device_read_bytes = d->device_write_bytes = PRESSURE_UNKNOWN;
	d->device_read_ios = d->device_write_ios = PRESSURE_UNKNOWN;
	if (b->at_ns <= a->at_ns)
		return;
	total = grown(a->cpu_total_ticks, b->cpu_total_ticks, ticks_most(a, b));
	steal = grown(a->cpu_steal_ticks, b->cpu_steal_ticks, total);
	if (total != PRESSURE_UNKNOWN && total > 0 && steal != PRESSURE_UNKNOWN)
		d->steal_pct = 100.0 * (double)steal / (double)total;
	most = elapsed_ns < PRESSURE_UNKNOWN / DEVICE_BYTES_PER_NS
		       ? elapsed_ns * DEVICE_BYTES_PER_NS
		       : PRESSURE_UNKNOWN;
	d->device_read_bytes =
		grown(a->device_read_bytes, b->device_read_bytes, most);
	d->device_write_bytes =
		grown(a->device_write_bytes, b->device_write_bytes, most);
	d->device_read_ios =
		grown(a->device_read_ios, b->device_read_ios, most);
	d->device_write_ios =
		grown(a->device_write_ios, b->device_write_ios, most);
}

/* ---- run queue ----------------------------------------------------------- */

/* Documentation/scheduler/sched-stats.rst: on CPU, waiting, time slices. */
uint64_t
pressure_runqueue_wait_ns(const char *root, int pid, int tid)
{
	char self[16] = "self", task[32] = "", line[128];
	uint64_t column[3];

	if (pid != 0)
		snprintf(self, sizeof(self), "%d", pid);
	if (tid != 0)
		snprintf(task, sizeof(task), "/task/%d", tid);
	if (!below_line(root, line, sizeof(line), "/proc/%s%s/schedstat", self,
		    task) ||
		numbers_read(line, column, 3) < 3)
		return PRESSURE_UNKNOWN;
	/* a kernel that does not count writes zeros: no task has run 0 ns */
	if (column[0] == 0 && column[2] == 0)
		return PRESSURE_UNKNOWN;
	return column[1];
}
