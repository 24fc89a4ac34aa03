#include "receipt/html_plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "receipt/curve.h"
#include "receipt/html.h"
#include "receipt/seconds.h"
#include "receipt/show_common.h"

/* The drawing, in its own units; it grows with the page. */
enum {
	WIDTH = 900,
	HEIGHT = 340,
	LEFT = 84,
	RIGHT = 14,
	TOP = 14,
	BOTTOM = 30
};

#define SERIES_HEIGHT 150

/* ---- axes ------------------------------------------------------------------ */

/* Values from low to high, by their logarithm, to the height of a drawing. */
struct scale {
	double low, high; /* log10 */
	int height;
};

/* Whole powers of ten around what is shown. */
static void
scale_around(struct scale *s, double least, double most, int height)
{
	s->height = height;
	s->low = floor(log10(least > 1 ? least : 1));
	s->high = ceil(log10(most > 1 ? most : 1));
	if (s->high <= s->low)
		s->high = s->low + 1;
}

static double
scale_y(const struct scale *s, double v)
{
	double at = (log10(v > 1 ? v : 1) - s->low) / (s->high - s->low);

	return s->height - BOTTOM - at * (s->height - TOP - BOTTOM);
}

/* "1 us", "10 ms": a power of ten of nanoseconds. */
static void
put_power(struct buf *b, int power)
{
	static const char *const units[] = { "ns", "\xc2\xb5s", "ms", "s",
		"ks" };
	static const char *const digits[] = { "1", "10", "100" };

	buf_printf(b, "%s %s", digits[power % 3],
		units[power / 3 < 4 ? power / 3 : 4]);
}

static void
grid_line(struct buf *b, double x1, double y1, double x2, double y2)
{
	buf_printf(b,
		"<line class=\"g\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
		"y2=\"%.1f\"/>",
		x1, y1, x2, y2);
}

static void
y_axis(struct buf *b, const struct scale *s)
{
	int power;

	for (power = (int)s->low; power <= (int)s->high; power++) {
		double y = scale_y(s, pow(10, power));

		grid_line(b, LEFT, y, WIDTH - RIGHT, y);
		buf_printf(b, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">",
			LEFT - 6, y + 4);
		put_power(b, power);
		buf_str(b, "</text>");
	}
}

static void
begin(struct buf *b, int height, const char *what, const char *name)
{
	buf_printf(b,
		"<figure>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" "
		"aria-label=\"%s",
		WIDTH, height, what);
	html_text(b, name);
	buf_str(b, "\">");
}

/* ---- distributions ----------------------------------------------------------- */

static double
nines_x(double nines, double most)
{
	return LEFT + nines / most * (WIDTH - LEFT - RIGHT);
}

static void
x_axis(struct buf *b, unsigned most)
{
	unsigned i;

	for (i = 0; i <= most; i++) {
		double x = nines_x(i, most);
		const char *anchor = i == 0	 ? "start"
				     : i == most ? "end"
						 : "middle";

		grid_line(b, x, TOP, x, HEIGHT - BOTTOM);
		buf_printf(b,
			"<text x=\"%.1f\" y=\"%d\" "
			"text-anchor=\"%s\">%s</text>",
			x, HEIGHT - 10, anchor, curve_mark(i));
	}
}

static void
draw_curve(struct buf *b, const struct curve *c, const struct scale *s,
	size_t color, unsigned most)
{
	size_t i;

	buf_printf(b, "<path class=\"c%zu%s\" d=\"", color % HTML_COLORS,
		color >= HTML_COLORS ? " late" : "");
	for (i = 0; i < c->count; i++)
		buf_printf(b, "%s%.1f %.1f", i ? "L" : "M",
			nines_x((double)i / CURVE_STEPS, most),
			scale_y(s, c->ns[i]));
	buf_str(b, "\"/>");
}

static void
put_key(struct buf *b, const struct html_plot_line *line, size_t color)
{
	buf_printf(b, "<span class=\"key c%zu\"><b>%s</b> ",
		color % HTML_COLORS,
		color >= HTML_COLORS ? "\xe2\x95\x8c" : "\xe2\x94\x81");
	html_text(b, line->name);
	buf_str(b, "</span>\n");
}

