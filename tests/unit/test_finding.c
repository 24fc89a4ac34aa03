/*
 * Each threshold of each rule from both sides, and that moving it by a little
 * is seen; a rule without thresholds with and without what it looks for.
 */
#include <math.h>

#include "receipt/finding.h"
#include "receipt/recheck.h"
#include "quiet.h"
#include "tap.h"

typedef void (*setter)(struct quiet *q, double v);

/* ---- what the rows set ------------------------------------------------------ */

static struct receipt_latency *
lat(struct quiet *q, int w)
{
	return q->windows[w].read ? q->windows[w].read->lat_ns
				  : q->windows[w].write->lat_ns;
}

static void
set_seconds(struct quiet *q, double v)
{
	double flat[QUIET_SECONDS];
	size_t i;

	for (i = 0; i < QUIET_SECONDS; i++)
		flat[i] = 80000;
	quiet_rates(q, QD32, flat, (size_t)v + 2);
}

static void
set_deep_slots(struct quiet *q, double v)
{
	q->jobs[1].iodepth = (uint64_t)v;
	set_seconds(q, 10);
}

static void
set_memory(struct quiet *q, double v)
{
	q->target.backing = v > 0 ? "memory" : "disk";
	q->target.backing_why = v > 0 ? "tmpfs lies in memory" : NULL;
}

static void
set_unknown(struct quiet *q, double v)
{
	q->target.backing = v > 0 ? "unknown" : "disk";
}

static void
set_seen(struct quiet *q, double v)
{
	q->windows[QD1_2].device->read_bytes =
		(uint64_t)((double)q->windows[QD1_2].read->bytes * v / 100);
}

static void
set_kernel(struct quiet *q, double v)
{
	q->host.kernel = arena_printf(
		&q->a, "%d.%d.0-rc1", (int)v / 1000, (int)v % 1000);
	q->target.filesystem = "btrfs";
	q->target.nocow = 0;
}

static void
set_limits(struct quiet *q, double v)
{
	q->target.limit_count = (size_t)v;
}

static void
set_steal(struct quiet *q, double v)
{
	q->windows[MIXED].cpu->steal_pct = v;
}

static void
set_worst_steal(struct quiet *q, double v)
{
	q->windows[MIXED].cpu->steal_worst_second_pct = v;
	q->windows[SYNC].cpu->steal_worst_cpu_pct = v;
}

static void
set_wait(struct quiet *q, double v)
{
	struct receipt_window *w = &q->windows[QD1_2];

	w->cpu->runqueue_wait_ns =
		(uint64_t)((double)w->elapsed_ns * v / 100 + 0.5);
	w->cpu->others_cpu_pct = 100;
}

/* where who had the CPU is not told */
static void
set_wait_unseen(struct quiet *q, double v)
{
	set_wait(q, v);
	q->windows[QD1_2].cpu->others_cpu_pct = __builtin_nan("");
	q->windows[QD1_2].cpu->kernel_cpu_pct = __builtin_nan("");
}

/* waits of 10 %, of which others explain v per cent */
static void
set_rivals(struct quiet *q, double v)
{
	struct receipt_cpu *cpu = q->windows[QD1_2].cpu;

	set_wait(q, 10);
	cpu->steal_pct = 0;
	cpu->others_cpu_pct = v / 10;
}

/* the same by steal on the machine's two CPUs */
static void
set_rival_steal(struct quiet *q, double v)
{
	set_rivals(q, 0);
	q->windows[QD1_2].cpu->steal_pct = v / 20;
}

/* the same by our other thread */
static void
set_rival_threads(struct quiet *q, double v)
{
	struct receipt_window *w = &q->windows[QD1_2];

	set_rivals(q, 0);
	for (size_t i = 0; i < q->r.plan->job_count; i++)
		q->jobs[i].numjobs = 2;
	w->cpu->runqueue_wait_ns *= 2;
	w->cpu->user_ns = 0;
	w->cpu->system_ns =
		(uint64_t)((double)w->elapsed_ns * v / 10 / 100 * 2 + 0.5);
}

/* waits of 10 %, the kernel's threads had v per cent of that */
static void
set_kernel_threads(struct quiet *q, double v)
{
	set_rivals(q, 3);
	q->windows[QD1_2].cpu->kernel_cpu_pct = v / 10;
}

static void
set_own(struct quiet *q, double v)
{
	struct receipt_window *w = &q->windows[QD32];

	w->cpu->user_ns = 0;
	w->cpu->system_ns = (uint64_t)((double)w->elapsed_ns * v / 100 + 0.5);
}

static void
set_others(struct quiet *q, double v)
{
	struct receipt_window *w = &q->windows[QD1_1];

	w->device->other_write_bytes =
		(uint64_t)((double)w->read->bytes * v / 100);
}

static void
set_others_slow(struct quiet *q, double v)
{
	struct receipt_window *w = &q->windows[QD1_1];

	w->read->bytes = 8 << 20;
	w->device->other_read_bytes = (uint64_t)(v * QUIET_SECONDS);
}

static void
set_max(struct quiet *q, double v)
{
	lat(q, QD1_1)->max = (uint64_t)(v * 1e6);
}

static void
set_max_ratio(struct quiet *q, double v)
{
	lat(q, QD1_1)->max = 600 * QUIET_MS;
	lat(q, QD1_1)->p99 = (uint64_t)(600e6 / v);
}

static void
set_gap(struct quiet *q, double v)
{
	q->windows[SYNC].longest_gap_ns = (uint64_t)(v * 1e6);
}

/* k seconds at `high`, the others at 1000, each swinging by so many per cent */
static void
set_step(struct quiet *q, int k, double high, double before, double after)
{
	double v[QUIET_SECONDS];
	int i;

	for (i = 0; i < QUIET_SECONDS; i++) {
		if (i < k)
			v[i] = high * (1 + (i % 2 ? before : -before) / 100);
		else
			v[i] = 1000 * (1 + (i % 2 ? after : -after) / 100);
	}
	quiet_rates(q, QD1_2, v, QUIET_SECONDS);
}

static void
set_step_ratio(struct quiet *q, double v)
{
	set_step(q, 5, 1000 * v, 0, 0);
}

