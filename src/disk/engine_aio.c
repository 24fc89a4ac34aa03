#include "disk/engine_aio.h"

#include <errno.h>
#include <libaio.h>
#include <stdlib.h>
#include <time.h>

#include "disk/touch.h"
#include "host/limits.h"

#define ENGINE_AIO_SLOW_NS     UINT64_C(100000)
#define ENGINE_AIO_SLOWER_NS   UINT64_C(1000000)
#define ENGINE_AIO_RETRY_NS    UINT64_C(100000)	    /* sleep after EAGAIN */
#define ENGINE_AIO_REFUSED_NS  UINT64_C(1000000000) /* give up after */
#define ENGINE_AIO_SLICE_NS    100000000L	   /* of waiting once stopped */
#define ENGINE_AIO_SPINS_MAX   (UINT32_C(1) << 24) /* tens of ms */
#define ENGINE_AIO_ERRORS_MAX  1000		   /* 1 ms apart */
#define ENGINE_AIO_RING_MAGIC  0xa10a10a1u
#define ENGINE_AIO_RING_HEADER 32u

/* What the kernel maps at the address that io_setup returns (fs/aio.c). */
struct engine_aio_ring {
	unsigned id, nr;
	unsigned head; /* ours to move; io_getevents moves it, too */
	unsigned tail; /* the kernel's */
	unsigned magic, compat_features, incompat_features, header_length;
	struct io_event events[];
};
_Static_assert(
	sizeof(struct engine_aio_ring) == ENGINE_AIO_RING_HEADER, "the ABI");

struct engine_aio {
	io_context_t ctx;
	struct engine_aio_ring *ring; /* NULL: not one we know */
	bool use_ring;
	struct iocb *iocbs;
	struct engine_io *ios;
	uint32_t *idle; /* stack of slots with nothing in flight */
	uint32_t idle_count;
	bool drawn;	     /* the top of idle has its I/O already */
	bool waiting;	     /* an older I/O's event lay there before the
	                        newest stamp, which will do for its reap */
	uint64_t refused_ns; /* io_submit says EAGAIN since, 0 = it does not */
	uint64_t marked_ns;  /* up to here queue_short_ns is counted */
	uint32_t parked;     /* slots idle since then */
};

static int
engine_aio_refusal(int error, uint32_t depth, uint32_t contexts,
	const char *root, struct err *e)
{
	struct limits l;

	switch (error) {
	case EAGAIN:
		limits_read(&l, root);
		return err_set(e, ERR_REFUSED, error,
			"cannot get slots for asynchronous I/O (io_setup for "
			"%u x %u): fs.aio-max-nr is %lld, fs.aio-nr says that "
			"%lld are in use; raise it, for example with: sysctl "
			"fs.aio-max-nr=1048576",
			contexts, depth, (long long)l.aio_max_nr,
			(long long)l.aio_nr);
	case ENOSYS:
		return err_set(e, ERR_REFUSED, error,
			"there is no asynchronous I/O here (io_setup): the "
			"kernel, or a sandbox or emulator around us (gVisor, "
			"seccomp, qemu-user), lacks it; run outside the "
			"sandbox");
	case EPERM:
	case EACCES:
		return err_set(e, ERR_REFUSED, error,
			"asynchronous I/O is forbidden here (io_setup): a "
			"seccomp filter or container profile denies it; allow "
			"io_setup, io_submit and io_getevents in the profile, "
			"or run outside the container");
	case ENOMEM:
		return err_set(e, ERR_REFUSED, error,
			"no memory for the queue of asynchronous I/O (io_setup "
			"for %u x %u): look at the memory cgroup and at "
			"RLIMIT_AS (ulimit -v)",
			contexts, depth);
	default:
		return err_set(e, ERR_REFUSED, error,
			"asynchronous I/O cannot be had (io_setup for %u x "
			"%u)",
			contexts, depth);
	}
}

