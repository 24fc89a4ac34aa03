#include "host/limits.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/units.h"
#include "host/below.h"
#include "host/mounts.h"

/* v1 writes "no limit" as the largest count of pages: everything near it. */
#define V1_NO_LIMIT (UINT64_C(1) << 62)
#define LEVELS_MAX  64 /* of nested cgroups; deeper ones are not looked at */

/* Where a controller's files are: a hierarchy, and our own group in it. */
struct group {
	char dir[PATH_MAX];  /* our group, below root */
	size_t top;	     /* length of the hierarchy's mount point in dir */
	const char *key_max; /* names of the files */
	const char *key_high;
	const char *key_now;
	const char *key_inactive; /* in memory.stat */
	const char *key_active;
};

/* ---- finding our group --------------------------------------------------- */

/* Is `word` one of the words of list, which commas part? */
static bool
list_has(const char *list, size_t len, const char *word)
{
	size_t n, want = strlen(word);

	while (len) {
		for (n = 0; n < len && list[n] != ','; n++)
			;
		if (n == want && memcmp(list, word, n) == 0)
			return true;
		list += n + (n < len);
		len -= n + (n < len);
	}
	return false;
}

/*
 * Our path in the hierarchy of `controller` ("" is v2's), from a line
 * "4:memory:/a/b" or "0::/a/b" of /proc/self/cgroup.
 */
static bool
group_path(const char *cgroup, const char *controller, char *out, size_t size)
{
	const char *line, *first, *second, *end;

	for (line = cgroup; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		first = memchr(line, ':', (size_t)(end - line));
		second = first ? memchr(first + 1, ':',
					 (size_t)(end - first - 1))
			       : NULL;
		if (!second || (size_t)(end - second) > size)
			continue;
		if (controller[0] ? !list_has(first + 1,
					    (size_t)(second - first - 1),
					    controller)
				  : second != first + 1)
			continue;
		memcpy(out, second + 1, (size_t)(end - second - 1));
		out[end - second - 1] = '\0';
		return true;
	}
	return false;
}

/* The mount of the controller's hierarchy. */
static bool
group_mount(
	const char *mountinfo, const char *controller, struct mounts_entry *m)
{
	const char *line, *end;
	char value[8];

	for (line = mountinfo; *line; line = *end ? end + 1 : end) {
		end = line + strcspn(line, "\n");
		if (mounts_parse(line, m) != 0)
			continue;
		if (controller[0] ? strcmp(m->fstype, "cgroup") == 0 &&
					    mounts_option(m, controller, value,
						    sizeof(value))
				  : strcmp(m->fstype, "cgroup2") == 0)
			return true;
	}
	return false;
}

/*
 * Join both: what of the path lies below the mount's root.  A container
 * without its own cgroup namespace has only its own part mounted, while
 * /proc/self/cgroup gives the path of the whole machine.
 */
static bool
group_find(struct group *g, const char *cgroup, const char *mountinfo,
	const char *controller)
{
	struct mounts_entry m;
	char path[PATH_MAX];
	const char *rest;
	size_t len;

	if (!group_path(cgroup, controller, path, sizeof(path)) ||
		!group_mount(mountinfo, controller, &m))
		return false;
	len = strcmp(m.root, "/") == 0 ? 0 : strlen(m.root);
	if (strncmp(path, m.root, len) == 0 &&
		(path[len] == '/' || path[len] == '\0'))
		rest = path + len;
	else
		rest = ""; /* not ours to see: the part that is mounted */
	if (strstr(rest, "/..") || strcmp(rest, "/") == 0)
		rest = "";
	g->top = strlen(m.point);
	return below_path(g->dir, sizeof(g->dir), m.point, "%s", rest) == 0;
}

/* From our group to the one above; false where it was the highest. */
static bool
group_up(struct group *g)
{
	char *slash = strrchr(g->dir, '/');

	if (!slash || strlen(g->dir) <= g->top)
		return false;
	*slash = '\0';
	return true;
}

/* ---- memory -------------------------------------------------------------- */

/* Bytes in a line "key N" of memory.stat; 0 where there is none. */
static uint64_t
stat_value(const char *root, const char *dir, const char *key)
{
	size_t len = strlen(key), digits;
	uint64_t value = 0;
	const char *line;
	char number[24] = "";
	struct buf b;

	buf_init(&b);
	below_text(root, &b, "%s/memory.stat", dir);
	for (line = buf_text(&b); *line;
		line += strcspn(line, "\n"), line += *line == '\n') {
		if (strncmp(line, key, len) != 0 || line[len] != ' ')
			continue;
		digits = strcspn(line + len + 1, "\n");
		if (digits < sizeof(number))
			memcpy(number, line + len + 1, digits);
		break;
	}
	buf_free(&b);
	return units_parse_u64(number, 0, UINT64_MAX / 4, &value, NULL) == 0
		       ? value
		       : 0;
}

