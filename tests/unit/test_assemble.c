/*
 * Beyond the tests: test_assemble --golden DIR writes the fixed receipts that
 * the tests of the renderings read, for "make golden".
 */
#include <math.h>
#include <signal.h>

#include "base/arena.h"
#include "base/buf.h"
#include "made.h"
#include "receipt/latency.h"
#include "tap.h"

#define GOLDEN_DIR "tests/golden"
#define S	   UINT64_C(1000000000)

static const struct plan_request whole = { .ramp_ns = UINT64_MAX };
static const struct plan_request brief = { .ramp_ns = UINT64_MAX,
	.runtime_ns = 2 * S };

/* Assembled, written and read again: what a reader gets. */
struct result {
	struct arena a;
	struct receipt r;
	struct buf json;
	bool hold;
	int rc;
	struct err e;
};

static void
assemble(struct made *m, struct result *got)
{
	struct receipt first;

	memset(got, 0, sizeof(*got));
	arena_init(&got->a);
	buf_init(&got->json);
	got->rc =
		assemble_receipt(&m->in, &first, &got->a, &got->hold, &got->e);
	if (got->rc == 0)
		got->rc = receipt_write(&first, &got->json, &got->e);
	if (got->rc == 0)
		got->rc = receipt_read(&got->r, got->json.data, got->json.len,
			&got->a, &got->e);
	if (!OK(got->rc == 0, "assembled, written and read again"))
		printf("# %s\n", got->e.text);
}

static void
drop(struct result *got)
{
	buf_free(&got->json);
	arena_free(&got->a);
}

static bool
contains(const struct result *got, const char *text)
{
	return strstr(buf_text(&got->json), text) != NULL;
}

/* The reason for `what`, "" where there is none. */
static const char *
why(const struct result *got, const char *what)
{
	size_t i;

	for (i = 0; i < got->r.incomplete_count; i++)
		if (!strcmp(got->r.incomplete[i].what, what))
			return got->r.incomplete[i].why;
	return "";
}

static void
check_lane(const struct receipt_lane *lane, const struct record_lane *from,
	uint64_t elapsed_ns)
{
	uint64_t counts[HIST_FIO_BUCKETS], want[HIST_FIO_BUCKETS];

	EQ_U64(lane->ios, from->ios, "operations");
	OK(fabs(lane->iops - (double)from->ios * 1e9 / (double)elapsed_ns) <
			0.001,
		"over the elapsed time");
	EQ_U64(lane->lat_ns->p50, hist_percentile(&from->lat, 50), "p50");
	EQ_U64(lane->clat_ns->p99_9, hist_percentile(&from->clat, 99.9),
		"p99.9");
	EQ_U64(lane->lat_ns->tw_p99, hist_time_weighted(&from->lat, 99),
		"weighted p99");
	EQ_U64(lane->clat_ns->tw_p99, SHAPE_ABSENT, "of lat only");
	hist_fold(&from->clat, want);
	OK(!latency_unfold(lane->clat_ns, counts) &&
			!memcmp(counts, want, sizeof(want)),
		"the buckets are fio's");
}

/* What went on in a window of made_delta. */
static void
check_meanwhile(const struct receipt_window *w)
{
	EQ_U64(w->device->missing_read_bytes, 0, "no read is missing");
	EQ_U64(w->device->read_ios, w->read->ios + 1, "requests");
	EQ_U64(w->device->read_wait_ns, w->read->ios * 800000, "their time");
	OK(w->cpu->steal_worst_cpu_pct > 0.39 &&
			w->cpu->steal_worst_second_pct > 1.9,
		"steal at its worst");
	EQ_U64(w->cpu->steal_interval_ns, S, "and each second");
	EQ_U64(w->cpu->steal_series_count, 12, "of twelve");
	EQ_U64(w->pressure->cpu_some_ns, 31000000, "tasks waited for a CPU");
	EQ_U64(w->pressure->memory_some_ns, 0, "none for memory");
}

