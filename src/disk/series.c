#include "disk/series.h"

#include <string.h>

/* A drain may last: ten seconds of it stay separate intervals. */
#define SLACK 100

void
series_init(struct series *s, struct series_slot *slots, uint32_t capacity)
{
	s->slots = slots;
	s->capacity = capacity;
	series_reset(s);
}

void
series_reset(struct series *s)
{
	memset(s->slots, 0, s->capacity * sizeof(s->slots[0]));
	s->used = 0;
	s->overflowed = 0;
}

uint32_t
series_capacity(uint64_t window_ns)
{
	uint64_t whole = window_ns / SERIES_INTERVAL_NS + 1 + SLACK;

	return whole > UINT32_MAX ? UINT32_MAX : (uint32_t)whole;
}

void
series_merge(struct series *to, const struct series *from)
{
	const struct series_slot *add;
	struct series_slot *slot;
	uint32_t i, at;

	for (i = 0; i < from->used; i++) {
		add = &from->slots[i];
		at = i < to->capacity ? i : to->capacity - 1;
		if (at != i)
			to->overflowed +=
				(uint64_t)add->read_ios + add->write_ios;
		if (at >= to->used)
			to->used = at + 1;
		slot = &to->slots[at];
		slot->read_ios += add->read_ios;
		slot->write_ios += add->write_ios;
		if (add->worst_ns > slot->worst_ns)
			slot->worst_ns = add->worst_ns;
	}
	to->overflowed += from->overflowed;
}

uint64_t
series_total(const struct series *s, int write)
{
	uint64_t total = 0;
	uint32_t i;

	for (i = 0; i < s->used; i++)
		total += write ? s->slots[i].write_ios : s->slots[i].read_ios;
	return total;
}
