#include "host/pressure_seconds.h"

#include <math.h>
#include <string.h>

void
pressure_seconds_begin(struct pressure_seconds *s,
	const struct pressure_source *source, uint64_t step_ns, uint64_t now_ns)
{
	memset(s, 0, sizeof(*s));
	s->source = source;
	s->began_ns = s->last_ns = now_ns;
	s->due_ns = now_ns + step_ns;
	s->step_ns = s->interval_ns = step_ns;
	pressure_take_ticks(&s->last, source);
}

/* All places are taken: two become one. */
static void
fold(struct pressure_seconds *s)
{
	uint32_t i;

	for (i = 0; i < PRESSURE_SECONDS_MAX / 2; i++)
		s->pct[i] = (s->pct[2 * i] + s->pct[2 * i + 1]) / 2;
	s->count = PRESSURE_SECONDS_MAX / 2;
	s->interval_ns *= 2;
}

/* One step more. */
static void
put(struct pressure_seconds *s, double pct)
{
	if (s->count == PRESSURE_SECONDS_MAX)
		fold(s);
	s->part_pct += pct;
	s->parts++;
	if (s->parts * s->step_ns < s->interval_ns)
		return;
	s->pct[s->count++] = (float)(s->part_pct / s->parts);
	s->part_pct = 0;
	s->parts = 0;
}

/* What passed since the last look, which may be more than a second. */
static void
look(struct pressure_seconds *s, uint64_t now_ns)
{
	struct pressure_ticks now;
	double pct;

	pressure_take_ticks(&now, s->source);
	pct = pressure_steal_pct(
		&s->last, &now, s->source->cpus, now_ns - s->last_ns);
	/* one NAN is one for ever: a worst of some would be another figure */
	if (isnan(pct) || pct > s->worst_pct)
		s->worst_pct = isnan(s->worst_pct) ? NAN : pct;
	s->last = now;
	s->last_ns = now_ns;
	do {
		put(s, pct);
		s->due_ns += s->step_ns;
	} while (s->due_ns <= now_ns);
}

void
pressure_seconds_tick(struct pressure_seconds *s, uint64_t now_ns)
{
	if (s->began_ns && now_ns >= s->due_ns)
		look(s, now_ns);
}

static void
give(const struct pressure_seconds *s, struct pressure_delta *d)
{
	if (s->count == 0 || isnan(s->worst_pct))
		return;
	d->steal_worst_second_pct = s->worst_pct;
	d->steal_interval_ns = s->interval_ns;
	d->steal_count = s->count;
	memcpy(d->steal_series_pct, s->pct, s->count * sizeof(s->pct[0]));
}

void
pressure_seconds_end(
	struct pressure_seconds *s, uint64_t now_ns, struct pressure_delta *d)
{
	if (!s->began_ns)
		return;
	if (now_ns + s->step_ns / 2 >= s->due_ns)
		look(s, now_ns);
	/* seconds that do not fill an interval stand for a whole one */
	if (s->parts > 0) {
		s->pct[s->count++] = (float)(s->part_pct / s->parts);
		s->parts = 0;
	}
	s->began_ns = 0;
	if (d)
		give(s, d);
}