static void
test_whole(void)
{
	const struct receipt_window *w;
	struct made m;
	struct result got;
	struct err e;
	size_t i, k;

	OK(!made_run(&m, &whole, &e), "a run of baseline");
	assemble(&m, &got);
	EQ_I64(got.r.complete, 1, "is complete");
	OK(got.hold && got.r.incomplete_count == 0, "all checks hold");
	EQ_U64(got.r.window_count, 6, "six windows");
	OK(got.json.len < 65536, "in less than 64 KiB");
	printf("# %zu bytes\n", got.json.len);
	for (i = 0; i < got.r.window_count; i++) {
		w = &got.r.windows[i];
		for (k = 0; k < w->check_count; k++)
			OK(w->checks[k].holds == 1, w->checks[k].name);
		OK(w->series->interval_ns == S &&
				w->series->worst_count >= 12 &&
				w->series->worst_count <= w->elapsed_ns / S + 1,
			"a second each, the last as it is");
	}
	w = receipt_window(&got.r, "qd1-randread", 2);
	OK(w && !w->write && !w->sync && !w->commit, "reads alone");
	check_lane(w->read, &m.windows[1].lanes[RECORD_READ], w->elapsed_ns);
	OK(w->read->slat_ns && !w->read->slat_ns->buckets, "slat, no buckets");
	EQ_U64(w->device->other_read_bytes, 4096, "what others read");
	EQ_U64(w->device->other_write_bytes, 8192, "and wrote");
	check_meanwhile(w);
	w = receipt_window(&got.r, "qd4-mixed-70-30", 0);
	check_lane(w->write, &m.windows[4].lanes[RECORD_WRITE], w->elapsed_ns);
	w = receipt_window(&got.r, "fdatasync-8k-write", 0);
	OK(!w->read && !w->write->slat_ns && w->sync && w->commit,
		"psync has no submission latency, but syncs and commits");
	EQ_U64(w->sync->ios, w->write->ios, "a sync each");
	OK(isnan(w->sync->iops) && w->commit->ios == SHAPE_ABSENT,
		"and no rates of their own");
	OK(!w->engine->reap && got.r.windows[0].engine->reap, "reap");
	OK(got.r.summary->qd1_spread_pct > 0, "the spread");
	EQ_U64(got.r.summary->qd1_all_runs->n,
		got.r.windows[0].read->ios + got.r.windows[1].read->ios +
			got.r.windows[2].read->ios,
		"all runs merged");
	EQ_STR(got.r.target->backing, "disk", "on a disk");
	EQ_U64(got.r.plan->jobs[0].percentile_count, 4, "percentile_list");
	OK(!contains(&got, "customer"), "no path of the machine");
	drop(&got);
	made_free(&m);
}

/* ---- each check on its other side -------------------------------------- */

static void
break_order(struct made *m)
{
	m->windows[0].lanes[RECORD_READ].lat.min_ns = UINT64_C(1) << 50;
}

static void
break_series(struct made *m)
{
	m->windows[0].series.slots[3].read_ios++;
}

/* One slot cannot have waited longer than the window was. */
static void
break_bound(struct made *m)
{
	struct record_window *w = &m->windows[0];
	unsigned __int128 room = w->ended_ns - w->started_ns;

	w->lanes[RECORD_READ].lat.sum_ns = room * 1001 / 1000 + 1;
}

static void
keep_bound(struct made *m)
{
	struct record_window *w = &m->windows[0];
	unsigned __int128 room = w->ended_ns - w->started_ns;

	w->carried_ns = 777;
	w->lanes[RECORD_READ].lat.sum_ns = room * 1001 / 1000 + 777;
}

static void
break_bound_sync(struct made *m)
{
	struct record_window *w = &m->windows[5];

	w->lanes[RECORD_COMMIT].lat.sum_ns =
		(unsigned __int128)(w->ended_ns - w->started_ns) * 2;
}

static void
break_count(struct made *m)
{
	hist_record(&m->windows[0].lanes[RECORD_READ].slat, 9000);
}

static void
break_count_sync(struct made *m)
{
	m->windows[5].lanes[RECORD_SYNC].ios++;
}

static void
break_faults(struct made *m)
{
	m->windows[0].minor_faults = 1;
}

static void
break_clock(struct made *m)
{
	m->windows[0].negative_deltas = 1;
}

static void
break_errors(struct made *m)
{
	m->windows[0].lanes[RECORD_READ].errors = 1;
}

