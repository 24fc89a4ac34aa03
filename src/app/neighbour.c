#include "app/neighbour.h"

#include "base/clock.h"

/* Steal is taken each second, of longer probes as often as there is room. */
static uint64_t
steal_interval_ns(const struct plan_probe *p)
{
	uint64_t ns = p->length_ns / (RECORD_STEAL_MAX - 1);

	if (ns < CLOCK_NS_PER_S)
		ns = CLOCK_NS_PER_S;
	return ns < p->length_ns ? ns : p->length_ns;
}

void
neighbour_init(struct neighbour *n, const struct plan *plan,
	const struct pressure_source *source, struct record_probe *out)
{
	*n = (struct neighbour){ .plan = plan, .source = source, .out = out };
}

bool
neighbour_may_open(struct neighbour *n, uint32_t w, uint64_t now_ns)
{
	if (w < plan_windows(n->plan))
		return true;
	if (!n->out->began_ns) {
		pressure_take(&n->last, n->source);
		n->out->interval_ns = steal_interval_ns(&n->plan->probe);
		n->out->began_ns = now_ns;
	}
	return now_ns - n->out->began_ns >= plan_sample_at_ns(n->plan, w);
}

static void
take_steal(struct neighbour *n)
{
	struct pressure_sample now;
	struct pressure_delta d;

	if (n->out->steal_count == RECORD_STEAL_MAX)
		return;
	pressure_take(&now, n->source);
	pressure_between(&d, &n->last, &now);
	n->out->steal_pct[n->out->steal_count++] = d.steal_pct;
	n->last = now;
}

void
neighbour_tick(struct neighbour *n, uint32_t finished, uint64_t now_ns)
{
	uint64_t due_ns, passed_ns;

	if (!n->out->began_ns || n->ended)
		return;
	/* By the grid, so that ticks that come late do not add up. */
	due_ns = (n->out->steal_count + 1) * n->out->interval_ns;
	passed_ns = now_ns - n->out->began_ns;
	if (finished == n->plan->window_count)
		n->ended = true;
	/* What is left at the end counts if it is most of an interval. */
	if (passed_ns >= due_ns ||
		(n->ended && passed_ns + n->out->interval_ns / 2 >= due_ns))
		take_steal(n);
}
