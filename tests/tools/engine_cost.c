/*
 * engine_cost COUNT [WORDS...]
 *
 * What the engine itself costs for an I/O: COUNT I/Os of a job in fio's words
 * (else 4 KiB random reads, 32 deep, of 512 MiB) through the engine's real
 * loop, against a kernel of our own that completes each I/O inside io_submit.
 * No system call is in the loop; compare with fio --ioengine=null.
 *
 * Prints "figure value" lines: ns for an I/O, ns for a reading of the clock.
 */
#include <libaio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "disk/engine.h"
#include "disk/plan.h"
#include "disk/record.h"

#define COST_RING     128
#define COST_READINGS 1000000

#define COST_LONGEST_NS (60 * CLOCK_NS_PER_S)

/* The ring as the kernel shows it (fs/aio.c). */
static struct {
	unsigned id, nr, head, tail;
	unsigned magic, compat, incompat, header_length;
	struct io_event events[COST_RING];
} cost_ring = { .nr = COST_RING, .magic = 0xa10a10a1u, .header_length = 32 };

/* These four stand in for libaio's. */
int
io_setup(int depth, io_context_t *out)
{
	if (depth >= COST_RING)
		return -11;
	*out = (io_context_t)(void *)&cost_ring;
	return 0;
}

int
io_destroy(io_context_t ctx)
{
	(void)ctx;
	return 0;
}

int
io_submit(io_context_t ctx, long n, struct iocb **iocbs)
{
	unsigned tail = cost_ring.tail;

	(void)ctx;
	cost_ring.events[tail].obj = iocbs[0];
	cost_ring.events[tail].res = iocbs[0]->u.c.nbytes;
	tail = tail + 1 == COST_RING ? 0 : tail + 1;
	__atomic_store_n(&cost_ring.tail, tail, __ATOMIC_RELEASE);
	return (int)n;
}

int
io_getevents(io_context_t ctx, long least, long most, struct io_event *out,
	struct timespec *timeout)
{
	(void)ctx, (void)least, (void)most, (void)out, (void)timeout;
	fputs("engine_cost: the ring was not read\n", stderr);
	exit(1);
}

static double
cost_of_clock(void)
{
	uint64_t from = clock_now_ns();
	int i;

	for (i = 0; i < COST_READINGS - 1; i++)
		(void)clock_now_ns();
	return (double)(clock_now_ns() - from) / COST_READINGS;
}

static int
cost_plan(struct plan *p, const char *count, char **words)
{
	static const char *const usual[] = { "rw=randread", "bs=4k",
		"ioengine=libaio", "iodepth=32", "size=512m", NULL };
	const char *const *w = *words ? (const char *const *)words : usual;
	struct job *j = &p->jobs[0];
	struct err e;

	p->job_count = p->window_count = 1;
	p->windows[0].run = 1;
	job_defaults(j);
	snprintf(j->name, sizeof(j->name), "cost");
	for (; *w; w++)
		if (job_parse(j, *w, &e) < 0)
			goto bad;
	j->time_based = true;
	j->runtime_ns = COST_LONGEST_NS;
	p->size_bytes = j->size_bytes;
	if (job_check(j, &e) < 0)
		goto bad;
	/* The words know no number over several passes, the engine does. */
	j->number_ios = strtoull(count, NULL, 10);
	return 0;

bad:
	fprintf(stderr, "%s\n", e.text);
	return -1;
}

static void
cost_print(const struct record_window *w, double clock_ns)
{
	uint64_t n = w->lanes[RECORD_READ].ios + w->lanes[RECORD_WRITE].ios;
	double ns = (double)(w->ended_ns - w->started_ns) / (double)n;

	printf("ios %llu\n", (unsigned long long)n);
	printf("ns-per-io %.2f\n", ns);
	printf("cpu-ns-per-io %.2f\n",
		(double)(w->user_ns + w->system_ns) / (double)n);
	printf("clock-ns %.2f\n", clock_ns);
	printf("minor-faults %llu\n", (unsigned long long)w->minor_faults);
}

int
main(int argc, char **argv)
{
	static struct plan plan;
	struct engine_setup setup = { .plan = &plan,
		.align_bytes = 4096,
		.data_seed = 1,
		.target_fd = -1,
		.cpu = -1,
		.root = "" };
	struct engine *en;
	struct err e;

	if (argc < 2) {
		fputs("engine_cost COUNT [WORDS...]\n", stderr);
		return 2;
	}
	if (cost_plan(&plan, argv[1], argv + 2) < 0)
		return 2;
	setup.record = record_make(&plan, &e);
	en = setup.record ? engine_make(&setup, &e) : NULL;
	if (!en || engine_window(en, 0, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	cost_print(&setup.record->windows[0], cost_of_clock());
	engine_free(en);
	record_free(setup.record);
	return 0;
}
