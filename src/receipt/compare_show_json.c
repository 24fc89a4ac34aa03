#include <math.h>
#include <string.h>

#include "receipt/compare_show.h"
#include "receipt/compare_show_json.h"

/* ---- filling --------------------------------------------------------------- */

/* The document in the making. */
struct compare_show_json {
	const struct compare *c;
	struct compare_document doc;
	struct arena arena;
	bool failed;
};

static void *
compare_show_json_room(struct compare_show_json *j, size_t n, size_t size)
{
	void *room = arena_alloc(&j->arena, n ? n : 1, size);

	j->failed |= !room;
	return room;
}

static void
compare_show_json_odds(struct compare_show_json *j,
	const struct compare_odds *odds, struct compare_document_odd **list)
{
	size_t i;

	*list = compare_show_json_room(j, odds->named, sizeof(**list));
	for (i = 0; *list && i < odds->named; i++) {
		(*list)[i].name = odds->list[i].name;
		(*list)[i].why = odds->list[i].why;
	}
}

static void
compare_show_json_groups(struct compare_show_json *j)
{
	struct compare_document_group *list;
	const struct compare_group *g;
	size_t i;

	list = compare_show_json_room(j, j->c->group_count, sizeof(*list));
	for (i = 0; list && i < j->c->group_count; i++) {
		g = j->c->groups[i];
		list[i] = (struct compare_document_group){ .name = g->name,
			.receipts = g->receipts,
			.good = g->signatures[COMPARE_GOOD],
			.not_signed = g->signatures[COMPARE_UNSIGNED],
			.median_of = g->runs ? g->runs : SHAPE_ABSENT,
			.jti = g->jti,
			.file = g->file,
			.label = g->label,
			.started_utc = g->started_utc,
			.kid = g->kid };
	}
	j->doc.groups = list;
	j->doc.group_count = j->c->group_count;
}

static void
compare_show_json_facts(struct compare_show_json *j)
{
	struct compare_document_fact *list;
	const char *name, *value;
	size_t at = 0, n = 0, i;

	while (compare_show_fact(j->c, &at))
		n++;
	list = compare_show_json_room(j, n, sizeof(*list));
	for (at = 0, n = 0; list && (name = compare_show_fact(j->c, &at)) &&
			    n < COMPARE_FACTS_MAX;
		n++) {
		list[n].name = name;
		list[n].value_count = j->c->group_count;
		list[n].values = compare_show_json_room(
			j, j->c->group_count, sizeof(*list[n].values));
		for (i = 0; list[n].values && i < j->c->group_count; i++) {
			value = compare_facts_get(
				&j->c->groups[i]->facts, name);
			list[n].values[i] = value ? value : "(absent)";
		}
	}
	j->doc.facts = list;
	j->doc.fact_count = n;
}

static void
compare_show_json_cell(struct compare_show_json *j,
	const struct compare_cell *cell, const struct compare_group *g,
	struct compare_document_cell *out)
{
	const struct shape_figure all[] = { { "figure", cell->figure },
		{ "least", cell->least }, { "most", cell->most },
		{ "noise_pct", cell->noise_pct },
		{ "change_pct", cell->change_pct },
		{ "allowed_pct", cell->allowed_pct },
		{ "error_pct", compare_sample_error_pct(&cell->sample) } };
	const size_t n = sizeof(all) / sizeof(all[0]);
	size_t i;

	out->group = g->name;
	out->n = cell->sample.n;
	out->withheld = cell->withheld;
	out->few = cell->few;
	out->verdict = cell->verdict == COMPARE_BASE
			       ? "base"
			       : compare_verdict_word(cell->verdict);
	out->figures = compare_show_json_room(j, n, sizeof(all[0]));
	for (i = 0; out->figures && i < n; i++)
		if (isfinite(all[i].value) &&
			fabs(all[i].value) < (double)SHAPE_MAX)
			out->figures[out->figure_count++] = all[i];
}

static void
compare_show_json_metrics(struct compare_show_json *j)
{
	struct compare_document_metric *list;
	const struct compare *c = j->c;
	size_t m, g;

	list = compare_show_json_room(j, c->metric_count, sizeof(*list));
	for (m = 0; list && m < c->metric_count; m++) {
		list[m].name = c->metrics[m].name;
		list[m].unit = metric_unit_word(c->metrics[m].unit);
		list[m].higher_is_better = c->metrics[m].higher_is_better;
		list[m].cell_count = c->group_count;
		list[m].cells = compare_show_json_room(
			j, c->group_count, sizeof(*list[m].cells));
		for (g = 0; list[m].cells && g < c->group_count; g++)
			compare_show_json_cell(j, &c->groups[g]->cells[m],
				c->groups[g], &list[m].cells[g]);
	}
	j->doc.metrics = list;
	j->doc.metric_count = c->metric_count;
}

int
compare_show_json(const struct compare *c, struct buf *out, struct err *e)
{
	struct compare_show_json j = { .c = c };
	struct compare_document *d = &j.doc;
	int rc;

	arena_init(&j.arena);
	d->schema = "ioreceipt-compare/1";
	d->suite = c->suite;
	d->digest = c->digest;
	d->receipts = c->receipts;
	d->alike = !compare_is_unlike(c);
	d->unlike_count = c->unlike.named;
	d->left_out_count = c->left_out.named;
	d->unlike_total = c->unlike.count;
	d->left_out_total = c->left_out.count;
	compare_show_json_odds(&j, &c->unlike, &d->unlike);
	compare_show_json_odds(&j, &c->left_out, &d->left_out);
	if (d->alike || c->options.anyway) {
		compare_show_json_groups(&j);
		compare_show_json_facts(&j);
		compare_show_json_metrics(&j);
	}
	if (j.failed || shape_tidy(&compare_show_json_shape, d, &j.arena))
		rc = err_set(e, ERR_INCOMPLETE, 0, "out of memory");
	else
		rc = shape_write(&compare_show_json_shape, d, out, e);
	buf_char(out, '\n');
	arena_free(&j.arena);
	return rc;
}
