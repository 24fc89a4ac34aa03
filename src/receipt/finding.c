#include "receipt/finding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "receipt/finding_around.h"
#include "receipt/finding_between.h"
#include "receipt/finding_cache.h"
#include "receipt/finding_case.h"
#include "receipt/finding_neighbour.h"
#include "receipt/finding_place.h"
#include "receipt/finding_queue.h"
#include "receipt/finding_rate.h"
#include "receipt/finding_throttle.h"
#include "receipt/finding_tune.h"
#include "receipt/show_common.h"

/*
 * The rules, in the order in which they are judged and told.  A rule may ask
 * which windows an earlier one holds in: so what explains comes before what
 * it explains.
 */
#define FINDING_GUIDE                                                          \
	"\"VPS Disk I/O: How to Benchmark and Optimize Storage Performance\""
/* clang-format off */
static const struct finding_rule finding_table[] = {
	{ FINDING_COMMON, NULL,
	  { { "seconds", 10 }, { "deep_slots", 32 }, { "explained_pct", 50 } },
	  "rules over seconds want {seconds} of them, rules about depth "
	  "{deep_slots} I/Os in flight; what holds I/O back is not the disk "
	  "where waits for a CPU and steal make {explained_pct} % of it",
	  "of fewer seconds a deviation says nothing; depth of the suites; "
	  "measured: a starved process looks like a limited disk" },

	/* what it lies on */
	{ "memory-backed", finding_place_memory, { { NULL, 0 } },
	  "a layer of the stack is RAM",
	  "kernels from 6.6 on accept O_DIRECT on tmpfs" },
	{ "backing-unknown", finding_place_unknown, { { NULL, 0 } },
	  "the stack cannot be walked down to a disk",
	  "containers, network filesystems and ZFS hide it" },
	{ "direct-buffered", finding_place_buffered,
	  { { "seen_pct", 50 }, { "kernel", 6014 } },
	  "the disk saw less than {seen_pct} % of a window's reads; or btrfs "
	  "with checksums on kernel {kernel} (1000 x major + minor) or later",
	  "axboe/fio#1914" },
	{ "limits", finding_around_limits, { { NULL, 0 } },
	  "an I/O limit of a control group applies to the run",
	  "kernel: io.max, blkio.throttle" },

	/* what went on */
	{ "steal", finding_around_steal,
	  { { "note_pct", 2 }, { "warning_pct", 5 }, { "worst_pct", 5 } },
	  "steal over a window above {note_pct} %, a warning above "
	  "{warning_pct} %; or above {worst_pct} % in its worst second or on "
	  "its worst CPU",
	  "geetmangal/bmh-nvme-bench (2 %); kernel: steal time" },
	{ "cpu-bound", finding_around_cpu,
	  { { "note_pct", 2 }, { "warning_pct", 5 }, { "rivals_pct", 100 },
	    { "kernel_pct", 50 }, { "own_pct", 60 } },
	  "waits for a CPU above {note_pct} % of a window, a warning above "
	  "{warning_pct} % where other programs, steal and our other threads "
	  "had CPUs for {rivals_pct} % of that or are not told; the kernel's "
	  "threads are named from {kernel_pct} % of it on; or own CPU above "
	  "{own_pct} % of a core",
	  "axboe/fio#630; longhorn/kbench; measured: one busy process moved "
	  "p99.9 from 0.5 to 4 ms, waits from 1 to 20 %; on an idle machine "
	  "the kernel's worker that ends direct writes is waited for 6 to 12 %, "
	  "with others at 0.3 % of a CPU" },
	{ "competing-io", finding_around_others,
	  { { "note_pct", 5 }, { "warning_pct", 20 },
	    { "least_bytes_s", 262144 } },
	  "bytes of others on the lowest single disk, reads or writes, above "
	  "{note_pct} % of ours and {least_bytes_s} a second, a warning above "
	  "{warning_pct} %",
	  "kernel: counters of the block device" },

	/* what holds I/O back */
	{ "stall", finding_throttle_stall,
	  { { "max_ms", 500 }, { "p99_ratio", 50 }, { "gap_ms", 1000 } },
	  "an I/O of {max_ms} ms and more that is above {p99_ratio} times "
	  "p99, or {gap_ms} ms without a completion",
	  "measured: a hang of 6 s left p99.9 at 8 ms" },
	{ "burst", finding_rate_burst,
	  { { "ratio", 1.3 }, { "side_s", 3 }, { "before_cv_pct", 5 },
	    { "after_cv_pct", 3 } },
	  "two plateaus, the first {ratio} times the second or more, each of "
	  "{side_s} s and more, varying by at most {before_cv_pct} % and "
	  "{after_cv_pct} %",
	  "measured: 3000 IOPS for 3 s, then 500, have a mean of 1160" },
	{ "slice-throttle", finding_throttle_slices,
	  { { "share_pct", 4 }, { "slice_ms", 100 }, { "small_slice_ms", 20 },
	    { "within_pct", 10 }, { "multiples", 4 }, { "mean_ratio", 10 } },
	  "{share_pct} % of the samples within {within_pct} % of 1 to "
	  "{multiples} times {slice_ms} ms, or of {small_slice_ms} ms, mean / "
	  "p50 at least {mean_ratio}",
	  "kernel: block throttle lets go in slices; measured: of 200 IOPS at "
	  "depth 1 one in 20 waits for 99 ms, p50 is 0.05 ms" },
	{ "rate-limited", finding_throttle_rate_limited,
	  { { "mean_ratio", 2 }, { "weighted_ratio", 20 } },
	  "mean / p50 above {mean_ratio} and time-weighted p50 / p50 above "
	  "{weighted_ratio}; only possible in windows of cpu-bound or competing-io",
	  "measured: limits of 3000 and 20000 IOPS give 4.5 to 32 and 80 and "
	  "more, a free disk 1.2 and 1" },
	{ "cap", finding_rate_cap,
	  { { "cv_pct", 1.5 }, { "round_pct", 1 }, { "step_iops", 500 },
	    { "step_below_iops", 10000 }, { "step_pct", 0.5 },
	    { "same_pct", 2 } },
	  "seconds at full depth vary by at most {cv_pct} %; likely where "
	  "their mean is within {round_pct} % of a round number (IOPS or "
	  "MiB/s; below {step_below_iops} within {step_pct} % of a multiple "
	  "of {step_iops}) or within {same_pct} % of the rate at depth 1",
	  "measured: a free disk varies by 6.4 %, one limited to 5000 IOPS by "
	  "0.05 %" },

	/* what differs */
	{ "neighbour", finding_neighbour,
	  { { "p99_ratio", 2 }, { "second_pct", 50 }, { "note_pct", 20 },
	    { "warning_pct", 35 } },
	  "reads one at a time: p99 of the runs (or of the probe's samples) "
	  "differs above {p99_ratio} times, or the worst second is below "
	  "{second_pct} % of the median one, or IOPS of the runs spread above "
	  "{warning_pct} % (a note above {note_pct} %), where nothing on this "
	  "machine explains it",
	  "geetmangal/bmh-nvme-bench (2 times); \"A VPS Disk Benchmark Needs "
	  "Latency, Not Just IOPS\" (a spread of 20.21 %)" },
	{ "jitter", finding_throttle_jitter,
	  { { "p99_ms", 5 }, { "p50_ratio", 10 } },
	  "at full depth p99 above {p99_ms} ms and {p50_ratio} times p50, "
	  "without a limit, steal, waits or I/O of others",
	  FINDING_GUIDE " (5 ms)" },
	{ "erratic", finding_between_erratic,
	  { { "ratio", 3 }, { "alike_ratio", 2 } },
	  "p99.9 of windows whose depth and block size differ at most "
	  "{alike_ratio} times differs above {ratio} times",
	  "haydenjames/VPS-Disk-Latency-Bench" },
	{ "unsteady", finding_rate_unsteady,
	  { { "slope_pct", 10 }, { "range_pct", 20 } },
	  "seconds of a window drift above {slope_pct} % or differ above "
	  "{range_pct} % of their mean",
	  "SNIA Performance Test Specification: steady state" },
	{ "first-touch", finding_between_first_touch,
	  { { "fall_pct", 30 }, { "rate_ratio", 2 }, { "quarter_ms", 500 } },
	  "p50 of reads one at a time falls above {fall_pct} % from the first "
	  "run to the last; or the first quarter of the target, of "
	  "{quarter_ms} ms and more, took above {rate_ratio} times as long to "
	  "write as the last",
	  "AWS documentation: volume initialisation" },

	/* who answered */
	{ "cache-suspected", finding_cache_suspected,
	  { { "likely_us", 25 }, { "possible_us", 50 }, { "turning_ms", 1 },
	    { "mode_pct", 5 }, { "mode_ratio", 4 }, { "hollow_pct", 50 } },
	  "p50 of reads one at a time below {likely_us} us (possible: below "
	  "{possible_us}), or below {turning_ms} ms on a disk that turns, or "
	  "two heaps {mode_ratio} times apart with {mode_pct} % each and at "
	  "most {hollow_pct} % of the lower one between",
	  "a flash cell takes about 100 us to read" },
	{ "flush-free", finding_cache_flush_free,
	  { { "likely_us", 5 }, { "possible_us", 50 },
	    { "write_share", 0.25 } },
	  "sync p50 below {likely_us} us (possible: below {possible_us}, or "
	  "below {write_share} of the writes' p50); or a disk that says "
	  "write through",
	  "smalldatum.blogspot.com 2026-01; Firecracker: block caching" },
	{ "commit-limits", finding_cache_commit_limits,
	  { { "etcd_ms", 10 }, { "openshift_ms", 20 } },
	  "sync p99 beside limits that others publish: above {etcd_ms} ms "
	  "(etcd), above {openshift_ms} ms (OpenShift)",
	  "documentation of etcd and OpenShift" },

	/* what the figures rest on */
	{ "scaling", finding_between_scaling,
	  { { "parallel", 16 }, { "partly", 4 } },
	  "IOPS at full depth / at depth 1: from {parallel} on parallel, from "
	  "{partly} on partly, below one queue or a limit",
	  "\"A VPS Disk Benchmark Needs Latency, Not Just IOPS\" (34 times)" },
	{ "high-iops-high-latency", finding_between_high_iops,
	  { { "iops", 20000 }, { "p99_9_ms", 0.5 } },
	  "{iops} IOPS and more at full depth, p99.9 at depth 1 of "
	  "{p99_9_ms} ms and more",
	  "haydenjames/VPS-Disk-Latency-Bench" },
	{ "submit-blocks", finding_queue_submit_blocks,
	  { { "slow_permille", 1 }, { "sum_pct", 5 } },
	  "submitting calls of 1 ms above {slow_permille} in a thousand, or "
	  "slow ones above {sum_pct} % of the time",
	  "measured: at depth 512 on 256 requests 1 in 100 took 0.5 ms" },
	{ "queue-not-full", finding_queue_not_full, { { "short_pct", 5 } },
	  "slots unused for above {short_pct} % of the time to the deadline",
	  "Little's law" },
	{ "wake-cost", finding_queue_wake_cost, { { "share_pct", 20 } },
	  "p50 at depth 1 falls above {share_pct} % when completions are "
	  "polled for",
	  "measured: 42 us polled, 53 to 65 us asleep" },
	{ "few-samples", finding_queue_few_samples,
	  { { "highest_pct", 99.9 } },
	  "percentiles up to p{highest_pct} that fewer than ten samples lie "
	  "beyond",
	  "mikemccand/luceneutil#45" },
	{ "slow-clock", finding_around_slow_clock, { { "cost_ns", 200 } },
	  "a clock source that may need the kernel, or a reading above "
	  "{cost_ns} ns",
	  "axboe/fio#630, #533" },
	{ "clock-doubtful", finding_around_clock_doubtful, { { NULL, 0 } },
	  "the wall clock is not synchronised, or older than the program",
	  "kernel: adjtimex" },

	/* what could be set otherwise, or measured otherwise */
	{ "scheduler", finding_tune_scheduler, { { NULL, 0 } },
	  "bfq or cfq on a disk that does not turn",
	  FINDING_GUIDE " (p99 from 2.8 to 1.1 ms without it)" },
	{ "no-discard", finding_tune_discard, { { NULL, 0 } },
	  "a layer takes no discard; or systemd runs, its fstrim timer is off "
	  "and the mount has no discard",
	  FINDING_GUIDE " (23 % slower writes after six months)" },
	{ "atime", finding_tune_atime, { { NULL, 0 } },
	  "mounted without noatime and relatime", FINDING_GUIDE },
	{ "small-file", finding_place_small_file, { { "memory_ratio", 1 } },
	  "the file is smaller than {memory_ratio} times the memory of a "
	  "virtual machine",
	  FINDING_GUIDE },
	{ "rotational", finding_place_turning, { { NULL, 0 } },
	  "a disk in the stack says that it turns", FINDING_GUIDE },
	{ "nocow-target", finding_place_nocow, { { NULL, 0 } },
	  "the target was made NOCOW", "btrfs: what +C does" },
	{ "thin", finding_place_thin, { { NULL, 0 } },
	  "a thin volume in the stack; or a virtual disk with first-touch",
	  "geetmangal/bmh-nvme-bench" },
	{ NULL, NULL, { { NULL, 0 } }, NULL, NULL },
};
/* clang-format on */

