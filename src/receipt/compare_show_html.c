#include <math.h>
#include <stdio.h>
#include <string.h>

#include "receipt/compare_show.h"
#include "receipt/html.h"
#include "receipt/html_plot.h"
#include "receipt/show_common.h"

/* ---- figures ------------------------------------------------------------------- */

/* A figure in its unit's usual form; "" where there is none. */
static void
figure_text(const struct compare_metric *m, double v, char *out, size_t size)
{
	out[0] = '\0';
	if (isnan(v))
		return;
	switch (m->unit) {
	case METRIC_NS:
		show_common_ms((uint64_t)(v < 0 ? 0 : v + 0.5), out, size);
		break;
	case METRIC_BYTES_PER_S:
		show_common_mibs(v, out, size);
		break;
	case METRIC_PCT:
		snprintf(out, size, "%.1f %%", v);
		break;
	case METRIC_IOPS:
	case METRIC_RATIO:
		show_common_rate(v, out, size);
		break;
	}
}

static const char *
unit_text(const struct compare_metric *m)
{
	switch (m->unit) {
	case METRIC_NS:
		return "ms";
	case METRIC_BYTES_PER_S:
		return "MiB/s";
	case METRIC_IOPS:
		return "IOPS";
	case METRIC_PCT:
	case METRIC_RATIO:
		break;
	}
	return "";
}

/* Better or worse, where it is more than noise. */
static const char *
verdict_class(const struct compare_metric *m, const struct compare_cell *cell)
{
	bool up = cell->change_pct > 0;

	if (cell->verdict != COMPARE_CHANGED)
		return "dim";
	return up == m->higher_is_better ? "good" : "bad";
}

static void
put_cell(struct buf *b, const struct compare_metric *m,
	const struct compare_cell *cell, const char *head)
{
	char f[SHOW_COMMON_FIGURE];

	buf_str(b, "<td data-h=\"");
	html_text(b, head);
	buf_str(b, "\">");
	if (!cell) {
		buf_str(b, "</td>");
		return;
	}
	figure_text(m, cell->figure, f, sizeof(f));
	if (f[0] && cell->few)
		buf_char(b, '~');
	html_text(b, f);
	if (cell->verdict != COMPARE_BASE) {
		buf_printf(
			b, "<br><span class=\"%s\">", verdict_class(m, cell));
		if (!isnan(cell->change_pct))
			buf_printf(b, "%+.1f %%, ", cell->change_pct);
		html_text(b, compare_verdict_word(cell->verdict));
		buf_str(b, "</span>");
	}
	buf_str(b, "</td>");
}

/* How many groups stand beside each other; more are told, not drawn. */
enum { COLUMNS = 8 };

static size_t
shown_groups(const struct compare *c)
{
	return c->group_count < COLUMNS ? c->group_count : COLUMNS;
}

static void
put_figures(struct buf *b, const struct compare *c)
{
	size_t i, k, n = shown_groups(c);

	buf_str(b, "<section>\n<h2>Figures</h2>\n<table>\n<caption>Changes are "
		   "against the first; what is within the noise is no "
		   "change.</caption>\n<thead><tr><th scope=\"col\">figure"
		   "</th>");
	for (k = 0; k < n; k++)
		html_element(b, "th scope=\"col\"", c->groups[k]->name);
	buf_str(b, "</tr></thead>\n<tbody>\n");
	for (i = 0; i < c->metric_count; i++) {
		const struct compare_metric *m = &c->metrics[i];

		buf_str(b, "<tr><td>");
		html_text(b, m->name);
		if (unit_text(m)[0])
			buf_printf(b, " <span class=\"dim\">%s</span>",
				unit_text(m));
		buf_str(b, "</td>");
		for (k = 0; k < n; k++)
			put_cell(b, m, compare_cell(c->groups[k], i),
				c->groups[k]->name);
		buf_str(b, "</tr>\n");
	}
	buf_str(b, "</tbody>\n</table>\n");
	if (c->group_count > n)
		buf_printf(b,
			"<p class=\"dim\">%zu more groups are not shown "
			"here; --as table, json and csv have all.</p>\n",
			c->group_count - n);
	buf_str(b, "</section>\n");
}

/* ---- what is compared ------------------------------------------------------------- */

static void
put_signatures(struct buf *b, const struct compare_group *g)
{
	uint64_t good = g->signatures[COMPARE_GOOD];

	if (g->receipts == 1 && good) {
		buf_str(b, "signed by key <code>");
		html_text(b, g->kid);
		buf_str(b, "</code>");
	} else {
		buf_printf(b, "%llu of %llu signed", (unsigned long long)good,
			(unsigned long long)g->receipts);
	}
}

