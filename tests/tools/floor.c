/*
 * floor aio|stamped|pread FILE DEPTH SECONDS
 *
 * What the kernel alone costs: 4 KiB random reads with O_DIRECT and next to
 * nothing around them.
 *   aio      one io_submit, one event from the ring, no stamps, no figures
 *   stamped  the same 1 deep, with two stamps around submission and reap and
 *            their difference in a histogram
 *   pread    the same around one call
 *
 * Prints "figure value" lines, ios iops cpu-ns-per-io, with stamps lat.p50.
 */
#include <errno.h>
#include <fcntl.h>
#include <libaio.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/clock.h"
#include "disk/hist.h"

#define FLOOR_BLOCK    4096
#define FLOOR_DEPTH    512
#define FLOOR_NS_PER_S 1e9

struct floor_ring {
	unsigned id, nr, head, tail;
	unsigned magic, compat, incompat, header_length;
	struct io_event events[];
};

struct floor_run {
	int fd;
	unsigned depth;
	bool stamped;
	uint64_t blocks, state, ios;
	struct hist lat;
};

static volatile sig_atomic_t floor_over;
static uint32_t floor_counts[HIST_BUCKETS];
static unsigned char floor_data[FLOOR_DEPTH][FLOOR_BLOCK]
	__attribute__((aligned(FLOOR_BLOCK)));

static void
floor_ring_bell(int sig)
{
	(void)sig;
	floor_over = 1;
}

/* Knuth's congruential generator: good enough to miss caches. */
static inline long long
floor_offset(struct floor_run *f)
{
	f->state = f->state * UINT64_C(6364136223846793005) +
		   UINT64_C(1442695040888963407);
	return (long long)(((f->state >> 32) * f->blocks >> 32) * FLOOR_BLOCK);
}

static int
floor_bad(const char *what, long result)
{
	fprintf(stderr, "floor: %s: %ld\n", what, result);
	return -1;
}

static int
floor_submit(struct floor_run *f, io_context_t ctx, struct iocb *iocb)
{
	int n;

	iocb->u.c.offset = floor_offset(f);
	do {
		n = io_submit(ctx, 1, &iocb);
	} while (n == -EINTR);
	return n == 1 ? 0 : floor_bad("io_submit", n);
}

static struct iocb *
floor_reap(struct floor_ring *r, io_context_t ctx)
{
	unsigned head = r->head;
	struct io_event event = { 0 };
	int n;

	if (head != __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE)) {
		event = r->events[head];
		head = head + 1 == r->nr ? 0 : head + 1;
		__atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
	} else {
		do {
			n = io_getevents(ctx, 1, 1, &event, NULL);
		} while (n == -EINTR);
	}
	return event.res == FLOOR_BLOCK ? event.obj : NULL;
}

static int
floor_aio(struct floor_run *f)
{
	static struct iocb iocbs[FLOOR_DEPTH];
	io_context_t ctx = NULL;
	uint64_t from = f->stamped ? clock_now_ns() : 0;
	struct iocb *done;
	unsigned i;
	int n = io_setup((int)f->depth, &ctx);

	if (n < 0)
		return floor_bad("io_setup", n);
	for (i = 0; i < f->depth; i++) {
		io_prep_pread(&iocbs[i], f->fd, floor_data[i], FLOOR_BLOCK, 0);
		if (floor_submit(f, ctx, &iocbs[i]) < 0)
			return -1;
	}
	while (!floor_over) {
		done = floor_reap((void *)ctx, ctx);
		if (!done)
			return floor_bad("a read", 0);
		f->ios++;
		if (f->stamped) {
			hist_record(&f->lat, clock_now_ns() - from);
			from = clock_now_ns();
		}
		if (floor_submit(f, ctx, done) < 0)
			return -1;
	}
	for (i = 0; i < f->depth; i++, f->ios++)
		if (!floor_reap((void *)ctx, ctx))
			return floor_bad("a read", 0);
	return 0;
}

static int
floor_pread(struct floor_run *f)
{
	uint64_t from;
	ssize_t n;

	while (!floor_over) {
		from = clock_now_ns();
		n = pread(f->fd, floor_data, FLOOR_BLOCK, floor_offset(f));
		if (n != FLOOR_BLOCK)
			return floor_bad("pread", n);
		hist_record(&f->lat, clock_now_ns() - from);
		f->ios++;
	}
	return 0;
}

static double
floor_cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) *
		       FLOOR_NS_PER_S +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000.0;
}

static int
floor_measure(struct floor_run *f, const char *mode, const char *seconds)
{
	struct itimerval bell = { .it_value = { .tv_sec = atoi(seconds) } };
	uint64_t from;
	double cpu_ns;
	int failed;

	hist_init(&f->lat, floor_counts);
	signal(SIGALRM, floor_ring_bell);
	setitimer(ITIMER_REAL, &bell, NULL);
	cpu_ns = floor_cpu_ns();
	from = clock_now_ns();
	f->stamped = !strcmp(mode, "stamped");
	failed = strcmp(mode, "pread") ? floor_aio(f) : floor_pread(f);
	if (failed < 0)
		return 1;
	printf("ios %llu\n", (unsigned long long)f->ios);
	printf("iops %.1f\n", (double)f->ios * FLOOR_NS_PER_S /
				      (double)(clock_now_ns() - from));
	printf("cpu-ns-per-io %.2f\n",
		(floor_cpu_ns() - cpu_ns) / (double)f->ios);
	if (f->lat.n)
		printf("lat.p50 %llu\n",
			(unsigned long long)hist_percentile(&f->lat, 50));
	return 0;
}

int
main(int argc, char **argv)
{
	struct floor_run f = { .state = 1 };
	struct stat st;

	if (argc != 5) {
		fputs("floor aio|stamped|pread FILE DEPTH SECONDS\n", stderr);
		return 2;
	}
	f.depth = (unsigned)atoi(argv[3]);
	f.fd = open(argv[2], O_RDONLY | O_DIRECT | O_CLOEXEC);
	if (f.fd < 0 || fstat(f.fd, &st) < 0 || !f.depth ||
		f.depth > FLOOR_DEPTH) {
		perror(argv[2]);
		return 1;
	}
	f.blocks = (uint64_t)st.st_size / FLOOR_BLOCK;
	return floor_measure(&f, argv[1], argv[4]);
}