static void
set_step_side(struct quiet *q, double v)
{
	set_step(q, (int)v, 3000, 0, 0);
}

static void
set_step_before(struct quiet *q, double v)
{
	set_step(q, 7, 3000, v, 0);
}

static void
set_step_after(struct quiet *q, double v)
{
	set_step(q, 4, 3000, 0, v);
}

/* `share` per cent of the reads at ns, the others at p50_ns */
static void
set_two(struct quiet *q, uint64_t p50_ns, uint64_t ns, double share)
{
	uint64_t slow = (uint64_t)(share * 1000);
	const struct quiet_heap heaps[] = { { p50_ns, 100000 - slow },
		{ ns, slow }, { 0, 0 } };
	int i;

	for (i = QD1_1; i <= QD1_3; i++)
		q->windows[i].read->lat_ns = quiet_latency(q, heaps);
}

static void
set_slice_share(struct quiet *q, double v)
{
	set_two(q, 70 * QUIET_US, 100 * QUIET_MS, v);
}

static void
set_slice(struct quiet *q, double v)
{
	set_two(q, 70 * QUIET_US, (uint64_t)(v * 1e6), 10);
}

static void
set_slice_within(struct quiet *q, double v)
{
	set_two(q, 70 * QUIET_US, (uint64_t)(1e6 * (100 + v)), 10);
}

static void
set_slice_mean(struct quiet *q, double v)
{
	set_two(q, (uint64_t)(6e6 / (v - 0.94)), 100 * QUIET_MS, 6);
}

static void
set_mean_ratio(struct quiet *q, double v)
{
	struct receipt_latency *l = lat(q, QD32);

	l->mean = (uint64_t)((double)l->p50 * v);
	l->tw_p50 = 100 * l->p50;
}

/* four fifths of the time are held back, v per cent of that by waits */
static void
set_starved(struct quiet *q, double v)
{
	struct receipt_latency *l = lat(q, QD32);
	struct receipt_window *w = &q->windows[QD32];

	l->mean = 5 * l->p50;
	l->tw_p50 = 100 * l->p50;
	w->cpu->steal_pct = 0;
	w->cpu->runqueue_wait_ns =
		(uint64_t)((double)w->elapsed_ns * 0.8 * v / 100);
}

static void
set_held_by_others(struct quiet *q, double v)
{
	set_starved(q, 1);
	q->windows[QD32].device->other_read_bytes =
		v > 0 ? q->windows[QD32].read->bytes : 0;
}

static void
set_weighted_ratio(struct quiet *q, double v)
{
	struct receipt_latency *l = lat(q, QD32);

	l->mean = 5 * l->p50;
	l->tw_p50 = (uint64_t)((double)l->p50 * v);
}

static void
set_cv(struct quiet *q, double v)
{
	quiet_swing(q, QD32, 83000, v);
}

static void
set_round(struct quiet *q, double v)
{
	quiet_swing(q, QD32, 80000 * (1 + v / 100), 0.1);
}

/* 83,000 and some bytes a second are nothing, 400 MiB/s are round */
static void
set_round_bw(struct quiet *q, double v)
{
	quiet_swing(q, QD32, 102400 * (1 + v / 100), 0.1);
}

static void
set_rate(struct quiet *q, double v)
{
	quiet_swing(q, QD32, v, 0.1);
}

static void
set_multiple(struct quiet *q, double v)
{
	quiet_swing(q, QD32, 5500 * (1 + v / 100), 0.1);
}

static void
set_same(struct quiet *q, double v)
{
	int i;

	quiet_swing(q, QD32, 13700, 0.1);
	for (i = QD1_1; i <= QD1_3; i++)
		quiet_swing(q, i, 13700 * (1 - v / 100), 5);
}

static void
set_p99_apart(struct quiet *q, double v)
{
	lat(q, QD1_2)->p99 = (uint64_t)((double)lat(q, QD1_1)->p99 * v);
}

static void
set_probe(struct quiet *q, double spread, double steal)
{
	struct receipt_probe *p = arena_alloc(&q->a, 1, sizeof(*p));
	size_t i;

	p->job = &q->jobs[0];
	p->length_ns = 60 * QUIET_S;
	p->every_ns = 10 * QUIET_S;
	p->sample_count = 2;
	p->samples = arena_alloc(&q->a, 2, sizeof(*p->samples));
	for (i = 0; i < 2; i++)
		p->samples[i] = (struct receipt_sample){ i * 11 * QUIET_S,
			QUIET_S, q->windows[i].read };
	p->p99_min_ns = 100 * QUIET_US;
	p->p99_max_ns = (uint64_t)(100e3 * spread);
	p->p99_spread = spread;
	p->steal_interval_ns = SHAPE_ABSENT;
	p->steal_mean_pct = steal;
	p->steal_worst_pct = steal;
	q->r.probe = p;
}

static void
set_probe_spread(struct quiet *q, double v)
{
	set_probe(q, v, 0.1);
}

static void
set_probe_steal(struct quiet *q, double v)
{
	set_probe(q, 1.1, v);
}

static void
set_worst_second(struct quiet *q, double v)
{
	quiet_swing(q, QD1_3, 14000, 0);
	q->windows[QD1_3].series->read_ios[5] = (uint64_t)(14000 * v / 100);
}

static void
set_spread(struct quiet *q, double v)
{
	q->windows[QD1_2].read->iops =
		14000 * (3 + 2 * v / 100) / (3 - v / 100);
}

static void
set_jitter_ms(struct quiet *q, double v)
{
	lat(q, QD32)->p99 = (uint64_t)(v * 1e6);
}

static void
set_jitter_ratio(struct quiet *q, double v)
{
	lat(q, QD32)->p99 = 60 * QUIET_MS;
	lat(q, QD32)->p50 = (uint64_t)(60e6 / v);
}

static void
set_tail_ratio(struct quiet *q, double v)
{
	lat(q, QD1_2)->p99_9 = (uint64_t)((double)lat(q, QD1_1)->p99_9 * v);
}

static void
set_tail_depth(struct quiet *q, double v)
{
	q->jobs[0].iodepth = 10;
	q->jobs[1].iodepth = (uint64_t)(10 * v);
	lat(q, QD32)->p99_9 = 10 * lat(q, QD1_1)->p99_9;
}

