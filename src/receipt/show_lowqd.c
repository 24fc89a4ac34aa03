#include "receipt/show_lowqd.h"

#include <string.h>

#include "receipt/lowqd_class.h"
#include "receipt/show_common.h"

#define SHOW_LOWQD_SUITE "lowqd"
#define SHOW_LOWQD_KEY	 "randrw_70read_4k_qd1_jobs1"

enum {
	SHOW_LOWQD_FIGURES = 3, /* of one direction */
	SHOW_LOWQD_P99_9 = 2,	/* the last of them */
	SHOW_LOWQD_COLUMNS = 2 * SHOW_LOWQD_FIGURES
};

/* Heads for a wide screen, and for one of 80 columns. */
static const char *const show_lowqd_heads[2][SHOW_LOWQD_COLUMNS] = {
	{ "Read IOPS", "Avg (ms)", "p99.9", "Write IOPS", "Avg (ms)", "p99.9" },
	{ "Read/s", "avg ms", "p99.9", "Write/s", "avg ms", "p99.9" },
};

/* One window's figures, and of what class its two p99.9 are. */
struct show_lowqd_row {
	char cells[SHOW_LOWQD_COLUMNS][SHOW_COMMON_FIGURE];
	const struct lowqd_class *class[2]; /* NULL = no p99.9 to be classed */
};

struct show_lowqd {
	const struct receipt *receipt;
	const struct text_style *style;
	struct buf *out;
	const char *const *heads;
	int name, widths[SHOW_LOWQD_COLUMNS]; /* columns */
	int gap;			      /* before each figure */
};

static void
show_lowqd_lane(
	struct show_lowqd_row *row, int side, const struct receipt_lane *lane)
{
	char(*cells)[SHOW_COMMON_FIGURE] =
		&row->cells[side * SHOW_LOWQD_FIGURES];
	const struct receipt_latency *l = lane ? lane->clat_ns : NULL;

	if (lane)
		show_common_rate(lane->iops, cells[0], SHOW_COMMON_FIGURE);
	if (!l)
		return;
	show_common_ms(l->mean, cells[1], SHOW_COMMON_FIGURE);
	show_common_percentile(
		l, 99.9, cells[SHOW_LOWQD_P99_9], SHOW_COMMON_FIGURE);
	if (shape_has(l->p99_9))
		row->class[side] = lowqd_class_of(l->p99_9);
}

static void
show_lowqd_fill(struct show_lowqd_row *row, const struct receipt_window *w)
{
	memset(row, 0, sizeof(*row));
	show_lowqd_lane(row, 0, w->read);
	show_lowqd_lane(row, 1, w->write);
}

/* How wide names and figures are; the rows are made again to be written. */
static void
show_lowqd_measure(struct show_lowqd *t)
{
	const struct receipt *r = t->receipt;
	struct show_lowqd_row row;
	struct buf name;
	int n, k;
	size_t i;

	t->name = 0;
	for (k = 0; k < SHOW_LOWQD_COLUMNS; k++)
		t->widths[k] = (int)strlen(t->heads[k]);
	buf_init(&name);
	for (i = 0; i < r->window_count; i++) {
		show_lowqd_fill(&row, &r->windows[i]);
		for (k = 0; k < SHOW_LOWQD_COLUMNS; k++) {
			n = (int)strlen(row.cells[k]);
			t->widths[k] = n > t->widths[k] ? n : t->widths[k];
		}
		buf_reset(&name);
		show_common_name(&name, r, &r->windows[i], t->style->utf8);
		n = (int)text_columns(buf_text(&name));
		t->name = n > t->name ? n : t->name;
	}
	buf_free(&name);
}

static bool
show_lowqd_fits(struct show_lowqd *t, int heads, int gap)
{
	int width, k;

	t->heads = show_lowqd_heads[heads];
	t->gap = gap;
	show_lowqd_measure(t);
	width = t->name + 2 * 2;
	for (k = 0; k < SHOW_LOWQD_COLUMNS; k++)
		width += gap + t->widths[k];
	return width <= t->style->width;
}

/* The bar before a direction's figures. */
static void
show_lowqd_bar(struct show_lowqd *t, int column)
{
	if (column % SHOW_LOWQD_FIGURES == 0)
		buf_str(t->out, t->style->utf8 ? " \xe2\x94\x82" : " |");
}

static void
show_lowqd_cell(struct show_lowqd *t, int column, const char *text,
	const struct lowqd_class *class)
{
	struct buf cell;

	show_lowqd_bar(t, column);
	buf_repeat(t->out, " ", (size_t)t->gap);
	buf_init(&cell);
	text_cell(&cell, text, t->widths[column], true, t->style->utf8);
	text_colored(t->out, class ? class->color : TEXT_PLAIN, buf_text(&cell),
		t->style);
	t->out->failed |= buf_failed(&cell);
	buf_free(&cell);
}

static void
show_lowqd_end(struct show_lowqd *t)
{
	while (t->out->len > 0 && t->out->data[t->out->len - 1] == ' ')
		t->out->len--;
	buf_char(t->out, '\n');
}

