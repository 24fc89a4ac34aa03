#include <stdlib.h>
#include <string.h>

#include "receipt/show.h"
#include "receipt/show_common.h"
#include "receipt/show_diag.h"
#include "receipt/show_facts.h"
#include "receipt/show_grid.h"
#include "receipt/show_lowqd.h"
#include "receipt/show_notes.h"
#include "receipt/show_probe.h"
#include "receipt/show_series.h"

/* A table in the making. */
struct show_table {
	const struct receipt *receipt;
	struct text_style style;
	struct buf *out;
};

static void
show_table_line(struct show_table *t, const char *word, enum text_color color,
	struct buf *text)
{
	struct show_common_label label = { word, color };

	show_common_line(t->out, &label, buf_text(text), &t->style);
	t->out->failed |= buf_failed(text);
	buf_free(text);
}

static void
show_table_findings(struct show_table *t)
{
	const struct receipt_finding *f;
	bool warning;
	struct buf text;
	size_t i;

	for (i = 0; i < t->receipt->finding_count; i++) {
		f = &t->receipt->findings[i];
		warning = f->level && strcmp(f->level, "warning") == 0;
		buf_init(&text);
		buf_str(&text, f->code);
		if (show_common_told(f->confidence))
			buf_printf(&text, " (%s)", f->confidence);
		buf_printf(&text, ": %s", f->text);
		if (show_common_told(f->command))
			buf_printf(&text, " `%s`", f->command);
		show_table_line(t, warning ? "warning" : "note",
			warning ? TEXT_YELLOW : TEXT_DIM, &text);
	}
}

static void
show_table_requirements(struct show_table *t)
{
	const struct receipt_requirement *q;
	struct buf text;
	size_t i;

	for (i = 0; i < t->receipt->requirement_count; i++) {
		q = &t->receipt->requirements[i];
		buf_init(&text);
		buf_printf(&text, "%s: %s", q->expr,
			q->holds == 1 ? "holds" : "DOES NOT HOLD");
		if (show_common_told(q->figure))
			buf_printf(&text, " (%s)", q->figure);
		show_table_line(t, "required",
			q->holds == 1 ? TEXT_GREEN : TEXT_RED, &text);
	}
}

static void
show_table_failed(struct show_table *t, const char *where,
	const struct receipt_check *c, size_t n)
{
	struct buf text;
	size_t i;

	for (i = 0; i < n; i++) {
		if (c[i].holds == 1)
			continue;
		buf_init(&text);
		buf_printf(&text, "%s: %s does not hold", where, c[i].name);
		show_table_line(t, "check",
			show_common_binding(&c[i]) ? TEXT_RED : TEXT_YELLOW,
			&text);
	}
}

static void
show_table_checks(struct show_table *t)
{
	const struct receipt *r = t->receipt;
	const struct receipt_window *w;
	struct buf where;
	size_t i;

	if (r->prepare)
		show_table_failed(t, "prepare", r->prepare->checks,
			r->prepare->check_count);
	for (i = 0; i < r->window_count; i++) {
		w = &r->windows[i];
		buf_init(&where);
		show_common_name(&where, r, w, t->style.utf8);
		show_table_failed(
			t, buf_text(&where), w->checks, w->check_count);
		buf_free(&where);
	}
}

static void
show_table_cleanup(struct show_table *t)
{
	const struct receipt_cleanup *c = t->receipt->cleanup;
	bool gone = c && c->lab_removed == 1;
	struct buf text;

	if (!c)
		return;
	buf_init(&text);
	buf_str(&text,
		gone ? "nothing of this run is left on the disk" : "NOT CLEAN");
	if (show_common_told(c->left))
		buf_printf(&text, ": %s", c->left);
	show_table_line(t, "cleanup", gone ? TEXT_DIM : TEXT_RED, &text);
}

void
show_table(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_table t = { .receipt = r, .style = *style, .out = out };

	if (t.style.width < TEXT_WIDTH_MIN)
		t.style.width = TEXT_WIDTH_MIN;
	show_facts(r, &t.style, out);
	if (r->window_count > 0) {
		buf_char(out, '\n');
		if (!show_lowqd(r, &t.style, out))
			show_grid(r, &t.style, out);
		show_series(r, &t.style, out);
		buf_char(out, '\n');
		show_notes(r, &t.style, out);
		show_diag(r, &t.style, out);
	}
	show_probe(r, &t.style, out);
	show_table_findings(&t);
	show_table_requirements(&t);
	show_table_checks(&t);
	show_table_cleanup(&t);
}
