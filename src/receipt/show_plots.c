#include "receipt/show_plots.h"

#include <math.h>
#include <string.h>

#include "receipt/curve.h"
#include "receipt/seconds.h"
#include "receipt/show_common.h"

enum {
	ROWS = 8,
	BARS_ROWS = 5,
	LABEL = 10, /* columns of a figure at the left */
	COLUMNS_MAX = 120
};

/* A plot in the making: how high each column is, in eighths of a row. */
struct show_plots {
	const struct text_style *style;
	struct buf *out;
	size_t columns;
	unsigned eighths[COLUMNS_MAX]; /* 0 = nothing there */
};

/* ---- drawing ----------------------------------------------------------------- */

static void
put_label(struct show_plots *p, const char *label)
{
	text_cell(p->out, label, LABEL - 2, true, p->style->utf8);
	buf_str(p->out, p->style->utf8 ? " \xe2\x94\x82" : " |");
}

static void
end_line(struct show_plots *p)
{
	while (p->out->len > 0 && p->out->data[p->out->len - 1] == ' ')
		p->out->len--;
	buf_char(p->out, '\n');
}

/* A mark in the row where the column ends. */
static void
put_mark(struct show_plots *p, unsigned height, unsigned row)
{
	bool here = height > 0 && (height - 1) / 8 == row;

	buf_str(p->out, !here ? " " : p->style->utf8 ? "\xe2\x80\xa2" : "*");
}

/* A bar up to where the column ends. */
static void
put_bar(struct show_plots *p, unsigned height, unsigned row)
{
	static const char *const parts[] = { " ", "\xe2\x96\x81",
		"\xe2\x96\x82", "\xe2\x96\x83", "\xe2\x96\x84", "\xe2\x96\x85",
		"\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88" };
	static const char *const ascii[] = { " ", ".", ".", ":", ":", "=", "=",
		"#", "#" };
	unsigned part = height <= row * 8 ? 0 : height - row * 8;

	if (part > 8)
		part = 8;
	buf_str(p->out, p->style->utf8 ? parts[part] : ascii[part]);
}

static void
draw(struct show_plots *p, unsigned rows,
	void (*put)(struct show_plots *p, unsigned height, unsigned row),
	const char *const labels[2])
{
	unsigned row;
	size_t i;

	for (row = rows; row-- > 0;) {
		put_label(p, row == rows - 1 ? labels[1]
			     : row == 0	     ? labels[0]
					     : "");
		for (i = 0; i < p->columns; i++)
			put(p, p->eighths[i], row);
		end_line(p);
	}
}

static size_t
columns_of(const struct text_style *style)
{
	size_t n =
		style->width > LABEL + 10 ? (size_t)style->width - LABEL : 10;

	return n < COLUMNS_MAX ? n : COLUMNS_MAX;
}

/* ---- a distribution ------------------------------------------------------------ */

/* Marks of percentiles below, each where it belongs. */
static void
put_nines(struct show_plots *p, double per_column, size_t used)
{
	char line[COLUMNS_MAX + 16];
	unsigned nines;

	memset(line, ' ', sizeof(line));
	for (nines = 0; nines <= CURVE_NINES; nines++) {
		size_t at = (size_t)(nines / per_column + 0.5);
		size_t len = strlen(curve_mark(nines));

		if (at >= used || at + len > sizeof(line) - 1)
			break;
		memcpy(line + at, curve_mark(nines), len);
	}
	line[p->columns] = '\0';
	text_cell(p->out, "", LABEL, false, true);
	buf_str(p->out, line);
	end_line(p);
}