static void
break_bytes(struct made *m)
{
	m->windows[0].lanes[RECORD_READ].bytes -= 512;
}

static void
break_directions(struct made *m)
{
	struct record_window *w = &m->windows[0];

	w->lanes[RECORD_WRITE].ios = 1;
	w->lanes[RECORD_WRITE].bytes = 4096;
	hist_record(&w->lanes[RECORD_WRITE].slat, 1);
	hist_record(&w->lanes[RECORD_WRITE].clat, 1);
	hist_record(&w->lanes[RECORD_WRITE].lat, 2);
	w->submits++;
}

static void
break_submits(struct made *m)
{
	m->windows[0].submits--;
}

static void
break_runtime(struct made *m)
{
	m->plan.jobs[1].runtime_ns = 3 * S;
}

static void
break_stopped(struct made *m)
{
	m->windows[0].continued = 1;
}

static void
break_size(struct made *m)
{
	m->record.prepare.bytes -= 4096;
}

static void
break_extents(struct made *m)
{
	m->record.prepare.extents_written = 0;
}

/* What is broken, where (-1 = prepare), and which check says so (NULL: none);
   ended by NULL */
static const struct {
	void (*how)(struct made *m);
	int window;
	const char *check;
} breaks[] = {
	{ break_order, 0, "percentiles-in-order" },
	{ break_series, 0, "series-sum" },
	{ break_bound, 0, "latency-bound" },
	{ keep_bound, 0, NULL },
	{ break_bound_sync, 5, "latency-bound" },
	{ break_count, 0, "histogram-count" },
	{ break_count_sync, 5, "histogram-count" },
	{ break_faults, 0, "no-page-faults" },
	{ break_clock, 0, "clock-forward" },
	{ break_errors, 0, "no-errors" },
	{ break_bytes, 0, "bytes" },
	{ break_directions, 0, "directions" },
	{ break_submits, 0, "submits" },
	{ break_runtime, 3, "full-runtime" },
	{ break_stopped, 0, "not-stopped" },
	{ break_size, -1, "size" },
	{ break_extents, -1, "extents-written" },
	{ NULL, 0, NULL },
};

/* Only that one check fails, and the receipt says so. */
static void
check_broken(const struct receipt *r, int window, const char *name)
{
	const struct receipt_check *c =
		window < 0 ? r->prepare->checks : r->windows[window].checks;
	size_t n = window < 0 ? r->prepare->check_count
			      : r->windows[window].check_count;
	size_t i, broken = 0;
	bool found = false;

	for (i = 0; i < n; i++) {
		if (c[i].holds)
			continue;
		broken++;
		found |= !strcmp(c[i].name, name);
	}
	OK(found, name);
	EQ_U64(broken, 1, "and nothing else");
}

static void
test_breaks(void)
{
	struct receipt r;
	struct arena a;
	struct made m;
	struct err e;
	bool hold;
	size_t i;

	for (i = 0; breaks[i].how; i++) {
		arena_init(&a);
		made_run(&m, &brief, &e);
		breaks[i].how(&m);
		assemble_receipt(&m.in, &r, &a, &hold, &e);
		if (breaks[i].check) {
			OK(!hold && r.complete == 0, "not complete");
			check_broken(&r, breaks[i].window, breaks[i].check);
			OK(r.incomplete_count == 1 &&
					strstr(r.incomplete[0].why,
						breaks[i].check),
				"the reason names it");
		} else {
			OK(hold && r.complete == 1, "on this side it holds");
		}
		made_free(&m);
		arena_free(&a);
	}
}

/* ---- what is missing ---------------------------------------------------- */

