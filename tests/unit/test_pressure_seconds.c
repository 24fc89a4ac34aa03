#include <math.h>

#include "base/clock.h"
#include "host/pressure_seconds.h"
#include "tap.h"
#include "tree.h"

#define S CLOCK_NS_PER_S

/* A machine whose /proc/stat says what a test wants. */
struct machine {
	struct tree t;
	struct pressure_source f;
	struct pressure_seconds s;
	struct pressure_delta d;
	uint64_t idle, steal, now_ns;
};

static void
tell(struct machine *m)
{
	char text[128];

	snprintf(text, sizeof(text), "cpu  0 0 0 %llu 0 0 0 %llu\ncpu0 0\n",
		(unsigned long long)m->idle, (unsigned long long)m->steal);
	tree_text(&m->t, "/proc/stat", text);
}

static void
begin(struct machine *m)
{
	memset(m, 0, sizeof(*m));
	tree_init(&m->t);
	m->idle = 1000;
	m->steal = 10;
	m->now_ns = 77 * S;
	tell(m);
	pressure_source_init(&m->f, m->t.root, 0, 0, "kvm");
	pressure_seconds_begin(&m->s, &m->f, S, m->now_ns);
	pressure_clear(&m->d);
}

static void
end(struct machine *m)
{
	pressure_seconds_end(&m->s, m->now_ns, &m->d);
	pressure_source_close(&m->f);
	tree_free(&m->t);
}

/* Some time passes, in which this share was stolen. */
static void
pass(struct machine *m, uint64_t ms, uint64_t steal_pct)
{
	uint64_t ticks = ms / 10;

	m->now_ns += ms * CLOCK_NS_PER_MS;
	m->steal += ticks * steal_pct / 100;
	m->idle += ticks - ticks * steal_pct / 100;
	tell(m);
	pressure_seconds_tick(&m->s, m->now_ns);
}

static void
test_grid(void)
{
	struct machine m;
	int i;

	begin(&m);
	for (i = 0; i < 100; i++)
		pass(&m, 30, i < 34 ? 0 : 50); /* looks at 1020, 2010, 3000 */
	pass(&m, 400, 0);
	end(&m);
	EQ_U64(m.d.steal_interval_ns, S, "seconds");
	EQ_U64(m.d.steal_count, 3, "a rest of less than half a second is none");
	OK(m.d.steal_series_pct[0] == 0, "the first");
	OK(m.d.steal_series_pct[1] > 30 && m.d.steal_series_pct[1] < 51,
		"the second");
	OK(m.d.steal_worst_second_pct > 30, "the worst of them");

	begin(&m);
	pass(&m, 1000, 10);
	pass(&m, 600, 20);
	end(&m);
	EQ_U64(m.d.steal_count, 2, "most of a second counts");
	OK(fabs(m.d.steal_worst_second_pct - 20) < 1e-6, "with its own share");
	pressure_clear(&m.d);
	pressure_seconds_end(&m.s, m.now_ns + S, &m.d);
	EQ_U64(m.d.steal_count, 0, "it ends once");
}

static void
test_late(void)
{
	struct machine m;

	begin(&m);
	pass(&m, 3500, 20);
	pass(&m, 500, 0);
	end(&m);
	EQ_U64(m.d.steal_count, 4, "three that nobody looked at, and one");
	OK(fabsf(m.d.steal_series_pct[0] - 20) < 1e-5F &&
			fabsf(m.d.steal_series_pct[2] - 20) < 1e-5F,
		"share what was stolen in them");
	OK(m.d.steal_series_pct[3] == 0, "the last by itself");

	begin(&m);
	pass(&m, 300, 20);
	end(&m);
	EQ_U64(m.d.steal_count, 0, "less than half a second");
	OK(isnan(m.d.steal_worst_second_pct), "has no worst one");
}

static void
test_lies(void)
{
	struct machine m;

	begin(&m);
	pass(&m, 1000, 20);
	m.idle = 5;
	pass(&m, 1000, 0);
	pass(&m, 1000, 10);
	end(&m);
	EQ_U64(m.d.steal_count, 0, "a second that ran backwards");
	OK(isnan(m.d.steal_worst_second_pct), "leaves no worst one");
	begin(&m);
	m.idle += UINT64_C(1000000000000000000);
	pass(&m, 1000, 0);
	end(&m);
	EQ_U64(m.d.steal_count, 0, "10^18 ticks in a second");
	/* a CPU that did not run counts the time later: 0, then 2 s at once */
	begin(&m);
	m.now_ns += S;
	pressure_seconds_tick(&m.s, m.now_ns);
	end(&m);
	EQ_U64(m.d.steal_count, 0, "no ticks at all tell nothing");
	begin(&m);
	m.steal += 100;
	pass(&m, 1000, 0);
	end(&m);
	OK(fabs(m.d.steal_worst_second_pct - 50) < 1e-6,
		"a second of backlog is believed");
	begin(&m);
	m.f.stat_fd = -1;
	pass(&m, 1000, 0);
	end(&m);
	EQ_U64(m.d.steal_count, 0, "no /proc");
}

static void
test_fold(void)
{
	struct machine m;
	int i, bad = 0;

	begin(&m);
	for (i = 0; i < 2 * PRESSURE_SECONDS_MAX + 3; i++)
		pass(&m, 1000, i == 700 ? 80 : (i % 2 ? 10 : 0));
	end(&m);
	EQ_U64(m.d.steal_interval_ns, 4 * S, "1027 seconds by fours");
	EQ_U64(m.d.steal_count, 257, "the last three as one");
	OK(fabs(m.d.steal_worst_second_pct - 80) < 1e-6,
		"the worst second is a second");
	for (i = 0; i < 256; i++)
		bad += fabsf(m.d.steal_series_pct[i] - (i == 175 ? 25 : 5)) >
		       1e-4F;
	EQ_U64(bad, 0, "means of four");
	OK(fabsf(m.d.steal_series_pct[256] - 10 / 3.0F) < 1e-4F, "and three");
}

int
main(void)
{
	test_grid();
	test_late();
	test_lies();
	test_fold();
	return tap_done();
}
