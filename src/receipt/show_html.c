#include "receipt/show_html.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "receipt/html.h"
#include "receipt/html_plot.h"
#include "receipt/show_common.h"
#include "receipt/show_diag.h"
#include "receipt/show_facts.h"
#include "receipt/show_notes.h"
#include "receipt/show_probe.h"

/* Text renderings that are taken over line by line are not to be wrapped. */
static const struct text_style show_html_wide = { 100000, false, true };

/* ---- the head --------------------------------------------------------------- */

static void
show_html_title(const struct receipt *r, struct buf *title)
{
	char when[21];

	clock_utc((int64_t)r->iat, when);
	buf_printf(title, "ioreceipt: %s, %s",
		r->plan && show_common_told(r->plan->suite)
			? r->plan->suite
			: "nothing measured",
		when);
	if (show_common_told(r->sub))
		buf_printf(title, ", %s", r->sub);
}

static void
show_html_state(struct buf *b, const struct receipt *r)
{
	bool whole = show_common_complete(r, NULL);

	buf_printf(b, "<p class=\"state %s\">%s</p>\n", whole ? "good" : "bad",
		whole ? (r->derived ? "DERIVED: MEDIANS OF SEVERAL RECEIPTS"
				    : "COMPLETE")
		      : "NOT COMPLETE");
}

static void
show_html_signed(struct buf *b, const struct show_html_signature *s)
{
	if (s->kid) {
		buf_str(b,
			"<p><span class=\"good\">Signed</span> by key <code>");
		html_text(b, s->kid);
		buf_str(b,
			"</code>. <span class=\"dim\">That its holder signed "
			"these bytes, not that they were measured.</span>"
			"</p>\n");
	} else if (s->fault) {
		buf_str(b, "<p class=\"bad\">Its signature is not good: ");
		html_text(b, s->fault);
		buf_str(b, "</p>\n");
	} else {
		buf_str(b, "<p class=\"dim\">Not signed, or its signature does "
			   "not lie beside it.</p>\n");
	}
}

static void
show_html_head(struct buf *b, const struct receipt *r,
	const struct show_html_signature *s)
{
	struct buf title, facts;

	buf_init(&title);
	buf_init(&facts);
	show_html_title(r, &title);
	html_begin(b, buf_text(&title));
	buf_str(b, "<header>\n");
	show_html_state(b, r);
	html_element(b, "h1", buf_text(&title));
	if (show_common_told(r->note))
		html_element(b, "p", r->note);
	show_html_signed(b, s);
	buf_str(b, "</header>\n<main>\n<section>\n"
		   "<h2>Machine and storage</h2>\n");
	show_facts(r, &show_html_wide, &facts);
	/* the first line says what the head has said */
	html_lines(b, show_common_complete(r, NULL)
			      ? strchr(buf_text(&facts), '\n') + 1
			      : buf_text(&facts));
	buf_str(b, "</section>\n");
	b->failed |= buf_failed(&title) || buf_failed(&facts);
	buf_free(&facts);
	buf_free(&title);
}

/* ---- figures ---------------------------------------------------------------- */

/* Directions of a window, as the table names them. */
struct show_html_lane {
	const char *word;
	const struct receipt_lane *lane;
};

enum { SHOW_HTML_LANES = 4 };

static void
show_html_lanes(const struct receipt_window *w,
	struct show_html_lane out[SHOW_HTML_LANES])
{
	out[0] = (struct show_html_lane){ "read", w->read };
	out[1] = (struct show_html_lane){ "write", w->write };
	out[2] = (struct show_html_lane){ "sync", w->sync };
	out[3] = (struct show_html_lane){ "commit", w->commit };
}

/* "qd1-randread #2", and the direction where the name does not say all. */
static void
show_html_name(struct buf *name, const struct receipt *r,
	const struct receipt_window *w, const char *word)
{
	buf_reset(name);
	show_common_name(name, r, w, true);
	if (word &&
		(!strstr(w->name, word) || w->sync || (w->read && w->write)))
		buf_printf(name, " %s", word);
}

static void
show_html_cell(struct buf *b, const char *head, const char *figure)
{
	buf_printf(b, "<td data-h=\"%s\">", head);
	html_text(b, figure);
	buf_str(b, "</td>");
}

