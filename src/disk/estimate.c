#include "disk/estimate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rng.h"

#define LARGE_BYTES  (UINT64_C(1) << 20)
#define SMALL_BYTES  UINT64_C(4096)
#define LARGE_MAX    (ESTIMATE_READ_BYTES / LARGE_BYTES)
#define SMALL_MAX    200
#define LARGE_FOR_NS (2 * CLOCK_NS_PER_S)
#define SMALL_FOR_NS (CLOCK_NS_PER_S / 2)
#define LARGE_LEAST  3 /* the first may be free: a cap's allowance */

/* A device that is being read. */
struct reader {
	int fd;
	const char *name; /* of its node, for messages */
	uint64_t size_bytes;
	unsigned char *data; /* LARGE_BYTES, aligned */
	struct rng rng;
};

/* The block device that the filesystem lies on: the layer below it. */
static const struct stack_layer *
find_device(const struct stack *s)
{
	unsigned i;

	for (i = 0; i < s->count; i++)
		if (s->layers[i].kind != STACK_FILESYSTEM)
			return s->layers[i].name[0] ? &s->layers[i] : NULL;
	return NULL;
}

static int
open_device(
	struct reader *r, const struct stack_layer *l, char *path, size_t size)
{
	struct stat st;
	char *c;
	off_t end;

	snprintf(path, size, "/dev/%s", l->name);
	/* /sys has '!' for the '/' of names such as cciss/c0d0 */
	for (c = path; *c; c++)
		if (*c == '!')
			*c = '/';
	r->name = path;
	r->fd = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC | O_NONBLOCK);
	if (r->fd < 0)
		return -1;
	if (fstat(r->fd, &st) < 0)
		return -1;
	errno = ENODEV;
	if (!S_ISBLK(st.st_mode) ||
		st.st_rdev != makedev(l->dev_major, l->dev_minor))
		return -1;
	end = lseek(r->fd, 0, SEEK_END);
	if (end < (off_t)LARGE_BYTES)
		return -1;
	r->size_bytes = (uint64_t)end;
	return 0;
}

static int
read_at(struct reader *r, uint64_t bytes, uint64_t at)
{
	ssize_t n = pread(r->fd, r->data, bytes, (off_t)at);

	if (n == (ssize_t)bytes)
		return 0;
	if (n >= 0)
		errno = EIO;
	return -1;
}

/* One behind the other from somewhere on, as the target will be written. */
static int
read_large(struct reader *r, uint64_t *bytes_per_s)
{
	uint64_t blocks = r->size_bytes / LARGE_BYTES, first, from = 0, now = 0;
	unsigned n;

	first = rng_next(&r->rng) % blocks;
	for (n = 0; n < LARGE_MAX; n++) {
		if (read_at(r, LARGE_BYTES,
			    (first + n) % blocks * LARGE_BYTES) < 0)
			return -1;
		now = clock_now_ns();
		if (n == 0)
			from = now;
		else if (n >= LARGE_LEAST && now - from >= LARGE_FOR_NS)
			break;
	}
	if (n == LARGE_MAX)
		n--;
	if (now == from)
		now++;
	*bytes_per_s = (uint64_t)((double)(n * LARGE_BYTES) * 1e9 /
				  (double)(now - from));
	return 0;
}

/* Before the large ones: behind them these would wait for a cap's arrears. */
static int
read_small(struct reader *r, uint64_t *io_ns)
{
	uint64_t blocks = r->size_bytes / SMALL_BYTES, from, now;
	unsigned n = 0;

	from = now = clock_now_ns();
	while (n < SMALL_MAX && now - from < SMALL_FOR_NS) {
		if (read_at(r, SMALL_BYTES,
			    rng_next(&r->rng) % blocks * SMALL_BYTES) < 0)
			return -1;
		now = clock_now_ns();
		n++;
	}
	*io_ns = (now - from) / n;
	return 0;
}

static bool
is_below(const struct stack *s, const struct limits_io *io)
{
	unsigned i;

	for (i = 0; i < s->count; i++)
		if (s->layers[i].kind != STACK_FILESYSTEM &&
			s->layers[i].dev_major == io->dev_major &&
			s->layers[i].dev_minor == io->dev_minor)
			return true;
	return false;
}

/* What a cgroup of ours lets through is no more than it lets through. */
static void
heed_limits(struct estimate_rates *out, const struct guard_view *v)
{
	const struct limits_io *io;
	unsigned i;

	for (i = 0; i < v->limits.io_count; i++) {
		io = &v->limits.io[i];
		if (!is_below(&v->stack, io))
			continue;
		if (io->wbps != LIMITS_UNKNOWN && io->wbps &&
			(!out->bytes_per_s || io->wbps < out->bytes_per_s)) {
			out->bytes_per_s = io->wbps;
			out->limited = true;
		}
		if (io->wiops == LIMITS_UNKNOWN || !io->wiops)
			continue;
		if (!out->bytes_per_s ||
			io->wiops < out->bytes_per_s / LARGE_BYTES) {
			out->bytes_per_s = io->wiops * LARGE_BYTES;
			out->limited = true;
		}
		if (out->io_ns < CLOCK_NS_PER_S / io->wiops)
			out->io_ns = CLOCK_NS_PER_S / io->wiops;
	}
}

int
estimate_read(
	struct estimate_rates *out, const struct guard_view *v, struct err *e)
{
	const struct stack_layer *l = find_device(&v->stack);
	struct reader r = { .fd = -1 };
	char path[64];
	int rc = -1;

	*out = (struct estimate_rates){ 0 };
	r.data = aligned_alloc(SMALL_BYTES, LARGE_BYTES);
	if (!l)
		err_set(e, ERR_OPEN, 0,
			"no block device is known below the directory");
	else if (r.data && rng_init(&r.rng, e) == 0 &&
		 open_device(&r, l, path, sizeof(path)) == 0 &&
		 read_small(&r, &out->io_ns) == 0 &&
		 read_large(&r, &out->bytes_per_s) == 0)
		rc = 0;
	else
		err_set(e, ERR_OPEN, errno, "%s cannot be read",
			r.name ? r.name : l->name);
	if (r.fd >= 0)
		close(r.fd);
	free(r.data);
	if (rc < 0)
		*out = (struct estimate_rates){ 0 };
	heed_limits(out, v);
	return out->bytes_per_s ? 0 : rc;
}

static uint64_t
time_for(uint64_t bytes, uint64_t bytes_per_s)
{
	return (uint64_t)((double)bytes * 1e9 / (double)bytes_per_s);
}

void
estimate_run(struct estimate *out, const struct plan *p,
	const struct estimate_rates *rates)
{
	struct plan_cost cost;
	uint64_t by_bytes, by_ios, slots;
	const struct job *j;
	uint32_t i;

	plan_cost(p, &cost);
	out->prepare_ns = time_for(cost.prepare_bytes, rates->bytes_per_s);
	out->windows_ns = cost.windows_ns + cost.diag_ns;
	out->drains_ns = 0;
	/* A sample's end is within its own time. */
	for (i = 0; i < plan_windows(p); i++) {
		j = &p->jobs[p->windows[i].job];
		slots = (uint64_t)j->iodepth * j->numjobs;
		by_bytes = time_for(slots * j->bs_bytes, rates->bytes_per_s);
		by_ios = slots * rates->io_ns;
		out->drains_ns += by_bytes > by_ios ? by_bytes : by_ios;
	}
}
