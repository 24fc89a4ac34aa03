/*
 * quiet: a receipt of baseline on a disk of which there is nothing to say but
 * how it gains by depth.  Tests change one figure and look.
 */
#ifndef QUIET_H
#define QUIET_H

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "disk/hist.h"
#include "receipt/latency.h"
#include "receipt/receipt.h"

#define QUIET_US UINT64_C(1000)
#define QUIET_MS UINT64_C(1000000)
#define QUIET_S	 UINT64_C(1000000000)

enum { QUIET_SECONDS = 12, QUIET_ROOM = 600 };

/* Windows by their place. */
enum { QD1_1, QD1_2, QD1_3, QD32, MIXED, SYNC, QUIET_WINDOWS };

struct quiet {
	struct arena a;
	struct receipt r;
	struct receipt_tool tool;
	struct receipt_clock clock;
	struct receipt_plan plan;
	struct receipt_job jobs[4];
	struct receipt_host host;
	struct receipt_target target;
	struct receipt_layer stack[3];
	struct receipt_limit limits[2];
	struct receipt_prepare prepare;
	struct receipt_cleanup cleanup;
	struct receipt_window windows[QUIET_WINDOWS];
	struct receipt_check checks[QUIET_WINDOWS];
	struct receipt_diagnostics diagnostics;
	struct receipt_polled polled;
};

/* So many samples of each of some latencies, ended by a count of 0. */
struct quiet_heap {
	uint64_t ns, count;
};

static inline struct receipt_latency *
quiet_latency(struct quiet *q, const struct quiet_heap *heaps)
{
	struct receipt_latency *l;
	struct hist h;
	uint64_t k;

	hist_init(&h, malloc(HIST_BUCKETS * sizeof(uint32_t)));
	hist_reset(&h);
	for (; heaps->count > 0; heaps++)
		for (k = 0; k < heaps->count; k++)
			hist_record(&h, heaps->ns);
	l = latency_of(&h, LATENCY_BUCKETS | LATENCY_WEIGHTED, &q->a);
	free(h.counts);
	return l;
}

/* About p50_ns: p99 twice as long, p99.9 four times, max ten times. */
static inline struct receipt_latency *
quiet_usual(struct quiet *q, uint64_t p50_ns, uint64_t n)
{
	const struct quiet_heap heaps[] = { { p50_ns, n - n / 40 },
		{ p50_ns * 2, n / 40 - n / 400 },
		{ p50_ns * 4, n / 400 - n / 8000 }, { p50_ns * 10, n / 8000 },
		{ 0, 0 } };

	return quiet_latency(q, heaps);
}

static inline struct receipt_lane *
quiet_lane(struct quiet *q, uint64_t iops, uint64_t bs, uint64_t p50_ns)
{
	struct receipt_lane *lane = arena_alloc(&q->a, 1, sizeof(*lane));

	lane->ios = iops * QUIET_SECONDS;
	lane->bytes = lane->ios * bs;
	lane->iops = (double)iops;
	lane->bw_bytes = (double)(iops * bs);
	lane->lat_ns = quiet_usual(q, p50_ns, lane->ios);
	lane->clat_ns = lane->slat_ns = NULL;
	return lane;
}

/* An even 5 % above and below, second by second. */
static inline uint64_t *
quiet_seconds(struct quiet *q, uint64_t iops)
{
	uint64_t *v = arena_alloc(&q->a, QUIET_ROOM, sizeof(*v));
	size_t i;

	for (i = 0; i < QUIET_SECONDS; i++)
		v[i] = i % 2 ? iops + iops / 20 : iops - iops / 20;
	return v;
}

static inline void
quiet_series(struct quiet *q, struct receipt_window *w)
{
	struct receipt_series *s = arena_alloc(&q->a, 1, sizeof(*s));

	w->series = s;
	s->interval_ns = QUIET_S;
	s->worst_ns = arena_alloc(&q->a, QUIET_ROOM, sizeof(*s->worst_ns));
	s->worst_count = QUIET_SECONDS;
	if (w->read) {
		s->read_ios = quiet_seconds(q, (uint64_t)w->read->iops);
		s->read_count = QUIET_SECONDS;
	}
	if (w->write) {
		s->write_ios = quiet_seconds(q, (uint64_t)w->write->iops);
		s->write_count = QUIET_SECONDS;
	}
}

