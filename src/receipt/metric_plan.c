/* metric_plan of metric.h: names before there are figures. */
#include "base/shape.h"
#include "disk/record.h"
#include "receipt/metric.h"

/* A distribution whose figures are withheld; weighted: with tw_p50, tw_p99. */
static struct receipt_latency *
metric_plan_latency(struct arena *a, bool weighted)
{
	struct receipt_latency *l = arena_alloc(a, 1, sizeof(*l));

	if (!l)
		return NULL;
	*l = (struct receipt_latency){ .n = 1,
		.p50 = SHAPE_WITHHELD,
		.p95 = SHAPE_WITHHELD,
		.p99 = SHAPE_WITHHELD,
		.p99_9 = SHAPE_WITHHELD,
		.p99_99 = SHAPE_WITHHELD,
		.tw_p50 = weighted ? SHAPE_WITHHELD : SHAPE_ABSENT,
		.tw_p99 = weighted ? SHAPE_WITHHELD : SHAPE_ABSENT };
	return l;
}

/* *out stays NULL where the job has no such lane. */
static int
metric_plan_lane(struct receipt_lane **out, const struct job *j,
	enum record_lane_id id, struct arena *a)
{
	unsigned wants = record_wants(j, id);
	bool rates = id == RECORD_READ || id == RECORD_WRITE;
	struct receipt_lane *lane;

	if (wants == 0)
		return 0;
	lane = *out = arena_alloc(a, 1, sizeof(*lane));
	if (!lane)
		return -1;
	lane->iops = lane->bw_bytes = rates ? 1 : __builtin_nan("");
	if (wants & RECORD_SLAT)
		lane->slat_ns = metric_plan_latency(a, false);
	if (wants & RECORD_CLAT)
		lane->clat_ns = metric_plan_latency(a, false);
	lane->lat_ns = metric_plan_latency(a, true);
	return lane->lat_ns && (!(wants & RECORD_SLAT) || lane->slat_ns) &&
			       (!(wants & RECORD_CLAT) || lane->clat_ns)
		       ? 0
		       : -1;
}

static int
metric_plan_window(const struct plan *p, uint32_t i, struct receipt_window *w,
	struct arena *a)
{
	const struct job *j = &p->jobs[p->windows[i].job];

	w->name = p->windows[i].name;
	w->run = p->windows[i].run;
	w->job = p->windows[i].job;
	return metric_plan_lane(&w->read, j, RECORD_READ,
		       a) || metric_plan_lane(&w->write, j, RECORD_WRITE, a) ||
			       metric_plan_lane(&w->sync, j, RECORD_SYNC, a) ||
			       metric_plan_lane(&w->commit, j, RECORD_COMMIT, a)
		       ? -1
		       : 0;
}

static struct receipt_probe *
metric_plan_probe(const struct plan *p, struct arena *a)
{
	struct receipt_probe *probe = arena_alloc(a, 1, sizeof(*probe));
	struct receipt_job *job = arena_alloc(a, 1, sizeof(*job));

	if (!probe || !job)
		return NULL;
	job->name = p->windows[plan_windows(p)].name;
	probe->job = job;
	probe->p99_min_ns = probe->p99_max_ns = SHAPE_WITHHELD;
	probe->p99_spread = __builtin_nan("");
	return probe;
}

int
metric_plan(const struct plan *p, struct receipt *out, struct arena *a)
{
	uint32_t i, n = plan_windows(p);

	receipt_clear(out);
	out->windows = arena_alloc(a, n, sizeof(*out->windows));
	if (!out->windows)
		return -1;
	out->window_count = n;
	for (i = 0; i < n; i++)
		if (metric_plan_window(p, i, &out->windows[i], a))
			return -1;
	if (p->probe.samples == 0)
		return 0;
	out->probe = metric_plan_probe(p, a);
	return out->probe ? 0 : -1;
}