static void
test_partial(void)
{
	struct made m;
	struct result got;
	struct err e;

	made_run(&m, &brief, &e);
	m.windows[2].state = RECORD_RUNNING;
	m.windows[3].state = RECORD_FAILED;
	err_set(&m.windows[3].err, ERR_INCOMPLETE, 0,
		"read of 4 KiB at 8192 failed: Input/output error");
	m.windows[4].state = m.windows[5].state = RECORD_PENDING;
	err_set(&m.record.err, ERR_INCOMPLETE, 0,
		"window qd32-randread: read of 4 KiB at 8192 failed: "
		"Input/output error");
	assemble(&m, &got);
	EQ_I64(got.r.complete, 0, "not complete");
	OK(got.hold, "though no check failed");
	EQ_U64(got.r.window_count, 2, "figures of what was measured alone");
	EQ_STR(why(&got, "window qd1-randread run 3"),
		"it did not come to its end", "one was running");
	OK(strstr(why(&got, "window qd32-randread run 1"), "Input/output"),
		"one failed");
	EQ_STR(why(&got, "windows"), "2 of 6 windows never began",
		"the rest is summed up");
	EQ_U64(got.r.incomplete_count, 3, "and nothing is said twice");
	OK(!got.r.summary, "no spread of two runs where three were declared");
	drop(&got);
	made_free(&m);
}

static void
test_reasons(void)
{
	struct made m;
	struct result got;
	struct err e;
	int i;

	made_run(&m, &brief, &e);
	assemble_reason(&m.in, "run", "ended by signal %d", SIGTERM);
	assemble(&m, &got);
	EQ_I64(got.r.complete, 0, "a reason alone makes it incomplete");
	EQ_STR(why(&got, "run"), "ended by signal 15", "and is told");
	drop(&got);
	for (i = 0; i < 2 * ASSEMBLE_REASONS_MAX; i++)
		assemble_reason(&m.in, "run", "/home/bob/%d", i);
	EQ_U64(m.in.reason_count, ASSEMBLE_REASONS_MAX, "reasons are bounded");
	assemble(&m, &got);
	OK(!contains(&got, "bob"), "and carry no paths");
	drop(&got);
	made_free(&m);
}

/*
 * The run asked for the end and told why: that it asked is no other reason.
 * m is made by the caller: one more of it is too much for the stack.
 */
static void
check_echo(struct made *m)
{
	struct result got;

	m->windows[3].state = RECORD_FAILED;
	err_set(&m->windows[3].err, ERR_INCOMPLETE, 0,
		"window qd32-randread: " RECORD_SUPERVISED);
	m->record.err = m->windows[3].err;
	assemble(m, &got);
	EQ_U64(got.r.incomplete_count, 1, "alone it is told");
	OK(strstr(got.r.incomplete[0].why, RECORD_SUPERVISED), "as it is");
	drop(&got);
	assemble_reason(&m->in, "run", "not done after 3 s (--deadline)");
	assemble(m, &got);
	EQ_U64(got.r.incomplete_count, 2, "the reason, and the window");
	OK(strstr(why(&got, "run"), "not done after 3 s"), "why");
	EQ_STR(why(&got, "window qd32-randread run 1"),
		"it did not come to its end", "where");
	drop(&got);
	m->in.reason_count = 0;
}

/* The supervisor and the window tell the same; once is enough. */
static void
test_told(void)
{
	struct made m;
	struct result got;
	struct err e;

	made_run(&m, &brief, &e);
	check_echo(&m);
	assemble_reason(&m.in, "window qd32-randread run 1",
		"ended by signal 2 (Interrupt)");
	m.windows[3].state = RECORD_FAILED;
	err_set(&m.windows[3].err, ERR_SIGNAL + 2, 0,
		"window qd32-randread, run 1: ended by signal 2 (Interrupt)");
	m.record.err = m.windows[3].err;
	assemble(&m, &got);
	EQ_U64(got.r.incomplete_count, 1, "one reason");
	drop(&got);
	m.windows[3].state = RECORD_RUNNING;
	assemble(&m, &got);
	EQ_U64(got.r.incomplete_count, 1, "also where it never came back");
	drop(&got);
	m.windows[3].state = RECORD_FAILED;
	err_set(&m.windows[3].err, ERR_INCOMPLETE, 5, "read failed");
	m.record.err.code = ERR_NONE;
	assemble(&m, &got);
	EQ_U64(got.r.incomplete_count, 2, "another reason is told, too");
	drop(&got);
	m.in.lab_removed = 0;
	m.in.left = "ioreceipt-lab";
	m.in.dir = "../bob";
	assemble_reason(&m.in, "clean-up", "../bob/ioreceipt-lab is busy");
	assemble(&m, &got);
	EQ_STR(why(&got, "clean-up"), "DIR/ioreceipt-lab is busy",
		"the lab is told of once, without the directory");
	EQ_U64(got.r.incomplete_count, 3, "and no more");
	drop(&got);
	made_free(&m);
}