static struct engine_aio_ring *
engine_aio_find_ring(io_context_t ctx)
{
	struct engine_aio_ring *ring = (void *)ctx;

	if (!ring || ring->magic != ENGINE_AIO_RING_MAGIC ||
		ring->incompat_features ||
		ring->header_length != ENGINE_AIO_RING_HEADER || !ring->nr)
		return NULL;
	return ring;
}

struct engine_aio *
engine_aio_open(
	uint32_t depth, uint32_t contexts, const char *root, struct err *e)
{
	struct engine_aio *a = calloc(1, sizeof(*a));
	int n;

	if (!a)
		goto no_memory;
	a->iocbs = calloc(depth, sizeof(*a->iocbs));
	a->ios = calloc(depth, sizeof(*a->ios));
	a->idle = calloc(depth, sizeof(*a->idle));
	if (!a->iocbs || !a->ios || !a->idle)
		goto no_memory;
	n = io_setup((int)depth, &a->ctx);
	if (n < 0) {
		a->ctx = NULL;
		engine_aio_refusal(-n, depth, contexts, root, e);
		goto fail;
	}
	a->ring = engine_aio_find_ring(a->ctx);
	return a;

no_memory:
	err_set(e, ERR_REFUSED, ENOMEM, "cannot get the slots of %u I/Os",
		depth);
fail:
	engine_aio_close(a);
	return NULL;
}

void
engine_aio_close(struct engine_aio *a)
{
	if (!a)
		return;
	if (a->ctx)
		io_destroy(a->ctx);
	free(a->iocbs);
	free(a->ios);
	free(a->idle);
	free(a);
}

bool
engine_aio_has_ring(const struct engine_aio *a)
{
	return a->ring;
}

void
engine_aio_ready(struct engine_aio *a, const struct engine_job *t)
{
	uint32_t i;

	memset(a->iocbs, 0, t->depth * sizeof(*a->iocbs));
	memset(a->ios, 0, t->depth * sizeof(*a->ios));
	/* Slot 0 goes first: it is the last one pushed. */
	for (i = 0; i < t->depth; i++)
		a->idle[i] = t->depth - 1 - i;
	a->idle_count = t->depth;
	a->drawn = a->waiting = false;
	a->refused_ns = 0;
	a->use_ring = a->ring && !t->common->syscall_reap;
	if (!a->use_ring)
		return;
	/* The kernel's pages of the ring are mapped at the first touch. */
	touch_read(a->ring,
		sizeof(*a->ring) + a->ring->nr * sizeof(*a->ring->events));
	touch_write(&a->ring->head, sizeof(a->ring->head));
}

/* Slot time lost while io_submit refused, inside window and deadline. */
static void
engine_aio_settle(struct engine_job *t, uint64_t now_ns)
{
	struct engine_aio *a = t->aio;
	uint64_t from = a->marked_ns, to = now_ns;

	if (!a->refused_ns)
		return;
	if (from < t->base_ns)
		from = t->base_ns;
	if (to > t->deadline_ns)
		to = t->deadline_ns;
	if (from < to)
		t->queue_short_ns += a->parked * (to - from);
	a->marked_ns = now_ns;
	a->parked = a->idle_count;
}

/* io_submit did not take the slot's I/O.  1: try again later, -1: failed. */
static int
engine_aio_refused(struct engine_job *t, uint32_t slot, int n, uint64_t now_ns)
{
	struct engine_aio *a = t->aio;

	engine_job_outstanding(t, slot, 0);
	if (n == -EINTR)
		return 1; /* the parent has said stop */
	if (n != -EAGAIN && n != 0) {
		engine_job_fail(t, &a->ios[slot], n);
		return -1;
	}
	if (!a->refused_ns) {
		a->refused_ns = a->marked_ns = now_ns;
		a->parked = a->idle_count;
	}
	engine_aio_settle(t, now_ns);
	return 1;
}

/*
 * What lies in the ring when io_submit has returned, before the next stamp:
 * iocb's own event as the newest (true: done before we could look), and as the
 * oldest that of another I/O.
 */
