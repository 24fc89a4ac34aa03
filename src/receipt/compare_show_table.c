#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "receipt/compare_advice.h"
#include "receipt/compare_show.h"
#include "receipt/compare_show_grid.h"
#include "receipt/show_common.h"

enum {
	SIDES = 2, /* groups that stand side by side */
	NAMED = 8, /* groups whose facts are told apart */
	FACTS = 40 /* facts that are told */
};

/* A table in the making. */
struct compare_show_table {
	const struct compare *c;
	const struct text_style *style;
	struct buf *out;
};

static void
compare_show_table_line(struct compare_show_table *t, const char *word,
	enum text_color color, struct buf *text)
{
	struct show_common_label label = { word, color };

	show_common_line(t->out, &label, buf_text(text), t->style);
	t->out->failed |= buf_failed(text);
	buf_free(text);
}

/* "A", "B", ... where few; else the group is called by its name. */
static void
compare_show_table_letter(size_t g, char out[4])
{
	out[0] = (char)('A' + g % 26);
	out[1] = '\0';
}

/* ---- above the figures ----------------------------------------------------- */

static void
compare_show_table_signed(struct buf *b, const struct compare_group *g)
{
	uint64_t good = g->signatures[COMPARE_GOOD];

	if (good == 0)
		buf_str(b, ", not signed");
	else if (g->receipts == 1)
		buf_printf(b, ", signed by key %s", g->kid);
	else
		buf_printf(b, ", %" PRIu64 " of %" PRIu64 " signed", good,
			g->receipts);
}

static void
compare_show_table_group(struct compare_show_table *t, size_t i)
{
	const struct compare_group *g = t->c->groups[i];
	char letter[4], count[UNITS_SIZE];
	struct buf b;

	buf_init(&b);
	compare_show_table_letter(i, letter);
	buf_str(&b, g->name);
	if (g->receipts > 1)
		buf_printf(&b, ", %s receipts",
			units_count(g->receipts, count, sizeof(count)));
	if (g->runs)
		buf_printf(&b, ", a median of %" PRIu64 " receipts", g->runs);
	if (g->label[0] && strcmp(g->label, g->name) != 0 && g->receipts == 1)
		buf_printf(&b, ", label %s", g->label);
	buf_printf(
		&b, ", %s%s", g->receipts > 1 ? "first " : "", g->started_utc);
	compare_show_table_signed(&b, g);
	compare_show_table_line(t, letter, TEXT_BOLD, &b);
}

static void
compare_show_table_odds(struct compare_show_table *t,
	const struct compare_odds *odds, const char *word)
{
	struct buf b;
	size_t i;

	for (i = 0; i < odds->named; i++) {
		buf_init(&b);
		buf_printf(&b, "%s: %s", odds->list[i].name, odds->list[i].why);
		compare_show_table_line(t, word, TEXT_YELLOW, &b);
	}
	if (odds->count == odds->named)
		return;
	buf_init(&b);
	buf_printf(&b, "%" PRIu64 " more", odds->count - odds->named);
	compare_show_table_line(t, word, TEXT_YELLOW, &b);
}

static void
compare_show_table_head(struct compare_show_table *t)
{
	const struct compare *c = t->c;
	char count[UNITS_SIZE];
	struct buf b;
	size_t i;

	buf_init(&b);
	buf_printf(&b, "%s receipts, suite %s, plan %.12s",
		units_count(c->receipts, count, sizeof(count)), c->suite,
		c->digest);
	if (c->group_count > NAMED)
		buf_printf(&b, ", %zu groups", c->group_count);
	compare_show_table_line(t, "compare", TEXT_BOLD, &b);
	for (i = 0; i < c->group_count && c->group_count <= NAMED; i++)
		compare_show_table_group(t, i);
	compare_show_table_odds(t, &c->left_out, "left out");
	compare_show_table_odds(t, &c->unlike, "unlike");
}

static void
compare_show_table_fact(struct compare_show_table *t, const char *name)
{
	const struct compare *c = t->c;
	const char *value;
	char letter[4];
	struct buf b;
	size_t i;

	buf_init(&b);
	buf_printf(&b, "%s:", name);
	for (i = 0; i < c->group_count && c->group_count <= NAMED; i++) {
		value = compare_facts_get(&c->groups[i]->facts, name);
		compare_show_table_letter(i, letter);
		buf_printf(&b, "%s %s %s", i ? ";" : "", letter,
			value ? value : "-");
	}
	if (c->group_count > NAMED)
		buf_str(&b, " not the same in all groups");
	compare_show_table_line(t, "differs", TEXT_YELLOW, &b);
}

