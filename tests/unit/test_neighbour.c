#include <math.h>

#include "app/neighbour.h"
#include "tap.h"
#include "tree.h"

#define S UINT64_C(1000000000)
#define T (100 * S) /* when the first sample is ready */

static struct plan plan;
static struct record_probe probe;

/* Plan the suite with that runtime (0 = as declared). */
static void
begin(struct neighbour *n, struct pressure_source *source, uint64_t runtime_ns)
{
	const struct plan_request r = { .suite = "standard",
		.ramp_ns = UINT64_MAX,
		.runtime_ns = runtime_ns };
	struct err e;

	OK(plan_make(&plan, &r, &e) == 0, "a plan");
	memset(&probe, 0, sizeof(probe));
	neighbour_init(n, &plan, source, &probe);
}

static void
test_gates(struct pressure_source *source)
{
	uint32_t first, k;
	struct neighbour n;

	begin(&n, source, 0);
	first = plan_windows(&plan);
	OK(neighbour_may_open(&n, 0, T - 50 * S), "a window waits for nothing");
	neighbour_tick(&n, 0, T - 40 * S);
	EQ_U64(probe.began_ns, 0, "the probe has not begun");
	for (k = 0; k < 6; k++) {
		OK(!neighbour_may_open(&n, first + k, T + k * 10 * S),
			"a sample waits");
		OK(!neighbour_may_open(
			   &n, first + k, T + k * 10 * S + 9 * S - 1),
			"for nine seconds");
		OK(neighbour_may_open(&n, first + k, T + k * 10 * S + 9 * S),
			"to the end of its ten");
	}
	EQ_U64(probe.began_ns, T, "it began with the first");
}

static void
test_steal(struct pressure_source *source)
{
	struct neighbour n;
	uint64_t now;

	begin(&n, source, 0);
	neighbour_may_open(&n, plan_windows(&plan), T);
	EQ_U64(probe.interval_ns, S, "each second");
	for (now = T; now < T + 60 * S; now += S / 100)
		neighbour_tick(&n, 12, now);
	EQ_U64(probe.steal_count, 59, "of those that are over");
	for (; now < T + 70 * S; now += S / 100)
		neighbour_tick(&n, plan.window_count, now);
	EQ_U64(probe.steal_count, 60, "the last one, none after the end");
	OK(isnan((double)probe.steal_pct[0]) || probe.steal_pct[0] <= 100,
		"a share");
}

/* A run that ends early, and one that is short. */
static void
test_ends(struct pressure_source *source)
{
	struct neighbour n;

	begin(&n, source, 0);
	neighbour_may_open(&n, plan_windows(&plan), T);
	neighbour_tick(&n, 11, T + S);
	neighbour_tick(&n, 11, T + S + S / 2);
	EQ_U64(probe.steal_count, 1, "whole seconds");
	neighbour_tick(&n, plan.window_count, T + S + S * 6 / 10);
	EQ_U64(probe.steal_count, 2, "most of one, at the end");
	neighbour_tick(&n, plan.window_count, T + 9 * S);
	EQ_U64(probe.steal_count, 2, "and no more");
	begin(&n, source, S / 5);
	neighbour_may_open(&n, plan_windows(&plan), T);
	EQ_U64(probe.interval_ns, 6 * 33333333,
		"a short probe is one interval");
	neighbour_tick(&n, plan.window_count, T + S / 5 - 1);
	EQ_U64(probe.steal_count, 1, "that is taken");
}

int
main(void)
{
	struct pressure_source source;
	struct tree t;

	tree_load(&t, "virtio");
	pressure_source_init(&source, t.root, 254, 0, "kvm");
	test_gates(&source);
	test_steal(&source);
	test_ends(&source);
	tree_free(&t);
	return tap_done();
}
