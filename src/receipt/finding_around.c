#include "receipt/finding_around.h"

#include <math.h>
#include <stdio.h>

#include "base/shape.h"
#include "receipt/finding_place.h"

/* ns of all together as a share of the window that each of `of` had. */
static double
finding_around_pct(const struct finding_window *w, uint64_t ns, uint64_t of)
{
	if (!shape_has(ns) || !shape_has(w->w->elapsed_ns) ||
		w->w->elapsed_ns == 0 || of == 0)
		return NAN;
	return (double)ns / (double)of / (double)w->w->elapsed_ns * 100;
}

double
finding_around_own_pct(
	const struct finding_case *c, const struct finding_window *w)
{
	const struct receipt_host *h = c->receipt->host;
	const struct receipt_cpu *cpu = w->w->cpu;
	uint64_t cores = w->threads;

	if (!cpu || !shape_has(cpu->user_ns) || !shape_has(cpu->system_ns))
		return NAN;
	if (h && shape_has(h->cpus) && h->cpus < cores)
		cores = h->cpus;
	return finding_around_pct(w, cpu->user_ns + cpu->system_ns, cores);
}

double
finding_around_wait_pct(const struct finding_window *w)
{
	return w->w->cpu ? finding_around_pct(
				   w, w->w->cpu->runqueue_wait_ns, w->threads)
			 : NAN;
}

static const char *
finding_around_level(
	const struct finding_case *c, double pct, const char *warning)
{
	return pct > finding_case_limit(c, warning) ? FINDING_WARNING
						    : FINDING_NOTE;
}

static double
finding_around_more(double a, double b)
{
	return isnan(a) || b > a ? b : a;
}

/* Of its worst second or its worst CPU, whichever is more. */
static double
finding_around_worst_steal(const struct receipt_cpu *cpu)
{
	return finding_around_more(
		cpu->steal_worst_second_pct, cpu->steal_worst_cpu_pct);
}

static void
finding_around_steal_say(
	struct finding_case *c, const struct finding_worst *worst)
{
	const struct receipt_cpu *cpu = c->windows[worst->at].w->cpu;
	struct finding_draft d = { .confidence = FINDING_LIKELY };
	const char *most = "";

	d.level = finding_around_level(c, cpu->steal_pct, "warning_pct");
	finding_case_figure(&d, "steal_pct", cpu->steal_pct);
	finding_case_figure(
		&d, "worst_second_pct", cpu->steal_worst_second_pct);
	finding_case_figure(&d, "worst_cpu_pct", cpu->steal_worst_cpu_pct);
	finding_case_windows(&d, worst);
	if (!isnan(finding_around_worst_steal(cpu)))
		most = arena_printf(c->arena,
			", of its worst second or CPU %.1f %%",
			finding_around_worst_steal(cpu));
	c->failed |= !most;
	finding_case_say(c, &d,
		"the hypervisor took %.1f %% of the CPU time during %s%s%s: "
		"what was slow there need not be the disk.",
		cpu->steal_pct, finding_case_where(c, worst->at),
		most ? most : "", finding_case_more(c, worst));
}

/* The minute of the neighbour probe, where the windows had none. */
static void
finding_around_steal_probe(struct finding_case *c)
{
	const struct receipt_probe *p = c->receipt->probe;
	struct finding_draft d = { .confidence = FINDING_LIKELY };

	if (!p || !(p->steal_mean_pct > finding_case_limit(c, "note_pct")))
		return;
	d.level = finding_around_level(c, p->steal_mean_pct, "warning_pct");
	finding_case_figure(&d, "steal_pct", p->steal_mean_pct);
	finding_case_figure(&d, "worst_second_pct", p->steal_worst_pct);
	finding_case_say(c, &d,
		"the hypervisor took %.1f %% of the CPU time during the "
		"neighbour probe: what was slow there need not be the disk.",
		p->steal_mean_pct);
}