static void
set_slope(struct quiet *q, double v)
{
	double s[QUIET_SECONDS];
	int i;

	for (i = 0; i < QUIET_SECONDS; i++)
		s[i] = 83000 * (1 + v / 100 * ((i - 1) / 9.0 - 0.5));
	quiet_rates(q, QD32, s, QUIET_SECONDS);
}

static void
set_range(struct quiet *q, double v)
{
	quiet_swing(q, QD32, 83000, v / 2);
}

static void
set_fall(struct quiet *q, double v)
{
	lat(q, QD1_1)->p50 = 100 * QUIET_US;
	lat(q, QD1_2)->p50 = 90 * QUIET_US;
	lat(q, QD1_3)->p50 = (uint64_t)(100e3 * (1 - v / 100));
}

static void
set_climb(struct quiet *q, double v)
{
	q->prepare.first_quarter_ns = 2 * QUIET_S;
	q->prepare.last_quarter_ns = (uint64_t)(2e9 / v);
}

static void
set_quarter(struct quiet *q, double v)
{
	q->prepare.first_quarter_ns = (uint64_t)(v * 1e6);
	q->prepare.last_quarter_ns = 100 * QUIET_MS;
}

static void
set_p50_us(struct quiet *q, double v)
{
	int i;

	for (i = QD1_1; i <= QD1_3; i++)
		lat(q, i)->p50 = (uint64_t)(v * 1e3);
}

static void
set_turning(struct quiet *q, double v)
{
	q->stack[2].rotational = 1;
	set_p50_us(q, v * 1e3);
}

static void
set_mode_share(struct quiet *q, double v)
{
	set_two(q, 70 * QUIET_US, 900 * QUIET_US, v);
}

static void
set_mode_ratio(struct quiet *q, double v)
{
	set_two(q, 70 * QUIET_US, (uint64_t)(70e3 * v), 30);
}

/* the middle of the k-th quarter of an octave from 65.5 us on */
static uint64_t
quarter_ns(int k)
{
	return (UINT64_C(65536) << k / 4) * (uint64_t)(9 + k % 4 * 2) / 8;
}

/* two heaps and a bridge; three of its quarters are v per cent of the lower */
static void
set_hollow(struct quiet *q, double v)
{
	uint64_t bridge = (uint64_t)(30000 * v / (300 - 2 * v));
	struct quiet_heap heaps[13] = { { quarter_ns(0), 60000 },
		{ quarter_ns(10), 30000 } };
	int i, k;

	for (i = 1; i < 10; i++)
		heaps[1 + i] = (struct quiet_heap){ quarter_ns(i), bridge };
	for (k = QD1_1; k <= QD1_3; k++)
		q->windows[k].read->lat_ns = quiet_latency(q, heaps);
}

static void
set_sync_us(struct quiet *q, double v)
{
	q->windows[SYNC].sync->lat_ns->p50 = (uint64_t)(v * 1e3);
}

static void
set_sync_share(struct quiet *q, double v)
{
	q->windows[SYNC].write->lat_ns->p50 = 400 * QUIET_US;
	set_sync_us(q, 400 * v);
}

static void
set_write_through(struct quiet *q, double v)
{
	q->stack[2].write_cache = v > 0 ? "write through" : "write back";
}

static void
set_sync_p99(struct quiet *q, double v)
{
	q->windows[SYNC].sync->lat_ns->p99 = (uint64_t)(v * 1e6);
}

static void
set_gain(struct quiet *q, double v)
{
	q->windows[QD32].read->iops = 14000 * v;
}

static void
set_high_iops(struct quiet *q, double v)
{
	int i;

	q->windows[QD32].read->iops = v;
	for (i = QD1_1; i <= QD1_3; i++)
		lat(q, i)->p99_9 = QUIET_MS;
}

static void
set_high_latency(struct quiet *q, double v)
{
	int i;

	for (i = QD1_1; i <= QD1_3; i++)
		lat(q, i)->p99_9 = (uint64_t)(v * 1e6);
}

static void
set_slow_submits(struct quiet *q, double v)
{
	struct receipt_engine *e = q->windows[QD32].engine;

	e->submits = 1000000;
	e->slow_submits_1ms = (uint64_t)(v * 1000 + 0.5);
}

static void
set_slow_time(struct quiet *q, double v)
{
	q->windows[QD32].engine->slow_submit_ns =
		(uint64_t)((double)q->windows[QD32].elapsed_ns * v / 100);
}

static void
set_short(struct quiet *q, double v)
{
	q->windows[QD32].engine->queue_short_ns =
		(uint64_t)((double)q->windows[QD32].elapsed_ns * 32 * v / 100);
}

static void
set_polled(struct quiet *q, double v)
{
	q->polled.slept_p50_ns = 100 * QUIET_US;
	q->polled.lat_ns->p50 = (uint64_t)(100e3 * (1 - v / 100));
}

static void
set_samples(struct quiet *q, double v)
{
	lat(q, SYNC)->n = (uint64_t)v;
}

static void
set_clock_cost(struct quiet *q, double v)
{
	q->clock.read_cost_ns = (uint64_t)v;
}

static void
set_clock_source(struct quiet *q, double v)
{
	q->clock.source = v > 0 ? "acpi_pm" : "kvm-clock";
}

static void
set_clock_state(struct quiet *q, double v)
{
	q->clock.state = v > 0 ? "unset" : "synced";
}

static void
set_unsynced(struct quiet *q, double v)
{
	q->clock.state = v > 0 ? "unsynced" : "synced";
}

static void
set_scheduler(struct quiet *q, double v)
{
	q->stack[2].scheduler = v > 0 ? "bfq" : "mq-deadline";
}

static void
set_scheduler_turning(struct quiet *q, double v)
{
	q->stack[2].scheduler = "bfq";
	q->stack[2].rotational = v > 0 ? 0 : 1;
	set_p50_us(q, 5000);
}

static void
set_no_discard(struct quiet *q, double v)
{
	q->stack[2].discard_max_bytes = v > 0 ? 0 : 4096;
}

