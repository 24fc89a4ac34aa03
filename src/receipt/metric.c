#include "receipt/metric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/units.h"
#include "disk/hist.h"
#include "disk/plan.h"
#include "receipt/latency.h"

/* All runs of one name, in the order of the receipt. */
struct metric_group {
	const struct receipt_window *runs[PLAN_WINDOWS_MAX];
	size_t count;
	void (*each)(const struct metric *m, void *arg);
	void *arg;
};

/* Where one figure of a window is. */
struct metric_place {
	size_t lane;	/* in the window */
	size_t latency; /* in the lane; for rates the rate */
	size_t stat;	/* in the latency; unused for rates */
	enum metric_unit unit;
};

/* A part of a name, and the offset that it stands for. */
struct metric_word {
	const char *word;
	size_t offset;
};

#define IN_WINDOW(m)  offsetof(struct receipt_window, m)
#define IN_LANE(m)    offsetof(struct receipt_lane, m)
#define IN_LATENCY(m) offsetof(struct receipt_latency, m)

static const struct metric_word metric_directions[] = {
	{ "read", IN_WINDOW(read) },
	{ "write", IN_WINDOW(write) },
	{ "sync", IN_WINDOW(sync) },
	{ "commit", IN_WINDOW(commit) },
	{ NULL, 0 },
};

static const struct metric_word metric_latencies[] = {
	{ "slat", IN_LANE(slat_ns) },
	{ "clat", IN_LANE(clat_ns) },
	{ "lat", IN_LANE(lat_ns) },
	{ NULL, 0 },
};

static const struct metric_word metric_stats[] = {
	{ "min", IN_LATENCY(min) },
	{ "mean", IN_LATENCY(mean) },
	{ "p50", IN_LATENCY(p50) },
	{ "p95", IN_LATENCY(p95) },
	{ "p99", IN_LATENCY(p99) },
	{ "p99_9", IN_LATENCY(p99_9) },
	{ "p99_99", IN_LATENCY(p99_99) },
	{ "max", IN_LATENCY(max) },
	{ "tw_p50", IN_LATENCY(tw_p50) },
	{ "tw_p99", IN_LATENCY(tw_p99) },
	{ NULL, 0 },
};

const char *
metric_unit_word(enum metric_unit u)
{
	switch (u) {
	case METRIC_IOPS:
		return "iops";
	case METRIC_BYTES_PER_S:
		return "B/s";
	case METRIC_NS:
		return "ns";
	case METRIC_RATIO:
		return "x";
	case METRIC_PCT:
		break;
	}
	return "%";
}

static const void *
metric_pointer(const void *object, size_t offset)
{
	const void *pointer;

	memcpy(&pointer, (const char *)object + offset, sizeof(pointer));
	return pointer;
}

/* Is it a percentile that the samples carry only just? */
static bool
metric_few(const struct receipt_latency *l, size_t stat)
{
	const struct latency_stat *s;

	for (s = latency_stats(); s->per_cent > 0; s++)
		if (s->offset == stat)
			return hist_trust(l->n, s->per_cent) != HIST_PLAIN;
	return false;
}

/*
 * Is the figure there in w?  *out is NAN where it is withheld; *few becomes
 * true where it is one of few samples.
 */
static bool
metric_value(const struct receipt_window *w, const struct metric_place *at,
	double *out, bool *few)
{
	const void *lane = metric_pointer(w, at->lane), *latency;
	uint64_t v;

	*out = NAN;
	if (!lane)
		return false;
	if (at->unit != METRIC_NS) {
		memcpy(out, (const char *)lane + at->latency, sizeof(*out));
		return !isnan(*out);
	}
	latency = metric_pointer(lane, at->latency);
	if (!latency)
		return false;
	memcpy(&v, (const char *)latency + at->stat, sizeof(v));
	if (shape_has(v)) {
		*out = (double)v;
		*few |= metric_few(latency, at->stat);
	}
	return v != SHAPE_ABSENT;
}

/* The worst of all runs; unknown as soon as one of them is. */
static double
metric_worst(const double *v, size_t n, bool higher_is_better)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (isnan(v[i]))
			return NAN;
	return higher_is_better ? stats_min(v, n) : stats_max(v, n);
}