void
finding_around_steal(struct finding_case *c)
{
	struct finding_worst worst = { 0 };
	const struct receipt_cpu *cpu;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		cpu = c->windows[i].w->cpu;
		if (!cpu || isnan(cpu->steal_pct))
			continue;
		if (cpu->steal_pct > finding_case_limit(c, "note_pct") ||
			finding_around_worst_steal(cpu) >
				finding_case_limit(c, "worst_pct"))
			finding_case_count(c, &worst, i, cpu->steal_pct);
	}
	if (worst.count > 0)
		finding_around_steal_say(c, &worst);
	else
		finding_around_steal_probe(c);
}

/*
 * What our waits for a CPU may come from, in per cent of one CPU: other
 * programs, the hypervisor, the other threads of this one; NAN where others are
 * not told.
 */
static double
finding_around_rivals_pct(
	const struct finding_case *c, const struct finding_window *w)
{
	const struct receipt_host *h = c->receipt->host;
	const struct receipt_cpu *cpu = w->w->cpu;
	double own = finding_around_pct(w, cpu->user_ns + cpu->system_ns, 1);
	double rivals = cpu->others_cpu_pct;

	if (h && shape_has(h->cpus) && !isnan(cpu->steal_pct))
		rivals += cpu->steal_pct * (double)h->cpus;
	if (!isnan(own))
		rivals += own * (double)(w->threads - 1) / (double)w->threads;
	return rivals;
}

/* Did they have CPUs for as long as we waited?  Where that is not told: yes. */
static bool
finding_around_disturbed(
	const struct finding_case *c, const struct finding_window *w)
{
	double rivals = finding_around_rivals_pct(c, w);

	return isnan(rivals) ||
	       rivals >= finding_around_wait_pct(w) *
				 finding_case_limit(c, "rivals_pct") / 100;
}

static void
finding_around_wait_say(struct finding_case *c,
	const struct finding_worst *wait, const char *level, const char *why)
{
	const struct finding_window *w = &c->windows[wait->at];
	struct finding_draft d = { .level = level,
		.confidence = FINDING_LIKELY };

	finding_case_figure(&d, "wait_pct", wait->by);
	finding_case_figure(&d, "own_cpu_pct", finding_around_own_pct(c, w));
	finding_case_figure(&d, "others_cpu_pct", w->w->cpu->others_cpu_pct);
	finding_case_figure(&d, "kernel_cpu_pct", w->w->cpu->kernel_cpu_pct);
	finding_case_windows(&d, wait);
	c->failed |= !why;
	finding_case_say(c, &d,
		"during %s this program was ready but waited for a CPU for "
		"%.1f %% of the time%s: %s",
		finding_case_where(c, wait->at), wait->by,
		finding_case_more(c, wait), why ? why : "");
}

/* Nobody else had a CPU for as long as we waited: was it the kernel? */
static const char *
finding_around_kernel_text(
	const struct finding_case *c, const struct finding_worst *wait)
{
	const struct receipt_cpu *cpu = c->windows[wait->at].w->cpu;

	if (cpu->kernel_cpu_pct >=
		wait->by * finding_case_limit(c, "kernel_pct") / 100)
		return arena_printf(c->arena,
			"for the kernel's own threads, which also finish I/O "
			"(%.1f %% of a CPU; other programs %.1f %%). On this "
			"machine that is part of an I/O.",
			cpu->kernel_cpu_pct, cpu->others_cpu_pct);
	return arena_printf(c->arena,
		"other programs had %.1f %% of a CPU, which is less; who had "
		"it then is not seen.",
		cpu->others_cpu_pct);
}

/* The window with the longest waits: those that others explain come first. */
static void
finding_around_waits(struct finding_case *c)
{
	struct finding_worst disturbed = { 0 }, alone = { 0 };
	double pct;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		pct = finding_around_wait_pct(&c->windows[i]);
		if (!(pct > finding_case_limit(c, "note_pct")))
			continue;
		if (finding_around_disturbed(c, &c->windows[i]))
			finding_case_count(c, &disturbed, i, pct);
		else
			finding_case_count(c, &alone, i, pct);
	}
	if (disturbed.count > 0)
		finding_around_wait_say(c, &disturbed,
			finding_around_level(c, disturbed.by, "warning_pct"),
			"the highest percentiles measure that, not the disk.");
	else if (alone.count > 0)
		finding_around_wait_say(c, &alone, FINDING_NOTE,
			finding_around_kernel_text(c, &alone));
}

