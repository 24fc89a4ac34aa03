/*
 * made: a run that never happened, whole and plausible: each window is a
 * closed loop over latencies drawn from a fixed sequence, so that every check
 * holds and every figure repeats.  Tests break one thing and look.
 */
#ifndef MADE_H
#define MADE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "receipt/assemble.h"

#define MADE_DIR "/srv/customer"

struct made {
	struct plan plan;
	struct record record;
	struct record_window windows[PLAN_WINDOWS_MAX];
	struct pressure_delta delta[PLAN_WINDOWS_MAX], prepare_delta;
	struct host host;
	struct guard_view view;
	struct target target;
	struct receipt_tool tool;
	struct assemble in;
	uint64_t random;
	bool noisy; /* latencies as of a busy disk; made_run_of */
};

static inline uint64_t
made_random(struct made *m)
{
	m->random ^= m->random << 13;
	m->random ^= m->random >> 7;
	m->random ^= m->random << 17;
	return m->random;
}

/*
 * What fills the most buckets: two wide humps, and a tail that thins out over
 * ten octaves.
 */
static inline uint64_t
made_noisy(struct made *m, uint64_t usual)
{
	double a = (double)(made_random(m) >> 11) * 0x1p-53;
	double b = (double)(made_random(m) >> 11) * 0x1p-53;
	uint64_t r = made_random(m) >> 20;

	if (r % 12 == 0)
		return (uint64_t)((double)usual * exp2(1.5 + 9.5 * a * b));
	if (r % 3 == 0)
		usual *= 2;
	return 12001 + (uint64_t)((double)usual * exp2(5.5 * (a + b) - 5.6));
}

/* Mostly near `usual`, one in 50 up to ten times, one in 2000 up to 80. */
static inline uint64_t
made_latency(struct made *m, uint64_t usual)
{
	uint64_t r = made_random(m), wide = usual;

	if (r % 2000 == 0)
		wide = usual * 80;
	else if (r % 50 == 0)
		wide = usual * 10;
	return usual - usual / 8 + (r >> 20) % (wide / 2);
}

static inline void
made_hist(struct hist *h)
{
	hist_init(h, malloc(HIST_BUCKETS * sizeof(uint32_t)));
}

/* One I/O of lane id that began at_ns after the window's start. */
static inline uint64_t
made_io(struct made *m, struct record_window *w, const struct job *j, int id,
	uint64_t at_ns)
{
	struct record_lane *l = &w->lanes[id];
	uint64_t lat = m->noisy ? made_noisy(m, 20000 * j->iodepth * j->numjobs)
				: made_latency(m, 900000 + 60000 * j->iodepth);
	uint64_t slat = j->ioengine == JOB_LIBAIO ? 8000 + lat % 4000 : 0;

	l->ios++;
	l->bytes += j->bs_bytes;
	if (slat)
		hist_record(&l->slat, slat);
	hist_record(&l->clat, lat - slat);
	hist_record(&l->lat, lat);
	series_record(&w->series, at_ns + lat, id == RECORD_WRITE, lat);
	w->submits++;
	return lat;
}

static inline uint64_t
made_sync(struct made *m, struct record_window *w, uint64_t write_ns)
{
	uint64_t lat =
		m->noisy ? made_noisy(m, 400000) : made_latency(m, 400000);

	w->lanes[RECORD_SYNC].ios++;
	hist_record(&w->lanes[RECORD_SYNC].lat, lat);
	hist_record(&w->lanes[RECORD_COMMIT].lat, write_ns + lat);
	return lat;
}

static inline void
made_loop(struct made *m, struct record_window *w, const struct job *j)
{
	uint64_t slots[256] = { 0 }, at, took, end = 0;
	size_t n = j->iodepth * j->numjobs, i, k;
	int id;

	for (;;) {
		for (i = 0, k = 1; k < n; k++)
			if (slots[k] < slots[i])
				i = k;
		at = slots[i];
		if (at >= j->runtime_ns)
			break;
		id = !job_reads(j) ||
		     (job_writes(j) &&
			     made_random(m) % 100 >= j->rwmixread_pct);
		took = made_io(m, w, j, id, at);
		if (j->fdatasync_every)
			took += made_sync(m, w, took);
		slots[i] = at + took;
		if (slots[i] > end)
			end = slots[i];
	}
	w->started_ns = 5000000000;
	w->ended_ns = w->started_ns + end;
}