static inline bool
engine_aio_look(struct engine_aio *a, const struct iocb *iocb)
{
	struct engine_aio_ring *r = a->ring;
	unsigned tail = __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE);
	unsigned head = __atomic_load_n(&r->head, __ATOMIC_RELAXED);

	if (head == tail)
		return false;
	a->waiting = r->events[head].obj != iocb;
	return r->events[tail ? tail - 1 : r->nr - 1].obj == iocb;
}

static inline void
engine_aio_slow(struct engine_job *t, const struct engine_io *io)
{
	uint64_t took = io->issue_ns - io->start_ns;

	if (took <= ENGINE_AIO_SLOW_NS || io->issue_ns < io->start_ns)
		return;
	t->slow_100us++;
	t->slow_1ms += took > ENGINE_AIO_SLOWER_NS;
	t->slow_ns += took;
}

static inline void
engine_aio_draw(struct engine_job *t, uint32_t slot)
{
	unsigned char *data = t->buffers + slot * t->job->bs_bytes;
	struct engine_io *io = &t->aio->ios[slot];
	struct iocb *iocb = &t->aio->iocbs[slot];

	engine_job_next(t, io, data);
	if (io->write)
		io_prep_pwrite(iocb, t->common->fd, data, t->job->bs_bytes,
			(long long)io->offset_bytes);
	else
		io_prep_pread(iocb, t->common->fd, data, t->job->bs_bytes,
			(long long)io->offset_bytes);
}

/* Submit one on the idle slot at hand.  0 taken, 1 not now, -1 failed. */
static inline int
engine_aio_issue(struct engine_job *t, uint64_t *now_ns)
{
	struct engine_aio *a = t->aio;
	uint32_t slot = a->idle[a->idle_count - 1];
	struct engine_io *io = &a->ios[slot];
	struct iocb *iocb = &a->iocbs[slot];
	bool early;
	int n;

	if (!a->drawn)
		engine_aio_draw(t, slot);
	a->drawn = true;
	io->start_ns = t->common->dear_clock ? *now_ns : clock_now_ns();
	engine_job_outstanding(t, slot, io->start_ns);
	do {
		n = io_submit(a->ctx, 1, &iocb);
		t->submits++;
	} while (n == -EINTR && !engine_job_stopped(t));
	early = a->use_ring && engine_aio_look(a, iocb);
	*now_ns = io->issue_ns = clock_now_ns();
	if (n != 1)
		return engine_aio_refused(t, slot, n, *now_ns);
	if (a->refused_ns)
		engine_aio_settle(t, *now_ns);
	a->refused_ns = 0;
	a->drawn = false;
	a->idle_count--;
	if (t->counting) {
		t->early += early;
		engine_aio_slow(t, io);
	}
	if (io->write)
		t->sync_due = engine_job_due(t);
	return 0;
}

/* Nothing is in flight that could make room: wait a moment, then try again. */
static int
engine_aio_wait(struct engine_job *t, uint64_t now_ns)
{
	if (now_ns - t->aio->refused_ns > ENGINE_AIO_REFUSED_NS) {
		engine_job_fail_call(t,
			"io_submit with nothing in flight, tried again for a "
			"second,",
			EAGAIN);
		return -1;
	}
	clock_sleep_ns(ENGINE_AIO_RETRY_NS);
	return 0;
}

/* Fill all idle slots, unless the kernel has no room or the end has come. */
static inline void
engine_aio_refill(struct engine_job *t, uint64_t *now_ns)
{
	struct engine_aio *a = t->aio;

	while (a->idle_count && engine_job_may_issue(t, *now_ns)) {
		if (t->sync_due &&
			engine_job_sync(
				t, a->idle[a->idle_count - 1], 0, now_ns) < 0)
			return;
		if (!engine_aio_issue(t, now_ns))
			continue;
		if (a->idle_count < t->depth)
			return; /* reap one, then try again */
		if (a->refused_ns && engine_aio_wait(t, *now_ns) < 0)
			return;
	}
	if (!a->idle_count || t->issue_ended)
		return;
	engine_aio_settle(t, *now_ns);
	engine_job_end_issue(t, *now_ns);
}

