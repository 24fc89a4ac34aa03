#include "receipt/compare.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "receipt/compare_judge.h"
#include "receipt/compare_noise.h"

const char *const compare_usual[] = { "*.iops", "*.lat.p50", "*.lat.p99",
	"*.lat.p99_9", "*.p99_spread", "*.steal_worst", NULL };

enum { RUNS_MAX = 64 }; /* of one window that are held against each other */

/* One receipt on its way in. */
struct compare_taking {
	struct compare *c;
	struct compare_group *group;
	const struct receipt *receipt;
	struct err *e;
	bool failed;
	/* the metric at hand: its plain name, then what follows */
	struct metric metric;
	size_t plain; /* bytes of its name without ".median" */
	bool open;
	double value; /* of the receipt */
	double runs[RUNS_MAX], own[RUNS_MAX];
	size_t run_count;
};

void
compare_init(struct compare *c, const struct compare_options *o)
{
	memset(c, 0, sizeof(*c));
	c->options = *o;
	if (!c->options.only)
		c->options.only = compare_usual;
	arena_init(&c->arena);
}

static void
compare_free_group(struct compare_group *g)
{
	size_t i;

	for (i = 0; i < g->cell_count; i++)
		compare_sample_free(&g->cells[i].sample);
	free(g->cells);
	free(g);
}

void
compare_free(struct compare *c)
{
	size_t i;

	for (i = 0; i < c->group_count; i++)
		compare_free_group(c->groups[i]);
	free(c->groups);
	free(c->metrics);
	arena_free(&c->arena);
	memset(c, 0, sizeof(*c));
}

static int
compare_memory(struct err *e)
{
	return err_set(e, ERR_INCOMPLETE, 0, "out of memory while comparing");
}

/* A text from outside, whole or cut where a character ends. */
static void
compare_copy(char *out, size_t size, const char *s)
{
	size_t n = s ? strlen(s) : 0;

	n = n < size ? n : utf8_cut(s, n, size - 1);
	if (n)
		memcpy(out, s, n);
	out[n] = '\0';
}

const struct compare_cell *
compare_cell(const struct compare_group *g, size_t metric)
{
	return metric < g->cell_count ? &g->cells[metric] : NULL;
}

const char *
compare_verdict_word(enum compare_verdict v)
{
	/* in the order of the enum */
	static const char *const words[] = { "", "within the noise", "changed",
		"cannot say", "withheld", "absent" };

	return words[v];
}

/* ---- groups and cells ------------------------------------------------------ */

static int
compare_room(void **list, size_t count, size_t size)
{
	size_t room = count ? count : 0;
	void *more;

	/* full at 0 and at each power of two */
	if (room & (room - 1))
		return 0;
	more = realloc(*list, (room ? 2 * room : 1) * size);
	if (!more)
		return -1;
	*list = more;
	return 0;
}

static struct compare_group *
compare_group_new(
	struct compare *c, const struct compare_source *s, struct err *e)
{
	struct compare_group *g;

	if (c->group_count == COMPARE_GROUPS_MAX) {
		err_set(e, ERR_INPUT, 0,
			"more than %d groups cannot be compared: choose "
			"another --by",
			COMPARE_GROUPS_MAX);
		return NULL;
	}
	g = calloc(1, sizeof(*g));
	if (!g || compare_room((void **)&c->groups, c->group_count,
			  sizeof(struct compare_group *))) {
		free(g);
		compare_memory(e);
		return NULL;
	}
	g->name = arena_strdup(&c->arena, s->group);
	c->groups[c->group_count++] = g;
	if (!g->name) {
		compare_memory(e);
		return NULL;
	}
	return g;
}

static struct compare_group *
compare_group_of(
	struct compare *c, const struct compare_source *s, struct err *e)
{
	size_t i;

	for (i = c->group_count; i-- > 0;)
		if (strcmp(c->groups[i]->name, s->group) == 0)
			return c->groups[i];
	return compare_group_new(c, s, e);
}

