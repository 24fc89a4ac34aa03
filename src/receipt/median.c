#include "receipt/median.h"

#include <math.h>
#include <string.h>

#include "base/shape_combine.h"
#include "receipt/compare_facts.h"
#include "receipt/fields.h"
#include "receipt/latency_merge.h"
#include "receipt/metric.h"

/* A median in the making. */
struct median {
	const struct median_source *list;
	size_t n;
	struct arena *arena;
	struct receipt_derived *derived;
	bool failed;
};

static int
median_memory(struct err *e)
{
	return err_set(e, ERR_INCOMPLETE, 0, "out of memory for a median");
}

/* ---- may they be taken together? ------------------------------------------- */

static int
median_unlike(const struct median_source *a, const struct median_source *b,
	struct err *e)
{
	struct compare_facts wanted, is;
	struct arena arena;
	struct buf why;

	arena_init(&arena);
	buf_init(&why);
	if (compare_facts_plan(&wanted, a->receipt->plan, &arena) ||
		compare_facts_plan(&is, b->receipt->plan, &arena))
		median_memory(e);
	else {
		compare_facts_differ(&is, &wanted, &why);
		err_set(e, ERR_DIFFERS, 0,
			"%s is of another plan than %s and no median is taken "
			"of both: %s",
			b->name, a->name, buf_text(&why));
	}
	buf_free(&why);
	arena_free(&arena);
	return -1;
}

/* The same windows in the same order? */
static bool
median_windows_match(const struct receipt *a, const struct receipt *b)
{
	size_t i;

	if (a->window_count != b->window_count || !a->probe != !b->probe)
		return false;
	for (i = 0; i < a->window_count; i++)
		if (strcmp(a->windows[i].name, b->windows[i].name) != 0 ||
			a->windows[i].run != b->windows[i].run)
			return false;
	return true;
}

static int
median_check_one(const struct median_source *list, size_t i, struct err *e)
{
	const struct receipt *r = list[i].receipt;
	size_t k;

	if (r->derived)
		return err_set(e, ERR_INPUT, 0,
			"%s is a median itself: take the receipts that it is "
			"of",
			list[i].name);
	if (r->complete != 1)
		return err_set(e, ERR_INCOMPLETE, 0,
			"%s is not complete: a median of what is missing "
			"cannot be had",
			list[i].name);
	for (k = 0; k < i; k++)
		if (strcmp(list[k].receipt->jti, r->jti) == 0)
			return err_set(e, ERR_INPUT, 0,
				"%s and %s are one receipt: a copy does not "
				"count twice",
				list[k].name, list[i].name);
	if (strcmp(r->plan->digest, list[0].receipt->plan->digest) != 0)
		return median_unlike(&list[0], &list[i], e);
	if (!median_windows_match(list[0].receipt, r))
		return err_set(e, ERR_INPUT, 0,
			"%s has other windows than %s, though their plans are "
			"one",
			list[i].name, list[0].name);
	return 0;
}

static int
median_check(const struct median_source *list, size_t n, struct err *e)
{
	size_t i;

	if (n < 2 || n > FIELDS_SOURCES_MAX)
		return err_set(e, ERR_INPUT, 0,
			"a median is of 2 to %d receipts, these are %zu",
			FIELDS_SOURCES_MAX, n);
	for (i = 0; i < n; i++)
		if (median_check_one(list, i, e))
			return -1;
	return 0;
}

/* ---- where it comes from --------------------------------------------------- */

static void *
median_room(struct median *m, size_t n, size_t size)
{
	void *room = arena_alloc(m->arena, n ? n : 1, size);

	m->failed |= !room;
	return room;
}

static void
median_sources(struct median *m)
{
	struct receipt_source *from =
		median_room(m, m->n, sizeof(*m->derived->from));
	const struct receipt *r;
	size_t i;

	for (i = 0; from && i < m->n; i++) {
		r = m->list[i].receipt;
		from[i] = (struct receipt_source){ .jti = r->jti,
			.sub = r->sub,
			.started_utc = r->clock->started_utc,
			.iat = r->iat,
			.signature = m->list[i].kid[0] ? "good" : "unsigned",
			.kid = m->list[i].kid };
	}
	m->derived->from = from;
	m->derived->from_count = from ? m->n : 0;
}

static void
median_count(const struct metric *metric, void *arg)
{
	(void)metric;
	++*(size_t *)arg;
}

static bool
median_is_run(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && strncmp(dot, ".run", 4) == 0;
}

/* One name in all sources. */
static void
median_figure(const struct metric *metric, void *arg)
{
	struct median *m = arg;
	struct receipt_derived *d = m->derived;
	struct receipt_derived_figure *f = &d->figures[d->figure_count];
	struct metric found;
	size_t i;

	if (m->failed || isnan(metric->value) || median_is_run(metric->name))
		return;
	f->values = median_room(m, m->n, sizeof(*f->values));
	for (i = 0; f->values && i < m->n; i++) {
		if (metric_find(
			    m->list[i].receipt, metric->name, &found, NULL) ||
			isnan(found.value))
			return;
		f->values[i] = shape_round(found.value);
	}
	f->metric = arena_strdup(m->arena, metric->name);
	f->value_count = m->n;
	m->failed |= !f->metric;
	d->figure_count++;
}

static void
median_figures(struct median *m)
{
	const struct receipt *first = m->list[0].receipt;
	size_t count = 0;

	metric_each(first, median_count, &count);
	m->derived->figures =
		median_room(m, count, sizeof(*m->derived->figures));
	if (m->derived->figures)
		metric_each(first, median_figure, m);
}

