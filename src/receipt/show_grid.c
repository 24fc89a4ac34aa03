#include "receipt/show_grid.h"

#include <stdio.h>
#include <string.h>

#include "receipt/show_common.h"

enum { SHOW_GRID_COLUMNS = 8, SHOW_GRID_FIRST_MS = 2 };

static const char *const show_grid_heads[SHOW_GRID_COLUMNS] = { "IOPS", "MiB/s",
	"mean", "p50", "p95", "p99", "p99.9", "max" };

static const char show_grid_corner[] = "latency in ms";

/* One direction of a window. */
struct show_grid_row {
	const struct receipt_window *window;
	const char *direction; /* NULL: the window has none */
	bool first, only;      /* of its window */
	char cells[SHOW_GRID_COLUMNS][SHOW_COMMON_FIGURE];
};

/* What all rows together ask for, and how it is met. */
struct show_grid {
	const struct receipt *receipt;
	const struct text_style *style;
	struct buf *out;
	int widths[SHOW_GRID_COLUMNS];
	size_t longest; /* name, of the windows of one direction */
	int label;	/* columns of the words at the left */
	int gap;	/* between columns */
	bool few, withheld;
	void (*each)(struct show_grid *g, const struct show_grid_row *row);
};

static void
show_grid_cells(struct show_grid_row *row, const struct receipt_lane *lane)
{
	static const double percentiles[] = { 50, 95, 99, 99.9 };
	const struct receipt_latency *l = lane->lat_ns;
	size_t i, at = SHOW_GRID_FIRST_MS;

	show_common_rate(lane->iops, row->cells[0], SHOW_COMMON_FIGURE);
	show_common_mibs(lane->bw_bytes, row->cells[1], SHOW_COMMON_FIGURE);
	for (i = at; i < SHOW_GRID_COLUMNS; i++)
		row->cells[i][0] = '\0';
	if (!l)
		return;
	show_common_ms(l->mean, row->cells[at++], SHOW_COMMON_FIGURE);
	for (i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++)
		show_common_percentile(l, percentiles[i], row->cells[at++],
			SHOW_COMMON_FIGURE);
	show_common_ms(l->max, row->cells[at], SHOW_COMMON_FIGURE);
}

static void
show_grid_window(struct show_grid *g, const struct receipt_window *w)
{
	const struct {
		const char *direction;
		const struct receipt_lane *lane;
	} lanes[] = { { "read", w->read }, { "write", w->write },
		{ "sync", w->sync }, { "commit", w->commit } };
	struct show_grid_row row = { .window = w, .first = true };
	size_t i, n = 0;

	for (i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++)
		n += lanes[i].lane != NULL;
	row.only = n <= 1;
	for (i = 0; i < sizeof(lanes) / sizeof(lanes[0]); i++) {
		if (!lanes[i].lane)
			continue;
		row.direction = lanes[i].direction;
		show_grid_cells(&row, lanes[i].lane);
		g->each(g, &row);
		row.first = false;
	}
	if (n == 0)
		g->each(g, &row);
}

/* Rows are made twice, to be measured and to be written: none is kept. */
static void
show_grid_walk(struct show_grid *g,
	void (*each)(struct show_grid *g, const struct show_grid_row *row))
{
	size_t i;

	g->each = each;
	for (i = 0; i < g->receipt->window_count; i++)
		show_grid_window(g, &g->receipt->windows[i]);
}

/*
 * The name, and where it does not hold the word already ("qd1-randread"), the
 * direction.
 */
static void
show_grid_label(const struct show_grid *g, const struct show_grid_row *row,
	struct buf *b)
{
	show_common_name(b, g->receipt, row->window, g->style->utf8);
	if (row->direction && !strstr(row->window->name, row->direction))
		buf_printf(b, " %s", row->direction);
}

static void
show_grid_measure(struct show_grid *g, const struct show_grid_row *row)
{
	struct buf label;
	size_t columns;
	int i, n;

	for (i = 0; i < SHOW_GRID_COLUMNS; i++) {
		n = (int)strlen(row->cells[i]);
		if (n > g->widths[i])
			g->widths[i] = n;
		g->few |= row->cells[i][0] == '~';
		g->withheld |= row->cells[i][0] == '-';
	}
	if (!row->only)
		return;
	buf_init(&label);
	show_grid_label(g, row, &label);
	columns = text_columns(buf_text(&label));
	if (columns > g->longest)
		g->longest = columns;
	buf_free(&label);
}

/* Does it fit with that gap?  Names may have to stand above their rows. */
static bool
show_grid_fits(struct show_grid *g, int gap, size_t longest)
{
	int room = g->style->width, i;

	for (i = 0; i < SHOW_GRID_COLUMNS; i++)
		room -= g->widths[i] + gap;
	if (room < (int)sizeof(show_grid_corner) - 1 || (size_t)room < longest)
		return false;
	g->gap = gap;
	g->label = (int)(longest > sizeof(show_grid_corner) - 1
				 ? longest
				 : sizeof(show_grid_corner) - 1);
	return true;
}

