#include "receipt/finding_place.h"

#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "base/units.h"

const struct receipt_layer *
finding_place_rotational(const struct receipt_target *t)
{
	size_t i;

	for (i = 0; t && i < t->stack_count; i++)
		if (t->stack[i].rotational == 1 &&
			finding_case_is(t->stack[i].layer, "disk"))
			return &t->stack[i];
	return NULL;
}

const char *
finding_place_write_cache(const struct receipt_target *t)
{
	size_t i = t ? t->stack_count : 0;

	for (; i > 0; i--)
		if (t->stack[i - 1].write_cache)
			return t->stack[i - 1].write_cache;
	return NULL;
}

bool
finding_place_is_measured(const struct receipt *r)
{
	return r->window_count > 0 || r->probe;
}

bool
finding_place_is_virtual(const struct receipt *r)
{
	return !r->host || !finding_case_is(r->host->virtualisation, "none");
}

/* " (why)", or "". */
static const char *
finding_place_why(struct finding_case *c)
{
	const char *why = c->receipt->target->backing_why;

	if (!why || !*why)
		return "";
	why = arena_printf(c->arena, " (%s)", why);
	c->failed |= !why;
	return why ? why : "";
}

void
finding_place_memory(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	struct finding_draft d = { .level = FINDING_WARNING };

	if (t && finding_case_is(t->backing, "memory"))
		finding_case_say(c, &d,
			"the target lies in memory%s: figures taken there are "
			"those of RAM and this CPU, not of storage.",
			finding_place_why(c));
}

void
finding_place_unknown(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	struct finding_draft d = { .level = FINDING_WARNING };

	if (t && finding_case_is(t->backing, "unknown"))
		finding_case_say(c, &d,
			"what answers for the target cannot be told%s: it may "
			"not be a disk alone, and what others do there may "
			"not be seen.",
			finding_place_why(c));
}

/* "6.14.0-1-amd64" as 6014; 0 where it is no release. */
static uint64_t
finding_place_kernel(const char *release)
{
	uint64_t part[2] = { 0, 0 };
	int n = 0;

	for (; release && *release && n < 2; release++) {
		if (*release >= '0' && *release <= '9' && part[n] < 1000)
			part[n] = part[n] * 10 + (uint64_t)(*release - '0');
		else if (*release == '.')
			n++;
		else
			break;
	}
	return part[0] * 1000 + part[1];
}

bool
finding_place_mounted(const struct receipt_target *t, const char *word)
{
	const char *s = t->mount_options;
	size_t len = strlen(word), n;

	while (s && *s) {
		n = strcspn(s, ",");
		if (n >= len && !strncmp(s, word, len) &&
			(n == len || s[len] == '='))
			return true;
		s += n;
		s += *s == ',';
	}
	return false;
}

static bool
finding_place_is_buffered(const struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;

	return t && c->receipt->host && t->nocow == 0 &&
	       finding_case_is(t->filesystem, "btrfs") &&
	       !finding_place_mounted(t, "nodatasum") &&
	       !finding_place_mounted(t, "nodatacow") &&
	       (double)finding_place_kernel(c->receipt->host->kernel) >=
		       finding_case_limit(c, "kernel");
}

/* What of a window's reads the disk has seen, in per cent; NAN: not told. */
static double
finding_place_seen_pct(const struct finding_window *w)
{
	const struct receipt_device *dev = w->w->device;

	if (!dev || !shape_has(dev->read_bytes) || !w->w->read ||
		!shape_has(w->w->read->bytes) || w->w->read->bytes == 0)
		return NAN;
	return (double)dev->read_bytes / (double)w->w->read->bytes * 100;
}