static void
test_refused(void)
{
	struct made m;
	struct result got;
	struct err e;

	made_run(&m, &brief, &e);
	m.in.record = NULL;
	m.in.target = NULL;
	m.in.window_delta = m.in.prepare_delta = NULL;
	m.in.lab_removed = -1;
	assemble_reason(&m.in, "guard", MADE_DIR " is full");
	assemble(&m, &got);
	EQ_STR(why(&got, "guard"), "DIR is full", "the refusal");
	OK(!got.r.prepare && !got.r.cleanup && !got.r.window_count,
		"and no figures");
	EQ_STR(why(&got, "windows"), "6 of 6 windows never began", "none");
	OK(contains(&got, "\"windows\":[]"), "an empty list");
	OK(!contains(&got, "\"took_over\"") && !contains(&got, "nocow"),
		"nothing of a target that was not made");
	drop(&got);
	m.in.view = NULL;
	m.in.host = NULL;
	assemble(&m, &got);
	OK(!got.r.host && !got.r.target, "nor of what was not looked at");
	drop(&got);
	made_free(&m);
}

static void
test_cleanup(void)
{
	struct made m;
	struct result got;
	struct err e;

	made_run(&m, &brief, &e);
	m.in.lab_removed = 0;
	m.in.left = "a foreign file keeps " MADE_DIR "/ioreceipt-lab";
	assemble(&m, &got);
	EQ_I64(got.r.complete, 0, "what is left makes it incomplete");
	EQ_I64(got.r.cleanup->lab_removed, 0, "not removed");
	EQ_STR(got.r.cleanup->left, "a foreign file keeps DIR/ioreceipt-lab",
		"what is left");
	OK(*why(&got, "clean-up") != '\0', "is a reason");
	drop(&got);
	m.in.lab_removed = -1;
	assemble(&m, &got);
	EQ_I64(got.r.complete, 0, "a clean-up that was not seen");
	drop(&got);
	m.in.lab_removed = 1;
	m.record.prepare.done = false;
	err_set(&m.record.err, ERR_INCOMPLETE, 28, "the disk is full");
	assemble(&m, &got);
	OK(!got.r.prepare, "no figures of half a prepare");
	OK(strstr(why(&got, "prepare"), "the disk is full"), "but its reason");
	drop(&got);
	m.record.err.code = ERR_NONE;
	assemble(&m, &got);
	EQ_I64(got.r.complete, 0, "without a reason it is not complete either");
	drop(&got);
	made_free(&m);
}

/* ---- what the machine does not tell, or tells badly --------------------- */

static void
test_untold(void)
{
	/* none of these keys may be there; ended by NULL */
	static const char *const absent[] = { "\"cpus\"", "\"memory_bytes\"",
		"\"dmi_vendor\"", "\"steal_pct\"", "\"runqueue_wait_ns\"",
		"\"device\"", "\"pressure\"", "\"steal_series_pct\"",
		"\"steal_interval_ns\"", "\"dio_align_bytes\"",
		"\"mount_options\"", "\"device_bytes\"", "\"extents-written\"",
		"\"reached-device\"", "\"model\"", "\"ramp_ns\"",
		"\"ticker_ns\"", "\"note\"", "\"limits\"", "\"backing_why\"",
		"\"allowed_memory\"", NULL };
	struct made m;
	struct result got;
	struct err e;
	uint32_t i;

	made_run(&m, &brief, &e);
	m.host.cpus = m.host.memory_bytes = HOST_UNKNOWN;
	m.host.dmi_vendor[0] = '\0';
	m.in.window_delta = m.in.prepare_delta = NULL;
	m.in.ticker_ns = 0;
	m.in.note = "";
	m.target.align_told = false;
	m.view.mount_told = false;
	m.record.prepare.kernel_write_bytes = UINT64_MAX;
	m.record.prepare.extents_written = -1;
	for (i = 0; i < m.plan.window_count; i++)
		m.windows[i].runqueue_wait_ns = UINT64_MAX;
	assemble(&m, &got);
	EQ_I64(got.r.complete, 1, "complete without knowing everything");
	for (i = 0; absent[i]; i++)
		OK(!contains(&got, absent[i]), absent[i]);
	drop(&got);
	made_free(&m);
}