/* "max" and v1's huge number are no limit: UNKNOWN. */
static uint64_t
memory_limit(const char *root, const struct group *g)
{
	uint64_t limit, high;

	limit = below_number(root, "%s/%s", g->dir, g->key_max);
	high = g->key_high ? below_number(root, "%s/%s", g->dir, g->key_high)
			   : LIMITS_UNKNOWN;
	if (high < limit)
		limit = high;
	return limit < V1_NO_LIMIT ? limit : LIMITS_UNKNOWN;
}

static void
memory_level(struct limits *l, const char *root, const struct group *g)
{
	uint64_t limit = memory_limit(root, g), now, reclaim, left;

	now = below_number(root, "%s/%s", g->dir, g->key_now);
	if (limit == LIMITS_UNKNOWN || now == LIMITS_UNKNOWN)
		return;
	reclaim = stat_value(root, g->dir, g->key_inactive) +
		  stat_value(root, g->dir, g->key_active) / 2;
	now -= reclaim < now ? reclaim : now;
	left = limit > now ? limit - now : 0;
	if (left < l->memory_free_bytes)
		l->memory_free_bytes = left;
}

/* ---- block I/O ----------------------------------------------------------- */

/* The entry of (source, device), made if there is none; NULL = no room. */
static struct limits_io *
io_entry(struct limits *l, const char *source, unsigned dev_major,
	unsigned dev_minor)
{
	struct limits_io *io;
	unsigned i;

	for (i = 0; i < l->io_count; i++) {
		io = &l->io[i];
		if (io->dev_major == dev_major && io->dev_minor == dev_minor &&
			strcmp(io->source, source) == 0)
			return io;
	}
	if (l->io_count == LIMITS_MAX) {
		l->io_more = true;
		return NULL;
	}
	io = &l->io[l->io_count++];
	snprintf(io->source, sizeof(io->source), "%s", source);
	io->dev_major = dev_major;
	io->dev_minor = dev_minor;
	io->rbps = io->wbps = io->riops = io->wiops = LIMITS_UNKNOWN;
	return io;
}

static void
io_tighten(struct limits_io *io, const char *key, uint64_t value)
{
	uint64_t *at = NULL;

	if (strcmp(key, "rbps") == 0)
		at = &io->rbps;
	else if (strcmp(key, "wbps") == 0)
		at = &io->wbps;
	else if (strcmp(key, "riops") == 0)
		at = &io->riops;
	else if (strcmp(key, "wiops") == 0)
		at = &io->wiops;
	if (at && value < *at)
		*at = value;
}

/* The next word of the line into out; false at its end. */
static bool
word_next(const char **line, char *out, size_t size)
{
	size_t len;

	*line += strspn(*line, " \t");
	len = strcspn(*line, " \t\n");
	if (len == 0 || len >= size)
		return false;
	memcpy(out, *line, len);
	out[len] = '\0';
	*line += len;
	return true;
}

static bool
word_device(char *word, unsigned *dev_major, unsigned *dev_minor)
{
	char *colon = strchr(word, ':');
	uint64_t a, b;

	if (!colon)
		return false;
	*colon = '\0';
	if (units_parse_u64(word, 0, UINT_MAX, &a, NULL) != 0 ||
		units_parse_u64(colon + 1, 0, UINT_MAX, &b, NULL) != 0)
		return false;
	*dev_major = (unsigned)a;
	*dev_minor = (unsigned)b;
	return true;
}

/*
 * One line: "8:16 rbps=2097152 wbps=max" (v2, key == NULL) or "8:16 5000"
 * (v1: the file is about `key` alone).
 */
static void
io_line(struct limits *l, const char *source, const char *line, const char *key)
{
	unsigned dev_major, dev_minor;
	struct limits_io *io;
	uint64_t value;
	char word[64], *equals;

	if (!word_next(&line, word, sizeof(word)) ||
		!word_device(word, &dev_major, &dev_minor))
		return;
	while (word_next(&line, word, sizeof(word))) {
		equals = strchr(word, '=');
		if (!key && !equals)
			continue;
		if (equals)
			*equals = '\0';
		if (units_parse_u64(equals ? equals + 1 : word, 1,
			    LIMITS_UNKNOWN - 1, &value, NULL) != 0)
			continue; /* "max" */
		io = io_entry(l, source, dev_major, dev_minor);
		if (io)
			io_tighten(io, key ? key : word, value);
	}
}

static void
io_file(struct limits *l, const char *root, const char *source,
	const char *path, const char *key)
{
	const char *line;
	struct buf b;

	buf_init(&b);
	below_text(root, &b, "%s", path);
	for (line = buf_text(&b); *line;
		line += strcspn(line, "\n"), line += *line == '\n')
		io_line(l, source, line, key);
	buf_free(&b);
}

/* The files of v1, each about one figure. */
static const struct throttle {
	const char *file;
	const char *key;
} throttles[] = {
	{ "read_bps_device", "rbps" },
	{ "write_bps_device", "wbps" },
	{ "read_iops_device", "riops" },
	{ "write_iops_device", "wiops" },
};