static void
set_crypt_discard(struct quiet *q, double v)
{
	q->stack[1].layer = "dm-crypt";
	set_no_discard(q, 0);
	q->stack[1].discard_max_bytes = v > 0 ? 0 : 4096;
}

static void
set_no_timer(struct quiet *q, double v)
{
	q->host.fstrim_timer = v > 0 ? 0 : -1;
}

static void
set_mount_discard(struct quiet *q, double v)
{
	q->host.fstrim_timer = 0;
	q->target.mount_options =
		v > 0 ? "rw,relatime,nodiscard" : "rw,relatime,discard=async";
}

static void
set_atime(struct quiet *q, double v)
{
	q->target.mount_options = v > 0 ? "rw,lazytime" : "rw,noatime";
}

static void
set_file_size(struct quiet *q, double v)
{
	q->host.virtualisation = "kvm";
	q->host.memory_bytes = UINT64_C(1) << 30;
	q->target.size_bytes = (uint64_t)(v * (double)(1 << 30));
}

static void
set_rotational(struct quiet *q, double v)
{
	q->stack[2].rotational = v > 0;
	set_p50_us(q, 5000);
}

static void
set_nocow(struct quiet *q, double v)
{
	q->target.nocow = v > 0;
}

static void
set_thin(struct quiet *q, double v)
{
	q->stack[1].layer = v > 0 ? "dm-thin" : "dm-linear";
}

static void
set_thin_touch(struct quiet *q, double v)
{
	q->host.virtualisation = v > 0 ? "kvm" : "none";
	set_fall(q, 40);
}

/* ---- the rows --------------------------------------------------------------- */

/*
 * code; limit (NULL: none of its own); set; a value where the rule holds and
 * one where it does not; what it says then ("level confidence", "" = nothing);
 * words of the sentence where only they differ; by how much the limit is moved
 * (0: a quarter).
 */
