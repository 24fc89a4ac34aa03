/*
 * unwatched: the program without its watching of what else goes on, to
 * measure what that costs (tests/bench/watch).  The functions of app/meanwhile
 * are here instead of the library's.
 */
#include "app/command.h"
#include "app/meanwhile.h"

void
meanwhile_begin(struct meanwhile *m)
{
	uint32_t i;

	pressure_clear(&m->prepare);
	for (i = 0; i < m->window_count; i++)
		pressure_clear(&m->windows[i]);
}

void
meanwhile_gate(struct meanwhile *m, uint32_t n)
{
	(void)m;
	(void)n;
}

void
meanwhile_tick(struct meanwhile *m, int phase, uint64_t now_ns)
{
	(void)m;
	(void)phase;
	(void)now_ns;
}

void
meanwhile_end(struct meanwhile *m, uint32_t n)
{
	(void)m;
	(void)n;
}

int
main(int argc, char **argv)
{
	return command_main(argc, argv);
}