static void
plot_latency(struct show_plots *p, const struct receipt_latency *l)
{
	char figures[2][SHOW_COMMON_FIGURE];
	const char *labels[2] = { figures[0], figures[1] };
	double low, high, per_column;
	struct curve c;
	size_t i;

	curve_of(l, &c);
	if (c.count < CURVE_STEPS)
		return;
	low = log10(fmax(c.ns[0], 1));
	high = log10(fmax(c.ns[c.count - 1], 1));
	if (high - low < 0.01)
		high = low + 0.01;
	p->columns = columns_of(p->style);
	per_column =
		(double)(c.count - 1) / CURVE_STEPS / (double)(p->columns - 1);
	for (i = 0; i < p->columns; i++) {
		size_t at =
			(size_t)((double)i * per_column * CURVE_STEPS + 0.5);
		double v =
			log10(fmax(c.ns[at < c.count ? at : c.count - 1], 1));

		p->eighths[i] = 1 + (unsigned)((v - low) / (high - low) *
					       (ROWS * 8 - 1));
	}
	show_common_ms((uint64_t)c.ns[0], figures[0], SHOW_COMMON_FIGURE);
	show_common_ms(
		(uint64_t)c.ns[c.count - 1], figures[1], SHOW_COMMON_FIGURE);
	draw(p, ROWS, put_mark, labels);
	put_nines(p, per_column, p->columns);
}

/* ---- over time -------------------------------------------------------------------- */

/* The mean of the intervals of one column, or (worst) the most. */
static double
column_value(const struct receipt_series *s, size_t from, size_t to, bool worst)
{
	double sum = 0, v;
	size_t i;

	for (i = from; i < to; i++) {
		v = worst ? seconds_worst_ns(s, i) : seconds_rate(s, i);
		sum = worst ? fmax(sum, v) : sum + v;
	}
	return worst ? sum : sum / (double)(to - from);
}

/* Each second takes several columns where there is room. */
static void
plot_series(struct show_plots *p, const struct receipt_window *w, bool worst)
{
	char figure[SHOW_COMMON_FIGURE];
	const char *labels[2] = { "0", figure };
	size_t n = seconds_count(w), room = columns_of(p->style), i, each;
	double values[COLUMNS_MAX], most = 0;

	if (n < 2)
		return;
	each = n >= room ? 1 : room / n < 4 ? room / n : 4;
	p->columns = n >= room ? room : n * each;
	for (i = 0; i < p->columns; i++) {
		size_t from = n >= room ? i * n / room : i / each;
		size_t to = n >= room ? (i + 1) * n / room : from + 1;

		values[i] = column_value(w->series, from, to, worst);
		most = fmax(most, values[i]);
	}
	if (most <= 0)
		return;
	for (i = 0; i < p->columns; i++)
		p->eighths[i] = (unsigned)(values[i] / most *
						   (worst ? 8 : BARS_ROWS * 8) +
					   0.5);
	if (worst)
		show_common_ms((uint64_t)most, figure, sizeof(figure));
	else
		show_common_rate(most, figure, sizeof(figure));
	draw(p, worst ? 1 : BARS_ROWS, put_bar,
		worst ? (const char *const[2]){ figure, figure } : labels);
}

/* ---- all of them ------------------------------------------------------------------- */

static void
head(struct show_plots *p, const struct receipt *r,
	const struct receipt_window *w, const char *what)
{
	struct buf name;

	buf_init(&name);
	show_common_name(&name, r, w, p->style->utf8);
	if (!strstr(w->name, what) || w->sync || (w->read && w->write))
		buf_printf(&name, " %s", what);
	buf_char(p->out, '\n');
	text_colored(p->out, TEXT_BOLD, buf_text(&name), p->style);
	buf_char(p->out, '\n');
	p->out->failed |= buf_failed(&name);
	buf_free(&name);
}

static void
plot_window(struct show_plots *p, const struct receipt *r,
	const struct receipt_window *w)
{
	const struct {
		const char *word;
		const struct receipt_lane *lane;
	} lanes[] = { { "read", w->read }, { "write", w->write },
		{ "sync", w->sync }, { "commit", w->commit } };
	size_t i;

	for (i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++) {
		if (!lanes[i].lane || !lanes[i].lane->lat_ns ||
			!lanes[i].lane->lat_ns->buckets)
			continue;
		head(p, r, w, lanes[i].word);
		buf_str(p->out, "latency in ms over percentiles\n");
		plot_latency(p, lanes[i].lane->lat_ns);
	}
	if (seconds_count(w) < 2)
		return;
	buf_str(p->out, "operations a second\n");
	plot_series(p, w, false);
	buf_str(p->out, "worst latency of each second in ms\n");
	plot_series(p, w, true);
}

void
show_plots(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_plots p = { .style = style, .out = out };
	size_t i;

	for (i = 0; i < r->window_count; i++)
		plot_window(&p, r, &r->windows[i]);
}
