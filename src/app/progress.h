/*
 * progress: what the person at the terminal sees while a run goes on.
 *
 * To stderr.  On a live terminal one line, rewritten at most twice a second:
 * window n/N, a bar, seconds left of the whole run, IOPS and latency now.
 * Elsewhere (pipe, dumb terminal, serial console) one plain line a phase and
 * nothing inside a window; of a prepare that takes longer one more, with what
 * the whole run will take at the rate that was seen.
 */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "disk/plan.h"
#include "disk/record.h"

struct progress {
	struct text_style style;
	const struct plan *plan;
	bool quiet, live;
	bool line_open;	   /* a live line stands on the screen */
	uint64_t began_ns; /* of prepare */
	uint64_t drawn_ns; /* when the live line was drawn last */
	uint64_t last_ios, last_lat_ns, last_ns; /* for figures of now */
	int shown_phase; /* enum record_phase announced, -1 none */
	bool shown_neighbour, shown_rate;
	uint32_t shown_window; /* announced, window_count = none */
};

void progress_init(struct progress *p, const struct plan *plan, bool quiet,
	const struct text_style *style, bool live);

/*
 * Look at the record and draw what is due.  Called every tick, and once more
 * before the gate of a window opens: the line that announces it is then out.
 */
void progress_tick(struct progress *p, const struct record *r, uint64_t now_ns);

/* A line of its own, shown even when quiet where `important`. */
void progress_say(struct progress *p, bool important, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Take the live line away; safe at any time. */
void progress_end(struct progress *p);

#endif