static int
compare_widen(struct compare *c, struct compare_group *g, size_t metric)
{
	size_t want = metric + 1 > c->metric_count ? metric + 1
						   : c->metric_count;
	struct compare_cell *cells;

	if (metric < g->cell_count)
		return 0;
	cells = realloc(g->cells, want * sizeof(*cells));
	if (!cells)
		return -1;
	g->cells = cells;
	for (; g->cell_count < want; g->cell_count++) {
		memset(&cells[g->cell_count], 0, sizeof(*cells));
		compare_sample_init(&cells[g->cell_count].sample);
		cells[g->cell_count].own_noise = NAN;
	}
	return 0;
}

/* Its place in the list; -1 where there is no room for it. */
static int
compare_metric_of(
	struct compare *c, const struct metric *m, size_t *out, struct err *e)
{
	struct compare_metric *made;
	size_t i;

	for (i = 0; i < c->metric_count; i++) {
		*out = (c->next + i) % c->metric_count;
		if (strcmp(c->metrics[*out].name, m->name) == 0) {
			c->next = *out + 1;
			return 0;
		}
	}
	if (c->metric_count == COMPARE_METRICS_MAX ||
		(c->metric_count + 1) * c->group_count > COMPARE_CELLS_MAX)
		return err_set(e, ERR_INPUT, 0,
			"%zu groups of more than %zu figures cannot be "
			"compared at once: choose some with --only",
			c->group_count, c->metric_count);
	if (compare_room((void **)&c->metrics, c->metric_count,
		    sizeof(*c->metrics)))
		return compare_memory(e);
	made = &c->metrics[c->metric_count];
	memset(made, 0, sizeof(*made));
	strcpy(made->name, m->name);
	made->unit = m->unit;
	made->higher_is_better = m->higher_is_better;
	*out = c->metric_count++;
	c->next = c->metric_count;
	return 0;
}

/* ---- figures of one receipt ------------------------------------------------ */

/* What is known of one receipt's figure alone: its runs, their seconds. */
static void
compare_take_noise(struct compare_taking *t, struct compare_cell *cell)
{
	double squares = 0;
	size_t i;

	cell->least = cell->most = t->value;
	for (i = 0; i < t->run_count; i++)
		squares += t->own[i] * t->own[i];
	if (t->run_count == 0)
		return;
	if (t->run_count == 1) {
		cell->own_noise = t->own[0];
		return;
	}
	cell->least = INFINITY;
	cell->most = 0;
	for (i = 0; i < t->run_count; i++) {
		cell->least = fmin(cell->least, t->runs[i]);
		cell->most = fmax(cell->most, t->runs[i]);
	}
	/* fmax: what the seconds do not tell does not undo what runs tell */
	cell->own_noise = fmax(compare_noise_runs(t->runs, t->run_count),
		sqrt(squares) / (double)t->run_count);
}

/* A median brings all the values that it is of. */
static const struct receipt_derived_figure *
compare_derived(const struct receipt *r, const char *name)
{
	size_t i;

	for (i = 0; r->derived && i < r->derived->figure_count; i++)
		if (strcmp(r->derived->figures[i].metric, name) == 0)
			return &r->derived->figures[i];
	return NULL;
}

static int
compare_take_values(struct compare_taking *t, struct compare_cell *cell)
{
	const struct receipt_derived_figure *d =
		compare_derived(t->receipt, t->metric.name);
	size_t i;

	if (!d)
		return compare_sample_add(&cell->sample, t->value);
	for (i = 0; i < d->value_count; i++)
		if (compare_sample_add(&cell->sample, d->values[i]))
			return -1;
	return 0;
}

/* The metric at hand is whole. */
static void
compare_take_metric(struct compare_taking *t)
{
	struct compare *c = t->c;
	struct compare_cell *cell;
	size_t at;

	if (!t->open || t->failed)
		return;
	t->open = false;
	t->failed = true;
	if (compare_metric_of(c, &t->metric, &at, t->e))
		return;
	if (compare_widen(c, t->group, at)) {
		compare_memory(t->e);
		return;
	}
	cell = &t->group->cells[at];
	t->failed = false;
	if (isnan(t->value)) {
		cell->withheld++;
		return;
	}
	cell->few |= t->metric.few;
	if (cell->sample.n == 0)
		compare_take_noise(t, cell);
	if (compare_take_values(t, cell)) {
		t->failed = true;
		compare_memory(t->e);
	}
}

