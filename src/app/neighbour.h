/*
 * neighbour: the supervisor's part of the neighbour probe (disk/plan.h): when
 * the gate of a sample opens, and CPU steal from the moment when the first
 * one is ready to the end of the last.
 */
#ifndef APP_NEIGHBOUR_H
#define APP_NEIGHBOUR_H

#include <stdbool.h>
#include <stdint.h>

#include "disk/plan.h"
#include "disk/record.h"
#include "host/pressure_seconds.h"

struct neighbour {
	const struct plan *plan;
	const struct pressure_source *source;
	struct record_probe *out;
	struct pressure_seconds seconds; /* of steal */
};

/* All of it is borrowed; out is the record's. */
void neighbour_init(struct neighbour *n, const struct plan *plan,
	const struct pressure_source *source, struct record_probe *out);

/* May window w, which is ready, begin?  The probe begins with its first. */
bool neighbour_may_open(struct neighbour *n, uint32_t w, uint64_t now_ns);

/* At each tick; finished: windows that have ended. */
void neighbour_tick(struct neighbour *n, uint32_t finished, uint64_t now_ns);

#endif