static void
show_html_row(struct buf *b, const char *name, const struct receipt_lane *lane)
{
	static const struct {
		const char *head;
		double per_cent;
	} stats[] = { { "p50", 50 }, { "p95", 95 }, { "p99", 99 },
		{ "p99.9", 99.9 } };
	const struct receipt_latency *l = lane->lat_ns;
	char f[SHOW_COMMON_FIGURE];
	size_t i;

	buf_str(b, "<tr>");
	html_element(b, "td", name);
	show_html_cell(b, "IOPS", show_common_rate(lane->iops, f, sizeof(f)));
	show_html_cell(
		b, "MiB/s", show_common_mibs(lane->bw_bytes, f, sizeof(f)));
	show_html_cell(
		b, "mean", l ? show_common_ms(l->mean, f, sizeof(f)) : "");
	for (i = 0; i < sizeof(stats) / sizeof(stats[0]); i++)
		show_html_cell(b, stats[i].head,
			show_common_percentile(
				l, stats[i].per_cent, f, sizeof(f)));
	show_html_cell(b, "max", l ? show_common_ms(l->max, f, sizeof(f)) : "");
	buf_str(b, "</tr>\n");
}

static void
show_html_figures(struct buf *b, const struct receipt *r)
{
	struct show_html_lane lanes[SHOW_HTML_LANES];
	struct buf name;
	size_t i, k;

	buf_init(&name);
	buf_str(b,
		"<section>\n<h2>Figures</h2>\n<table>\n<caption>Latency in "
		"ms: what an application waits, from before the submit to "
		"the reaping. ~ few samples lie beyond, - too few.</caption>\n"
		"<thead><tr><th scope=\"col\">window</th>"
		"<th scope=\"col\">IOPS</th><th scope=\"col\">MiB/s</th>"
		"<th scope=\"col\">mean</th><th scope=\"col\">p50</th>"
		"<th scope=\"col\">p95</th><th scope=\"col\">p99</th>"
		"<th scope=\"col\">p99.9</th><th scope=\"col\">max</th>"
		"</tr></thead>\n<tbody>\n");
	for (i = 0; i < r->window_count; i++) {
		show_html_lanes(&r->windows[i], lanes);
		for (k = 0; k < SHOW_HTML_LANES; k++) {
			if (!lanes[k].lane)
				continue;
			show_html_name(&name, r, &r->windows[i], lanes[k].word);
			show_html_row(b, buf_text(&name), lanes[k].lane);
		}
	}
	buf_str(b, "</tbody>\n</table>\n</section>\n");
	b->failed |= buf_failed(&name);
	buf_free(&name);
}

/* ---- plots -------------------------------------------------------------------- */

static void
show_html_distributions(struct buf *b, const struct receipt *r)
{
	struct html_plot_line lines[HTML_PLOT_LINES + 1];
	struct buf names[HTML_PLOT_LINES + 1];
	struct show_html_lane lanes[SHOW_HTML_LANES];
	size_t i, k, n = 0, more = 0;

	for (i = 0; i < r->window_count; i++) {
		show_html_lanes(&r->windows[i], lanes);
		for (k = 0; k < SHOW_HTML_LANES; k++) {
			if (!lanes[k].lane || !lanes[k].lane->lat_ns ||
				!lanes[k].lane->lat_ns->buckets)
				continue;
			if (n == HTML_PLOT_LINES) {
				more++;
				continue;
			}
			buf_init(&names[n]);
			show_html_name(
				&names[n], r, &r->windows[i], lanes[k].word);
			lines[n].name = buf_text(&names[n]);
			lines[n++].latency = lanes[k].lane->lat_ns;
		}
	}
	if (n > 0) {
		buf_str(b, "<section>\n<h2>How long the slowest take</h2>\n");
		html_plot_latency(b, lines, n);
		if (more)
			buf_printf(b,
				"<p class=\"dim\">%zu more are in the "
				"receipt.</p>\n",
				more);
		buf_str(b, "</section>\n");
	}
	while (n > 0)
		buf_free(&names[--n]);
}