static const struct row {
	const char *code, *limit;
	setter set;
	double in, out;
	const char *in_says, *out_says, *words;
	double move;
} rows[] = {
	{ "cap", "common.seconds", set_seconds, 10, 9, "warning likely", "",
		NULL, 0 },
	{ "cap", "common.deep_slots", set_deep_slots, 32, 31, "warning likely",
		"", NULL, 0 },
	{ "rate-limited", "common.explained_pct", set_starved, 48, 51,
		"warning possible", "", NULL, 0 },
	{ "rate-limited", NULL, set_held_by_others, 1, 0, "warning possible",
		"warning likely", NULL, 0 },
	{ "memory-backed", NULL, set_memory, 1, 0, "warning", "", NULL, 0 },
	{ "backing-unknown", NULL, set_unknown, 1, 0, "warning", "", NULL, 0 },
	{ "direct-buffered", "seen_pct", set_seen, 49, 50.1, "warning likely",
		"", NULL, 0 },
	{ "direct-buffered", "kernel", set_kernel, 6014, 6013, "warning likely",
		"", NULL, 0 },
	{ "limits", NULL, set_limits, 1, 0, "warning", "", NULL, 0 },
	{ "limits", NULL, set_limits, 2, 0, "warning", "", NULL, 0 },
	{ "steal", "note_pct", set_steal, 2.1, 2, "note likely", "", NULL, 0 },
	{ "steal", "warning_pct", set_steal, 5.1, 5, "warning likely",
		"note likely", NULL, 0 },
	{ "steal", "worst_pct", set_worst_steal, 5.1, 5, "note likely", "",
		NULL, 0 },
	{ "cpu-bound", "note_pct", set_wait, 2.1, 2, "note likely", "", NULL,
		0 },
	{ "cpu-bound", "warning_pct", set_wait, 5.1, 5, "warning likely",
		"note likely", NULL, 0 },
	{ "cpu-bound", "warning_pct", set_wait_unseen, 5.1, 5, "warning likely",
		"note likely", NULL, 0 },
	{ "cpu-bound", "rivals_pct", set_rivals, 101, 99, "warning likely",
		"note likely", NULL, 0 },
	{ "cpu-bound", "rivals_pct", set_rival_steal, 101, 99, "warning likely",
		"note likely", NULL, 0 },
	{ "cpu-bound", "rivals_pct", set_rival_threads, 101, 99,
		"warning likely", "note likely", NULL, 0 },
	{ "cpu-bound", "kernel_pct", set_kernel_threads, 51, 49, "note likely",
		"note likely", "for the kernel's own threads", 0 },
	{ "cpu-bound", "own_pct", set_own, 61, 60, "note likely", "", NULL, 0 },
	{ "competing-io", "note_pct", set_others, 5.1, 5, "note likely", "",
		NULL, 0 },
	{ "competing-io", "warning_pct", set_others, 20.1, 20, "warning likely",
		"note likely", NULL, 0 },
	{ "competing-io", "least_bytes_s", set_others_slow, 262144, 262143,
		"warning likely", "", NULL, 0 },
	{ "stall", "max_ms", set_max, 500, 499, "warning likely", "", NULL, 0 },
	{ "stall", "p99_ratio", set_max_ratio, 50.1, 50, "warning likely", "",
		NULL, 0 },
	{ "stall", "gap_ms", set_gap, 1000, 999, "warning likely", "", NULL,
		0 },
	{ "burst", "ratio", set_step_ratio, 1.3, 1.29, "warning likely", "",
		NULL, 0 },
	{ "burst", "side_s", set_step_side, 3, 2, "warning likely", "", NULL,
		0.5 },
	{ "burst", "side_s", set_step_side, 9, 10, "warning likely", "", NULL,
		0.5 },
	{ "burst", "before_cv_pct", set_step_before, 4.8, 5.6, "warning likely",
		"", NULL, 0 },
	{ "burst", "after_cv_pct", set_step_after, 2.8, 3.5, "warning likely",
		"", NULL, 0 },
	{ "slice-throttle", "share_pct", set_slice_share, 4.1, 3.9,
		"warning likely", "", NULL, 0 },
	{ "slice-throttle", "slice_ms", set_slice, 100, 89, "warning likely",
		"", NULL, 0 },
	{ "slice-throttle", "slice_ms", set_slice, 400, 500, "warning likely",
		"", NULL, 0 },
	{ "slice-throttle", "multiples", set_slice, 400, 500, "warning likely",
		"", NULL, 0 },
	{ "slice-throttle", "small_slice_ms", set_slice, 40, 50,
		"warning likely", "", NULL, 0 },
	{ "slice-throttle", "within_pct", set_slice_within, 9.3, 10.9,
		"warning likely", "", NULL, 0 },
	{ "slice-throttle", "mean_ratio", set_slice_mean, 10.2, 9.8,
		"warning likely", "", NULL, 0 },
	{ "rate-limited", "mean_ratio", set_mean_ratio, 2.05, 1.95,
		"warning likely", "", NULL, 0 },
	{ "rate-limited", "weighted_ratio", set_weighted_ratio, 20.1, 20,
		"warning likely", "", NULL, 0 },
	{ "cap", "cv_pct", set_cv, 1.45, 1.55, "warning possible", "", NULL,
		0 },
	{ "cap", "round_pct", set_round, 0.95, 1.05, "warning likely",
		"warning possible", NULL, 0 },
	{ "cap", "round_pct", set_round_bw, 0.95, 1.05, "warning likely",
		"warning possible", NULL, 0 },
	{ "cap", "step_iops", set_rate, 5500, 5250, "warning likely",
		"warning possible", NULL, 0 },
	{ "cap", "step_below_iops", set_rate, 9500, 10500, "warning likely",
		"warning possible", NULL, 0 },
	{ "cap", "step_pct", set_multiple, 0.45, 0.55, "warning likely",
		"warning possible", NULL, 0 },
	{ "cap", "same_pct", set_same, 1.9, 2.1, "warning likely",
		"warning possible", NULL, 0 },
	{ "neighbour", "p99_ratio", set_p99_apart, 2.05, 1.95, "warning likely",
		"", NULL, 0 },
	{ "neighbour", "p99_ratio", set_probe_spread, 2.05, 1.95,
		"warning likely", "", NULL, 0 },
	{ "steal", "note_pct", set_probe_steal, 2.1, 2, "note likely", "", NULL,
		0 },
	{ "steal", "warning_pct", set_probe_steal, 5.1, 5, "warning likely",
		"note likely", NULL, 0 },
	{ "neighbour", "second_pct", set_worst_second, 49, 51, "warning likely",
		"", NULL, 0 },
	{ "neighbour", "note_pct", set_spread, 20.5, 19.5, "note likely", "",
		NULL, 0 },
	{ "neighbour", "warning_pct", set_spread, 35.5, 34.5, "warning likely",
		"note likely", NULL, 0 },
	{ "jitter", "p99_ms", set_jitter_ms, 5.1, 5, "warning likely", "", NULL,
		0 },
	{ "jitter", "p50_ratio", set_jitter_ratio, 10.1, 9.9, "warning likely",
		"", NULL, 0 },
	{ "erratic", "ratio", set_tail_ratio, 3.1, 2.9, "note", "", NULL, 0 },
	{ "erratic", "alike_ratio", set_tail_depth, 2, 2.1, "note", "", NULL,
		0 },
	{ "unsteady", "slope_pct", set_slope, 10.2, 9.8, "note", "", NULL, 0 },
	{ "unsteady", "slope_pct", set_slope, -10.2, -9.8, "note", "", NULL,
		0 },
	{ "unsteady", "range_pct", set_range, 20.2, 19.8, "note", "", NULL, 0 },
	{ "first-touch", "fall_pct", set_fall, 30.1, 30, "note possible", "",
		NULL, 0 },
	{ "first-touch", "rate_ratio", set_climb, 2.1, 2, "note possible", "",
		NULL, 0 },
	{ "first-touch", "quarter_ms", set_quarter, 500, 499, "note possible",
		"", NULL, 0 },
	{ "cache-suspected", "likely_us", set_p50_us, 24, 26, "warning likely",
		"note possible", NULL, 0 },
	{ "cache-suspected", "possible_us", set_p50_us, 49, 51, "note possible",
		"", NULL, 0 },
	{ "cache-suspected", "turning_ms", set_turning, 0.95, 1.05,
		"warning likely", "", NULL, 0 },
	{ "cache-suspected", "mode_pct", set_mode_share, 5.1, 4.9,
		"note possible", "", NULL, 0 },
	{ "cache-suspected", "mode_ratio", set_mode_ratio, 4, 3.4,
		"note possible", "", NULL, 0 },
	{ "cache-suspected", "hollow_pct", set_hollow, 45, 55, "note possible",
		"", NULL, 0 },
	{ "flush-free", "likely_us", set_sync_us, 4.9, 5.1, "note likely",
		"note possible", NULL, 0 },
	{ "flush-free", "possible_us", set_sync_us, 49, 51, "note possible", "",
		NULL, 0 },
	{ "flush-free", "write_share", set_sync_share, 0.24, 0.26,
		"note possible", "", NULL, 0 },
	{ "flush-free", NULL, set_write_through, 1, 0, "note", "", NULL, 0 },
	{ "commit-limits", "etcd_ms", set_sync_p99, 10.1, 10, "note", "", NULL,
		0 },
	{ "commit-limits", "openshift_ms", set_sync_p99, 20.1, 20, "note",
		"note", "too.", 0 },
	{ "scaling", "parallel", set_gain, 16, 15.9, "note", "note",
		"works on them", 0 },
	{ "scaling", "partly", set_gain, 4, 3.9, "note", "note", "some of them",
		0 },
	{ "high-iops-high-latency", "iops", set_high_iops, 20000, 19900, "note",
		"", NULL, 0 },
	{ "high-iops-high-latency", "p99_9_ms", set_high_latency, 0.5, 0.49,
		"note", "", NULL, 0 },
	{ "submit-blocks", "slow_permille", set_slow_submits, 1.1, 1, "note",
		"", NULL, 0 },
	{ "submit-blocks", "sum_pct", set_slow_time, 5.1, 5, "note", "", NULL,
		0 },
	{ "queue-not-full", "short_pct", set_short, 5.1, 5, "note", "", NULL,
		0 },
	{ "wake-cost", "share_pct", set_polled, 20.1, 20, "note", "", NULL, 0 },
	{ "few-samples", "highest_pct", set_samples, 9999, 84000, "note", "",
		NULL, 0 },
	{ "slow-clock", "cost_ns", set_clock_cost, 201, 200, "warning likely",
		"", NULL, 0 },
	{ "slow-clock", NULL, set_clock_source, 1, 0, "warning possible", "",
		NULL, 0 },
	{ "clock-doubtful", NULL, set_clock_state, 1, 0, "note", "", NULL, 0 },
	{ "clock-doubtful", NULL, set_unsynced, 1, 0, "note", "", NULL, 0 },
	{ "scheduler", NULL, set_scheduler, 1, 0, "note", "", NULL, 0 },
	{ "scheduler", NULL, set_scheduler_turning, 1, 0, "note", "", NULL, 0 },
	{ "no-discard", NULL, set_no_discard, 1, 0, "note", "", NULL, 0 },
	{ "no-discard", NULL, set_crypt_discard, 1, 0, "note", "", NULL, 0 },
	{ "no-discard", NULL, set_no_timer, 1, 0, "note", "", NULL, 0 },
	{ "no-discard", NULL, set_mount_discard, 1, 0, "note", "", NULL, 0 },
	{ "atime", NULL, set_atime, 1, 0, "note", "", NULL, 0 },
	{ "small-file", "memory_ratio", set_file_size, 0.99, 1, "note", "",
		NULL, 0 },
	{ "rotational", NULL, set_rotational, 1, 0, "note", "", NULL, 0 },
	{ "nocow-target", NULL, set_nocow, 1, 0, "note", "", NULL, 0 },
	{ "thin", NULL, set_thin, 1, 0, "note likely", "", NULL, 0 },
	{ "thin", NULL, set_thin_touch, 1, 0, "note possible", "", NULL, 0 },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* ---- judging ---------------------------------------------------------------- */

static const struct receipt_finding *
find(const struct receipt *r, const char *code)
{
	size_t i;

	for (i = 0; i < r->finding_count; i++)
		if (!strcmp(r->findings[i].code, code))
			return &r->findings[i];
	return NULL;
}

/* What the rule of `row` says of v, judged by `rules`: at most 80 bytes. */
static void
judge(const struct row *row, double v, const struct finding_rule *rules,
	char *says)
{
	const struct receipt_finding *f;
	struct quiet q;

	quiet_make(&q);
	row->set(&q, v);
	says[0] = '\0';
	if (!OK(finding_judge_by(rules, &q.r, &q.a) == 0, "judged"))
		return;
	f = find(&q.r, row->code);
	if (f)
		snprintf(says, 80, "%s%s%s%s%s", f->level,
			f->confidence ? " " : "",
			f->confidence ? f->confidence : "",
			row->words && strstr(f->text, row->words) ? " " : "",
			row->words && strstr(f->text, row->words) ? row->words
								  : "");
	arena_free(&q.a);
}

/* Copy the table, with the limit that row names multiplied. */
static void
move_limit(struct finding_rule *to, const struct row *row, double factor)
{
	const struct finding_rule *from = finding_rules();
	const char *limit = strchr(row->limit, '.');
	const char *code = limit ? FINDING_COMMON : row->code;
	size_t i, k, moved = 0;

	limit = limit ? limit + 1 : row->limit;
	for (i = 0; from[i].code; i++) {
		to[i] = from[i];
		for (k = 0; k < FINDING_LIMITS_MAX && from[i].limits[k].name;
			k++) {
			if (strcmp(code, from[i].code) != 0 ||
				strcmp(limit, from[i].limits[k].name) != 0)
				continue;
			to[i].limits[k].value *= factor;
			moved++;
		}
	}
	to[i] = from[i];
	EQ_U64(moved, 1, "one limit is moved");
}

static void
test_row(const struct row *row)
{
	struct finding_rule moved[FINDING_RULES];
	char says[80], now[2][80], want[80], what[128];
	double by = row->move > 0 ? row->move : 0.25, factor;
	int way;

	snprintf(what, sizeof(what), "%s %s: %g", row->code,
		row->limit ? row->limit : "-", row->in);
	snprintf(want, sizeof(want), "%s%s%s", row->in_says,
		row->words ? " " : "", row->words ? row->words : "");
	judge(row, row->in, finding_rules(), says);
	EQ_STR(says, want, what);
	snprintf(what, sizeof(what), "%s %s: not %g", row->code,
		row->limit ? row->limit : "-", row->out);
	judge(row, row->out, finding_rules(), says);
	EQ_STR(says, row->out_says, what);
	for (way = 0; row->limit && way < 2; way++) {
		factor = way ? 1 + by : 1 / (1 + by);
		move_limit(moved, row, factor);
		judge(row, row->in, moved, now[0]);
		judge(row, row->out, moved, now[1]);
		snprintf(what, sizeof(what), "%s %s times %.2f is seen",
			row->code, row->limit, factor);
		OK(strcmp(now[0], want) != 0 || strcmp(now[1], row->out_says),
			what);
	}
}

/* Is there a row for that limit (NULL: any) of that code? */
static bool
has_row(const char *code, const char *limit)
{
	char common[64];
	size_t i;

	snprintf(common, sizeof(common), "%s.%s", code, limit ? limit : "");
	for (i = 0; i < ROWS; i++) {
		if (limit && !rows[i].limit)
			continue;
		if (!strcmp(code, FINDING_COMMON) && rows[i].limit &&
			!strcmp(rows[i].limit, common))
			return true;
		if (!strcmp(rows[i].code, code) &&
			(!limit || !strcmp(rows[i].limit, limit)))
			return true;
	}
	return false;
}

/* Every rule and every limit has a row here; each limit stands in its rule. */
static void
test_table(void)
{
	const struct finding_rule *rule;
	char what[96], braces[64];
	struct arena a;
	char *text;
	size_t k;

	arena_init(&a);
	for (rule = finding_rules(); rule->code; rule++) {
		snprintf(what, sizeof(what), "%s is tested", rule->code);
		OK(!rule->judge || has_row(rule->code, NULL), what);
		for (k = 0; k < FINDING_LIMITS_MAX && rule->limits[k].name;
			k++) {
			snprintf(what, sizeof(what), "%s %s is tested",
				rule->code, rule->limits[k].name);
			OK(has_row(rule->code, rule->limits[k].name), what);
			snprintf(braces, sizeof(braces), "{%s}",
				rule->limits[k].name);
			OK(strstr(rule->rule, braces), braces);
		}
		text = finding_rule_text(rule, &a);
		OK(text && !strchr(text, '{') && !strstr(text, "nan"), text);
		OK(strlen(text) <= 512 && rule->source &&
				strlen(rule->source) <= 256,
			"fits a receipt");
		OK(finding_rule(rule->code) == (rule->judge ? rule : NULL),
			"found by its code");
	}
	OK(!finding_rule("grade"), "no other is");
	arena_free(&a);
}

/* ---- beyond the rows -------------------------------------------------------- */

static void
test_quiet(void)
{
	struct quiet q;
	size_t i;

	quiet_make(&q);
	OK(finding_judge(&q.r, &q.a) == 0, "a quiet disk is judged");
	EQ_U64(q.r.finding_count, 1, "and one thing is said of it");
	for (i = 0; i < q.r.finding_count; i++)
		printf("# %s: %s\n", q.r.findings[i].code,
			q.r.findings[i].text);
	EQ_STR(find(&q.r, "scaling")->text,
		"32 in flight gave 5.9 times the IOPS of one at 5.0 times the "
		"median latency (qd32-randread beside qd1-randread): it works "
		"on some of them in parallel.",
		"how it gains by depth");
	EQ_STR(find(&q.r, "scaling")->rule,
		"IOPS at full depth / at depth 1: from 16 on parallel, from 4 "
		"on partly, below one queue or a limit",
		"by its rule");
	OK(finding_has(&q.r, NULL, NULL) && finding_has(&q.r, "scaling", NULL),
		"it has one");
	OK(!finding_has(&q.r, NULL, "warning"), "and no warning");
	OK(!finding_has(&q.r, "scaling", "warning"), "nor is that one");
	OK(!finding_has(&q.r, "cap", NULL), "nor another");
	arena_free(&q.a);
}

/* A sentence is whole, and a receipt says again what its figures give. */
static void
test_texts(void)
{
	struct text_style style = { .width = 80 };
	size_t i, k, read = 0;
	struct receipt again;
	struct buf json, out;
	struct err e;
	struct quiet q;

	for (i = 0; i < ROWS; i++) {
		quiet_make(&q);
		rows[i].set(&q, rows[i].in);
		OK(finding_judge(&q.r, &q.a) == 0, rows[i].code);
		for (k = 0; k < q.r.finding_count; k++) {
			const struct receipt_finding *f = &q.r.findings[k];

			if (strcmp(f->code, rows[i].code) == 0)
				printf("# %s: %s %s\n", f->code, f->text,
					f->command ? f->command : "");
			if (strstr(f->text, "nan") || strchr(f->text, '{') ||
				strstr(f->text, "null") ||
				strstr(f->text, "  ") ||
				f->text[strlen(f->text) - 1] != '.')
				OK(false, f->text);
		}
		buf_init(&json);
		buf_init(&out);
		OK(receipt_write(&q.r, &json, &e) == 0, "written");
		/* some of the rows' figures are in no order, and not read */
		if (receipt_read(&again, buf_text(&json), json.len, &q.a, &e) ==
			0) {
			read++;
			if (!OK(recheck(&again, &style, &out, &q.a, &e) == 1,
				    "judged again, it says the same"))
				printf("# %s\n", buf_text(&out));
		}
		buf_free(&out);
		buf_free(&json);
		arena_free(&q.a);
	}
	OK(read > ROWS / 2, "most of them were");
}

/* Nothing is said of figures that are withheld, or of a broken window. */
static void
test_withheld(void)
{
	struct receipt_latency *l;
	struct quiet q;
	size_t i;

	quiet_make(&q);
	set_two(&q, 70 * QUIET_US, 100 * QUIET_MS, 10);
	set_jitter_ms(&q, 50);
	set_sync_p99(&q, 50);
	for (i = 0; i < QUIET_WINDOWS; i++) {
		l = lat(&q, (int)i);
		l->p50 = l->p95 = l->p99 = l->p99_9 = l->p99_99 =
			SHAPE_WITHHELD;
	}
	l = q.windows[SYNC].sync->lat_ns;
	l->p50 = l->p95 = l->p99 = l->p99_9 = SHAPE_WITHHELD;
	OK(finding_judge(&q.r, &q.a) == 0, "withheld");
	for (i = 0; i < q.r.finding_count; i++)
		OK(strstr("scaling few-samples", q.r.findings[i].code),
			q.r.findings[i].code);
	arena_free(&q.a);

	quiet_make(&q);
	set_seconds(&q, 10);
	q.checks[QD32].holds = 0;
	OK(finding_judge(&q.r, &q.a) == 0, "a check does not hold");
	EQ_U64(q.r.finding_count, 0, "its window is not judged");
	arena_free(&q.a);
}

/* What explains a difference is said alone. */
static void
test_explained(void)
{
	static const struct {
		setter set, why;
		double v, by;
		const char *code, *because;
	} table[] = {
		{ set_worst_second, set_steal, 30, 0.1, "neighbour", NULL },
		{ set_p99_apart, set_wait, 3, 3, "neighbour", "cpu-bound" },
		{ set_jitter_ms, set_own, 20, 70, "jitter", "cpu-bound" },
		{ set_jitter_ms, set_seconds, 20, 10, "jitter", "cap" },
		{ set_seconds, set_own, 10, 70, "cap", "cpu-bound" },
		{ set_others, set_thin, 30, 0, "competing-io", NULL },
		{ set_others, set_thin, 30, 1, "competing-io", "thin" },
	};
	struct quiet q;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		quiet_make(&q);
		table[i].set(&q, table[i].v);
		table[i].why(&q, table[i].by);
		OK(finding_judge(&q.r, &q.a) == 0, table[i].code);
		OK(!find(&q.r, table[i].code) == !!table[i].because,
			table[i].code);
		OK(!table[i].because || find(&q.r, table[i].because),
			table[i].because ? table[i].because : "alone");
		arena_free(&q.a);
	}
}

