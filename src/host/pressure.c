#include "host/pressure.h"

#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"
#include "host/below.h"
#include "host/cpuid.h"

#define SECTOR_BYTES	    512 /* of /sys/.../stat, whatever the device's */
#define TICKS_PER_S	    100 /* USER_HZ: the unit of /proc/stat everywhere */
#define COLUMN_STEAL	    7	/* user nice system idle iowait irq softirq */
#define COLUMNS_MAX	    20
#define DEVICE_BYTES_PER_NS 1000  /* 1 TB/s: no disk is faster */
#define DEVICE_DEPTH_MAX    65536 /* requests that a disk works on at once */
#define LINE_MAX_BYTES	    512
#define STAT_MAX_BYTES	    32768 /* the lines of PRESSURE_CPUS_MAX CPUs */

/* ---- files that are read again and again --------------------------------- */

static int __attribute__((format(printf, 2, 3)))
source_open(const char *root, const char *fmt, ...)
{
	char path[PATH_MAX], rest[64];
	va_list args;

	va_start(args, fmt);
	vsnprintf(rest, sizeof(rest), fmt, args);
	va_end(args);
	if (below_path(path, sizeof(path), root, "%s", rest) != 0)
		return -1;
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* The file's beginning, as a text; "" where it does not tell. */
static void
source_read(int fd, char *out, size_t size)
{
	ssize_t n = fd < 0 ? -1 : pread(fd, out, size - 1, 0);

	out[n > 0 ? n : 0] = '\0';
}

/* ---- lines of numbers ---------------------------------------------------- */

/* Up to max numbers out of the text's first line; how many there were. */
static unsigned
numbers_read(const char *text, uint64_t *out, unsigned max)
{
	unsigned n = 0;
	char digits[24];
	size_t len;

	while (n < max) {
		text += strspn(text, " \t");
		len = strcspn(text, " \t\n");
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

/* ---- time of CPUs -------------------------------------------------------- */

/* What stands behind "cpu" or "cpu7". */
static void
ticks_read(struct pressure_ticks *t, const char *columns, bool exported)
{
	uint64_t column[COLUMNS_MAX];
	unsigned i;

	t->total = t->steal = PRESSURE_UNKNOWN;
	/* old kernels and lxcfs have fewer columns */
	if (numbers_read(columns, column, COLUMNS_MAX) <= COLUMN_STEAL)
		return;
	t->total = 0;
	for (i = 0; i <= COLUMN_STEAL; i++) {
		if (column[i] > PRESSURE_UNKNOWN - 1 - t->total) {
			t->total = PRESSURE_UNKNOWN;
			return;
		}
		t->total += column[i];
	}
	if (exported)
		t->steal = column[COLUMN_STEAL];
}

/* The first line, "cpu  1 2 3 ...". */
static void
ticks_of_all(struct pressure_ticks *t, const char *text, bool exported)
{
	ticks_read(t, strncmp(text, "cpu ", 4) == 0 ? text + 4 : "", exported);
}

/* The line behind this one, NULL where there is none. */
static const char *
line_next(const char *text)
{
	text = strchr(text, '\n');
	return text ? text + 1 : NULL;
}

/* The line of a CPU by itself? */
static bool
line_is_cpu(const char *line)
{
	return strncmp(line, "cpu", 3) == 0 && line[3] >= '0' && line[3] <= '9';
}

/* How many CPUs the sums are over. */
static unsigned
cpus_counted(const char *text)
{
	const char *line;
	unsigned n = 0;

	for (line = text; line; line = line_next(line))
		n += line_is_cpu(line);
	return n;
}

void
pressure_take_ticks(struct pressure_ticks *t, const struct pressure_source *f)
{
	char line[LINE_MAX_BYTES];

	source_read(f->stat_fd, line, sizeof(line));
	ticks_of_all(t, line, f->steal_exported);
}

static void
cpus_take(struct pressure_sample *s, const struct pressure_source *f)
{
	char text[STAT_MAX_BYTES];
	struct pressure_ticks all;
	const char *line;

	source_read(f->stat_fd, text, sizeof(text));
	ticks_of_all(&all, text, f->steal_exported);
	s->cpu_total_ticks = all.total;
	s->cpu_steal_ticks = all.steal;
	s->cpu_count = 0;
	/* where they do not all fit the worst is not known */
	if (f->cpus > PRESSURE_CPUS_MAX || cpus_counted(text) != f->cpus)
		return;
	for (line = text; line; line = line_next(line))
		if (line_is_cpu(line) && strchr(line, ' '))
			ticks_read(&s->cpu[s->cpu_count++], strchr(line, ' '),
				f->steal_exported);
}

/* ---- the disk, and what tasks waited for --------------------------------- */

/* value times factor, UNKNOWN where that is too much. */
static uint64_t
scaled(uint64_t value, uint64_t factor)
{
	return value < PRESSURE_UNKNOWN / factor ? value * factor
						 : PRESSURE_UNKNOWN;
}

/* Documentation/block/stat.rst: I/Os, merges, sectors, ms; of reads, writes */
static void
device_take(struct pressure_sample *s, const struct pressure_source *f)
{
	uint64_t column[8];
	char line[LINE_MAX_BYTES];

	s->device_read_bytes = s->device_write_bytes = PRESSURE_UNKNOWN;
	s->device_read_ios = s->device_write_ios = PRESSURE_UNKNOWN;
	s->device_read_wait_ns = s->device_write_wait_ns = PRESSURE_UNKNOWN;
	source_read(f->device_fd, line, sizeof(line));
	if (numbers_read(line, column, 8) < 8)
		return;
	s->device_read_ios = column[0];
	s->device_read_bytes = scaled(column[2], SECTOR_BYTES);
	s->device_read_wait_ns = scaled(column[3], CLOCK_NS_PER_MS);
	s->device_write_ios = column[4];
	s->device_write_bytes = scaled(column[6], SECTOR_BYTES);
	s->device_write_wait_ns = scaled(column[7], CLOCK_NS_PER_MS);
}

/* Documentation/accounting/psi.rst: "some avg10=... total=MICROSECONDS" */
static uint64_t
stall_take(int fd)
{
	char text[LINE_MAX_BYTES], *total, *end;
	uint64_t us;

	source_read(fd, text, sizeof(text));
	end = text + strcspn(text, "\n");
	*end = '\0';
	total = strstr(text, " total=");
	if (strncmp(text, "some ", 5) != 0 || !total ||
		numbers_read(total + 7, &us, 1) != 1)
		return PRESSURE_UNKNOWN;
	return scaled(us, 1000);
}

/* ---- samples ------------------------------------------------------------- */

void
pressure_take(struct pressure_sample *s, const struct pressure_source *f)
{
	int i;

	s->at_ns = clock_now_ns();
	s->cpus = f->cpus;
	cpus_take(s, f);
	device_take(s, f);
	for (i = 0; i < PRESSURE_STALLS; i++)
		s->stall_ns[i] = stall_take(f->stall_fd[i]);
	pressure_tasks_take(&s->tasks, f->proc_fd);
}

void
pressure_source_init(struct pressure_source *f, const char *root,
	unsigned dev_major, unsigned dev_minor, const char *virtualisation)
{
	static const char *const stalls[PRESSURE_STALLS] = { "cpu", "io",
		"memory" };
	char text[STAT_MAX_BYTES];
	struct pressure_ticks now;
	int i;

	f->stat_fd = source_open(root, "/proc/stat");
	f->device_fd = -1;
	if ((dev_major != 0 || dev_minor != 0) &&
		below_number(root, "/sys/dev/block/%u:%u/queue/iostats",
			dev_major, dev_minor) != 0)
		f->device_fd = source_open(root, "/sys/dev/block/%u:%u/stat",
			dev_major, dev_minor);
	for (i = 0; i < PRESSURE_STALLS; i++)
		f->stall_fd[i] =
			source_open(root, "/proc/pressure/%s", stalls[i]);
	f->proc_fd = source_open(root, "/proc");
	source_read(f->stat_fd, text, sizeof(text));
	f->cpus = cpus_counted(text);
	f->steal_exported = 1;
	if (strcmp(virtualisation, "none") == 0 ||
		strcmp(virtualisation, "xen") == 0 ||
		(root[0] == '\0' && cpuid_kvm_steal() == 1))
		return;
	ticks_of_all(&now, text, true);
	f->steal_exported = now.steal != PRESSURE_UNKNOWN && now.steal > 0;
}

static void
source_shut(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void
pressure_source_close(struct pressure_source *f)
{
	int i;

	source_shut(&f->stat_fd);
	source_shut(&f->device_fd);
	source_shut(&f->proc_fd);
	for (i = 0; i < PRESSURE_STALLS; i++)
		source_shut(&f->stall_fd[i]);
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
 * and busy time are counted by different clocks, and a second, since a CPU
 * that the hypervisor did not let run counts that time when it runs again.
 */
static uint64_t
ticks_most(unsigned cpus, uint64_t elapsed_ns)
{
	double s = (double)elapsed_ns / (double)CLOCK_NS_PER_S;

	if (cpus == 0)
		return PRESSURE_UNKNOWN;
	return (uint64_t)(cpus * (s * 1.1 + 1) * TICKS_PER_S);
}

double
pressure_steal_pct(const struct pressure_ticks *a,
	const struct pressure_ticks *b, unsigned cpus, uint64_t elapsed_ns)
{
	uint64_t total, steal;

	total = grown(a->total, b->total, ticks_most(cpus, elapsed_ns));
	steal = grown(a->steal, b->steal, total);
	if (total == PRESSURE_UNKNOWN || total == 0 ||
		steal == PRESSURE_UNKNOWN)
		return NAN;
	return 100.0 * (double)steal / (double)total;
}

static double
worst_cpu_pct(const struct pressure_sample *a, const struct pressure_sample *b)
{
	double worst = NAN, pct;
	unsigned i;

	if (a->cpu_count != b->cpu_count)
		return NAN; /* one was switched on or off */
	for (i = 0; i < b->cpu_count; i++) {
		pct = pressure_steal_pct(
			&a->cpu[i], &b->cpu[i], 1, b->at_ns - a->at_ns);
		if (isnan(pct))
			return NAN;
		if (isnan(worst) || pct > worst)
			worst = pct;
	}
	return worst;
}

void
pressure_clear(struct pressure_delta *d)
{
	int i;

	memset(d, 0, sizeof(*d));
	d->steal_pct = d->steal_worst_cpu_pct = NAN;
	d->others_cpu_pct = d->kernel_cpu_pct = NAN;
	d->steal_worst_second_pct = NAN;
	d->device_read_bytes = d->device_write_bytes = PRESSURE_UNKNOWN;
	d->device_read_ios = d->device_write_ios = PRESSURE_UNKNOWN;
	d->device_read_wait_ns = d->device_write_wait_ns = PRESSURE_UNKNOWN;
	for (i = 0; i < PRESSURE_STALLS; i++)
		d->stall_ns[i] = PRESSURE_UNKNOWN;
}

/* Ticks of tasks in per cent of one CPU. */
static double
tasks_pct(uint64_t a, uint64_t b, unsigned cpus, uint64_t elapsed_ns)
{
	uint64_t ticks = grown(a, b, ticks_most(cpus, elapsed_ns));

	if (ticks == PRESSURE_UNKNOWN)
		return NAN;
	return 100.0 * (double)ticks / TICKS_PER_S /
	       ((double)elapsed_ns / (double)CLOCK_NS_PER_S);
}

static void
device_between(struct pressure_delta *d, const struct pressure_sample *a,
	const struct pressure_sample *b)
{
	uint64_t elapsed_ns = b->at_ns - a->at_ns;
	uint64_t most = scaled(elapsed_ns, DEVICE_BYTES_PER_NS);
	uint64_t wait_ns = scaled(elapsed_ns, DEVICE_DEPTH_MAX);

	d->device_read_bytes =
		grown(a->device_read_bytes, b->device_read_bytes, most);
	d->device_write_bytes =
		grown(a->device_write_bytes, b->device_write_bytes, most);
	d->device_read_ios =
		grown(a->device_read_ios, b->device_read_ios, most);
	d->device_write_ios =
		grown(a->device_write_ios, b->device_write_ios, most);
	d->device_read_wait_ns =
		grown(a->device_read_wait_ns, b->device_read_wait_ns, wait_ns);
	d->device_write_wait_ns = grown(
		a->device_write_wait_ns, b->device_write_wait_ns, wait_ns);
}

void
pressure_between(struct pressure_delta *d, const struct pressure_sample *a,
	const struct pressure_sample *b)
{
	struct pressure_ticks from = { a->cpu_total_ticks, a->cpu_steal_ticks };
	struct pressure_ticks to = { b->cpu_total_ticks, b->cpu_steal_ticks };
	uint64_t elapsed_ns = b->at_ns - a->at_ns;
	int i;

	pressure_clear(d);
	if (b->at_ns <= a->at_ns)
		return;
	d->steal_pct = pressure_steal_pct(&from, &to, b->cpus, elapsed_ns);
	d->steal_worst_cpu_pct = worst_cpu_pct(a, b);
	d->others_cpu_pct = tasks_pct(a->tasks.others_ticks,
		b->tasks.others_ticks, b->cpus, elapsed_ns);
	d->kernel_cpu_pct =
		tasks_pct(0, pressure_tasks_kernel(&a->tasks, &b->tasks),
			b->cpus, elapsed_ns);
	device_between(d, a, b);
	/* "some" is a share of time; a tenth more for another clock's view */
	for (i = 0; i < PRESSURE_STALLS; i++)
		d->stall_ns[i] = grown(a->stall_ns[i], b->stall_ns[i],
			elapsed_ns + elapsed_ns / 10 + CLOCK_NS_PER_MS);
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