/* Observations that not all have, a line a group. */
static void
compare_show_table_found(struct compare_show_table *t, size_t g)
{
	const struct compare_facts *f = &t->c->groups[g]->facts;
	const size_t prefix = strlen(COMPARE_FACTS_FOUND);
	char word[8] = "found A";
	const char *name;
	struct buf b;
	size_t at = 0;

	word[6] = (char)('A' + g % 26);
	buf_init(&b);
	while ((name = compare_show_fact(t->c, &at)) != NULL)
		if (strncmp(name, COMPARE_FACTS_FOUND, prefix) == 0 &&
			compare_facts_get(f, name))
			buf_printf(
				&b, "%s%s", b.len ? ", " : "", name + prefix);
	compare_show_table_line(t, word, TEXT_YELLOW, &b);
}

static void
compare_show_table_facts(struct compare_show_table *t)
{
	size_t at = 0, n = 0, more = 0;
	const size_t found = strlen(COMPARE_FACTS_FOUND);
	bool other = false; /* stacks of other layers */
	const char *name;
	struct buf b;

	while ((name = compare_show_fact(t->c, &at)) != NULL) {
		other |= strcmp(name, COMPARE_FACTS_STACK) == 0;
		if (other && strncmp(name, COMPARE_FACTS_STACK "[", 13) == 0)
			continue; /* layers of another kind */
		if (strncmp(name, COMPARE_FACTS_FOUND, found) == 0)
			continue; /* below */
		if (n++ < FACTS)
			compare_show_table_fact(t, name);
		else
			more++;
	}
	if (t->c->group_count < 2 || (n > 0 && more == 0))
		return;
	buf_init(&b);
	if (more)
		buf_printf(&b, "%zu more facts (--as json has all)", more);
	else
		buf_str(&b, "nothing that the receipts tell of machine and "
			    "storage");
	compare_show_table_line(t, "differs", TEXT_DIM, &b);
}

/* Did the figures move that an advice of one side is about? */
static void
compare_show_table_advice(
	struct compare_show_table *t, const struct compare_advice *a)
{
	const struct compare_metric *m;
	const struct compare_cell *cell;
	int of = compare_advice_of(t->c, a);
	size_t at = 0, n = 0;
	struct buf b;

	if (of < 0 || t->c->group_count != SIDES)
		return;
	buf_init(&b);
	buf_printf(&b, "%s: to %c alone;", a->code, 'A' + of);
	while ((m = compare_advice_metric(t->c, a, &at)) != NULL) {
		cell = &t->c->groups[1]->cells[at - 1];
		if (isfinite(cell->change_pct))
			buf_printf(&b, "%s %s %+.1f %% (%s)", n++ ? "," : "",
				m->name, cell->change_pct,
				compare_verdict_word(cell->verdict));
	}
	if (n == 0)
		buf_str(&b, " what it is about was not compared");
	compare_show_table_line(t, "advice", TEXT_PLAIN, &b);
}

/* What the words mean; how exact medians are. */
static void
compare_show_table_foot(struct compare_show_table *t)
{
	const struct compare *c = t->c;
	double error = 0, one;
	size_t g, m;
	struct buf b;

	for (g = 0; g < c->group_count; g++)
		for (m = 0; m < c->metric_count; m++) {
			one = compare_sample_error_pct(
				&c->groups[g]->cells[m].sample);
			error = one > error ? one : error;
		}
	buf_init(&b);
	if (c->group_count > 1)
		buf_str(&b,
			"change is against the first; noise is what chance "
			"alone explains at 95 %, so that one figure in twenty "
			"may be called changed without a cause. ");
	if (error > 0)
		buf_printf(&b, "Medians are within %.2f %%. ", error);
	if (c->group_count > 1 || error > 0) {
		compare_show_table_line(t, "note", TEXT_DIM, &b);
	} else {
		buf_free(&b);
	}
}

void
compare_show_table(const struct compare *c, const struct text_style *style,
	struct buf *out)
{
	struct compare_show_table t = { c, style, out };
	bool unlike = compare_is_unlike(c) && !c->options.anyway;
	const struct compare_advice *a;
	size_t g;

	compare_show_table_head(&t);
	if (unlike)
		return;
	compare_show_table_facts(&t);
	for (g = 0; g < c->group_count && c->group_count <= NAMED; g++)
		compare_show_table_found(&t, g);
	if (c->metric_count == 0)
		return;
	buf_char(out, '\n');
	compare_show_grid(c, style, out);
	buf_char(out, '\n');
	for (a = compare_advice_table; a->code; a++)
		compare_show_table_advice(&t, a);
	compare_show_table_foot(&t);
}
