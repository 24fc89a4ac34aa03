#include "receipt/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "receipt/compare_judge.h"
#include "receipt/compare_take.h"

const char *const compare_usual[] = { "*.iops", "*.lat.p50", "*.lat.p99",
	"*.lat.p99_9", "*.p99_spread", "*.steal_worst", NULL };

/* of one window that are held against each other */

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

/* ---- groups -------------------------------------------------------------- */

/* Room for one more group: full at 0 and at each power of two. */
static int
compare_room(struct compare *c)
{
	size_t n = c->group_count, room = n ? 2 * n : 1;
	void *more;

	if (n & (n - 1))
		return 0;
	more = realloc(c->groups, room * sizeof(*c->groups));
	if (!more)
		return -1;
	c->groups = more;
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
	if (!g || compare_room(c)) {
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
compare_unlike(struct compare *c, const struct receipt *r, const char *name)
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
		rc = buf_failed(&why)
			     ? -1
			     : compare_odd(c, &c->unlike, name, buf_text(&why));
	}
	buf_free(&why);
	arena_free(&a);
	return rc;
}

static int
compare_incomplete(struct compare *c, const struct receipt *r, const char *name)
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
	compare_copy(
		g->started_utc, sizeof(g->started_utc), r->clock->started_utc);
	compare_copy(g->kid, sizeof(g->kid), s->kid);
	g->runs = r->derived ? r->derived->from_count : 0;
}

static bool
compare_is_before(const struct receipt *r, const struct compare_group *g)
{
	int order = strcmp(r->clock->started_utc, g->started_utc);

	return order < 0 || (order == 0 && strcmp(r->jti, g->jti) < 0);
}

static int
compare_facts(
	struct compare *c, struct compare_group *g, const struct receipt *r)
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
	struct compare_group *g = compare_group_of(c, s, e);

	if (!g)
		return -1;
	if (compare_facts(c, g, r))
		return compare_memory(e);
	/* whichever was read first: the same folder says the same */
	if (g->receipts == 0 || compare_is_before(r, g))
		compare_identify(g, r, s);
	g->receipt = s->stays && g->receipts == 0 ? r : NULL;
	if (compare_take(c, g, r, e))
		return -1;
	g->receipts++;
	g->signatures[s->signature]++;
	c->receipts++;
	return 0;
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

static const char *
compare_plain(struct compare *c, const struct compare_metric *m)
{
	const char *median = strstr(m->name + m->window, ".median");

	return median ? arena_strndup(
				&c->arena, m->name, (size_t)(median - m->name))
		      : m->name;
}

static int
compare_unknown(struct compare *c, const char *name, struct err *e)
{
	const char **names = calloc(c->metric_count + 1, sizeof(*names));
	const char *near;
	size_t i;

	if (!names)
		return compare_memory(e);
	for (i = 0; i < c->metric_count; i++) {
		names[i] = compare_plain(c, &c->metrics[i]);
		if (!names[i]) {
			free(names);
			return compare_memory(e);
		}
	}
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
		if (compare_take_widen(c, c->groups[i], c->metric_count))
			return compare_memory(e);
	compare_judge_figures(c);
	if (c->options.by_name)
		compare_judge_order(c);
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