/* What others did meanwhile. */
static inline void
made_delta(struct pressure_delta *d, const struct record_window *w, uint32_t n)
{
	const struct record_lane *read = &w->lanes[RECORD_READ];
	const struct record_lane *write = &w->lanes[RECORD_WRITE];
	uint64_t elapsed_ns = w->ended_ns - w->started_ns;

	pressure_clear(d);
	d->steal_pct = 0.3;
	d->steal_worst_cpu_pct = 0.4;
	d->steal_worst_second_pct = elapsed_ns >= CLOCK_NS_PER_S ? 2 : NAN;
	d->steal_interval_ns = CLOCK_NS_PER_S;
	for (; d->steal_count < elapsed_ns / CLOCK_NS_PER_S; d->steal_count++)
		d->steal_series_pct[d->steal_count] =
			d->steal_count == 3 ? 2 : 0.125F;
	d->others_cpu_pct = 1.5;
	d->kernel_cpu_pct = 3.25;
	d->device_read_bytes = read->bytes + 4096 * n;
	d->device_write_bytes = write->bytes + 8192;
	d->device_read_ios = read->ios + n;
	d->device_write_ios = write->ios + 1;
	d->device_read_wait_ns = read->ios * 800 * 1000;
	d->device_write_wait_ns = write->ios * 700 * 1000;
	d->stall_ns[PRESSURE_CPU] = 31000000;
	d->stall_ns[PRESSURE_IO] = elapsed_ns / 2;
	d->stall_ns[PRESSURE_MEMORY] = 0;
}

static inline void
made_window(struct made *m, uint32_t n)
{
	const struct job *j = &m->plan.jobs[m->plan.windows[n].job];
	struct record_window *w = &m->windows[n];
	uint32_t slots = series_capacity(j->runtime_ns);
	int i;

	series_init(
		&w->series, calloc(slots, sizeof(struct series_slot)), slots);
	for (i = 0; i < RECORD_LANES; i++) {
		made_hist(&w->lanes[i].lat);
		made_hist(&w->lanes[i].clat);
		made_hist(&w->lanes[i].slat);
	}
	made_loop(m, w, j);
	w->longest_gap_ns = 71234567;
	w->slow_submits_100us = 2;
	w->slow_submit_ns = 300000;
	w->early_completions = 1;
	w->queue_short_ns = 40000;
	w->user_ns = 210000000;
	w->system_ns = 640000000;
	w->voluntary_switches = 12000;
	w->involuntary_switches = 17;
	w->runqueue_wait_ns = 52000000;
	w->ring_reap = true;
	w->state = RECORD_MEASURED;
	made_delta(&m->delta[n], w, n);
}

static inline void
made_host(struct made *m)
{
	struct host *h = &m->host;

	strcpy(h->os, "Debian GNU/Linux 13 (trixie)");
	strcpy(h->kernel, "6.12.96+deb13-amd64");
	strcpy(h->arch, "x86_64");
	strcpy(h->cpu_model, "AMD EPYC-Milan Processor");
	h->cpus = 2;
	h->memory_bytes = UINT64_C(4) << 30;
	strcpy(h->virtualisation, "kvm");
	strcpy(h->container, "none");
	strcpy(h->dmi_vendor, "Hypervisor Inc.");
	strcpy(h->dmi_product, "Standard PC");
	strcpy(h->clock_source, "kvm-clock");
	h->fstrim_timer = -1;
}

static inline void
made_layer(struct stack_layer *l, enum stack_kind kind, const char *layer,
	const char *name)
{
	l->kind = kind;
	strcpy(l->layer, layer);
	strcpy(l->name, name);
	l->size_bytes = l->logical_block_bytes = STACK_UNKNOWN;
	l->physical_block_bytes = l->discard_max_bytes = STACK_UNKNOWN;
	l->nr_requests = STACK_UNKNOWN;
	l->rotational = -1;
}

