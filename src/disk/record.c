#include "disk/record.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#define RECORD_PAGE_BYTES UINT64_C(4096)

/* A window that ends by size has no known length: room for ten minutes. */
#define RECORD_UNBOUNDED_NS (UINT64_C(600) * 1000000000)

unsigned
record_wants(const struct job *j, enum record_lane_id lane)
{
	unsigned aio = j->ioengine == JOB_LIBAIO ? RECORD_SLAT : 0;

	switch (lane) {
	case RECORD_READ:
		return job_reads(j) ? aio | RECORD_CLAT | RECORD_LAT : 0;
	case RECORD_WRITE:
		return job_writes(j) ? aio | RECORD_CLAT | RECORD_LAT : 0;
	case RECORD_SYNC:
		return job_writes(j) && job_syncs(j) ? RECORD_LAT : 0;
	case RECORD_COMMIT:
		/* With libaio the sync does not wait for any one write. */
		return job_writes(j) && job_syncs(j) && !aio ? RECORD_LAT : 0;
	case RECORD_LANES:
		break;
	}
	return 0;
}

/*
 * Walks twice over the same steps: without memory to learn how much is
 * wanted, then to hand it out.
 */
struct record_carver {
	unsigned char *base; /* NULL on the first walk */
	uint64_t used_bytes;
};

static void *
record_carve(struct record_carver *c, uint64_t bytes, uint64_t align)
{
	uint64_t at = (c->used_bytes + align - 1) & ~(align - 1);

	c->used_bytes = at + bytes;
	return c->base ? c->base + at : NULL;
}

static void
record_carve_hist(struct record_carver *c, struct hist *h, bool wanted)
{
	uint32_t *counts = NULL;

	/* On pages of their own, so that the worker can let go of them. */
	if (wanted)
		counts = record_carve(
			c, HIST_BUCKETS * sizeof(*counts), RECORD_PAGE_BYTES);
	if (c->base)
		hist_init_zero(h, counts);
}

static void
record_carve_window(
	struct record_carver *c, struct record_window *w, const struct job *j)
{
	uint32_t capacity = series_capacity(
		j->runtime_ns ? j->runtime_ns : RECORD_UNBOUNDED_NS);
	struct series_slot *slots =
		record_carve(c, capacity * sizeof(*slots), RECORD_PAGE_BYTES);
	struct record_lane unused, *lane;
	unsigned wants;
	int i;

	if (c->base) {
		w->pages = slots;
		/* Fresh zeroes: not to be touched by a reset. */
		w->series =
			(struct series){ .slots = slots, .capacity = capacity };
	}
	for (i = 0; i < RECORD_LANES; i++) {
		lane = c->base ? &w->lanes[i] : &unused;
		wants = record_wants(j, (enum record_lane_id)i);
		record_carve_hist(c, &lane->slat, wants & RECORD_SLAT);
		record_carve_hist(c, &lane->clat, wants & RECORD_CLAT);
		record_carve_hist(c, &lane->lat, wants & RECORD_LAT);
	}
	if (c->base)
		w->pages_bytes = (uint64_t)(c->base + c->used_bytes -
					    (unsigned char *)w->pages);
}

static void
record_carve_diag(
	struct record_carver *c, struct record *r, const struct plan *p)
{
	struct diag unused, *d = r ? &r->diag : &unused;
	bool wanted = diag_job(p) >= 0;
	int i;

	for (i = 0; i < DIAG_TIMES; i++)
		record_carve_hist(c, &d->wake[i], wanted);
	record_carve_hist(c, &d->polled, wanted);
}

static void
record_count(const struct plan *p, uint32_t *slots, uint32_t *threads)
{
	uint32_t i, n;

	*slots = 1;
	*threads = 1;
	for (i = 0; i < p->job_count; i++) {
		n = p->jobs[i].numjobs * record_stride(p->jobs[i].iodepth);
		if (n > *slots)
			*slots = n;
		if (p->jobs[i].numjobs > *threads)
			*threads = p->jobs[i].numjobs;
	}
}

static struct record *
record_layout(struct record_carver *c, const struct plan *p)
{
	struct record *r = record_carve(c, sizeof(*r), 64);
	struct record_window *windows =
		record_carve(c, p->window_count * sizeof(*windows), 64);
	_Atomic uint64_t *outstanding;
	struct record_live *live;
	uint32_t i, slots, threads;

	record_count(p, &slots, &threads);
	/* Written inside the windows: away from what the parent looks at. */
	outstanding = record_carve(
		c, slots * sizeof(*outstanding), RECORD_PAGE_BYTES);
	live = record_carve(c, threads * sizeof(*live), 64);
	for (i = 0; i < p->window_count; i++)
		record_carve_window(c, windows ? &windows[i] : NULL,
			&p->jobs[p->windows[i].job]);
	record_carve_diag(c, r, p);
	if (!r)
		return NULL;
	r->window_count = p->window_count;
	r->windows = windows;
	r->slot_count = slots;
	r->outstanding = outstanding;
	r->live_count = threads;
	r->live = live;
	return r;
}

struct record *
record_make(const struct plan *p, struct err *e)
{
	struct record_carver c = { NULL, 0 };
	struct record *r;
	uint64_t bytes;
	void *map;

	record_layout(&c, p);
	bytes = (c.used_bytes + RECORD_PAGE_BYTES - 1) &
		~(RECORD_PAGE_BYTES - 1);
	/* Without a reserve: most of it is never touched. */
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (map == MAP_FAILED) {
		err_set(e, ERR_REFUSED, errno,
			"cannot get %llu KiB of shared memory for the figures "
			"of %u windows",
			(unsigned long long)(bytes >> 10), p->window_count);
		return NULL;
	}
	c.base = map;
	c.used_bytes = 0;
	r = record_layout(&c, p);
	r->prepare.kernel_write_bytes = RECORD_UNKNOWN;
	r->prepare.extents_written = -1;
	r->parent_pid = (int)getpid();
	r->map = map;
	r->map_bytes = bytes;
	return r;
}

void
record_free(struct record *r)
{
	if (r)
		munmap(r->map, r->map_bytes);
}

void
record_let_go(struct record *r, uint32_t n)
{
	/* Shared memory: only our own mapping of the pages goes.  The last
	   window's end may lie inside a page; the kernel rounds up. */
	madvise(r->windows[n].pages, r->windows[n].pages_bytes, MADV_DONTNEED);
}

uint64_t
record_oldest_ns(const struct record *r, uint64_t now_ns)
{
	uint64_t start, oldest = now_ns;
	uint32_t i;

	for (i = 0; i < r->slot_count; i++) {
		start = atomic_load_explicit(
			&r->outstanding[i], memory_order_relaxed);
		if (start && start < oldest)
			oldest = start;
	}
	return now_ns - oldest;
}

void
record_live_total(const struct record *r, uint64_t *ios, uint64_t *lat_ns)
{
	uint32_t i;

	*ios = *lat_ns = 0;
	for (i = 0; i < r->live_count; i++) {
		*ios += atomic_load_explicit(
			&r->live[i].ios, memory_order_relaxed);
		*lat_ns += atomic_load_explicit(
			&r->live[i].lat_ns, memory_order_relaxed);
	}
}
