#include "receipt/finding_neighbour.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/shape.h"
#include "base/stats.h"
#include "disk/hist.h"
#include "receipt/finding_around.h"
#include "receipt/finding_rate.h"

enum {
	FINDING_NEIGHBOUR_SECONDS = 4096
}; /* of one window: the field table's */

/* What explains a difference better than somebody on another machine. */
static const char *const finding_neighbour_explained[] = { "stall", "burst",
	"slice-throttle", "rate-limited", "cap", "steal", "cpu-bound",
	"competing-io", NULL };

/*
 * Reads alone, one at a time, on a machine that was quiet itself: what
 * the writes of a window do to its reads is no neighbour.
 */
static bool
finding_neighbour_looks(const struct finding_case *c, size_t i)
{
	const struct finding_window *w = &c->windows[i];

	return finding_case_alone(w) && w->w->read && !w->w->write &&
	       !finding_case_marked_any(c, finding_neighbour_explained, i);
}

/* What the runs of one name say together; NAN where they say nothing. */
struct finding_neighbour {
	size_t at; /* the first of them, or the one with the worst second */
	size_t runs;
	double p99_ratio, low_p99, high_p99; /* ns */
	double second_pct;		     /* worst of the median */
	double spread_pct;
	bool warning, raised;
};

/* The worst second of window i in per cent of its median second. */
static double
finding_neighbour_second(const struct finding_case *c, size_t i)
{
	double sorted[FINDING_NEIGHBOUR_SECONDS], median;
	const double *seconds;
	size_t n = finding_rate_seconds(c, &c->windows[i], &seconds);

	if (n == 0 || n > FINDING_NEIGHBOUR_SECONDS)
		return NAN;
	memcpy(sorted, seconds, n * sizeof(*sorted));
	median = stats_median(sorted, n);
	return median > 0 ? stats_min(seconds, n) / median * 100 : NAN;
}

/* Add run i to what is known of its name. */
static void
finding_neighbour_add(const struct finding_case *c, size_t i,
	struct finding_neighbour *n, double *iops)
{
	const struct receipt_latency *l = c->windows[i].w->read->lat_ns;
	double second = finding_neighbour_second(c, i);

	if (n->runs == 0)
		n->at = i;
	iops[n->runs++] = finding_case_iops(&c->windows[i]);
	if (l && shape_has(l->p99) && hist_trust(l->n, 99) == HIST_PLAIN) {
		if (!((double)l->p99 >= n->low_p99))
			n->low_p99 = (double)l->p99;
		if (!((double)l->p99 <= n->high_p99))
			n->high_p99 = (double)l->p99;
	}
	if (isnan(second) || second >= n->second_pct)
		return;
	n->second_pct = second;
	n->at = i;
}

static void
finding_neighbour_weigh(
	const struct finding_case *c, size_t first, struct finding_neighbour *n)
{
	double iops[PLAN_WINDOWS_MAX], mean;
	size_t i;

	*n = (struct finding_neighbour){ .at = first,
		.p99_ratio = NAN,
		.low_p99 = NAN,
		.high_p99 = NAN,
		.second_pct = NAN,
		.spread_pct = NAN };
	for (i = first; i < c->window_count; i++)
		if (!strcmp(c->windows[i].w->name, c->windows[first].w->name) &&
			finding_neighbour_looks(c, i))
			finding_neighbour_add(c, i, n, iops);
	mean = stats_mean(iops, n->runs);
	if (n->runs > 1 && mean > 0)
		n->spread_pct =
			(stats_max(iops, n->runs) - stats_min(iops, n->runs)) /
			mean * 100;
	if (n->runs > 1 && n->low_p99 > 0)
		n->p99_ratio = n->high_p99 / n->low_p99;
	n->warning = n->p99_ratio > finding_case_limit(c, "p99_ratio") ||
		     n->second_pct < finding_case_limit(c, "second_pct") ||
		     n->spread_pct > finding_case_limit(c, "warning_pct");
	n->raised =
		n->warning || n->spread_pct > finding_case_limit(c, "note_pct");
}

/* "p99 from 0.140 to 0.350 ms", "the worst second ..." as far as they hold */
static const char *
finding_neighbour_words(
	struct finding_case *c, const struct finding_neighbour *n)
{
	char text[FINDING_CASE_TEXT / 2] = "", run[40] = "";
	size_t len = 0;
	const char *kept;