void
finding_around_cpu(struct finding_case *c)
{
	struct finding_draft d = { .level = FINDING_NOTE,
		.confidence = FINDING_LIKELY };
	struct finding_worst own = { 0 };
	size_t i;
	double pct;

	finding_around_waits(c);
	for (i = 0; i < c->window_count; i++) {
		pct = finding_around_own_pct(c, &c->windows[i]);
		if (pct > finding_case_limit(c, "own_pct"))
			finding_case_count(c, &own, i, pct);
	}
	if (own.count == 0 || finding_case_has(c, c->rule->code))
		return;
	finding_case_figure(&d, "own_cpu_pct", own.by);
	finding_case_windows(&d, &own);
	finding_case_say(c, &d,
		"during %s this program itself kept a CPU busy for %.0f %% of "
		"the time%s: the CPU, not the disk, may set the rate.",
		finding_case_where(c, own.at), own.by,
		finding_case_more(c, &own));
}

static double
finding_around_bytes(const struct receipt_lane *lane)
{
	return lane && shape_has(lane->bytes) ? (double)lane->bytes : 0;
}

/*
 * Bytes of others as a share of ours, the larger of reads and writes; NAN
 * where it is not told or too little to disturb anybody.
 */
static double
finding_around_others_pct(
	const struct finding_case *c, const struct finding_window *w)
{
	const struct receipt_device *dev = w->w->device;
	double own = finding_around_bytes(w->w->read) +
		     finding_around_bytes(w->w->write);
	double least = finding_case_limit(c, "least_bytes_s") *
		       (double)w->w->elapsed_ns / 1e9;
	double read = 0, written = 0, most;

	if (!dev || own <= 0)
		return NAN;
	if (shape_has(dev->other_read_bytes))
		read = (double)dev->other_read_bytes;
	if (shape_has(dev->other_write_bytes))
		written = (double)dev->other_write_bytes;
	most = read > written ? read : written;
	return most >= least ? most / own * 100 : NAN;
}

void
finding_around_others(struct finding_case *c)
{
	double note = finding_case_limit(c, "note_pct"), pct;
	struct finding_draft d = { .confidence = FINDING_LIKELY };
	struct finding_worst worst = { 0 };
	const struct receipt_device *dev;
	size_t i;

	/* a pool writes about its blocks, too */
	if (finding_place_is_thin(c->receipt->target))
		return;
	for (i = 0; i < c->window_count; i++) {
		pct = finding_around_others_pct(c, &c->windows[i]);
		if (pct > note)
			finding_case_count(c, &worst, i, pct);
	}
	if (worst.count == 0)
		return;
	d.level = finding_around_level(c, worst.by, "warning_pct");
	dev = c->windows[worst.at].w->device;
	finding_case_figure(&d, "others_pct", worst.by);
	if (shape_has(dev->other_read_bytes))
		finding_case_figure(
			&d, "other_read_bytes", (double)dev->other_read_bytes);
	if (shape_has(dev->other_write_bytes))
		finding_case_figure(&d, "other_write_bytes",
			(double)dev->other_write_bytes);
	finding_case_windows(&d, &worst);
	finding_case_say(c, &d,
		"during %s others on this machine read %s and wrote %s on the "
		"same disk, up to %.0f %% of what was measured%s: these "
		"figures are those of a shared disk.",
		finding_case_where(c, worst.at),
		finding_case_bytes(c, shape_has(dev->other_read_bytes)
					      ? dev->other_read_bytes
					      : 0),
		finding_case_bytes(c, shape_has(dev->other_write_bytes)
					      ? dev->other_write_bytes
					      : 0),
		worst.by, finding_case_more(c, &worst));
}