static inline bool
engine_aio_pop(struct engine_aio_ring *r, struct io_event *out)
{
	unsigned head = __atomic_load_n(&r->head, __ATOMIC_RELAXED);

	/* The event is written before the tail, and read before the head is
	   given back. */
	if (head == __atomic_load_n(&r->tail, __ATOMIC_ACQUIRE))
		return false;
	*out = r->events[head];
	head = head + 1 == r->nr ? 0 : head + 1;
	__atomic_store_n(&r->head, head, __ATOMIC_RELEASE);
	return true;
}

/* The parent wants no waiting (since *since_ns): has it been long enough? */
static bool
engine_aio_gives_up(int stop, uint64_t *since_ns)
{
	uint64_t now = clock_now_ns();

	if (stop >= 0)
		return false;
	if (!*since_ns)
		*since_ns = now;
	return now - *since_ns >= ENGINE_AIO_SLICE_NS;
}

/*
 * The slow road to one event: io_getevents.  -1 = gave up: the parent wants
 * no more waiting, or the call itself keeps failing.
 */
static int
engine_aio_getevent(struct engine_job *t, struct io_event *out)
{
	struct timespec slice = { 0, ENGINE_AIO_SLICE_NS };
	struct engine_aio *a = t->aio;
	int n, stop = 0, errors = 0;
	uint64_t since_ns = 0;

	for (;;) {
		n = io_getevents(a->ctx, 1, 1, out, stop ? &slice : NULL);
		if (n == 1)
			return 0;
		/* EINTR: the parent may have something to say.  Its signal may
		   also come just before we wait: it is sent again, and so
		   often that a slice need not come to its end. */
		stop = engine_job_stopped(t);
		if (engine_aio_gives_up(stop, &since_ns))
			return -1;
		if (n >= 0 || n == -EINTR)
			continue;
		engine_job_fail_call(t, "io_getevents", -n);
		if (++errors > ENGINE_AIO_ERRORS_MAX)
			return -1;
		clock_sleep_ns(CLOCK_NS_PER_MS);
		if (a->use_ring && engine_aio_pop(a->ring, out))
			return 0;
	}
}

/*
 * Look for an event for a while, without the pause instruction: in a virtual
 * machine a loop of those is a reason to take the CPU away.
 */
static bool
engine_aio_spin(struct engine_job *t, struct io_event *out)
{
	struct engine_aio *a = t->aio;
	uint32_t i;

	for (i = 0; i < ENGINE_AIO_SPINS_MAX; i++) {
		if (engine_aio_pop(a->ring, out))
			return true;
		if (engine_job_stopped(t))
			break;
	}
	return false;
}

static inline void
engine_aio_finish(
	struct engine_job *t, const struct io_event *event, uint64_t now_ns)
{
	struct engine_aio *a = t->aio;
	uint32_t slot = (uint32_t)(event->obj - a->iocbs);
	struct engine_io *io = &a->ios[slot];

	if (event->res == t->job->bs_bytes)
		engine_job_account(t, io, now_ns);
	else
		engine_job_fail(t, io, (int64_t)event->res);
	engine_job_outstanding(t, slot, 0);
	a->idle[a->idle_count++] = slot;
}

void
engine_aio_run(struct engine_job *t)
{
	struct engine_aio *a = t->aio;
	uint64_t now = t->began_ns;
	struct io_event event;

	for (;;) {
		engine_aio_refill(t, &now);
		if (a->idle_count == t->depth)
			break;
		if (!(a->use_ring && engine_aio_pop(a->ring, &event)) &&
			!(t->spin && engine_aio_spin(t, &event)) &&
			engine_aio_getevent(t, &event) < 0) {
			t->lost = t->depth - a->idle_count;
			break;
		}
		if (!a->waiting)
			now = clock_now_ns();
		a->waiting = false;
		engine_aio_finish(t, &event, now);
	}
	engine_job_end_issue(t, now);
}
