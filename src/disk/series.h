/*
 * series: what happened in each 100 ms of a window: operations a direction
 * and the worst latency.  Fixed capacity; what comes after the last interval
 * is added to the last one, so that sums stay exact (`overflowed` says so).
 */
#ifndef DISK_SERIES_H
#define DISK_SERIES_H

#include <stddef.h>
#include <stdint.h>

#define SERIES_INTERVAL_NS UINT64_C(100000000)

struct series_slot {
	uint32_t read_ios, write_ios;
	uint64_t worst_ns;
};

struct series {
	struct series_slot *slots; /* memory of the caller */
	uint32_t capacity;
	uint32_t used; /* intervals begun */
	uint64_t overflowed;
};

void series_init(
	struct series *s, struct series_slot *slots, uint32_t capacity);
void series_reset(struct series *s); /* zeroes and so touches the slots */
/* Intervals wanted for a window of so long, with slack for its drain. */
uint32_t series_capacity(uint64_t window_ns);

/* One operation that ended at_ns after the window's start. */
static inline void
series_record(struct series *s, uint64_t at_ns, int write, uint64_t lat_ns)
{
	uint64_t i = at_ns / SERIES_INTERVAL_NS;
	struct series_slot *slot;

	if (i >= s->capacity) {
		i = s->capacity - 1;
		s->overflowed++;
	}
	if (i >= s->used)
		s->used = (uint32_t)i + 1;
	slot = &s->slots[i];
	if (write)
		slot->write_ios++;
	else
		slot->read_ios++;
	if (lat_ns > slot->worst_ns)
		slot->worst_ns = lat_ns;
}

void series_merge(struct series *to, const struct series *from);
uint64_t series_total(const struct series *s, int write);

#endif
