#include "receipt/compare_show_grid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "receipt/show_common.h"

enum {
	WIDE = 72,    /* columns that columns want */
	SIDES = 2,    /* groups that stand side by side */
	NAMED = 8,    /* groups that have letters */
	FIGURE = 11,  /* columns of a figure */
	CHANGE = 9,   /* of a change */
	VERDICT = 16, /* of the longest verdict */
	SHORT = 10,   /* of the longest of a short one */
	COUNT = 8     /* of a count */
};

/* Figures in the making. */
struct compare_show_grid {
	const struct compare *c;
	const struct text_style *style;
	struct buf *out;
	int name; /* columns of the first column */
};

static char *
compare_show_grid_figure(
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
compare_show_grid_unit(const struct compare_metric *m)
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
compare_show_grid_cell(struct compare_show_grid *t, const char *s, int width)
{
	buf_char(t->out, ' ');
	text_cell(t->out, s, width - 1, true, t->style->utf8);
}

/* The figure with its "~", or why there is none. */
static void
compare_show_grid_value(struct compare_show_grid *t,
	const struct compare_metric *m, const struct compare_cell *cell,
	double v)
{
	char text[SHOW_COMMON_FIGURE + 2] = "~";

	if (cell->sample.n == 0)
		snprintf(text, sizeof(text), "%s",
			cell->withheld ? "withheld" : "-");
	else
		compare_show_grid_figure(
			m, v, text + cell->few, sizeof(text) - 1);
	compare_show_grid_cell(t, text, FIGURE);
}

static void
compare_show_grid_pct(struct compare_show_grid *t, const char *sign, double v)
{
	const char *plus = strcmp(sign, "+") == 0 && v < 0 ? "" : sign;
	char text[32] = "-";

	if (isfinite(v) && fabs(v) < 1000)
		snprintf(text, sizeof(text), "%s%.*f %%", plus,
			fabs(v) < 100 ? 1 : 0, v);
	else if (isfinite(v))
		snprintf(text, sizeof(text), "x %.0f", v / 100 + 1);
	compare_show_grid_cell(t, text, CHANGE);
}

static void
compare_show_grid_verdict(
	struct compare_show_grid *t, enum compare_verdict v, bool brief)
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
compare_show_grid_what(const struct compare_metric *m, char *out, size_t size)
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
	snprintf(p, size - (size_t)(p - out), "%s", compare_show_grid_unit(m));
}

/* A line when another window begins. */
static void
compare_show_grid_window(struct compare_show_grid *t, size_t m)
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
compare_show_grid_head_line(struct compare_show_grid *t,
	const char *const *words, const int *widths)
{
	size_t i;

	text_cell(t->out, words[0], t->name, false, t->style->utf8);
	for (i = 1; words[i]; i++)
		compare_show_grid_cell(t, words[i], widths[i]);
	buf_char(t->out, '\n');
}

static void
compare_show_grid_pair(struct compare_show_grid *t)
{
	static const char *const words[] = { "", "A", "B", "change", "noise",
		NULL };
	static const int widths[] = { 0, FIGURE, FIGURE, CHANGE, CHANGE };
	const struct compare *c = t->c;
	const struct compare_cell *a, *b;
	char what[METRIC_NAME_MAX + 8];
	size_t m;

	t->name = t->style->width - 2 * FIGURE - 2 * CHANGE - VERDICT - 2;
	compare_show_grid_head_line(t, words, widths);
	for (m = 0; m < c->metric_count; m++) {
		a = &c->groups[0]->cells[m];
		b = &c->groups[1]->cells[m];
		compare_show_grid_window(t, m);
		compare_show_grid_what(&c->metrics[m], what, sizeof(what));
		buf_str(t->out, "  ");
		text_cell(t->out, what, t->name - 2, false, t->style->utf8);
		compare_show_grid_value(t, &c->metrics[m], a, a->figure);
		compare_show_grid_value(t, &c->metrics[m], b, b->figure);
		compare_show_grid_pct(t, "+", b->change_pct);
		compare_show_grid_pct(t, "+-", b->allowed_pct);
		compare_show_grid_verdict(t, b->verdict, false);
		buf_char(t->out, '\n');
	}
}