static void
put_groups(struct buf *b, const struct compare *c)
{
	size_t k, n = shown_groups(c);

	buf_str(b, "<section>\n<h2>Compared</h2>\n<dl>\n");
	for (k = 0; k < n; k++) {
		const struct compare_group *g = c->groups[k];

		html_element(b, "dt", g->name);
		buf_printf(b, "<dd>%llu receipt%s, ",
			(unsigned long long)g->receipts,
			g->receipts == 1 ? "" : "s");
		put_signatures(b, g);
		if (g->receipts == 1) {
			buf_str(b, "<br><span class=\"dim\">");
			html_text(b, g->file);
			buf_str(b, ", ");
			html_text(b, g->started_utc);
			buf_str(b, "</span>");
		}
		buf_str(b, "</dd>\n");
	}
	buf_str(b, "</dl>\n</section>\n");
}

static void
put_odds(struct buf *b, const struct compare_odds *o, const char *head)
{
	size_t i;

	if (o->count == 0)
		return;
	buf_printf(b, "<section>\n<h2>%s</h2>\n<ul>\n", head);
	for (i = 0; i < o->named; i++) {
		buf_str(b, "<li><b>");
		html_text(b, o->list[i].name);
		buf_str(b, "</b>: ");
		html_text(b, o->list[i].why);
		buf_str(b, "</li>\n");
	}
	buf_str(b, "</ul>\n");
	if (o->count > o->named)
		buf_printf(b, "<p class=\"dim\">and %llu more</p>\n",
			(unsigned long long)(o->count - o->named));
	buf_str(b, "</section>\n");
}

/* Machine and storage, where the groups differ: usually the explanation. */
static void
put_facts(struct buf *b, const struct compare *c)
{
	const char *name;
	size_t at = 0, k, n = shown_groups(c);
	bool open = false;

	while ((name = compare_show_fact(c, &at)) != NULL) {
		if (!open)
			buf_str(b, "<section>\n<h2>What differs</h2>\n<dl>\n");
		open = true;
		html_element(b, "dt", name);
		buf_str(b, "<dd>");
		for (k = 0; k < n; k++) {
			const char *value =
				compare_facts_get(&c->groups[k]->facts, name);

			if (k)
				buf_str(b, "<br>");
			buf_str(b, "<span class=\"dim\">");
			html_text(b, c->groups[k]->name);
			buf_str(b, ":</span> ");
			html_text(b, value ? value : "-");
		}
		buf_str(b, "</dd>\n");
	}
	if (open)
		buf_str(b, "</dl>\n</section>\n");
}

/* ---- distributions of single receipts ----------------------------------------------- */

/* The reads of a window, else its writes. */
static const struct receipt_latency *
latency_of_window(const struct receipt_window *w)
{
	const struct receipt_lane *lane = w->read ? w->read : w->write;

	return lane ? lane->lat_ns : NULL;
}

static void
put_distribution(struct buf *b, const struct compare *c,
	const struct receipt_window *first)
{
	struct html_plot_line lines[COLUMNS];
	size_t k, n = 0;

	for (k = 0; k < shown_groups(c); k++) {
		const struct receipt *r = c->groups[k]->receipt;
		const struct receipt_window *w =
			r ? receipt_window(r, first->name, first->run) : NULL;

		if (!w || !latency_of_window(w))
			continue;
		lines[n].name = c->groups[k]->name;
		lines[n++].latency = latency_of_window(w);
	}
	if (n < 2)
		return;
	html_element(b, "h3", first->name);
	html_plot_latency(b, lines, n);
}

static void
put_distributions(struct buf *b, const struct compare *c)
{
	const struct receipt *r =
		c->group_count > 1 ? c->groups[0]->receipt : NULL;
	size_t i;

	if (!r)
		return;
	buf_str(b, "<section>\n<h2>How long the slowest take</h2>\n");
	for (i = 0; i < r->window_count; i++)
		if (r->windows[i].run <= 1)
			put_distribution(b, c, &r->windows[i]);
	buf_str(b, "</section>\n");
}

void
compare_show_html(const struct compare *c, struct buf *out)
{
	bool unlike = compare_is_unlike(c);

	html_begin(out, "ioreceipt: receipts side by side");
	buf_printf(out,
		"<header>\n<p class=\"state %s\">%s</p>\n"
		"<h1>Receipts side by side</h1>\n<p class=\"dim\">suite ",
		unlike ? "bad" : "good",
		unlike ? "NOT ALIKE" : "LIKE FOR LIKE");
	html_text(out, c->suite);
	buf_str(out, ", plan <code>");
	html_text(out, c->digest);
	buf_str(out, "</code></p>\n</header>\n<main>\n");
	put_odds(out, &c->unlike, "Unlike the first");
	put_odds(out, &c->left_out, "Left out");
	put_groups(out, c);
	put_facts(out, c);
	if (!unlike || c->options.anyway) {
		put_figures(out, c);
		put_distributions(out, c);
	}
	buf_str(out, "</main>\n");
	html_end(out);
}