static inline void
made_place(struct made *m)
{
	struct guard_view *v = &m->view;
	struct stack_layer *disk = &v->stack.layers[2];

	v->dir_fd = -1;
	strcpy(v->dir, MADE_DIR);
	v->mount_told = true;
	strcpy(v->fstype, "ext4");
	strcpy(v->mount.fstype, "ext4");
	strcpy(v->mount.options, "rw,relatime,errors=remount-ro");
	v->total_bytes = UINT64_C(40) << 30;
	v->available_bytes = UINT64_C(31) << 30;
	v->stack.count = 3;
	v->stack.backing = STACK_BACKING_DISK;
	v->stack.complete = true;
	made_layer(&v->stack.layers[0], STACK_FILESYSTEM, "ext4", "");
	made_layer(&v->stack.layers[1], STACK_PARTITION, "partition", "vda1");
	made_layer(disk, STACK_DISK, "disk", "vda");
	strcpy(disk->transport, "virtio");
	strcpy(disk->scheduler, "none");
	strcpy(disk->write_cache, "write back");
	disk->size_bytes = UINT64_C(40) << 30;
	disk->rotational = 0;
	disk->logical_block_bytes = 512;
	disk->physical_block_bytes = 4096;
	disk->discard_max_bytes = 2147483136;
	disk->nr_requests = 256;
	v->limits.io_count = 0;
	m->target.size_bytes = m->plan.size_bytes;
	m->target.align_bytes = 512;
	m->target.align_told = true;
}

static inline void
made_prepare(struct made *m)
{
	struct record_prepare *p = &m->record.prepare;

	p->bytes = m->plan.size_bytes;
	p->elapsed_ns = 2718281828;
	p->kernel_write_bytes = p->bytes;
	p->extents_written = 1;
	p->done = true;
	pressure_clear(&m->prepare_delta);
	m->prepare_delta.device_read_bytes = 0;
	m->prepare_delta.device_write_bytes = p->bytes + 65536;
}

/* Where the plan has a probe: an interval of steal a second, the third bad. */
static inline void
made_probe(struct made *m)
{
	struct record_probe *p = &m->record.probe;
	uint32_t first = plan_windows(&m->plan), i;

	if (!m->plan.probe.samples)
		return;
	p->began_ns = 400000000000;
	p->interval_ns = 1000000000;
	for (; p->steal_count < m->plan.probe.length_ns / p->interval_ns;
		p->steal_count++)
		p->steal_pct[p->steal_count] = p->steal_count == 2 ? 3.0 : 0;
	for (i = first; i < m->plan.window_count; i++) {
		m->windows[i].ended_ns -= m->windows[i].started_ns;
		m->windows[i].started_ns =
			p->began_ns + plan_sample_at_ns(&m->plan, i);
		m->windows[i].ended_ns += m->windows[i].started_ns;
	}
}

/*
 * Fill m with a whole run of what was asked for; 0, or -1 with e.  Of a noisy
 * one each histogram has more than 600 of fio's buckets, as were seen on a
 * disk that others use.
 */
static inline int
made_run_of(struct made *m, const struct plan_request *request, bool noisy,
	struct err *e)
{
	uint32_t i;

	memset(m, 0, sizeof(*m));
	m->noisy = noisy;
	m->random = UINT64_C(88172645463325252);
	if (plan_make(&m->plan, request, e))
		return -1;
	m->record.windows = m->windows;
	m->record.window_count = m->plan.window_count;
	made_host(m);
	made_place(m);
	made_prepare(m);
	for (i = 0; i < m->plan.window_count; i++)
		made_window(m, i);
	made_probe(m);
	m->tool = (struct receipt_tool){ "ioreceipt", "0.1.0", "x86_64",
		"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a"
		"08",
		"1.2.5", "0.6", "0.3.113", "2.14" };
	m->in = (struct assemble){ .plan = &m->plan,
		.record = &m->record,
		.host = &m->host,
		.view = &m->view,
		.target = &m->target,
		.window_delta = m->delta,
		.prepare_delta = &m->prepare_delta,
		.tool = &m->tool,
		.jti = "3f1c1b9e-0c1d-4a7e-9d52-6a1f0c2b7e11",
		.plan_digest = "e3b0c44298fc1c149afbf4c8996fb924"
			       "27ae41e4649b934ca495991b7852b855",
		.sub = "vps-a",
		.started_s = 1796066400,
		.ended_s = 1796066475,
		.clock_state = "synced",
		.clock_read_cost_ns = 23,
		.ticker_ns = 10000000,
		.lab_removed = 1 };
	return 0;
}

static inline int
made_run(struct made *m, const struct plan_request *request, struct err *e)
{
	return made_run_of(m, request, false, e);
}

static inline void
made_free(struct made *m)
{
	uint32_t n;
	int i;

	for (n = 0; n < m->plan.window_count; n++) {
		free(m->windows[n].series.slots);
		for (i = 0; i < RECORD_LANES; i++) {
			free(m->windows[n].lanes[i].lat.counts);
			free(m->windows[n].lanes[i].clat.counts);
			free(m->windows[n].lanes[i].slat.counts);
		}
	}
}

#endif