static void
compare_show_grid_row(struct compare_show_grid *t, size_t m, size_t g)
{
	const struct compare_group *group = t->c->groups[g];
	const struct compare_metric *metric = &t->c->metrics[m];
	const struct compare_cell *cell = &group->cells[m];
	const char *slash = strrchr(group->name, '/');
	char n[UNITS_SIZE], letter[4] = "";

	if (t->c->group_count <= NAMED)
		letter[0] = (char)('A' + g % 26);
	buf_printf(t->out, "    %s%s", letter, *letter ? " " : "");
	text_cell(t->out,
		slash && slash[1] && !t->c->options.by_name ? slash + 1
							    : group->name,
		t->name - 4 - (*letter ? 2 : 0), false, t->style->utf8);
	compare_show_grid_cell(
		t, units_count(cell->sample.n, n, sizeof(n)), COUNT);
	compare_show_grid_value(t, metric, cell, cell->figure);
	compare_show_grid_value(t, metric, cell, cell->least);
	compare_show_grid_value(t, metric, cell, cell->most);
	if (t->c->group_count > 1) {
		compare_show_grid_pct(t, "+", cell->change_pct);
		compare_show_grid_verdict(t, cell->verdict, true);
	}
	buf_char(t->out, '\n');
}

/* A row a group below each metric. */
static void
compare_show_grid_many(struct compare_show_grid *t)
{
	static const char *const words[] = { "", "n", "median", "least", "most",
		"change", NULL };
	static const int widths[] = { 0, COUNT, FIGURE, FIGURE, FIGURE,
		CHANGE };
	const struct compare *c = t->c;
	char what[METRIC_NAME_MAX + 8];
	size_t m, g;

	t->name = t->style->width - 3 * FIGURE - CHANGE - COUNT - SHORT - 2;
	compare_show_grid_head_line(t, words, widths);
	for (m = 0; m < c->metric_count; m++) {
		compare_show_grid_window(t, m);
		compare_show_grid_what(&c->metrics[m], what, sizeof(what));
		buf_str(t->out, "  ");
		text_clean(t->out, what, t->style->utf8);
		buf_char(t->out, '\n');
		for (g = 0; g < c->group_count; g++)
			compare_show_grid_row(t, m, g);
	}
}

/* On a narrow screen: a paragraph a figure, "NAME 1,234 +5.3 % changed; ...". */
static void
compare_show_grid_narrow(struct compare_show_grid *t)
{
	const struct compare *c = t->c;
	const struct compare_cell *cell;
	char what[METRIC_NAME_MAX + 8], figure[SHOW_COMMON_FIGURE + 2];
	struct buf b;
	size_t m, g;

	buf_init(&b);
	for (m = 0; m < c->metric_count; m++) {
		compare_show_grid_window(t, m);
		compare_show_grid_what(&c->metrics[m], what, sizeof(what));
		buf_reset(&b);
		buf_printf(&b, "%s:", what);
		for (g = 0; g < c->group_count; g++) {
			cell = &c->groups[g]->cells[m];
			compare_show_grid_figure(&c->metrics[m], cell->figure,
				figure, sizeof(figure));
			buf_printf(&b, "%s ", g ? ";" : "");
			if (c->group_count <= NAMED)
				buf_char(&b, (char)('A' + g));
			else
				buf_str(&b, c->groups[g]->name);
			buf_printf(&b, " %s%s", cell->few ? "~" : "", figure);
			if (isfinite(cell->change_pct))
				buf_printf(&b, " %+.1f %% %s", cell->change_pct,
					compare_verdict_word(cell->verdict));
		}
		text_wrap(t->out, "  ", buf_text(&b), t->style);
	}
	t->out->failed |= buf_failed(&b);
	buf_free(&b);
}

void
compare_show_grid(const struct compare *c, const struct text_style *style,
	struct buf *out)
{
	struct compare_show_grid t = { c, style, out, 0 };

	if (style->width < WIDE)
		compare_show_grid_narrow(&t);
	else if (c->group_count == SIDES)
		compare_show_grid_pair(&t);
	else
		compare_show_grid_many(&t);
}