static bool
show_grid_plan(struct show_grid *g)
{
	int i;

	for (i = 0; i < SHOW_GRID_COLUMNS; i++)
		g->widths[i] = (int)strlen(show_grid_heads[i]);
	show_grid_walk(g, show_grid_measure);
	return show_grid_fits(g, 2, g->longest) ||
	       show_grid_fits(g, 1, g->longest) || show_grid_fits(g, 2, 0) ||
	       show_grid_fits(g, 1, 0);
}

/* The label cell and 8 others as a line, without blanks at its end. */
static void
show_grid_line(struct show_grid *g, const char *label, const char *const *cells)
{
	struct buf *b = g->out;
	int i;

	text_cell(b, label, g->label, false, g->style->utf8);
	for (i = 0; i < SHOW_GRID_COLUMNS; i++) {
		buf_repeat(b, " ", (size_t)g->gap);
		text_cell(b, cells[i], g->widths[i], true, true);
	}
	while (b->len > 0 && b->data[b->len - 1] == ' ')
		b->len--;
	buf_char(b, '\n');
}

static void
show_grid_head(struct show_grid *g)
{
	size_t total = (size_t)g->label, i;
	struct buf rule;

	show_grid_line(g, show_grid_corner, show_grid_heads);
	for (i = 0; i < SHOW_GRID_COLUMNS; i++)
		total += (size_t)(g->gap + g->widths[i]);
	buf_init(&rule);
	buf_repeat(&rule, g->style->utf8 ? "\xe2\x94\x80" : "-", total);
	text_colored(g->out, TEXT_DIM, buf_text(&rule), g->style);
	buf_char(g->out, '\n');
	buf_free(&rule);
}

/* A name above its rows, in full. */
static void
show_grid_name(struct show_grid *g, const struct show_grid_row *row)
{
	struct buf name;

	buf_init(&name);
	show_common_name(&name, g->receipt, row->window, g->style->utf8);
	text_wrap(g->out, "", buf_text(&name), g->style);
	buf_free(&name);
}

static void
show_grid_write(struct show_grid *g, const struct show_grid_row *row)
{
	const char *cells[SHOW_GRID_COLUMNS];
	struct buf label;
	int i;

	for (i = 0; i < SHOW_GRID_COLUMNS; i++)
		cells[i] = row->cells[i];
	buf_init(&label);
	if (row->only)
		show_grid_label(g, row, &label);
	if (!row->only || text_columns(buf_text(&label)) > (size_t)g->label) {
		if (row->first)
			show_grid_name(g, row);
		buf_reset(&label);
		buf_printf(
			&label, "  %s", row->direction ? row->direction : "");
	}
	show_grid_line(g, buf_text(&label), cells);
	buf_free(&label);
}

/* Where a table does not fit. */
static void
show_grid_stack(struct show_grid *g, const struct show_grid_row *row)
{
	char first[16];
	struct buf text;
	size_t i;

	if (row->first)
		show_grid_name(g, row);
	buf_init(&text);
	snprintf(first, sizeof(first), "  %-7s",
		row->direction ? row->direction : "");
	for (i = 0; i < SHOW_GRID_COLUMNS; i++)
		if (row->cells[i][0])
			buf_printf(&text, " %s=%s", show_grid_heads[i],
				row->cells[i]);
	if (text.len > 0)
		text_wrap(g->out, first, buf_text(&text), g->style);
	buf_free(&text);
}

/* What the marks mean, of those that occur. */
static void
show_grid_legend(struct show_grid *g)
{
	static const char few[] = "~ fewer than 10 samples lie beyond it";
	static const char withheld[] = "- withheld: fewer than 1 does";
	struct buf text;

	buf_init(&text);
	if (g->few)
		buf_str(&text, few);
	if (g->few && g->withheld)
		buf_str(&text, g->style->width < (int)(sizeof(few) +
							 sizeof(withheld) + 1)
				       ? "\n"
				       : "   ");
	if (g->withheld)
		buf_str(&text, withheld);
	if (text.len > 0) {
		text_colored(g->out, TEXT_DIM, buf_text(&text), g->style);
		buf_char(g->out, '\n');
	}
	g->out->failed |= buf_failed(&text);
	buf_free(&text);
}

void
show_grid(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_grid g = { .receipt = r, .style = style, .out = out };

	if (r->window_count == 0)
		return;
	if (show_grid_plan(&g)) {
		show_grid_head(&g);
		show_grid_walk(&g, show_grid_write);
	} else {
		text_wrap(out, "", show_grid_corner, style);
		show_grid_walk(&g, show_grid_stack);
	}
	show_grid_legend(&g);
}