/* Of percentiles that are not withheld nothing is said. */
static void
test_few(void)
{
	const struct receipt_finding *f;
	struct quiet q;

	quiet_make(&q);
	set_samples(&q, 9999);
	OK(finding_judge(&q.r, &q.a) == 0, "few samples");
	f = find(&q.r, "few-samples");
	EQ_STR(f ? f->text : NULL,
		"1 percentile up to p99.9 (marked ~) rests on fewer than ten "
		"slower I/Os. Longer windows give sure ones.",
		"none withheld");
	lat(&q, QD1_1)->p99_9 = SHAPE_WITHHELD;
	OK(finding_judge(&q.r, &q.a) == 0, "and one withheld");
	f = find(&q.r, "few-samples");
	OK(f && strstr(f->text, "I/Os; 1 is withheld (-): too few I/Os. "),
		"both");
	arena_free(&q.a);
}

/* In the window of the limit, what is disturbed elsewhere says nothing. */
static void
set_wait_deep(struct quiet *q, double v)
{
	q->windows[QD32].cpu->runqueue_wait_ns =
		(uint64_t)((double)q->windows[QD32].elapsed_ns * v / 100 + 0.5);
}

static void
set_others_deep(struct quiet *q, double v)
{
	q->windows[QD32].device->other_write_bytes =
		(uint64_t)((double)q->windows[QD32].read->bytes * v / 100);
}

