#include "disk/guard_space.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

/* A smaller target than this is not proposed: it measures caches. */
#define GUARD_PROPOSE_MIN_BYTES (UINT64_C(64) << 20)

static uint64_t
guard_space_reserve(const struct guard_view *v)
{
	uint64_t part = v->total_bytes / 100 * GUARD_RESERVE_PCT;

	return part > GUARD_RESERVE_BYTES ? part : GUARD_RESERVE_BYTES;
}

static uint64_t
guard_space_copies(const struct guard_view *v)
{
	return guard_copies_on_write(v->store) ? 2 : 1;
}

uint64_t
guard_space_wanted(const struct guard_view *v, const struct plan *p)
{
	uint64_t reserve = guard_space_reserve(v), wanted;

	if (p->size_bytes > (UINT64_MAX - reserve) / 2)
		return UINT64_MAX;
	wanted = p->size_bytes * guard_space_copies(v) + reserve;
	return wanted > p->floor_bytes ? wanted : p->floor_bytes;
}

/* The largest power of two that would fit, 0 where none is worth it. */
static uint64_t
guard_space_fitting(const struct guard_view *v, const struct plan *p)
{
	uint64_t reserve = guard_space_reserve(v), room, size;

	if (v->available_bytes < p->floor_bytes || v->available_bytes < reserve)
		return 0;
	room = (v->available_bytes - reserve) / guard_space_copies(v);
	for (size = UINT64_C(1) << 60; size > room; size /= 2)
		;
	return size >= GUARD_PROPOSE_MIN_BYTES && size < p->size_bytes ? size
								       : 0;
}

/* "--size 256M or another --dir", or what else there is to do. */
static void
guard_space_advice(const struct guard_view *v, const struct plan *p, char *out,
	size_t size)
{
	uint64_t fitting = guard_space_fitting(v, p);
	char text[32];

	if (fitting > 0)
		snprintf(out, size, "use --size %s or another --dir",
			units_bytes_short(fitting, text, sizeof(text)));
	else
		snprintf(out, size, "free some, or use another --dir");
}

/* Why so much: the part that is not the target. */
static void
guard_space_reason(const struct guard_view *v, const struct plan *p, char *out,
	size_t size)
{
	uint64_t reserve = guard_space_reserve(v);
	char text[32];

	units_bytes(reserve, text, sizeof(text));
	if (p->floor_bytes > reserve + p->size_bytes * guard_space_copies(v))
		snprintf(out, size, "%s never runs with less", p->suite);
	else
		snprintf(out, size, "%s of it %s free%s", text,
			reserve > GUARD_RESERVE_BYTES
				? "(5 % of the filesystem) stay"
				: "stay",
			guard_space_copies(v) == 2
				? ", and it copies on write: twice the size"
				: "");
}

/*
 * A thin pool promises more than it has.  Twice the size must be left: what
 * the windows write again may land on new blocks of the pool.
 */
static int
guard_space_pool(
	const struct guard_view *v, const struct plan *p, struct err *e)
{
	uint64_t left = stack_pool_free_bytes(&v->stack);
	char size[32], have[32];

	if (left == STACK_UNKNOWN || p->size_bytes <= left / 2)
		return 0;
	return err_set(e, ERR_REFUSED, 0,
		"a target of %s needs twice that in the thin pool below, which "
		"has %s left: use a smaller --size, or extend the pool",
		units_bytes(p->size_bytes, size, sizeof(size)),
		units_bytes(left, have, sizeof(have)));
}

int
guard_space_judge(
	const struct guard_view *v, const struct plan *p, struct err *e)
{
	uint64_t wanted = guard_space_wanted(v, p);
	char size[32], need[32], have[32], advice[96], reason[160];

	if (v->available_bytes >= wanted)
		return guard_space_pool(v, p, e);
	units_bytes(p->size_bytes, size, sizeof(size));
	units_bytes(wanted, need, sizeof(need));
	units_bytes(v->available_bytes, have, sizeof(have));
	/* "needs 2 GiB, 2 GiB are available" helps nobody */
	if (strcmp(need, have) == 0) {
		snprintf(need, sizeof(need), "%" PRIu64 " bytes", wanted);
		snprintf(have, sizeof(have), "%" PRIu64 " bytes",
			v->available_bytes);
	}
	guard_space_reason(v, p, reason, sizeof(reason));
	guard_space_advice(v, p, advice, sizeof(advice));
	return err_set(e, ERR_REFUSED, 0,
		"a target of %s needs %s free (%s), %s are available to this "
		"user on %s (%s): %s",
		size, need, reason, have,
		v->mount_told && v->mount.point[0] ? v->mount.point : v->dir,
		v->fstype[0] ? v->fstype : "unknown filesystem", advice);
}