#define FINDING_ROWS (sizeof(finding_table) / sizeof(finding_table[0]))
_Static_assert(FINDING_ROWS <= FINDING_RULES, "marks are for fewer rules");

const struct finding_rule *
finding_rules(void)
{
	return finding_table;
}

const struct finding_rule *
finding_rule(const char *code)
{
	const struct finding_rule *rule;

	for (rule = finding_table; rule->code; rule++)
		if (rule->judge && !strcmp(rule->code, code))
			return rule;
	return NULL;
}

/* The value of the limit whose name is name[0..len); NAN: there is none. */
static double
finding_named(const struct finding_rule *rule, const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < FINDING_LIMITS_MAX && rule->limits[i].name; i++)
		if (strlen(rule->limits[i].name) == len &&
			!memcmp(rule->limits[i].name, name, len))
			return rule->limits[i].value;
	return NAN;
}

char *
finding_rule_text(const struct finding_rule *rule, struct arena *a)
{
	const char *s = rule->rule;
	struct buf text;
	char *kept;
	size_t n;

	buf_init(&text);
	for (; *s; s += n) {
		n = *s == '{' ? strcspn(s, "}") + 1 : strcspn(s, "{");
		if (*s == '{')
			buf_printf(&text, "%.10g",
				finding_named(rule, s + 1, n - 2));
		else
			buf_add(&text, s, n);
	}
	kept = buf_failed(&text) ? NULL : arena_strdup(a, buf_text(&text));
	buf_free(&text);
	return kept;
}