/* What holds I/O back as a limit does makes the limit less sure. */
static void
test_less_sure(void)
{
	static const struct {
		setter why;
		double by;
		const char *because, *confidence;
	} table[] = {
		{ set_wait_deep, 2.1, "cpu-bound", "possible" },
		{ set_wait_deep, 1.9, NULL, "likely" },
		{ set_wait, 9, "cpu-bound", "likely" },
		{ set_own, 70, "cpu-bound", "possible" },
		{ set_others_deep, 5.1, "competing-io", "possible" },
		{ set_others_deep, 4.9, NULL, "likely" },
		{ set_others, 30, "competing-io", "likely" },
		{ set_steal, 2.1, "steal", "likely" },
	};
	const struct receipt_finding *f;
	struct quiet q;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		quiet_make(&q);
		set_mean_ratio(&q, 5);
		table[i].why(&q, table[i].by);
		OK(finding_judge(&q.r, &q.a) == 0, "a limit, and more");
		OK(!table[i].because || find(&q.r, table[i].because),
			table[i].because ? table[i].because : "alone");
		f = find(&q.r, "rate-limited");
		OK(f, "rate-limited");
		EQ_STR(f ? f->confidence : NULL, table[i].confidence,
			"as sure as that");
		arena_free(&q.a);
	}
}

