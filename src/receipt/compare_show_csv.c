#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "receipt/compare_show.h"

/*
 * Threat: a spreadsheet takes what begins with = + - @, a tab or a carriage
 * return for a formula that it runs.  A ' in front makes it a text.
 */
static void
compare_show_csv_text(struct buf *out, const char *s)
{
	struct buf clean;
	const char *p;

	buf_init(&clean);
	text_clean(&clean, s, true);
	buf_char(out, '"');
	p = buf_text(&clean);
	if (strchr("=+-@ |%", *p) && *p)
		buf_char(out, '\'');
	for (; *p; p++) {
		if (*p == '"')
			buf_char(out, '"');
		buf_char(out, *p);
	}
	buf_char(out, '"');
	out->failed |= buf_failed(&clean);
	buf_free(&clean);
}

static void
compare_show_csv_number(struct buf *out, double v)
{
	buf_char(out, ',');
	if (isfinite(v))
		buf_printf(out, "%.3f", v);
}

static void
compare_show_csv_row(struct buf *out, const struct compare_metric *m,
	const struct compare_group *g, const struct compare_cell *cell)
{
	compare_show_csv_text(out, m->name);
	buf_printf(out, ",%s,", metric_unit_word(m->unit));
	compare_show_csv_text(out, g->name);
	buf_printf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d", g->receipts,
		cell->sample.n, cell->withheld, cell->few);
	compare_show_csv_number(out, cell->figure);
	compare_show_csv_number(out, cell->least);
	compare_show_csv_number(out, cell->most);
	compare_show_csv_number(out, cell->noise_pct);
	compare_show_csv_number(out, cell->change_pct);
	compare_show_csv_number(out, cell->allowed_pct);
	buf_printf(out, ",%s\r\n", compare_verdict_word(cell->verdict));
}

void
compare_show_csv(const struct compare *c, struct buf *out)
{
	size_t g, m;

	if (compare_is_unlike(c) && !c->options.anyway) {
		buf_str(out, "receipt,unlike\r\n");
		for (m = 0; m < c->unlike.named; m++) {
			compare_show_csv_text(out, c->unlike.list[m].name);
			buf_char(out, ',');
			compare_show_csv_text(out, c->unlike.list[m].why);
			buf_str(out, "\r\n");
		}
		return;
	}
	buf_str(out,
		"metric,unit,group,receipts,values,withheld,few,figure,least,"
		"most,noise_pct,change_pct,allowed_pct,verdict\r\n");
	for (m = 0; m < c->metric_count; m++)
		for (g = 0; g < c->group_count; g++)
			compare_show_csv_row(out, &c->metrics[m], c->groups[g],
				&c->groups[g]->cells[m]);
}
