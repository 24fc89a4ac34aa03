#include "receipt/compare_take.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "receipt/compare_noise.h"

enum { RUNS_MAX = 64 }; /* of one window that are held against each other */

/* One receipt on its way in. */
struct compare_taking {
	struct compare *c;
	struct compare_group *group;
	const struct receipt *receipt;
	struct err *e;
	bool failed;
	/* the metric at hand: its plain name, then what follows */
	struct metric metric;
	size_t plain; /* bytes of its name without ".median" */
	bool open;
	double value; /* of the receipt */
	double runs[RUNS_MAX], own[RUNS_MAX];
	size_t run_count;
	struct compare_noise_memory memory;
};

static int
compare_take_memory(struct err *e)
{
	return err_set(e, ERR_INCOMPLETE, 0, "out of memory while comparing");
}

int
compare_take_widen(struct compare *c, struct compare_group *g, size_t metric)
{
	size_t want =
		metric + 1 > c->metric_count ? metric + 1 : c->metric_count;
	struct compare_cell *cells;

	if (metric < g->cell_count)
		return 0;
	cells = realloc(g->cells, want * sizeof(*cells));
	if (!cells)
		return -1;
	g->cells = cells;
	for (; g->cell_count < want; g->cell_count++) {
		memset(&cells[g->cell_count], 0, sizeof(*cells));
		compare_sample_init(&cells[g->cell_count].sample);
		cells[g->cell_count].own_noise = NAN;
	}
	return 0;
}

/* Bytes of the name of the window, or of the probe, that it begins with. */
static size_t
compare_take_window(const struct receipt *r, const char *metric)
{
	const char *probe = r->probe ? r->probe->job->name : "";
	size_t i, n, longest = 0;

	for (i = 0; i <= r->window_count; i++) {
		const char *name =
			i < r->window_count ? r->windows[i].name : probe;

		n = strlen(name);
		if (n > longest && strncmp(metric, name, n) == 0 &&
			metric[n] == '.')
			longest = n;
	}
	return longest;
}

/* Room for one more metric: full at 0 and at each power of two. */
static int
compare_take_room(struct compare *c)
{
	size_t n = c->metric_count, room = n ? 2 * n : 1;
	void *more;

	if (n & (n - 1))
		return 0;
	more = realloc(c->metrics, room * sizeof(*c->metrics));
	if (!more)
		return -1;
	c->metrics = more;
	return 0;
}

/* Its place in the list; -1 where there is no room for it. */
static int
compare_take_place(struct compare_taking *t, size_t *out)
{
	const struct metric *m = &t->metric;
	struct compare_metric *made;
	struct compare *c = t->c;
	size_t i;

	for (i = 0; i < c->metric_count; i++) {
		*out = (c->next + i) % c->metric_count;
		if (strcmp(c->metrics[*out].name, m->name) == 0) {
			c->next = *out + 1;
			return 0;
		}
	}
	if (c->metric_count == COMPARE_METRICS_MAX ||
		(c->metric_count + 1) * c->group_count > COMPARE_CELLS_MAX)
		return err_set(t->e, ERR_INPUT, 0,
			"%zu groups of more than %zu figures cannot be "
			"compared at once: choose some with --only",
			c->group_count, c->metric_count);
	if (compare_take_room(c))
		return compare_take_memory(t->e);
	made = &c->metrics[c->metric_count];
	memset(made, 0, sizeof(*made));
	memcpy(made->name, m->name, sizeof(made->name));
	made->unit = m->unit;
	made->higher_is_better = m->higher_is_better;
	made->window = compare_take_window(t->receipt, m->name);
	*out = c->metric_count++;
	c->next = c->metric_count;
	return 0;
}

/* ---- figures of one receipt ------------------------------------------------ */

/* What is known of one receipt's figure alone: its runs, their seconds. */
static void
compare_take_noise(struct compare_taking *t, struct compare_cell *cell)
{
	double squares = 0;
	size_t i;

	cell->least = cell->most = t->value;
	for (i = 0; i < t->run_count; i++)
		squares += t->own[i] * t->own[i];
	if (t->run_count == 0)
		return;
	if (t->run_count == 1) {
		cell->own_noise = t->own[0];
		return;
	}
	cell->least = INFINITY;
	cell->most = 0;
	for (i = 0; i < t->run_count; i++) {
		cell->least = fmin(cell->least, t->runs[i]);
		cell->most = fmax(cell->most, t->runs[i]);
	}
	/* fmax: what the seconds do not tell does not undo what runs tell */
	cell->own_noise = fmax(compare_noise_session(t->runs, t->run_count),
		sqrt(squares) / (double)t->run_count);
}

