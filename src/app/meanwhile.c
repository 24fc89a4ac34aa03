#include "app/meanwhile.h"

#include "base/clock.h"
#include "disk/record.h"

void
meanwhile_begin(struct meanwhile *m)
{
	uint32_t i;

	pressure_clear(&m->prepare);
	for (i = 0; i < m->window_count; i++)
		pressure_clear(&m->windows[i]);
	pressure_take(&m->start, &m->source);
}

void
meanwhile_gate(struct meanwhile *m, uint32_t n)
{
	pressure_take(&m->gate, &m->source);
	if (n == 0)
		pressure_between(&m->prepare, &m->start, &m->gate);
	m->seconds.began_ns = 0;
}

void
meanwhile_tick(struct meanwhile *m, int phase, uint64_t now_ns)
{
	/* not the ramp's seconds: the series have none of them either */
	if (phase != RECORD_WINDOW && phase != RECORD_DRAIN)
		return;
	if (!m->seconds.began_ns)
		pressure_seconds_begin(
			&m->seconds, &m->source, CLOCK_NS_PER_S, now_ns);
	else
		pressure_seconds_tick(&m->seconds, now_ns);
}

void
meanwhile_end(struct meanwhile *m, uint32_t n)
{
	struct pressure_sample end;

	pressure_take(&end, &m->source);
	pressure_between(&m->windows[n], &m->gate, &end);
	pressure_seconds_end(&m->seconds, end.at_ns, &m->windows[n]);
}
