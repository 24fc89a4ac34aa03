#include "app/neighbour.h"

#include "base/clock.h"

/* What of it is over, for the receipt of a run that ends now. */
static void
give(struct neighbour *n)
{
	const struct pressure_seconds *s = &n->seconds;
	uint32_t i;

	n->out->interval_ns = s->interval_ns;
	n->out->steal_count = s->count;
	for (i = 0; i < s->count; i++)
		n->out->steal_pct[i] = s->pct[i];
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
		pressure_seconds_begin(&n->seconds, n->source,
			n->plan->probe.length_ns < CLOCK_NS_PER_S
				? n->plan->probe.length_ns
				: CLOCK_NS_PER_S,
			now_ns);
		n->out->began_ns = now_ns;
		give(n);
	}
	return now_ns - n->out->began_ns >= plan_sample_at_ns(n->plan, w);
}

void
neighbour_tick(struct neighbour *n, uint32_t finished, uint64_t now_ns)
{
	if (!n->out->began_ns)
		return;
	if (finished < n->plan->window_count)
		pressure_seconds_tick(&n->seconds, now_ns);
	else
		pressure_seconds_end(&n->seconds, now_ns, NULL);
	if (n->out->steal_count != n->seconds.count)
		give(n);
}