/* "200 reads/s, 4 MiB/s written" */
static const char *
finding_around_limit(struct finding_case *c, const struct receipt_limit *l)
{
	char text[FINDING_CASE_TEXT / 4] = "";
	size_t len = 0;
	const char *kept;

	if (shape_has(l->riops))
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			", %s reads/s", finding_case_rate(c, (double)l->riops));
	if (shape_has(l->wiops))
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			", %s writes/s",
			finding_case_rate(c, (double)l->wiops));
	if (shape_has(l->rbps))
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			", %s/s read", finding_case_bytes(c, l->rbps));
	if (shape_has(l->wbps))
		snprintf(text + len, sizeof(text) - len, ", %s/s written",
			finding_case_bytes(c, l->wbps));
	kept = arena_strdup(c->arena, *text ? text + 2 : "no figures");
	c->failed |= !kept;
	return kept ? kept : "";
}

static void
finding_around_limit_figure(
	struct finding_draft *d, const char *key, uint64_t v)
{
	if (shape_has(v))
		finding_case_figure(d, key, (double)v);
}

void
finding_around_limits(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	struct finding_draft d = { .level = FINDING_WARNING };
	char more[48] = "";

	if (!t || t->limit_count == 0)
		return;
	finding_around_limit_figure(&d, "riops", t->limits[0].riops);
	finding_around_limit_figure(&d, "wiops", t->limits[0].wiops);
	finding_around_limit_figure(&d, "rbps", t->limits[0].rbps);
	finding_around_limit_figure(&d, "wbps", t->limits[0].wbps);
	if (t->limit_count > 1) {
		finding_case_figure(&d, "limits", (double)t->limit_count);
		snprintf(more, sizeof(more), " (and %zu more)",
			t->limit_count - 1);
	}
	finding_case_say(c, &d,
		"a control group that this program runs in limits its I/O on "
		"%s (%s: %s%s): the disk itself may do more.",
		t->limits[0].name ? t->limits[0].name : "the disk",
		t->limits[0].source, finding_around_limit(c, &t->limits[0]),
		more);
}

/* Clock sources that a program reads without entering the kernel. */
static const char *const finding_around_fast_clocks[] = { "tsc", "kvm-clock",
	"arch_sys_counter", "hyperv_clocksource_tsc_page", "xen", NULL };

static bool
finding_around_is_fast(const char *source)
{
	size_t i;

	for (i = 0; finding_around_fast_clocks[i]; i++)
		if (finding_case_is(source, finding_around_fast_clocks[i]))
			return true;
	return false;
}

void
finding_around_slow_clock(struct finding_case *c)
{
	const struct receipt_clock *clock = c->receipt->clock;
	struct finding_draft d = { .level = FINDING_WARNING };
	bool slow;

	if (!clock)
		return;
	slow = shape_has(clock->read_cost_ns) &&
	       (double)clock->read_cost_ns > finding_case_limit(c, "cost_ns");
	if (!slow && (!clock->source || finding_around_is_fast(clock->source)))
		return;
	d.confidence = slow ? FINDING_LIKELY : FINDING_POSSIBLE;
	if (shape_has(clock->read_cost_ns))
		finding_case_figure(
			&d, "read_cost_ns", (double)clock->read_cost_ns);
	if (slow)
		finding_case_say(c, &d,
			"one reading of the clock (%s) takes %llu ns, and each "
			"latency has two of them in it.",
			clock->source ? clock->source : "source not told",
			(unsigned long long)clock->read_cost_ns);
	else
		finding_case_say(c, &d,
			"the clock source is %s, which may be slow or coarse "
			"beside the latencies that it measures.",
			clock->source);
}

void
finding_around_clock_doubtful(struct finding_case *c)
{
	const struct receipt_clock *clock = c->receipt->clock;
	struct finding_draft d = { .level = FINDING_NOTE };

	if (!clock)
		return;
	if (finding_case_is(clock->state, "unset"))
		finding_case_say(c, &d,
			"the wall clock is older than this program: the date "
			"of this receipt is wrong (latencies are not, they "
			"come from another clock).");
	else if (finding_case_is(clock->state, "unsynced"))
		finding_case_say(c, &d,
			"nothing keeps the wall clock right: the date of this "
			"receipt may be wrong (latencies are not, they come "
			"from another clock).");
}