static void
test_odd_texts(void)
{
	static char note[6000];
	struct made m;
	struct result got;
	struct err e;

	made_run(&m, &brief, &e);
	memset(note, 'n', sizeof(note) - 1);
	m.in.note = note;
	m.in.sub = "a\tb\x1b[31m\xff";
	strcpy(m.host.dmi_vendor, "Caf\xc3\xa9\nInc.\xc3");
	m.plan.jobs[0].randseed = UINT64_MAX - 7;
	assemble(&m, &got);
	EQ_STR(got.r.sub, "a?b?[31m?", "controls and odd bytes");
	EQ_STR(got.r.host->dmi_vendor, "Caf\xc3\xa9?Inc.?", "in facts, too");
	EQ_U64(strlen(got.r.note), 4096, "what is too long is cut");
	EQ_U64(got.r.plan->jobs[0].randseed, SHAPE_ABSENT,
		"a number that JSON cannot hold");
	drop(&got);
	made_free(&m);
}

static void
test_backing(void)
{
	struct made m;
	struct result got;
	struct err e;

	made_run(&m, &brief, &e);
	m.prepare_delta.device_write_bytes = m.plan.size_bytes / 100 * 95;
	assemble(&m, &got);
	EQ_STR(got.r.target->backing, "unknown", "94.99 % reached the device");
	OK(strstr(got.r.target->backing_why, "reached a device"), "says why");
	OK(got.hold && got.r.complete == 1, "that is no failure");
	drop(&got);
	m.prepare_delta.device_write_bytes = m.plan.size_bytes / 100 * 96;
	assemble(&m, &got);
	EQ_STR(got.r.target->backing, "disk", "96 % did");
	drop(&got);
	m.prepare_delta.device_write_bytes = PRESSURE_UNKNOWN;
	m.record.prepare.kernel_write_bytes = 0;
	assemble(&m, &got);
	EQ_STR(got.r.target->backing, "unknown", "nor did the kernel see it");
	drop(&got);
	m.view.stack.backing = STACK_BACKING_MEMORY;
	strcpy(m.view.stack.why, "tmpfs is memory");
	m.in.allowed_memory = m.in.took_over = true;
	assemble(&m, &got);
	EQ_STR(got.r.target->backing, "memory", "memory stays memory");
	EQ_STR(got.r.target->backing_why, "tmpfs is memory", "and why");
	OK(got.r.target->allowed_memory == 1 && got.r.target->took_over == 1,
		"tainted");
	drop(&got);
	made_free(&m);
}

/* ---- odd lengths -------------------------------------------------------- */

static void
test_few(void)
{
	static const char *const job = "name=few rw=randread bs=4k size=1M "
				       "runtime=10ms time_based iodepth=1";
	struct plan_request request = {
		.jobs = &job, .job_count = 1, .ramp_ns = UINT64_MAX
	};
	const struct receipt_latency *l;
	struct made m;
	struct result got;
	struct err e;

	OK(!made_run(&m, &request, &e), "a run of 10 ms");
	assemble(&m, &got);
	l = got.r.windows[0].read->lat_ns;
	OK(l->n >= 2 && l->n < 20, "has a few samples");
	OK(shape_has(l->p50), "which carry p50");
	EQ_U64(l->p95, SHAPE_WITHHELD, "not p95");
	EQ_U64(l->p99_99, SHAPE_WITHHELD, "nor p99.99");
	EQ_U64(got.r.windows[0].series->read_count, 1, "less than a second");
	OK(!got.r.summary, "one run has no spread");
	drop(&got);
	made_free(&m);
}