	if (n->runs > 1)
		snprintf(run, sizeof(run), " (of run %llu)",
			(unsigned long long)c->windows[n->at].w->run);
	if (n->p99_ratio > finding_case_limit(c, "p99_ratio"))
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			", p99 lay between %s and %s from run to run",
			finding_case_ms(c, (uint64_t)n->low_p99),
			finding_case_ms(c, (uint64_t)n->high_p99));
	if (n->second_pct < finding_case_limit(c, "second_pct"))
		len += (size_t)snprintf(text + len, sizeof(text) - len,
			", the worst second%s did %.1f %% of the median "
			"second's operations",
			run, n->second_pct);
	if (n->spread_pct > finding_case_limit(c, "note_pct"))
		snprintf(text + len, sizeof(text) - len,
			", IOPS of its runs spread over %.1f %% of their mean",
			n->spread_pct);
	/* without the first comma */
	kept = arena_strdup(c->arena, *text ? text + 2 : text);
	c->failed |= !kept;
	return kept ? kept : "";
}

/* Is all told that would explain it otherwise? */
static bool
finding_neighbour_sure(const struct finding_case *c, size_t i)
{
	const struct receipt_cpu *cpu = c->windows[i].w->cpu;

	return cpu && !isnan(cpu->steal_pct) && c->windows[i].w->device &&
	       !isnan(finding_around_wait_pct(&c->windows[i]));
}

static void
finding_neighbour_say(struct finding_case *c, const struct finding_neighbour *n)
{
	bool sure = finding_neighbour_sure(c, n->at);
	struct finding_draft d = {
		.level = n->warning ? FINDING_WARNING : FINDING_NOTE,
		.confidence = sure ? FINDING_LIKELY : FINDING_POSSIBLE,
	};

	finding_case_mark(c, n->at);
	finding_case_figure(&d, "p99_ratio", n->p99_ratio);
	finding_case_figure(&d, "worst_second_pct", n->second_pct);
	finding_case_figure(&d, "spread_pct", n->spread_pct);
	finding_case_figure(&d, "runs", (double)n->runs);
	finding_case_say(c, &d,
		"in %s %s, while %s: others who share the storage, or the "
		"storage itself.",
		c->windows[n->at].w->name, finding_neighbour_words(c, n),
		sure ? "steal, waits for a CPU and I/O of others here were low"
		     : "waits for a CPU and I/O of others here were not high "
		       "as far as told");
}

/* Do enough I/Os carry the p99 of each sample? */
static bool
finding_neighbour_carried(const struct receipt_probe *p)
{
	const struct receipt_lane *read;
	size_t i;

	for (i = 0; i < p->sample_count; i++) {
		read = p->samples[i].read;
		if (!read || !read->lat_ns ||
			hist_trust(read->lat_ns->n, 99) != HIST_PLAIN)
			return false;
	}
	return p->sample_count > 1;
}

/* The suite's own minute of looking for neighbours. */
static void
finding_neighbour_probe(struct finding_case *c)
{
	const struct receipt_probe *p = c->receipt->probe;
	bool told = p && !isnan(p->steal_mean_pct);
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = told ? FINDING_LIKELY : FINDING_POSSIBLE };

	if (!p || !(p->p99_spread > finding_case_limit(c, "p99_ratio")) ||
		!shape_has(p->p99_min_ns) || !shape_has(p->p99_max_ns) ||
		!finding_neighbour_carried(p) ||
		(told && p->steal_mean_pct >
				 finding_case_limit_of(c, "steal", "note_pct")))
		return;
	finding_case_figure(&d, "p99_ratio", p->p99_spread);
	finding_case_figure(&d, "steal_pct", p->steal_mean_pct);
	finding_case_figure(&d, "samples", (double)p->sample_count);
	finding_case_say(c, &d,
		"p99 of the samples of the neighbour probe lay between %s and "
		"%s, while this machine waited%s: others who share the "
		"storage, or the storage itself.",
		finding_case_ms(c, p->p99_min_ns),
		finding_case_ms(c, p->p99_max_ns),
		told ? " and steal was low" : "");
}

void
finding_neighbour(struct finding_case *c)
{
	struct finding_neighbour n, most = { .raised = false };
	size_t i, k;

	for (i = 0; i < c->window_count; i++) {
		for (k = 0; k < i; k++)
			if (!strcmp(c->windows[k].w->name,
				    c->windows[i].w->name))
				break;
		if (k < i)
			continue;
		finding_neighbour_weigh(c, i, &n);
		if (n.raised && (!most.raised || (n.warning && !most.warning)))
			most = n;
	}
	if (most.raised)
		finding_neighbour_say(c, &most);
	else
		finding_neighbour_probe(c);
}
