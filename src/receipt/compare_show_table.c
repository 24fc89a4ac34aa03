#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "receipt/compare_advice.h"
#include "receipt/compare_show.h"
#include "receipt/show_common.h"

enum {
	SIDES = 2,    /* groups that stand side by side */
	NAMED = 8,    /* groups whose facts are told apart */
	FIGURE = 11,  /* columns of a figure */
	CHANGE = 9,   /* of a change */
	VERDICT = 16, /* of the longest verdict */
	SHORT = 10,   /* of the longest of a short one */
	COUNT = 8,    /* of a count */
	FACTS = 40    /* facts that are told */
};

/* A table in the making. */
struct compare_show_table {
	const struct compare *c;
	const struct text_style *style;
	struct buf *out;
	int name; /* columns of the first column */
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

/* ---- figures --------------------------------------------------------------- */

static char *
compare_show_table_figure(
	const struct compare_metric *m, double v, char *out, size_t size)
{
	if (isnan(v))
		return memcpy(out, "-", 2);
	if (m->unit == METRIC_IOPS)
		return show_common_rate(v, out, size);
	if (m->unit == METRIC_BYTES_PER_S)
		return show_common_mibs(v, out, size);
	if (m->unit == METRIC_NS)
		return show_common_ms((uint64_t)(v + 0.5), out, size);
	snprintf(out, size, "%.2f", v);
	return out;
}

static const char *
compare_show_table_unit(const struct compare_metric *m)
{
	if (m->unit == METRIC_IOPS)
		return "";
	if (m->unit == METRIC_BYTES_PER_S)
		return " MiB/s";
	return m->unit == METRIC_NS    ? " ms"
	       : m->unit == METRIC_PCT ? " %"
				       : " x";
}

static void
compare_show_table_cell(struct compare_show_table *t, const char *s, int width)
{
	buf_char(t->out, ' ');
	text_cell(t->out, s, width - 1, true, t->style->utf8);
}

/* The figure with its "~", or why there is none. */
static void
compare_show_table_value(struct compare_show_table *t,
	const struct compare_metric *m, const struct compare_cell *cell,
	double v)
{
	char text[SHOW_COMMON_FIGURE + 2] = "~";

	if (cell->sample.n == 0)
		snprintf(text, sizeof(text), "%s",
			cell->withheld ? "withheld" : "-");
	else
		compare_show_table_figure(
			m, v, text + cell->few, sizeof(text) - 1);
	compare_show_table_cell(t, text, FIGURE);
}

static void
compare_show_table_pct(struct compare_show_table *t, const char *sign, double v)
{
	const char *plus = strcmp(sign, "+") == 0 && v < 0 ? "" : sign;
	char text[32] = "-";

	if (isfinite(v) && fabs(v) < 1000)
		snprintf(text, sizeof(text), "%s%.*f %%", plus,
			fabs(v) < 100 ? 1 : 0, v);
	else if (isfinite(v))
		snprintf(text, sizeof(text), "x %.0f", v / 100 + 1);
	compare_show_table_cell(t, text, CHANGE);
}

static void
compare_show_table_verdict(
	struct compare_show_table *t, enum compare_verdict v, bool brief)
{
	struct text_style style = *t->style;

	const char *word = compare_verdict_word(v);