static void
test_long(void)
{
	struct series *s;
	const struct receipt_series *out;
	struct made m;
	struct result got;
	struct err e;
	uint64_t sum = 0;
	size_t i;

	made_run(&m, &brief, &e);
	s = &m.windows[0].series;
	free(s->slots);
	series_init(s, calloc(36001, sizeof(*s->slots)), 36001);
	for (i = 0; i < m.windows[0].lanes[RECORD_READ].ios; i++)
		series_record(s, i % 36001 * SERIES_INTERVAL_NS, 0, i);
	series_record(s, UINT64_C(3600) * S, 0, 5);
	m.windows[0].lanes[RECORD_READ].ios++;
	assemble(&m, &got);
	out = got.r.windows[0].series;
	EQ_U64(out->interval_ns, 7 * S, "an hour and a bit by seven seconds");
	EQ_U64(out->read_count, 515, "in less than 600 intervals");
	for (i = 0; i < out->read_count; i++)
		sum += out->read_ios[i];
	EQ_U64(sum, m.windows[0].lanes[RECORD_READ].ios, "that add up");
	drop(&got);
	made_free(&m);
}

/* Fio's buckets that have a sample. */
static uint32_t
filled(const struct hist *h)
{
	uint64_t counts[HIST_FIO_BUCKETS];
	uint32_t i, n = 0;

	hist_fold(h, counts);
	for (i = 0; i < HIST_FIO_BUCKETS; i++)
		n += counts[i] > 0;
	return n;
}

static bool
is_coarse(const struct receipt_latency *l)
{
	return l->bucket_bits == HIST_COARSE_BITS && !latency_is_fio(l);
}

/*
 * A ceiling holds with 8 % to spare when each histogram is wider and noisier
 * than those of a busy disk were.  Windows longer than the suite's stand for
 * the findings, of which a made run has none.
 */
static void
check_ceiling(
	const char *suite, uint64_t runtime_ns, size_t ceiling, bool coarse)
{
	struct plan_request request = {
		.runtime_ns = runtime_ns, .suite = suite, .ramp_ns = UINT64_MAX
	};
	const struct receipt_lane *lane;
	uint32_t n = 0, lanes = 0, i, k;
	struct made m;
	struct result got;
	struct err e;

	OK(!made_run_of(&m, &request, true, &e), suite);
	assemble(&m, &got);
	OK(got.r.complete == 1, "is complete");
	for (i = 0; i < 2 * m.plan.window_count; i++) {
		k = i % 2 ? RECORD_WRITE : RECORD_READ;
		if (m.windows[i / 2].lanes[k].ios == 0)
			continue;
		lanes++;
		n += filled(&m.windows[i / 2].lanes[k].clat);
		n += filled(&m.windows[i / 2].lanes[k].lat);
		lane = i % 2 ? got.r.windows[i / 2].write
			     : got.r.windows[i / 2].read;
		if (!latency_is_fio(lane->clat_ns) ||
			is_coarse(lane->lat_ns) != coarse)
			OK(0, "clat has fio's buckets, lat as it should");
	}
	OK(n / (2 * lanes) >= 620, "620 buckets in a histogram");
	OK(got.json.len < ceiling - ceiling * 8 / 100, "8 % to spare");
	printf("# %zu bytes, %u buckets\n", got.json.len, n / (2 * lanes));
	drop(&got);
	made_free(&m);
}

/* As a run of many windows has it. */
static void
check_coarse(const struct receipt_latency *l, const struct hist *from)
{
	uint64_t fine[HIST_FIO_BUCKETS], counts[HIST_FIO_BUCKETS];
	uint64_t want[HIST_COARSE_BUCKETS] = { 0 };
	uint64_t have[HIST_COARSE_BUCKETS] = { 0 };
	uint32_t i;

	OK(is_coarse(l), "lat is coarse");
	hist_fold(from, fine);
	OK(!latency_unfold(l, counts), "and unfolds");
	for (i = 0; i < HIST_FIO_BUCKETS; i++) {
		want[hist_coarse(i)] += fine[i];
		have[hist_coarse(i)] += counts[i];
	}
	OK(!memcmp(want, have, sizeof(want)), "into what was measured");
	EQ_U64(l->p99_9, hist_percentile(from, 99.9), "p99.9 is exact");
}