static void
io_level_v1(struct limits *l, const char *root, const char *dir)
{
	char path[PATH_MAX];
	size_t i;

	for (i = 0; i < sizeof(throttles) / sizeof(throttles[0]); i++)
		if (below_path(path, sizeof(path), dir, "/blkio.throttle.%s",
			    throttles[i].file) == 0)
			io_file(l, root, "cgroup v1 blkio.throttle", path,
				throttles[i].key);
}

static void
io_level_v2(struct limits *l, const char *root, const char *dir)
{
	char path[PATH_MAX];

	if (below_path(path, sizeof(path), dir, "/io.max") == 0)
		io_file(l, root, "cgroup v2 io.max", path, NULL);
}

/* ---- CPU time ------------------------------------------------------------ */

/* quota of each period, both in us; one that is 0 or absent is none. */
static void
cpu_tighten(struct limits *l, uint64_t quota, uint64_t period)
{
	double pct;

	if (quota == 0 || quota > INT64_MAX || period == 0 ||
		period == LIMITS_UNKNOWN)
		return; /* v1 writes -1, v2 "max" */
	pct = 100.0 * (double)quota / (double)period;
	if (l->cpu_pct == 0 || pct < l->cpu_pct)
		l->cpu_pct = pct;
}

/* "50000 100000", "max 100000" */
static void
cpu_level_v2(struct limits *l, const char *root, const char *dir)
{
	char text[64], quota[32], period[32];
	const char *line = text;
	uint64_t a, b;

	if (below_line(root, text, sizeof(text), "%s/cpu.max", dir) &&
		word_next(&line, quota, sizeof(quota)) &&
		word_next(&line, period, sizeof(period)) &&
		units_parse_u64(quota, 1, INT64_MAX, &a, NULL) == 0 &&
		units_parse_u64(period, 1, INT64_MAX, &b, NULL) == 0)
		cpu_tighten(l, a, b);
}

/* ---- all ----------------------------------------------------------------- */

/* Our own group and all above it. */
static void
walk_v2(struct limits *l, const char *root, const char *cgroup,
	const char *mountinfo)
{
	struct group g = { .key_max = "memory.max",
		.key_high = "memory.high",
		.key_now = "memory.current",
		.key_inactive = "inactive_file",
		.key_active = "active_file" };
	int i;

	if (!group_find(&g, cgroup, mountinfo, ""))
		return;
	for (i = 0; i < LEVELS_MAX; i++) {
		memory_level(l, root, &g);
		io_level_v2(l, root, g.dir);
		cpu_level_v2(l, root, g.dir);
		if (!group_up(&g))
			break;
	}
}

static void
walk_v1(struct limits *l, const char *root, const char *cgroup,
	const char *mountinfo)
{
	struct group g = { .key_max = "memory.limit_in_bytes",
		.key_now = "memory.usage_in_bytes",
		.key_inactive = "total_inactive_file",
		.key_active = "total_active_file" };
	int i;

	if (group_find(&g, cgroup, mountinfo, "memory"))
		for (i = 0; i < LEVELS_MAX; i++) {
			memory_level(l, root, &g);
			if (!group_up(&g))
				break;
		}
	if (group_find(&g, cgroup, mountinfo, "blkio"))
		for (i = 0; i < LEVELS_MAX; i++) {
			io_level_v1(l, root, g.dir);
			if (!group_up(&g))
				break;
		}
	if (group_find(&g, cgroup, mountinfo, "cpu"))
		for (i = 0; i < LEVELS_MAX; i++) {
			cpu_tighten(l,
				below_number(
					root, "%s/cpu.cfs_quota_us", g.dir),
				below_number(
					root, "%s/cpu.cfs_period_us", g.dir));
			if (!group_up(&g))
				break;
		}
}

void
limits_read(struct limits *l, const char *root)
{
	struct buf cgroup, mountinfo;
	struct rlimit size;

	memset(l, 0, sizeof(*l));
	l->memory_free_bytes = LIMITS_UNKNOWN;
	l->aio_max_nr = below_number(root, "/proc/sys/fs/aio-max-nr");
	l->aio_nr = below_number(root, "/proc/sys/fs/aio-nr");
	l->file_size_bytes = LIMITS_UNKNOWN;
	if (getrlimit(RLIMIT_FSIZE, &size) == 0 &&
		size.rlim_cur != RLIM_INFINITY)
		l->file_size_bytes = size.rlim_cur;
	buf_init(&cgroup);
	buf_init(&mountinfo);
	if (below_text(root, &cgroup, "/proc/self/cgroup") == 0 &&
		below_text(root, &mountinfo, "/proc/self/mountinfo") == 0) {
		walk_v2(l, root, buf_text(&cgroup), buf_text(&mountinfo));
		walk_v1(l, root, buf_text(&cgroup), buf_text(&mountinfo));
	}
	buf_free(&mountinfo);
	buf_free(&cgroup);
}
