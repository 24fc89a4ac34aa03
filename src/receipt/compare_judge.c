#include "receipt/compare_judge.h"

#include <math.h>
#include <string.h>

#include "receipt/compare_noise.h"

static void
compare_judge_figure(struct compare_cell *cell)
{
	struct compare_sample *s = &cell->sample;
	double few[COMPARE_NOISE_RANKS], noise = cell->own_noise;
	uint64_t i;

	cell->figure = compare_sample_median(s);
	cell->deviation = NAN;
	if (s->n == 0)
		cell->least = cell->most = NAN;
	if (s->n > 1) {
		cell->least = s->least;
		cell->most = s->most;
		noise = compare_noise_sample(s);
	}
	if (s->n > 1 && s->n < COMPARE_NOISE_RANKS) {
		for (i = 0; i < s->n; i++)
			few[i] = compare_sample_rank(s, i + 1);
		cell->deviation = compare_noise_deviation(few, s->n);
	} else if (s->n > 1) {
		/* of a normal distribution 68.3 % are within one of them */
		cell->deviation =
			log(compare_sample_rank(
				    s, (uint64_t)(0.8413 * (double)s->n)) /
				compare_sample_rank(
					s, (uint64_t)(0.1587 * (double)s->n))) /
			2;
	}
	cell->own_noise = noise;
	cell->noise_pct = 100 * expm1(noise);
}

void
compare_judge_figures(struct compare *c)
{
	size_t g, m;

	for (g = 0; g < c->group_count; g++)
		for (m = 0; m < c->groups[g]->cell_count; m++)
			compare_judge_figure(&c->groups[g]->cells[m]);
}

/* Does a belong before b? */
static bool
compare_judge_better(const struct compare *c, size_t metric,
	const struct compare_group *a, const struct compare_group *b)
{
	double x = a->cells[metric].figure, y = b->cells[metric].figure;

	if (isnan(x) || isnan(y))
		return !isnan(x) && isnan(y);
	return c->metrics[metric].higher_is_better ? x > y : x < y;
}

/* By insertion: at most COMPARE_GROUPS_MAX, and equals keep their order. */
void
compare_judge_sort(struct compare *c, size_t metric)
{
	struct compare_group *g;
	size_t i, k;

	for (i = 1; i < c->group_count; i++) {
		g = c->groups[i];
		for (k = i; k > 0 && compare_judge_better(
					     c, metric, g, c->groups[k - 1]);
			k--)
			c->groups[k] = c->groups[k - 1];
		c->groups[k] = g;
	}
}

void
compare_judge_order(struct compare *c)
{
	struct compare_group *g;
	size_t i, k;

	for (i = 1; i < c->group_count; i++) {
		g = c->groups[i];
		for (k = i;
			k > 0 && strcmp(g->name, c->groups[k - 1]->name) < 0;
			k--)
			c->groups[k] = c->groups[k - 1];
		c->groups[k] = g;
	}
}

/*
 * Half of the interval of a cell.  One receipt does not know how far receipts
 * of its kind differ; where the other side does, it is at least that.
 */
static double
compare_judge_half(
	const struct compare_cell *cell, const struct compare_cell *other)
{
	if (cell->sample.n != 1 || isnan(other->deviation))
		return cell->own_noise;
	return fmax(cell->own_noise,
		compare_noise_t(other->sample.n - 1) * other->deviation);
}

static void
compare_judge_change(const struct compare_cell *base, struct compare_cell *cell)
{
	double allowed, change;

	cell->change_pct = cell->allowed_pct = NAN;
	if (isnan(base->figure) || isnan(cell->figure)) {
		cell->verdict = base->withheld || cell->withheld
					? COMPARE_WITHHELD
					: COMPARE_ABSENT;
		return;
	}
	if (base->figure == cell->figure)
		cell->change_pct = 0;
	else if (base->figure > 0)
		cell->change_pct =
			100 * (cell->figure - base->figure) / base->figure;
	allowed = compare_noise_both(
		compare_judge_half(base, cell), compare_judge_half(cell, base));
	change = fabs(log(cell->figure / base->figure));
	cell->verdict = COMPARE_CANNOT_SAY;
	if (base->figure == 0 || cell->figure == 0 || !isfinite(allowed))
		return;
	/* to the side of the change: halving is as much as doubling */
	cell->allowed_pct = cell->figure < base->figure ? -100 * expm1(-allowed)
							: 100 * expm1(allowed);
	cell->verdict = change > allowed ? COMPARE_CHANGED : COMPARE_WITHIN;
}

void
compare_judge_changes(struct compare *c)
{
	size_t g, m;

	for (m = 0; c->group_count && m < c->metric_count; m++) {
		c->groups[0]->cells[m].verdict = COMPARE_BASE;
		c->groups[0]->cells[m].change_pct = NAN;
		c->groups[0]->cells[m].allowed_pct = NAN;
		for (g = 1; g < c->group_count; g++)
			compare_judge_change(&c->groups[0]->cells[m],
				&c->groups[g]->cells[m]);
	}
}