/* I/Os in flight: psync has one a thread whatever the depth says. */
static uint64_t
finding_slots(const struct receipt_job *j)
{
	if (!shape_has(j->numjobs) || j->numjobs > UINT32_MAX)
		return 0;
	if (finding_case_is(j->ioengine, "psync"))
		return j->numjobs;
	if (!shape_has(j->iodepth) || j->iodepth > UINT32_MAX)
		return 0;
	return j->iodepth * j->numjobs;
}

static bool
finding_holds(const struct receipt_window *w)
{
	size_t i;

	for (i = 0; i < w->check_count; i++)
		if (w->checks[i].holds != 1)
			return false;
	return true;
}

/* The windows that may be judged. */
static int
finding_windows(struct finding_case *c)
{
	const struct receipt *r = c->receipt;
	struct finding_window *w;
	size_t i;

	for (i = 0; i < r->window_count && i < PLAN_WINDOWS_MAX; i++) {
		w = &c->windows[c->window_count];
		memset(w, 0, sizeof(*w));
		w->w = &r->windows[i];
		w->job = show_common_job(r, w->w);
		if (!w->job || !finding_holds(w->w) ||
			!shape_has(w->w->elapsed_ns))
			continue;
		w->slots = finding_slots(w->job);
		w->threads = shape_has(w->job->numjobs) ? w->job->numjobs : 0;
		if (finding_rate_fill(w, c->arena))
			return -1;
		c->window_count++;
	}
	return 0;
}

int
finding_judge_by(
	const struct finding_rule *rules, struct receipt *r, struct arena *a)
{
	struct finding_case *c = arena_alloc(a, 1, sizeof(*c));

	if (!c)
		return -1;
	c->receipt = r;
	c->rules = rules;
	c->arena = a;
	c->found = arena_alloc(a, FINDING_RULES, sizeof(*c->found));
	if (!c->found || finding_windows(c))
		return -1;
	for (c->rule = rules; c->rule->code; c->rule++)
		if (c->rule->judge)
			c->rule->judge(c);
	if (c->failed)
		return -1;
	r->findings = c->found;
	r->finding_count = c->found_count;
	return 0;
}

int
finding_judge(struct receipt *r, struct arena *a)
{
	return finding_judge_by(finding_table, r, a);
}

bool
finding_has(const struct receipt *r, const char *code, const char *level)
{
	const struct receipt_finding *f;
	size_t i;

	for (i = 0; i < r->finding_count; i++) {
		f = &r->findings[i];
		if ((!code || finding_case_is(f->code, code)) &&
			(!level || finding_case_is(f->level, level)))
			return true;
	}
	return false;
}