static void
show_html_seconds(struct buf *b, const struct receipt *r)
{
	struct buf name;
	size_t i;

	buf_init(&name);
	buf_str(b, "<section>\n<h2>Second by second</h2>\n");
	for (i = 0; i < r->window_count; i++) {
		show_html_name(&name, r, &r->windows[i], NULL);
		html_plot_series(b, buf_text(&name), &r->windows[i]);
	}
	buf_str(b, "</section>\n");
	b->failed |= buf_failed(&name);
	buf_free(&name);
}

/* ---- words ---------------------------------------------------------------------- */

static void
show_html_notes(struct buf *b, const struct receipt *r)
{
	struct buf text;

	buf_init(&text);
	show_notes(r, &show_html_wide, &text);
	show_diag(r, &show_html_wide, &text);
	show_probe(r, &show_html_wide, &text);
	if (text.len > 0) {
		buf_str(b, "<section>\n<h2>Beside the figures</h2>\n");
		html_lines(b, buf_text(&text));
		buf_str(b, "</section>\n");
	}
	b->failed |= buf_failed(&text);
	buf_free(&text);
}

static void
show_html_findings(struct buf *b, const struct receipt *r)
{
	const struct receipt_finding *f;
	size_t i;

	if (r->finding_count == 0)
		return;
	buf_str(b,
		"<section>\n<h2>Findings</h2>\n<p class=\"dim\">Observations "
		"by declared rules, never grades.</p>\n<ul>\n");
	for (i = 0; i < r->finding_count; i++) {
		f = &r->findings[i];
		buf_printf(b, "<li><b class=\"%s\">",
			f->level && !strcmp(f->level, "warning") ? "warn"
								 : "dim");
		html_text(b, f->code);
		buf_str(b, "</b>");
		if (show_common_told(f->confidence)) {
			buf_str(b, " (");
			html_text(b, f->confidence);
			buf_str(b, ")");
		}
		buf_str(b, " ");
		html_text(b, f->text);
		if (show_common_told(f->command)) {
			buf_str(b, " <code>");
			html_text(b, f->command);
			buf_str(b, "</code>");
		}
		buf_str(b, "</li>\n");
	}
	buf_str(b, "</ul>\n</section>\n");
}

static void
show_html_requirements(struct buf *b, const struct receipt *r)
{
	const struct receipt_requirement *q;
	size_t i;

	if (r->requirement_count == 0)
		return;
	buf_str(b, "<section>\n<h2>Requirements</h2>\n<ul>\n");
	for (i = 0; i < r->requirement_count; i++) {
		q = &r->requirements[i];
		buf_str(b, "<li><code>");
		html_text(b, q->expr);
		buf_printf(b, "</code> <b class=\"%s\">%s</b>",
			q->holds == 1 ? "good" : "bad",
			q->holds == 1 ? "holds" : "does not hold");
		if (show_common_told(q->figure)) {
			buf_str(b, " (");
			html_text(b, q->figure);
			buf_str(b, ")");
		}
		buf_str(b, "</li>\n");
	}
	buf_str(b, "</ul>\n</section>\n");
}

static void
show_html_foot(struct buf *b, const struct receipt *r)
{
	const struct receipt_cleanup *c = r->cleanup;

	buf_str(b, "</main>\n<footer class=\"dim\">\n<p>");
	if (c)
		buf_str(b, c->lab_removed == 1
				   ? "Nothing of the run was left on the disk. "
				   : "Not clean: something may be left on the "
				     "disk. ");
	if (r->tool && show_common_told(r->tool->version)) {
		buf_str(b, "ioreceipt ");
		html_text(b, r->tool->version);
		buf_str(b, ", receipt ");
		html_text(b, r->jti);
	}
	buf_str(b, "</p>\n</footer>\n");
	html_end(b);
}

void
show_html(const struct receipt *r, const struct show_html_signature *s,
	struct buf *out)
{
	show_html_head(out, r, s);
	show_html_requirements(out, r);
	if (r->window_count > 0) {
		show_html_figures(out, r);
		show_html_distributions(out, r);
		show_html_seconds(out, r);
	}
	show_html_notes(out, r);
	show_html_findings(out, r);
	show_html_foot(out, r);
}
