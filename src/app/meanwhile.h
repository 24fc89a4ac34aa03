/*
 * meanwhile: what else went on in each window, sampled by the parent: at the
 * window's gates, where the worker waits for it, and once a second inside.
 * The only place that samples; the worker never does.
 */
#ifndef APP_MEANWHILE_H
#define APP_MEANWHILE_H

#include <stdint.h>

#include "host/pressure.h"
#include "host/pressure_seconds.h"

struct meanwhile {
	struct pressure_source source;	/* filled by the caller */
	struct pressure_delta *windows; /* one a window, to be filled */
	uint32_t window_count;
	struct pressure_delta prepare; /* up to the first gate */
	/* its own */
	struct pressure_sample start, gate;
	struct pressure_seconds seconds;
};

/* Nothing is known yet of any window; prepare begins. */
void meanwhile_begin(struct meanwhile *m);

/* Window n (0-based) is about to begin. */
void meanwhile_gate(struct meanwhile *m, uint32_t n);

/* At each tick; phase as in the record. */
void meanwhile_tick(struct meanwhile *m, int phase, uint64_t now_ns);

/* Window n has ended. */
void meanwhile_end(struct meanwhile *m, uint32_t n);

#endif