static void
show_lowqd_head(struct show_lowqd *t)
{
	const char *line = t->style->utf8 ? "\xe2\x94\x80" : "-";
	struct buf rule;
	int k;

	text_cell(t->out, "window", t->name, false, t->style->utf8);
	for (k = 0; k < SHOW_LOWQD_COLUMNS; k++)
		show_lowqd_cell(t, k, t->heads[k], NULL);
	show_lowqd_end(t);
	buf_init(&rule);
	buf_repeat(&rule, line, (size_t)t->name);
	for (k = 0; k < SHOW_LOWQD_COLUMNS; k++) {
		if (k % SHOW_LOWQD_FIGURES == 0) {
			buf_str(&rule, line);
			buf_str(&rule, t->style->utf8 ? "\xe2\x94\xbc" : "+");
		}
		buf_repeat(&rule, line, (size_t)(t->gap + t->widths[k]));
	}
	text_colored(t->out, TEXT_DIM, buf_text(&rule), t->style);
	buf_char(t->out, '\n');
	t->out->failed |= buf_failed(&rule);
	buf_free(&rule);
}

static void
show_lowqd_row(struct show_lowqd *t, const struct receipt_window *w)
{
	const struct lowqd_class *class;
	struct show_lowqd_row row;
	struct buf name;
	int k;

	show_lowqd_fill(&row, w);
	buf_init(&name);
	show_common_name(&name, t->receipt, w, t->style->utf8);
	text_cell(t->out, buf_text(&name), t->name, false, t->style->utf8);
	buf_free(&name);
	for (k = 0; k < SHOW_LOWQD_COLUMNS; k++) {
		class = k % SHOW_LOWQD_FIGURES == SHOW_LOWQD_P99_9
				? row.class[k / SHOW_LOWQD_FIGURES]
				: NULL;
		show_lowqd_cell(t, k, row.cells[k], class);
	}
	show_lowqd_end(t);
}

/* A direction of the key figures: "  read   p99.9 0.157 ms  < 0.3 ms ...". */
static void
show_lowqd_figure(
	struct show_lowqd *t, const struct show_lowqd_row *row, int side)
{
	const struct lowqd_class *class = row->class[side];
	const char *iops = row->cells[side * SHOW_LOWQD_FIGURES];
	const char *p99_9 =
		row->cells[side * SHOW_LOWQD_FIGURES + SHOW_LOWQD_P99_9];

	if (!iops[0])
		return;
	buf_printf(t->out, "  %-5s  %11s IOPS", side ? "write" : "read", iops);
	if (!class) {
		buf_str(t->out, "  p99.9 withheld: too few operations\n");
		return;
	}
	buf_printf(t->out, "  p99.9 %9s ms  ", p99_9);
	text_colored(t->out, class->color, class->range, t->style);
	buf_char(t->out, '\n');
}

static void
show_lowqd_key(struct show_lowqd *t)
{
	const struct receipt_window *w =
		receipt_window(t->receipt, SHOW_LOWQD_KEY, 0);
	struct show_lowqd_row row;

	if (!w)
		return;
	show_lowqd_fill(&row, w);
	buf_str(t->out, "\nkey figures: 4k 70/30 at queue depth 1, jobs 1\n");
	show_lowqd_figure(t, &row, 0);
	show_lowqd_figure(t, &row, 1);
}

/* Whose classes these are, and of what. */
static void
show_lowqd_legend(struct show_lowqd *t)
{
	const struct lowqd_class *c;
	struct buf text, lines;
	size_t i;

	buf_init(&text);
	buf_init(&lines);
	buf_str(&text,
		"avg and p99.9 are clat. Thresholds of "
		"\"" LOWQD_CLASS_SOURCE "\", in its words and not ours:");
	for (i = 0; (c = lowqd_class_at(i)); i++)
		buf_printf(&text, "%s p99.9 %s %s", i ? "," : "", c->range,
			c->word);
	text_wrap(&lines, "", buf_text(&text), t->style);
	text_colored(t->out, TEXT_DIM, buf_text(&lines), t->style);
	t->out->failed |= buf_failed(&text) || buf_failed(&lines);
	buf_free(&text);
	buf_free(&lines);
}

bool
show_lowqd(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_lowqd t = { .receipt = r, .style = style, .out = out };
	size_t i;

	if (!r->plan || !r->plan->suite ||
		strcmp(r->plan->suite, SHOW_LOWQD_SUITE) != 0)
		return false;
	if (!show_lowqd_fits(&t, 0, 3) && !show_lowqd_fits(&t, 0, 2) &&
		!show_lowqd_fits(&t, 0, 1) && !show_lowqd_fits(&t, 1, 1))
		return false;
	show_lowqd_head(&t);
	for (i = 0; i < r->window_count; i++)
		show_lowqd_row(&t, &r->windows[i]);
	show_lowqd_key(&t);
	buf_char(out, '\n');
	show_lowqd_legend(&t);
	return true;
}