void
finding_place_buffered(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = FINDING_LIKELY };
	double least = finding_case_limit(c, "seen_pct"), pct;
	struct finding_worst worst = { 0 };
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		pct = finding_place_seen_pct(&c->windows[i]);
		if (pct < least)
			finding_case_count(c, &worst, i, 100 - pct);
	}
	if (worst.count > 0) {
		finding_case_figure(&d, "seen_pct", 100 - worst.by);
		finding_case_windows(&d, &worst);
		finding_case_say(c, &d,
			"the disk saw %.0f %% of what was read in %s%s: a "
			"cache of this machine answered the rest.",
			100 - worst.by, finding_case_where(c, worst.at),
			finding_case_more(c, &worst));
	} else if (finding_place_is_buffered(c)) {
		finding_case_say(c, &d,
			"btrfs with checksums buffers direct I/O on this "
			"kernel (%s): the page cache takes part in these "
			"figures.",
			c->receipt->host->kernel);
	}
}

void
finding_place_nocow(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	struct finding_draft d = { .level = FINDING_NOTE };

	if (t && t->nocow == 1)
		finding_case_say(c, &d,
			"the target was made without copy on write and "
			"checksums, as databases make their files: other files "
			"here behave otherwise (--keep-cow measures that).");
}

bool
finding_place_is_thin(const struct receipt_target *t)
{
	size_t i;

	for (i = 0; t && i < t->stack_count; i++)
		if (finding_case_is(t->stack[i].layer, "dm-thin"))
			return true;
	return false;
}

void
finding_place_thin(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_NOTE,
		.confidence = FINDING_LIKELY,
		.command = "fstrim -v \"$(findmnt -n -o TARGET -T DIR)\"" };

	if (finding_place_is_thin(c->receipt->target)) {
		finding_case_say(c, &d,
			"the file lay on a thin volume: its pool keeps the "
			"blocks of the removed file until the next fstrim.");
		return;
	}
	if (!finding_case_has(c, "first-touch") ||
		!finding_place_is_virtual(c->receipt))
		return;
	d.confidence = FINDING_POSSIBLE;
	d.command = NULL;
	finding_case_say(c, &d,
		"a virtual disk that became faster as it was used may be "
		"given its blocks only when they are first written: measure "
		"again before comparing.");
}

void
finding_place_small_file(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	const struct receipt_host *h = c->receipt->host;
	struct finding_draft d = { .level = FINDING_NOTE };
	uint64_t wanted;
	char size[UNITS_SIZE];

	if (!t || !h || !finding_place_is_measured(c->receipt) ||
		!shape_has(t->size_bytes) || !shape_has(h->memory_bytes) ||
		finding_case_is(t->backing, "memory") ||
		!finding_place_is_virtual(c->receipt) ||
		(double)t->size_bytes >= finding_case_limit(c, "memory_ratio") *
						 (double)h->memory_bytes)
		return;
	wanted = (h->memory_bytes >> 30) + 1;
	finding_case_figure(&d, "size_bytes", (double)t->size_bytes);
	finding_case_figure(&d, "memory_bytes", (double)h->memory_bytes);
	units_bytes(t->size_bytes, size, sizeof(size));
	finding_case_say(c, &d,
		"the file (%s) is smaller than this machine's memory (%s): "
		"direct I/O passes by the cache in here, but not by one of the "
		"host; --size %lluG would exclude it.",
		size, finding_case_bytes(c, h->memory_bytes),
		(unsigned long long)wanted);
}

const char *
finding_place_shell_name(const struct receipt_layer *l)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

	return l->name && *l->name && !l->name[strspn(l->name, plain)] ? l->name
								       : "NAME";
}

void
finding_place_turning(struct finding_case *c)
{
	const struct receipt_layer *disk =
		finding_place_rotational(c->receipt->target);
	struct finding_draft d = { .level = FINDING_NOTE };
	const char *name;

	if (!disk || !finding_place_is_measured(c->receipt))
		return;
	name = disk->name ? disk->name : "a disk";
	if (!finding_place_is_virtual(c->receipt)) {
		finding_case_say(c, &d,
			"%s turns: each read waits for its place to come "
			"round, about 100 to 200 times a second.",
			name);
		return;
	}
	d.command = arena_printf(c->arena,
		"echo 0 > /sys/block/%s/queue/rotational",
		finding_place_shell_name(disk));
	c->failed |= !d.command;
	finding_case_say(c, &d,
		"%s says that it turns; a virtual disk says so unless it is "
		"told otherwise. Where it does not turn, the command tells the "
		"kernel.",
		name);
}