static void
metric_emit(const struct metric_group *g, const struct metric *m,
	const char *suffix, double value)
{
	struct metric out = *m;
	size_t len = strlen(out.name);

	snprintf(out.name + len, sizeof(out.name) - len, "%s", suffix);
	out.value = value;
	out.few = m->few && !isnan(value);
	g->each(&out, g->arg);
}

/* m is of that one window. */
static void
metric_of(struct metric *m, const struct receipt_window *w,
	const struct metric_place *at)
{
	m->window = w;
	m->lane = metric_pointer(w, at->lane);
	if (at->unit == METRIC_NS && m->lane)
		m->latency = metric_pointer(m->lane, at->latency);
	m->stat = at->stat;
}

/* m has the name, the unit and the sense; v and few a value a run. */
static void
metric_emit_all(const struct metric_group *g, const struct metric *m,
	const struct metric_place *at, const double *v, const bool *few)
{
	double worst = metric_worst(v, g->count, m->higher_is_better);
	double sorted[PLAN_WINDOWS_MAX];
	struct metric all = *m, one = *m;
	char suffix[32];
	size_t i;

	for (i = 0; i < g->count; i++)
		all.few |= few[i];
	if (g->count == 1)
		metric_of(&all, g->runs[0], at);
	metric_emit(g, &all, "", worst);
	if (g->count == 1)
		return;
	memcpy(sorted, v, g->count * sizeof(*sorted));
	metric_emit(g, &all, ".median",
		isnan(worst) ? NAN : stats_median(sorted, g->count));
	for (i = 0; i < g->count; i++) {
		snprintf(suffix, sizeof(suffix), ".run%llu",
			(unsigned long long)g->runs[i]->run);
		one.few = few[i];
		metric_of(&one, g->runs[i], at);
		metric_emit(g, &one, suffix, v[i]);
	}
}

/* One figure of the group, where any of its runs has it. */
static void
metric_figure(const struct metric_group *g, const char *name,
	const struct metric_place *at)
{
	struct metric m = { .unit = at->unit,
		.higher_is_better = at->unit != METRIC_NS };
	double v[PLAN_WINDOWS_MAX];
	bool few[PLAN_WINDOWS_MAX] = { false }, any = false;
	size_t i;

	for (i = 0; i < g->count; i++)
		any |= metric_value(g->runs[i], at, &v[i], &few[i]);
	if (!any)
		return;
	snprintf(m.name, sizeof(m.name), "%s.%s", g->runs[0]->name, name);
	metric_emit_all(g, &m, at, v, few);
}

static void
metric_direction(const struct metric_group *g, const struct metric_word *d)
{
	struct metric_place at = { .lane = d->offset };
	const struct metric_word *l, *s;
	char name[48];

	at.unit = METRIC_IOPS;
	at.latency = IN_LANE(iops);
	snprintf(name, sizeof(name), "%s.iops", d->word);
	metric_figure(g, name, &at);
	at.unit = METRIC_BYTES_PER_S;
	at.latency = IN_LANE(bw_bytes);
	snprintf(name, sizeof(name), "%s.bw", d->word);
	metric_figure(g, name, &at);
	at.unit = METRIC_NS;
	for (l = metric_latencies; l->word; l++) {
		for (s = metric_stats; s->word; s++) {
			at.latency = l->offset;
			at.stat = s->offset;
			snprintf(name, sizeof(name), "%s.%s.%s", d->word,
				l->word, s->word);
			metric_figure(g, name, &at);
		}
	}
}

static double
metric_total_iops(const struct receipt_window *w)
{
	double sum = 0;

	if (w->read && !isnan(w->read->iops))
		sum += w->read->iops;
	if (w->write && !isnan(w->write->iops))
		sum += w->write->iops;
	return sum;
}

/* Of the IOPS of all runs, both directions together. */
static void
metric_spread(const struct metric_group *g)
{
	struct metric m = { .unit = METRIC_PCT };
	double v[PLAN_WINDOWS_MAX];
	size_t i;

	if (g->count < 2)
		return;
	for (i = 0; i < g->count; i++)
		v[i] = metric_total_iops(g->runs[i]);
	if (stats_mean(v, g->count) <= 0)
		return;
	snprintf(m.name, sizeof(m.name), "%s", g->runs[0]->name);
	metric_emit(g, &m, ".spread", stats_spread_pct(v, g->count));
}