/* The largest suite has 256 KiB; real tails are longer than made ones. */
static void
test_size(void)
{
	struct plan_request request = { .suite = "lowqd",
		.ramp_ns = UINT64_MAX };
	struct made m;
	struct result got;
	struct err e;

	OK(!made_run(&m, &request, &e), "a run of lowqd");
	assemble(&m, &got);
	OK(got.r.complete == 1 && got.r.window_count == 24, "24 windows");
	OK(got.json.len < 160 << 10, "in less than 160 KiB");
	printf("# %zu bytes\n", got.json.len);
	check_coarse(got.r.windows[0].write->lat_ns,
		&m.windows[0].lanes[RECORD_WRITE].lat);
	drop(&got);
	made_free(&m);
	check_ceiling("lowqd", 40 * S, 262144, true);
	check_ceiling("baseline", 16 * S, 65536, false);
}

/* Others' bytes are without those of our own ramp. */
static void
test_ramp(void)
{
	struct made m;
	struct result got;
	struct err e;

	made_run(&m, &brief, &e);
	m.windows[0].submits *= 2;
	m.delta[0].device_read_bytes =
		2 * m.windows[0].lanes[RECORD_READ].bytes + 8192;
	m.delta[1].device_read_bytes = 0;
	assemble(&m, &got);
	EQ_U64(got.r.windows[0].device->other_read_bytes, 8192,
		"the ramp's bytes are ours");
	EQ_U64(got.r.windows[1].device->other_read_bytes, 0,
		"less than ours is not below 0");
	EQ_U64(got.r.windows[0].device->missing_read_bytes, 0, "none missing");
	EQ_U64(got.r.windows[1].device->missing_read_bytes,
		m.windows[1].lanes[RECORD_READ].bytes,
		"but all of those that a cache answered");
	drop(&got);
	made_free(&m);
}

/* ---- fixed receipts ----------------------------------------------------- */

static void
golden_whole(struct made *m)
{
	(void)m;
}

static void
golden_partial(struct made *m)
{
	m->windows[3].state = RECORD_FAILED;
	err_set(&m->windows[3].err, ERR_INCOMPLETE, 0,
		"read of 4096 bytes at 1294336 failed: Input/output error");
	m->windows[4].state = m->windows[5].state = RECORD_PENDING;
	m->in.sub = NULL;
}

static void
golden_refused(struct made *m)
{
	m->in.record = NULL;
	m->in.target = NULL;
	m->in.window_delta = m->in.prepare_delta = NULL;
	m->in.lab_removed = -1;
	m->view.available_bytes = UINT64_C(1) << 30;
	assemble_reason(&m->in, "guard",
		"%s has 1 GiB free, 2 GiB are needed: free some or use --size",
		MADE_DIR);
}

/* Name of the file, and what is done to a whole run; ended by NULL */
static const struct {
	const char *name;
	void (*make)(struct made *m);
} golden[] = {
	{ "baseline.json", golden_whole },
	{ "partial.json", golden_partial },
	{ "refused.json", golden_refused },
	{ NULL, NULL },
};

static void
read_file(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "r");
	int c;

	while (f && (c = getc(f)) != EOF)
		buf_char(out, (char)c);
	if (f)
		fclose(f);
}

/* dir NULL: compare, else write. */
static void
each_golden(const char *dir)
{
	struct result got;
	struct buf have;
	struct made m;
	struct err e;
	char path[256];
	size_t i;
	FILE *f;

	for (i = 0; golden[i].name; i++) {
		made_run(&m, &whole, &e);
		golden[i].make(&m);
		assemble(&m, &got);
		buf_init(&have);
		snprintf(path, sizeof(path), "%s/%s", dir ? dir : GOLDEN_DIR,
			golden[i].name);
		if (dir && (f = fopen(path, "w")) != NULL) {
			fputs(buf_text(&got.json), f);
			fclose(f);
		}
		read_file(path, &have);
		OK(!strcmp(buf_text(&have), buf_text(&got.json)), path);
		buf_free(&have);
		drop(&got);
		made_free(&m);
	}
}

int
main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "--golden")) {
		each_golden(argv[2]);
		return tap_done();
	}
	test_whole();
	test_breaks();
	test_partial();
	test_reasons();
	test_told();
	test_refused();
	test_cleanup();
	test_untold();
	test_odd_texts();
	test_backing();
	test_few();
	test_long();
	test_ramp();
	test_size();
	each_golden(NULL);
	return tap_done();
}