static inline void
quiet_around(struct quiet *q, struct receipt_window *w)
{
	struct receipt_engine *e = arena_alloc(&q->a, 1, sizeof(*e));
	struct receipt_cpu *cpu = arena_alloc(&q->a, 1, sizeof(*cpu));
	struct receipt_device *d = arena_alloc(&q->a, 1, sizeof(*d));

	w->engine = e;
	e->name = q->jobs[w->job].ioengine;
	e->ticker_ns = SHAPE_ABSENT;
	e->submits =
		(w->read ? w->read->ios : 0) + (w->write ? w->write->ios : 0);
	w->cpu = cpu;
	cpu->user_ns = QUIET_S;
	cpu->system_ns = 2 * QUIET_S;
	cpu->steal_pct = 0.1;
	cpu->steal_worst_cpu_pct = cpu->steal_worst_second_pct =
		__builtin_nan("");
	cpu->steal_interval_ns = SHAPE_ABSENT;
	cpu->runqueue_wait_ns = QUIET_S / 20;
	cpu->others_cpu_pct = 0.5;
	cpu->kernel_cpu_pct = 0.25;
	w->device = d;
	d->missing_read_bytes = d->missing_write_bytes = SHAPE_ABSENT;
	d->read_ios = d->write_ios = SHAPE_ABSENT;
	d->read_wait_ns = d->write_wait_ns = SHAPE_ABSENT;
	d->read_bytes = w->read ? w->read->bytes : 0;
	d->write_bytes = w->write ? w->write->bytes : 0;
}

static inline void
quiet_window(struct quiet *q, int i, uint64_t job, uint64_t run)
{
	struct receipt_window *w = &q->windows[i];

	w->name = q->jobs[job].name;
	w->job = job;
	w->run = run;
	w->elapsed_ns = QUIET_SECONDS * QUIET_S;
	w->longest_gap_ns = 5 * QUIET_MS;
	q->checks[i] = (struct receipt_check){ "percentiles-in-order", 1 };
	w->checks = &q->checks[i];
	w->check_count = 1;
	quiet_series(q, w);
	quiet_around(q, w);
}

static inline void
quiet_windows(struct quiet *q)
{
	int i;

	for (i = QD1_1; i <= QD1_3; i++) {
		q->windows[i].read = quiet_lane(q, 14000, 4096, 70 * QUIET_US);
		quiet_window(q, i, 0, (uint64_t)(1 + i));
	}
	q->windows[QD32].read = quiet_lane(q, 83000, 4096, 350 * QUIET_US);
	quiet_window(q, QD32, 1, 1);
	q->windows[MIXED].read = quiet_lane(q, 28000, 4096, 90 * QUIET_US);
	q->windows[MIXED].write = quiet_lane(q, 12000, 4096, 90 * QUIET_US);
	quiet_window(q, MIXED, 2, 1);
	q->windows[SYNC].write = quiet_lane(q, 7000, 8192, 60 * QUIET_US);
	q->windows[SYNC].sync = quiet_lane(q, 7000, 0, 65 * QUIET_US);
	q->windows[SYNC].sync->iops = q->windows[SYNC].sync->bw_bytes =
		__builtin_nan("");
	q->windows[SYNC].sync->bytes = SHAPE_ABSENT;
	quiet_window(q, SYNC, 3, 1);
}

static inline void
quiet_job(struct receipt_job *j, const char *name, const char *rw,
	uint64_t iodepth)
{
	*j = (struct receipt_job){ .name = name,
		.rw = rw,
		.ioengine = "libaio",
		.bs_bytes = 4096,
		.size_bytes = UINT64_C(512) << 20,
		.iodepth = iodepth,
		.numjobs = 1,
		.rwmixread_pct = SHAPE_ABSENT,
		.runtime_ns = QUIET_SECONDS * QUIET_S,
		.ramp_ns = SHAPE_ABSENT,
		.fsync = SHAPE_ABSENT,
		.fdatasync = SHAPE_ABSENT,
		.runs = 1,
		.offset_increment_bytes = SHAPE_ABSENT,
		.number_ios = SHAPE_ABSENT,
		.randseed = SHAPE_ABSENT,
		.direct = 1,
		.time_based = 1,
		.randrepeat = 1 };
}

static inline void
quiet_plan(struct quiet *q)
{
	q->plan = (struct receipt_plan){ .suite = "baseline",
		.digest = "00",
		.method = 1,
		.sequence = "fio3.35",
		.size_bytes = UINT64_C(512) << 20,
		.jobs = q->jobs,
		.job_count = 4 };
	quiet_job(&q->jobs[0], "qd1-randread", "randread", 1);
	q->jobs[0].runs = 3;
	quiet_job(&q->jobs[1], "qd32-randread", "randread", 32);
	quiet_job(&q->jobs[2], "qd4-mixed-70-30", "randrw", 4);
	q->jobs[2].rwmixread_pct = 70;
	quiet_job(&q->jobs[3], "fdatasync-8k-write", "randwrite", 1);
	q->jobs[3].ioengine = "psync";
	q->jobs[3].bs_bytes = 8192;
	q->jobs[3].fdatasync = 1;
}