	if (brief && v == COMPARE_WITHIN)
		word = "noise";
	buf_str(t->out, "  ");
	text_colored(t->out, v == COMPARE_CHANGED ? TEXT_BOLD : TEXT_DIM, word,
		&style);
}

/* "read lat p99_9 ms" of "qd1-randread.read.lat.p99_9.median". */
static void
compare_show_table_what(const struct compare_metric *m, char *out, size_t size)
{
	const char *rest = m->name + (m->window ? m->window + 1 : 0);
	char *p;

	snprintf(out, size, "%s", rest);
	p = strstr(out, ".median");
	if (p)
		*p = '\0';
	for (p = out; *p; p++)
		if (*p == '.')
			*p = ' ';
	snprintf(p, size - (size_t)(p - out), "%s", compare_show_table_unit(m));
}

/* A line when another window begins. */
static void
compare_show_table_window(struct compare_show_table *t, size_t m)
{
	const struct compare_metric *it = &t->c->metrics[m];
	const struct compare_metric *last = m ? it - 1 : NULL;
	char name[METRIC_NAME_MAX];
	struct buf b;

	if (last && last->window == it->window &&
		strncmp(last->name, it->name, it->window) == 0)
		return;
	snprintf(name, sizeof(name), "%.*s", (int)it->window, it->name);
	buf_init(&b);
	show_common_word(&b, name, t->style->utf8);
	text_colored(t->out, TEXT_BOLD, buf_text(&b), t->style);
	buf_char(t->out, '\n');
	buf_free(&b);
}

static void
compare_show_table_head_line(struct compare_show_table *t,
	const char *const *words, const int *widths)
{
	size_t i;

	text_cell(t->out, words[0], t->name, false, t->style->utf8);
	for (i = 1; words[i]; i++)
		compare_show_table_cell(t, words[i], widths[i]);
	buf_char(t->out, '\n');
}

static void
compare_show_table_pair(struct compare_show_table *t)
{
	static const char *const words[] = { "", "A", "B", "change", "noise",
		NULL };
	static const int widths[] = { 0, FIGURE, FIGURE, CHANGE, CHANGE };
	const struct compare *c = t->c;
	const struct compare_cell *a, *b;
	char what[METRIC_NAME_MAX + 8];
	size_t m;

	t->name = t->style->width - 2 * FIGURE - 2 * CHANGE - VERDICT - 2;
	compare_show_table_head_line(t, words, widths);
	for (m = 0; m < c->metric_count; m++) {
		a = &c->groups[0]->cells[m];
		b = &c->groups[1]->cells[m];
		compare_show_table_window(t, m);
		compare_show_table_what(&c->metrics[m], what, sizeof(what));
		buf_str(t->out, "  ");
		text_cell(t->out, what, t->name - 2, false, t->style->utf8);
		compare_show_table_value(t, &c->metrics[m], a, a->figure);
		compare_show_table_value(t, &c->metrics[m], b, b->figure);
		compare_show_table_pct(t, "+", b->change_pct);
		compare_show_table_pct(t, "+-", b->allowed_pct);
		compare_show_table_verdict(t, b->verdict, false);
		buf_char(t->out, '\n');
	}
}

static void
compare_show_table_row(struct compare_show_table *t, size_t m, size_t g)
{
	const struct compare_group *group = t->c->groups[g];
	const struct compare_metric *metric = &t->c->metrics[m];
	const struct compare_cell *cell = &group->cells[m];
	const char *slash = strrchr(group->name, '/');
	char n[UNITS_SIZE], letter[4] = "";

	if (t->c->group_count <= NAMED)
		compare_show_table_letter(g, letter);
	buf_printf(t->out, "    %s%s", letter, *letter ? " " : "");
	text_cell(t->out,
		slash && slash[1] && !t->c->options.by_name ? slash + 1
							    : group->name,
		t->name - 4 - (*letter ? 2 : 0), false, t->style->utf8);
	compare_show_table_cell(
		t, units_count(cell->sample.n, n, sizeof(n)), COUNT);
	compare_show_table_value(t, metric, cell, cell->figure);
	compare_show_table_value(t, metric, cell, cell->least);
	compare_show_table_value(t, metric, cell, cell->most);
	if (t->c->group_count > 1) {
		compare_show_table_pct(t, "+", cell->change_pct);
		compare_show_table_verdict(t, cell->verdict, true);
	}
	buf_char(t->out, '\n');
}

/* A row a group below each metric. */
static void
compare_show_table_many(struct compare_show_table *t)
{
	static const char *const words[] = { "", "n", "median", "least", "most",
		"change", NULL };
	static const int widths[] = { 0, COUNT, FIGURE, FIGURE, FIGURE,
		CHANGE };
	const struct compare *c = t->c;
	char what[METRIC_NAME_MAX + 8];
	size_t m, g;

	t->name = t->style->width - 3 * FIGURE - CHANGE - COUNT - SHORT - 2;
	compare_show_table_head_line(t, words, widths);
	for (m = 0; m < c->metric_count; m++) {
		compare_show_table_window(t, m);
		compare_show_table_what(&c->metrics[m], what, sizeof(what));
		buf_str(t->out, "  ");
		text_clean(t->out, what, t->style->utf8);
		buf_char(t->out, '\n');
		for (g = 0; g < c->group_count; g++)
			compare_show_table_row(t, m, g);
	}
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
	struct compare_show_table t = { c, style, out, 0 };
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
	if (c->group_count == SIDES)
		compare_show_table_pair(&t);
	else
		compare_show_table_many(&t);
	buf_char(out, '\n');
	for (a = compare_advice_table; a->code; a++)
		compare_show_table_advice(&t, a);
	compare_show_table_foot(&t);
}