/* ---- histograms added up --------------------------------------------------- */

static const struct receipt_latency *
median_latency(const struct receipt_window *w, size_t lane)
{
	const struct receipt_lane *lanes[] = { w->read, w->write, w->sync,
		w->commit };

	return lanes[lane] && lanes[lane]->lat_ns &&
			       lanes[lane]->lat_ns->buckets
		       ? lanes[lane]->lat_ns
		       : NULL;
}

/* All runs of all sources of that name, one direction. */
static void
median_merge(struct median *m, const char *window, size_t lane)
{
	static const char *const words[] = { "read", "write", "sync",
		"commit" };
	const size_t most = m->n * m->list[0].receipt->window_count;
	const struct receipt_latency **all = median_room(m, most, sizeof(*all));
	struct receipt_merged *out =
		&m->derived->merged[m->derived->merged_count];
	const struct receipt *r;
	size_t i, k, n = 0;

	for (i = 0; all && i < m->n; i++) {
		r = m->list[i].receipt;
		for (k = 0; k < r->window_count; k++) {
			if (strcmp(r->windows[k].name, window) != 0)
				continue;
			all[n] = median_latency(&r->windows[k], lane);
			if (!all[n++])
				return;
		}
	}
	if (n == 0)
		return;
	out->window = window;
	out->direction = words[lane];
	out->lat_ns = latency_merge(all, n, m->arena);
	m->derived->merged_count += out->lat_ns != NULL;
}

static void
median_merged(struct median *m)
{
	const struct receipt *r = m->list[0].receipt;
	size_t i, lane;

	m->derived->merged = median_room(
		m, 4 * r->window_count, sizeof(*m->derived->merged));
	for (i = 0; m->derived->merged && i < r->window_count; i++)
		for (lane = 0; lane < 4; lane++)
			if (receipt_window(r, r->windows[i].name, 0) ==
				&r->windows[i])
				median_merge(m, r->windows[i].name, lane);
}

/* ---- the whole ------------------------------------------------------------- */

/* A member of the receipt, combined; it stays NULL where one has none. */
static int
median_member(struct median *m, const char *key, enum shape_combine_how how,
	struct receipt *out)
{
	const struct shape_field *f = fields_receipt.fields;
	const void *objects[FIELDS_SOURCES_MAX];
	struct shape_field one[2] = { { 0 } };
	const struct shape member = { "member", sizeof(*out), one, "" };
	struct shape_combine from = { how, objects, m->n, m->arena };
	struct receipt made;
	size_t i;

	while (strcmp(f->key, key) != 0)
		f++;
	one[0] = *f;
	for (i = 0; i < m->n; i++)
		objects[i] = m->list[i].receipt;
	memset(&made, 0, sizeof(made));
	if (shape_combine(&member, &from, &made))
		return -1;
	memcpy((char *)out + f->offset, (char *)&made + f->offset,
		sizeof(void *));
	if (f->count_offset)
		memcpy((char *)out + f->count_offset,
			(char *)&made + f->count_offset, sizeof(size_t));
	return 0;
}

static int
median_members(struct median *m, struct receipt *out)
{
	/* what is measured, and what is told */
	static const struct {
		const char *key;
		enum shape_combine_how how;
	} table[] = {
		{ "windows", SHAPE_COMBINE_MEDIAN },
		{ "prepare", SHAPE_COMBINE_MEDIAN },
		{ "probe", SHAPE_COMBINE_MEDIAN },
		{ "summary", SHAPE_COMBINE_MEDIAN },
		{ "tool", SHAPE_COMBINE_EQUAL },
		{ "clock", SHAPE_COMBINE_EQUAL },
		{ "host", SHAPE_COMBINE_EQUAL },
		{ "target", SHAPE_COMBINE_EQUAL },
		{ "sub", SHAPE_COMBINE_EQUAL },
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (median_member(m, table[i].key, table[i].how, out))
			return -1;
	return 0;
}

/* Members that must be there whether all agree or not. */
static void
median_settle(struct median *m, struct receipt *out)
{
	const struct receipt *r;
	size_t i;

	if (!out->tool->version)
		out->tool->version = "several";
	if (!out->tool->arch)
		out->tool->arch = "several";
	for (i = 0; i < m->n; i++) {
		r = m->list[i].receipt;
		if (i == 0 || strcmp(r->clock->started_utc,
				      out->clock->started_utc) < 0)
			out->clock->started_utc = r->clock->started_utc;
		if (i == 0 ||
			strcmp(r->clock->ended_utc, out->clock->ended_utc) > 0)
			out->clock->ended_utc = r->clock->ended_utc;
	}
	for (i = 0; i < out->window_count; i++)
		out->windows[i].series = NULL;
	if (out->probe) {
		out->probe->job = m->list[0].receipt->probe->job;
		out->probe->steal_interval_ns = SHAPE_ABSENT;
	}
	out->plan = m->list[0].receipt->plan;
}

int
median_of(const struct median_source *list, size_t n, struct receipt *out,
	struct arena *a, struct err *e)
{
	struct median m = { .list = list, .n = n, .arena = a };

	if (median_check(list, n, e))
		return -1;
	receipt_clear(out);
	m.derived = median_room(&m, 1, sizeof(*m.derived));
	if (!m.derived || median_members(&m, out))
		return median_memory(e);
	median_settle(&m, out);
	m.derived->how = "median";
	median_sources(&m);
	median_figures(&m);
	median_merged(&m);
	out->schema = RECEIPT_MEDIAN;
	out->complete = 1;
	out->derived = m.derived;
	return m.failed ? median_memory(e) : 0;
}