static bool
metric_few_in_probe(const struct receipt_probe *p)
{
	size_t i;

	for (i = 0; i < p->sample_count; i++)
		if (!p->samples[i].read->lat_ns ||
			hist_trust(p->samples[i].read->lat_ns->n, 99) !=
				HIST_PLAIN)
			return true;
	return false;
}

static void
metric_probe(const struct receipt_probe *p,
	void (*each)(const struct metric *m, void *arg), void *arg)
{
	const bool withheld = p->p99_max_ns == SHAPE_WITHHELD;
	const struct {
		const char *word;
		double value;
		enum metric_unit unit;
	} rows[] = {
		{ "p99_min",
			shape_has(p->p99_min_ns) ? (double)p->p99_min_ns : NAN,
			METRIC_NS },
		{ "p99_max",
			shape_has(p->p99_max_ns) ? (double)p->p99_max_ns : NAN,
			METRIC_NS },
		{ "p99_spread", p->p99_spread, METRIC_RATIO },
		{ "steal_mean", p->steal_mean_pct, METRIC_PCT },
		{ "steal_worst", p->steal_worst_pct, METRIC_PCT },
	};
	struct metric m;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		m = (struct metric){ .value = rows[i].value,
			.unit = rows[i].unit };
		if (rows[i].unit != METRIC_PCT && !isnan(m.value))
			m.few = metric_few_in_probe(p);
		if (isnan(m.value) && (rows[i].unit == METRIC_PCT || !withheld))
			continue;
		snprintf(m.name, sizeof(m.name), "%s.%s", p->job->name,
			rows[i].word);
		each(&m, arg);
	}
}

void
metric_each(const struct receipt *r,
	void (*each)(const struct metric *m, void *arg), void *arg)
{
	struct metric_group g = { .each = each, .arg = arg };
	const struct metric_word *d;
	size_t i, k;

	for (i = 0; i < r->window_count; i++) {
		if (receipt_window(r, r->windows[i].name, 0) != &r->windows[i])
			continue;
		g.count = 0;
		for (k = i; k < r->window_count && g.count < PLAN_WINDOWS_MAX;
			k++)
			if (!strcmp(r->windows[k].name, r->windows[i].name))
				g.runs[g.count++] = &r->windows[k];
		for (d = metric_directions; d->word; d++)
			metric_direction(&g, d);
		metric_spread(&g);
	}
	if (r->probe)
		metric_probe(r->probe, each, arg);
}

/* A search for one name, and all names beside it. */
struct metric_search {
	const char *name;
	struct metric *out;
	bool found;
	char **names; /* NULL, or room for all and a closing NULL */
	size_t count;
};

static void
metric_match(const struct metric *m, void *arg)
{
	struct metric_search *s = arg;

	if (s->names)
		s->names[s->count] = strdup(m->name);
	s->count++;
	if (strcmp(m->name, s->name) != 0)
		return;
	*s->out = *m;
	s->found = true;
}

/* "Did you mean": whoever mistypes a name has the time for a second walk. */
static int
metric_unknown(const struct receipt *r, struct metric_search *s, struct err *e)
{
	const char *near = NULL;
	size_t i, count = s->count;

	s->names = calloc(count + 1, sizeof(*s->names));
	s->count = 0;
	if (s->names) {
		metric_each(r, metric_match, s);
		near = units_nearest(s->name, (const char *const *)s->names);
	}
	if (near)
		err_set(e, ERR_USAGE, 0,
			"there is no metric \"%s\" here: did you mean \"%s\"?",
			s->name, near);
	else
		err_set(e, ERR_USAGE, 0, "there is no metric \"%s\" here",
			s->name);
	for (i = 0; s->names && i < count; i++)
		free(s->names[i]);
	free(s->names);
	return -1;
}

int
metric_find(const struct receipt *r, const char *name, struct metric *out,
	struct err *e)
{
	struct metric_search s = { .name = name, .out = out };

	metric_each(r, metric_match, &s);
	return s.found ? 0 : metric_unknown(r, &s, e);
}