/* Advice about the place is for who has figures. */
static void
test_unmeasured(void)
{
	static const struct {
		setter set;
		double v;
		const char *code;
	} table[] = {
		{ set_scheduler, 1, "scheduler" },
		{ set_no_timer, 1, "no-discard" },
		{ set_atime, 1, "atime" },
		{ set_file_size, 0.5, "small-file" },
		{ set_rotational, 1, "rotational" },
	};
	struct quiet q;
	size_t i;
	int none;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		for (none = 0; none < 2; none++) {
			quiet_make(&q);
			table[i].set(&q, table[i].v);
			if (none)
				q.r.window_count = 0;
			OK(finding_judge(&q.r, &q.a) == 0, table[i].code);
			EQ_I64(!find(&q.r, table[i].code), none,
				"with figures alone");
			arena_free(&q.a);
		}
	}
}

/* Four threads on two CPUs have two to keep busy. */
static void
test_cores(void)
{
	struct quiet q;
	int i;

	for (i = 0; i < 2; i++) {
		quiet_make(&q);
		q.jobs[1].numjobs = 4;
		set_own(&q, i ? 110 : 130);
		OK(finding_judge(&q.r, &q.a) == 0, "four threads");
		OK(!find(&q.r, "cpu-bound") == (i > 0), "on two CPUs");
		arena_free(&q.a);
	}
}

/* One stall is neither a limit nor a neighbour. */
static void
test_one_stall(void)
{
	const struct quiet_heap heaps[] = { { 70 * QUIET_US, 90000 },
		{ 6 * QUIET_S, 1 }, { 0, 0 } };
	struct quiet q;

	quiet_make(&q);
	q.windows[QD1_2].read->lat_ns = quiet_latency(&q, heaps);
	OK(q.windows[QD1_2].read->lat_ns->mean > 130 * QUIET_US, "long");
	quiet_swing(&q, QD1_2, 14000, 5);
	q.windows[QD1_2].series->read_ios[5] = 0;
	q.windows[QD1_2].longest_gap_ns = 6 * QUIET_S;
	OK(finding_judge(&q.r, &q.a) == 0, "one stall");
	OK(find(&q.r, "stall"), "is said");
	EQ_STR(find(&q.r, "stall")->confidence, "likely", "for sure");
	OK(!find(&q.r, "rate-limited"), "it is no limit");
	OK(!find(&q.r, "neighbour"), "nor a neighbour");
	q.windows[QD1_2].cpu->runqueue_wait_ns = 4 * QUIET_S;
	OK(finding_judge(&q.r, &q.a) == 0, "a stall and no CPU");
	EQ_STR(find(&q.r, "stall")->confidence, "possible", "not for sure");
	arena_free(&q.a);
}

static void
test_empty(void)
{
	struct quiet q;

	quiet_make(&q);
	q.r.windows = NULL;
	q.r.window_count = 0;
	q.r.target = NULL;
	q.r.host = NULL;
	q.r.diagnostics = NULL;
	OK(finding_judge(&q.r, &q.a) == 0 && q.r.finding_count == 0,
		"of nothing nothing is said");
	OK(q.r.findings, "and the list is there");
	arena_free(&q.a);
}

int
main(void)
{
	size_t i;

	test_table();
	test_quiet();
	for (i = 0; i < ROWS; i++)
		test_row(&rows[i]);
	test_texts();
	test_withheld();
	test_explained();
	test_few();
	test_less_sure();
	test_unmeasured();
	test_cores();
	test_one_stall();
	test_empty();
	return tap_done();
}