void
html_plot_latency(struct buf *b, const struct html_plot_line *lines, size_t n)
{
	size_t i, shown = n < HTML_PLOT_LINES ? n : HTML_PLOT_LINES, most = 0;
	double least_ns = INFINITY, most_ns = 0;
	struct curve c;
	struct scale s;
	unsigned nines;

	for (i = 0; i < shown; i++) {
		curve_of(lines[i].latency, &c);
		if (c.count == 0)
			continue;
		most = c.count > most ? c.count : most;
		least_ns = fmin(least_ns, c.ns[0]);
		most_ns = fmax(most_ns, c.ns[c.count - 1]);
	}
	if (most < 2)
		return;
	nines = (unsigned)((most + CURVE_STEPS - 2) / CURVE_STEPS);
	nines = nines < 1 ? 1 : nines > CURVE_NINES ? CURVE_NINES : nines;
	scale_around(&s, least_ns, most_ns, HEIGHT);
	begin(b, HEIGHT, "Latency over percentiles", "");
	y_axis(b, &s);
	x_axis(b, nines);
	for (i = 0; i < shown; i++) {
		curve_of(lines[i].latency, &c);
		if (c.count > 0)
			draw_curve(b, &c, &s, i, nines);
	}
	buf_str(b, "</svg>\n<figcaption>");
	for (i = 0; i < shown; i++)
		if (lines[i].latency)
			put_key(b, &lines[i], i);
	if (n > shown)
		buf_printf(b, "and %zu more, not drawn", n - shown);
	buf_str(b, "</figcaption>\n</figure>\n");
}

/* ---- over time ------------------------------------------------------------------ */

static double
series_x(size_t i, size_t n)
{
	return LEFT +
	       ((double)i + 0.5) / (double)n * (WIDTH - LEFT - RIGHT - 76);
}

static void
draw_rates(struct buf *b, const struct receipt_series *s, size_t n, double most)
{
	char figure[SHOW_COMMON_FIGURE];
	double height = SERIES_HEIGHT - TOP - BOTTOM;
	size_t i;

	grid_line(b, LEFT, TOP, WIDTH - RIGHT - 76, TOP);
	grid_line(b, LEFT, SERIES_HEIGHT - BOTTOM, WIDTH - RIGHT - 76,
		SERIES_HEIGHT - BOTTOM);
	buf_printf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>",
		LEFT - 6, TOP + 4,
		show_common_rate(most, figure, sizeof(figure)));
	buf_printf(b, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">0</text>",
		LEFT - 6, SERIES_HEIGHT - BOTTOM + 4);
	buf_str(b, "<path class=\"c0\" d=\"");
	for (i = 0; i < n; i++)
		buf_printf(b, "%s%.1f %.1f", i ? "L" : "M", series_x(i, n),
			SERIES_HEIGHT - BOTTOM -
				seconds_rate(s, i) / most * height);
	buf_str(b, "\"/>");
}

/* The worst of each second, on an axis of its own at the right. */
static void
draw_worst(struct buf *b, const struct receipt_series *s, size_t n)
{
	double least = INFINITY, most = 0, v;
	struct scale sc;
	bool open = false;
	size_t i;

	for (i = 0; i < n; i++) {
		v = seconds_worst_ns(s, i);
		if (v > 0)
			least = fmin(least, v);
		most = fmax(most, v);
	}
	if (most <= 0)
		return;
	scale_around(&sc, least, most, SERIES_HEIGHT);
	for (i = 0; i < 2; i++) {
		double power = i ? sc.high : sc.low;

		buf_printf(b, "<text x=\"%d\" y=\"%.1f\">", WIDTH - RIGHT - 68,
			scale_y(&sc, pow(10, power)) + 4);
		put_power(b, (int)power);
		buf_str(b, "</text>");
	}
	buf_str(b, "<path class=\"c1 late\" d=\"");
	for (i = 0; i < n; i++) {
		v = seconds_worst_ns(s, i);
		if (v > 0)
			buf_printf(b, "%s%.1f %.1f", open ? "L" : "M",
				series_x(i, n), scale_y(&sc, v));
		open |= v > 0;
	}
	buf_str(b, "\"/>");
}

void
html_plot_series(
	struct buf *b, const char *name, const struct receipt_window *w)
{
	size_t n = seconds_count(w), i;
	double most = 0;

	for (i = 0; i < n; i++)
		most = fmax(most, seconds_rate(w->series, i));
	if (n < 2 || most <= 0)
		return;
	begin(b, SERIES_HEIGHT, "Operations a second of ", name);
	draw_rates(b, w->series, n, most);
	draw_worst(b, w->series, n);
	buf_printf(b,
		"<text x=\"%d\" y=\"%d\">0 s</text><text x=\"%d\" y=\"%d\" "
		"text-anchor=\"end\">"
		"%.0f s</text></svg>\n<figcaption>",
		LEFT, SERIES_HEIGHT - 10, WIDTH - RIGHT - 76,
		SERIES_HEIGHT - 10,
		(double)n * (double)w->series->interval_ns / 1e9);
	html_text(b, name);
	buf_str(b, ": <span class=\"key c0\"><b>\xe2\x94\x81</b> operations a "
		   "second</span> <span class=\"key c1\"><b>\xe2\x95\x8c</b> "
		   "worst latency</span></figcaption>\n</figure>\n");
}