/* By its plain name or that of its median. */
static bool
compare_chosen(const struct compare *c, const char *name)
{
	char median[METRIC_NAME_MAX + 8];
	const char *const *only;

	snprintf(median, sizeof(median), "%s.median", name);
	for (only = c->options.only; *only; only++)
		if (fnmatch(*only, name, 0) == 0 ||
			fnmatch(*only, median, 0) == 0)
			return true;
	return false;
}

/* Is m the metric at hand with something behind its name? */
static const char *
compare_suffix(const struct compare_taking *t, const struct metric *m)
{
	size_t n = t->plain;

	if (!n || strncmp(m->name, t->metric.name, n) || m->name[n] != '.')
		return NULL;
	return m->name + n;
}

/* Plain names come first, then ".median" and ".runN" of the same. */
static void
compare_take(const struct metric *m, void *arg)
{
	struct compare_taking *t = arg;
	const char *suffix = compare_suffix(t, m);
	bool first = t->group->receipts == 0;

	if (suffix && strncmp(suffix, ".run", 4) == 0) {
		if (!t->open || isnan(m->value) || t->run_count == RUNS_MAX)
			return;
		t->runs[t->run_count] = m->value;
		t->own[t->run_count++] = first ? compare_noise_window(m,
			compare_noise_seed(t->receipt)) : NAN;
		return;
	}
	if (suffix && strcmp(suffix, ".median") == 0) {
		t->value = m->value;
		strcpy(t->metric.name, m->name);
		return;
	}
	compare_take_metric(t);
	t->metric = *m;
	t->plain = strlen(m->name);
	t->open = compare_chosen(t->c, m->name);
	t->value = m->value;
	t->run_count = 0;
	if (!t->open || !first || !m->window || isnan(m->value))
		return;
	t->own[t->run_count++] =
		compare_noise_window(m, compare_noise_seed(t->receipt));
}

/* ---- receipts -------------------------------------------------------------- */

/* A line on a list; beyond COMPARE_NAMED_MAX only counted.  why: borrowed. */
static int
compare_odd(struct compare *c, struct compare_odds *odds, const char *name,
	const char *why)
{
	struct compare_odd *o;

	odds->count++;
	if (odds->named == COMPARE_NAMED_MAX)
		return 0;
	o = &odds->list[odds->named++];
	compare_copy(o->name, sizeof(o->name), name);
	o->why = arena_strdup(&c->arena, why);
	return o->why ? 0 : -1;
}

static int
compare_unlike(
	struct compare *c, const struct receipt *r, const char *name)
{
	struct compare_facts plan;
	struct arena a;
	struct buf why;
	int rc;

	arena_init(&a);
	buf_init(&why);
	rc = compare_facts_plan(&plan, r->plan, &a);
	if (rc == 0) {
		compare_facts_differ(&plan, &c->plan, &why);
		rc = buf_failed(&why) ? -1
				      : compare_odd(c, &c->unlike, name,
						buf_text(&why));
	}
	buf_free(&why);
	arena_free(&a);
	return rc;
}

static int
compare_incomplete(
	struct compare *c, const struct receipt *r, const char *name)
{
	char why[256];

	snprintf(why, sizeof(why), "incomplete%s%.60s%s%.150s",
		r->incomplete_count ? ": " : "",
		r->incomplete_count ? r->incomplete[0].what : "",
		r->incomplete_count ? ", " : "",
		r->incomplete_count ? r->incomplete[0].why : "");
	return compare_odd(c, &c->left_out, name, why);
}