static inline void
quiet_layer(struct receipt_layer *l, const char *layer, const char *name)
{
	*l = (struct receipt_layer){ .layer = layer,
		.name = name,
		.size_bytes = SHAPE_ABSENT,
		.rotational = -1,
		.logical_block_bytes = SHAPE_ABSENT,
		.physical_block_bytes = SHAPE_ABSENT,
		.discard_max_bytes = SHAPE_ABSENT,
		.nr_requests = SHAPE_ABSENT };
}

static inline void
quiet_place(struct quiet *q)
{
	q->target = (struct receipt_target){ .filesystem = "ext4",
		.mount_options = "rw,relatime,errors=remount-ro",
		.size_bytes = UINT64_C(512) << 20,
		.available_bytes = UINT64_C(31) << 30,
		.dio_align_bytes = 512,
		.backing = "disk",
		.stack = q->stack,
		.stack_count = 3,
		.limits = q->limits };
	quiet_layer(&q->stack[0], "ext4", NULL);
	quiet_layer(&q->stack[1], "partition", "nvme0n1p1");
	quiet_layer(&q->stack[2], "disk", "nvme0n1");
	q->stack[2].transport = "nvme";
	q->stack[2].rotational = 0;
	q->stack[2].scheduler = "none";
	q->stack[2].write_cache = "write back";
	q->stack[2].discard_max_bytes = 2147483136;
	q->limits[0] = (struct receipt_limit){ "cgroup v2 io.max", "nvme0n1",
		SHAPE_ABSENT, 4194304, 200, SHAPE_ABSENT };
	q->limits[1] = (struct receipt_limit){ "cgroup v2 io.max", "nvme0n1",
		SHAPE_ABSENT, SHAPE_ABSENT, 100, SHAPE_ABSENT };
}

static inline void
quiet_facts(struct quiet *q)
{
	q->tool = (struct receipt_tool){
		.name = "ioreceipt", .version = "0.1.0", .arch = "x86_64"
	};
	q->clock = (struct receipt_clock){ "2026-11-30T19:20:00Z",
		"2026-11-30T19:21:15Z", "synced", "tsc", 25 };
	q->host = (struct receipt_host){ .kernel = "6.1.0-27-amd64",
		.cpus = 2,
		.memory_bytes = UINT64_C(4) << 30,
		.virtualisation = "none",
		.container = "none",
		.fstrim_timer = 1 };
	q->prepare = (struct receipt_prepare){ .bytes = UINT64_C(512) << 20,
		.elapsed_ns = 2 * QUIET_S,
		.bw_bytes = (double)(UINT64_C(256) << 20),
		.device_bytes = UINT64_C(512) << 20,
		.first_quarter_ns = QUIET_S / 2,
		.last_quarter_ns = QUIET_S / 2 };
	q->cleanup.lab_removed = 1;
}

/* Free the arena when done. */
static inline void
quiet_make(struct quiet *q)
{
	memset(q, 0, sizeof(*q));
	arena_init(&q->a);
	receipt_clear(&q->r);
	quiet_plan(q);
	quiet_place(q);
	quiet_facts(q);
	quiet_windows(q);
	q->r.schema = RECEIPT_SCHEMA;
	q->r.jti = "3f1c1b9e-0c1d-4a7e-9d52-6a1f0c2b7e11";
	q->r.iat = 1796066475;
	q->r.complete = 1;
	q->r.tool = &q->tool;
	q->r.clock = &q->clock;
	q->r.plan = &q->plan;
	q->r.host = &q->host;
	q->r.target = &q->target;
	q->r.prepare = &q->prepare;
	q->r.windows = q->windows;
	q->r.window_count = QUIET_WINDOWS;
	q->r.cleanup = &q->cleanup;
	q->polled = (struct receipt_polled){ .job = 0,
		.elapsed_ns = 2 * QUIET_S,
		.lat_ns = quiet_usual(q, 55 * QUIET_US, 20000),
		.slept_p50_ns = 60 * QUIET_US };
	q->diagnostics.polled = &q->polled;
	q->r.diagnostics = &q->diagnostics;
}

/* Give window w other seconds: n of them, by a rule of its own. */
static inline void
quiet_rates(struct quiet *q, int w, const double *iops, size_t n)
{
	struct receipt_series *s = q->windows[w].series;
	size_t i;

	for (i = 0; i < n; i++)
		s->read_ios[i] = (uint64_t)(iops[i] + 0.5);
	s->read_count = s->worst_count = n;
	q->windows[w].elapsed_ns = n * QUIET_S;
}

/* Seconds at iops, by turns `pct` per cent above and below. */
static inline void
quiet_swing(struct quiet *q, int w, double iops, double pct)
{
	double v[QUIET_SECONDS];
	size_t i;

	for (i = 0; i < QUIET_SECONDS; i++)
		v[i] = iops * (1 + (i % 2 ? pct : -pct) / 100);
	quiet_rates(q, w, v, QUIET_SECONDS);
}

#endif
