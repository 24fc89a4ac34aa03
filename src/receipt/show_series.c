#include "receipt/show_series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/shape.h"
#include "base/units.h"
#include "receipt/seconds.h"
#include "receipt/show_common.h"

#define SHOW_SERIES_SECOND_NS 1000000000

enum {
	SHOW_SERIES_BARS = 60,	/* columns of bars wanted at most */
	SHOW_SERIES_LEAST = 10, /* and at least, beside the name */
	SHOW_SERIES_GAP = 2
};

static const char show_series_corner[] = "operations a second";
static const char *const show_series_heads[2] = { "slowest", "fastest" };

/* One window's line. */
struct show_series_row {
	uint64_t *rates; /* operations a second, as many as fit the window */
	size_t count;
	char figures[2][SHOW_COMMON_FIGURE];
};

/* All of them. */
struct show_series {
	const struct receipt *receipt;
	const struct text_style *style;
	struct buf *out;
	uint64_t *rates; /* room for one window */
	size_t most;	 /* intervals of one window */
	uint64_t interval_ns;
	int label, bars; /* columns; label 0: names stand above their bars */
	int widths[2];	 /* of the figures */
};

/* false: this window has nothing to show. */
static bool
show_series_fill(struct show_series *g, const struct receipt_window *w,
	struct show_series_row *row)
{
	const struct receipt_series *s = w->series;
	double rate, least = INFINITY, most = 0;
	size_t i;

	row->rates = g->rates;
	row->count = seconds_count(w);
	if (row->count < 2)
		return false;
	for (i = 0; i < row->count; i++) {
		rate = seconds_rate(s, i);
		least = rate < least ? rate : least;
		most = rate > most ? rate : most;
		if (rate > (double)SHAPE_MAX)
			return false;
		row->rates[i] = (uint64_t)(rate + 0.5);
	}
	if (most <= 0)
		return false;
	units_count(
		(uint64_t)(least + 0.5), row->figures[0], SHOW_COMMON_FIGURE);
	units_count(
		(uint64_t)(most + 0.5), row->figures[1], SHOW_COMMON_FIGURE);
	return true;
}

static size_t
show_series_name(
	struct show_series *g, const struct receipt_window *w, struct buf *name)
{
	buf_reset(name);
	show_common_name(name, g->receipt, w, g->style->utf8);
	g->out->failed |= buf_failed(name);
	return text_columns(buf_text(name));
}

/* What all lines together ask for, and what they get. */
static bool
show_series_plan(struct show_series *g)
{
	struct show_series_row row;
	size_t i, n, longest = sizeof(show_series_corner) - 1;
	struct buf name;
	int k, figures;

	buf_init(&name);
	for (i = 0; i < g->receipt->window_count; i++) {
		if (!show_series_fill(g, &g->receipt->windows[i], &row))
			continue;
		n = show_series_name(g, &g->receipt->windows[i], &name);
		longest = n > longest ? n : longest;
		g->most = row.count > g->most ? row.count : g->most;
		if (g->receipt->windows[i].series->interval_ns > g->interval_ns)
			g->interval_ns =
				g->receipt->windows[i].series->interval_ns;
		for (k = 0; k < 2; k++) {
			n = strlen(row.figures[k]);
			if ((int)n > g->widths[k])
				g->widths[k] = (int)n;
		}
	}
	buf_free(&name);
	figures = g->widths[0] + g->widths[1] + 2 * SHOW_SERIES_GAP;
	g->label = (int)longest + SHOW_SERIES_GAP;
	g->bars = g->style->width - g->label - figures;
	if (g->bars < SHOW_SERIES_LEAST) {
		g->label = 0;
		g->bars = g->style->width - SHOW_SERIES_GAP - figures;
	}
	if (g->bars > SHOW_SERIES_BARS)
		g->bars = SHOW_SERIES_BARS;
	if ((size_t)(g->bars > 0 ? g->bars : 0) > g->most)
		g->bars = (int)g->most;
	return g->most > 0 && g->bars > 0;
}

static void
show_series_figures(struct show_series *g, const char *low, const char *high)
{
	buf_repeat(g->out, " ", SHOW_SERIES_GAP);
	text_cell(g->out, low, g->widths[0], true, true);
	buf_repeat(g->out, " ", SHOW_SERIES_GAP);
	text_cell(g->out, high, g->widths[1], true, true);
	buf_char(g->out, '\n');
}

static void
show_series_head(struct show_series *g)
{
	int left = g->label ? g->label + g->bars : SHOW_SERIES_GAP + g->bars;
	struct buf text;
	char ns[UNITS_SIZE];

	buf_init(&text);
	buf_str(&text, show_series_corner);
	if (g->interval_ns != SHOW_SERIES_SECOND_NS)
		buf_printf(&text, ", means of up to %s",
			units_ns(g->interval_ns, ns, sizeof(ns)));
	if (text_columns(buf_text(&text)) > (size_t)left) {
		text_wrap(g->out, "", buf_text(&text), g->style);
		buf_reset(&text);
	}
	text_cell(g->out, buf_text(&text), left, false, g->style->utf8);
	show_series_figures(g, show_series_heads[0], show_series_heads[1]);
	buf_free(&text);
}

static void
show_series_line(struct show_series *g, const char *name,
	const struct show_series_row *row)
{
	size_t shown = row->count;

	if (shown > (size_t)g->bars)
		shown = (size_t)g->bars;
	if (g->label) {
		text_cell(g->out, name, g->label, false, g->style->utf8);
	} else {
		text_wrap(g->out, "", name, g->style);
		buf_repeat(g->out, " ", SHOW_SERIES_GAP);
	}
	text_spark(g->out, row->rates, row->count, g->bars, g->style->utf8);
	buf_repeat(g->out, " ", (size_t)g->bars - shown);
	show_series_figures(g, row->figures[0], row->figures[1]);
}

void
show_series(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_series g = { .receipt = r, .style = style, .out = out };
	struct show_series_row row;
	struct buf name;
	size_t i;

	g.rates = calloc(SECONDS_MAX, sizeof(*g.rates));
	if (!g.rates) {
		out->failed = true;
		return;
	}
	for (i = 0; i < 2; i++)
		g.widths[i] = (int)strlen(show_series_heads[i]);
	if (show_series_plan(&g)) {
		buf_init(&name);
		buf_char(out, '\n');
		show_series_head(&g);
		for (i = 0; i < r->window_count; i++) {
			if (!show_series_fill(&g, &r->windows[i], &row))
				continue;
			show_series_name(&g, &r->windows[i], &name);
			show_series_line(&g, buf_text(&name), &row);
		}
		buf_free(&name);
	}
	free(g.rates);
}