/* A median brings all the values that it is of. */
static const struct receipt_derived_figure *
compare_take_derived(const struct receipt *r, const char *name)
{
	size_t i;

	for (i = 0; r->derived && i < r->derived->figure_count; i++)
		if (strcmp(r->derived->figures[i].metric, name) == 0)
			return &r->derived->figures[i];
	return NULL;
}

static int
compare_take_values(struct compare_taking *t, struct compare_cell *cell)
{
	const struct receipt_derived_figure *d =
		compare_take_derived(t->receipt, t->metric.name);
	size_t i;

	if (!d)
		return compare_sample_add(&cell->sample, t->value);
	for (i = 0; i < d->value_count; i++)
		if (compare_sample_add(&cell->sample, d->values[i]))
			return -1;
	return 0;
}

/* The metric at hand is whole. */
static void
compare_take_metric(struct compare_taking *t)
{
	struct compare_cell *cell;
	size_t at = 0;

	if (!t->open || t->failed)
		return;
	t->open = false;
	t->failed = true;
	if (compare_take_place(t, &at))
		return;
	if (compare_take_widen(t->c, t->group, at)) {
		compare_take_memory(t->e);
		return;
	}
	cell = &t->group->cells[at];
	t->failed = false;
	if (isnan(t->value)) {
		cell->withheld++;
		return;
	}
	cell->few |= t->metric.few;
	if (cell->sample.n == 0)
		compare_take_noise(t, cell);
	if (compare_take_values(t, cell)) {
		t->failed = true;
		compare_take_memory(t->e);
	}
}

/* By its plain name or that of its median. */
static bool
compare_take_chosen(const struct compare *c, const char *name)
{
	char median[METRIC_NAME_MAX + 8];
	const char *const *only;

	snprintf(median, sizeof(median), "%s.median", name);
	for (only = c->options.only; *only; only++)
		if (fnmatch(*only, name, 0) == 0 ||
			fnmatch(*only, median, 0) == 0)
			return true;
	return false;
}

/* Is m the metric at hand with something behind its name? */
static const char *
compare_take_suffix(const struct compare_taking *t, const struct metric *m)
{
	size_t n = t->plain;

	if (!n || strncmp(m->name, t->metric.name, n) || m->name[n] != '.')
		return NULL;
	return m->name + n;
}

/* Plain names come first, then ".median" and ".runN" of the same. */
static void
compare_take_figure(const struct metric *m, void *arg)
{
	struct compare_taking *t = arg;
	const char *suffix = compare_take_suffix(t, m);
	bool first = t->group->receipts == 0;

	if (suffix && strncmp(suffix, ".run", 4) == 0) {
		if (!t->open || isnan(m->value) || t->run_count == RUNS_MAX)
			return;
		t->runs[t->run_count] = m->value;
		t->own[t->run_count++] =
			first ? compare_noise_window(m,
					compare_noise_seed(t->receipt),
					&t->memory)
			      : NAN;
		return;
	}
	if (suffix && strcmp(suffix, ".median") == 0) {
		t->value = m->value;
		memcpy(t->metric.name, m->name, sizeof(t->metric.name));
		return;
	}
	compare_take_metric(t);
	t->metric = *m;
	t->plain = strlen(m->name);
	t->open = compare_take_chosen(t->c, m->name);
	t->value = m->value;
	t->run_count = 0;
	if (!t->open || !first || !m->window || isnan(m->value))
		return;
	t->own[t->run_count++] = compare_noise_window(
		m, compare_noise_seed(t->receipt), &t->memory);
}

int
compare_take(struct compare *c, struct compare_group *g,
	const struct receipt *r, struct err *e)
{
	struct compare_taking t = { .c = c, .group = g, .receipt = r, .e = e };

	c->next = 0;
	metric_each(r, compare_take_figure, &t);
	compare_take_metric(&t);
	return t.failed ? -1 : 0;
}