/* What the group's first receipt says of itself. */
static void
compare_identify(struct compare_group *g, const struct receipt *r,
	const struct compare_source *s)
{
	compare_copy(g->jti, sizeof(g->jti), r->jti);
	compare_copy(g->file, sizeof(g->file), s->name);
	compare_copy(g->label, sizeof(g->label), r->sub);
	compare_copy(g->started_utc, sizeof(g->started_utc),
		r->clock->started_utc);
	compare_copy(g->kid, sizeof(g->kid), s->kid);
	g->receipt = s->stays ? r : NULL;
	g->runs = r->derived ? r->derived->from_count : 0;
}

static int
compare_facts(struct compare *c, struct compare_group *g,
	const struct receipt *r)
{
	struct compare_facts facts;
	struct arena a;
	int rc;

	if (g->receipts == 0)
		return compare_facts_place(&g->facts, r, &c->arena);
	arena_init(&a);
	rc = compare_facts_place(&facts, r, &a);
	if (rc == 0)
		compare_facts_agree(&g->facts, &facts);
	arena_free(&a);
	return rc;
}

static int
compare_take_in(struct compare *c, const struct receipt *r,
	const struct compare_source *s, struct err *e)
{
	struct compare_taking t = { .c = c, .receipt = r, .e = e };

	t.group = compare_group_of(c, s, e);
	if (!t.group)
		return -1;
	if (compare_facts(c, t.group, r))
		return compare_memory(e);
	if (t.group->receipts == 0)
		compare_identify(t.group, r, s);
	else
		t.group->receipt = NULL;
	c->next = 0;
	metric_each(r, compare_take, &t);
	compare_take_metric(&t);
	t.group->receipts++;
	t.group->signatures[s->signature]++;
	c->receipts++;
	return t.failed ? -1 : 0;
}

int
compare_add(struct compare *c, const struct receipt *r,
	const struct compare_source *s, struct err *e)
{
	if (r->complete != 1 && !c->options.incomplete)
		return compare_incomplete(c, r, s->name) ? compare_memory(e)
							 : 0;
	if (c->digest[0] == '\0') {
		compare_copy(c->digest, sizeof(c->digest), r->plan->digest);
		compare_copy(c->suite, sizeof(c->suite), r->plan->suite);
		if (compare_facts_plan(&c->plan, r->plan, &c->arena))
			return compare_memory(e);
	}
	if (strcmp(c->digest, r->plan->digest) != 0) {
		if (compare_unlike(c, r, s->name))
			return compare_memory(e);
		if (!c->options.anyway)
			return 0;
	}
	return compare_take_in(c, r, s, e);
}

static int
compare_unknown(const struct compare *c, const char *name, struct err *e)
{
	const char **names = calloc(c->metric_count + 1, sizeof(*names));
	const char *near;
	size_t i;

	if (!names)
		return compare_memory(e);
	for (i = 0; i < c->metric_count; i++)
		names[i] = c->metrics[i].name;
	near = units_nearest(name, names);
	err_set(e, ERR_USAGE, 0,
		"there is no metric \"%s\" among those compared%s%s%s", name,
		near ? ": did you mean \"" : "", near ? near : "",
		near ? "\"?" : "");
	free(names);
	return -1;
}

/* "x.iops" also names the median of x.iops. */
static bool
compare_is_named(const struct compare_metric *m, const char *name)
{
	size_t n = strlen(name);

	return strncmp(m->name, name, n) == 0 &&
	       (m->name[n] == '\0' || strcmp(m->name + n, ".median") == 0);
}

int
compare_finish(struct compare *c, const char *sort, struct err *e)
{
	size_t i, by = 0;

	for (i = 0; i < c->group_count; i++)
		if (compare_widen(c, c->groups[i], c->metric_count))
			return compare_memory(e);
	compare_judge_figures(c);
	if (sort) {
		while (by < c->metric_count &&
			!compare_is_named(&c->metrics[by], sort))
			by++;
		if (by == c->metric_count)
			return compare_unknown(c, sort, e);
		compare_judge_sort(c, by);
	}
	compare_judge_changes(c);
	return 0;
}
