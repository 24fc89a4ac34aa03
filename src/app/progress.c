#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/progress.h"
#include "app/screen.h"
#include "base/clock.h"
#include "base/units.h"

#define DRAW_EVERY_NS (500 * CLOCK_NS_PER_MS)
#define BAR_COLUMNS   12
#define RATE_AFTER_NS (3 * CLOCK_NS_PER_S)

void
progress_init(struct progress *p, const struct plan *plan, bool quiet,
	const struct text_style *style, bool live)
{
	memset(p, 0, sizeof(*p));
	p->plan = plan;
	p->style = *style;
	p->quiet = quiet;
	p->live = live && !quiet;
	p->shown_phase = -1;
	p->shown_window = plan->window_count;
}

void
progress_end(struct progress *p)
{
	struct buf out;

	if (!p->line_open)
		return;
	buf_init(&out);
	buf_char(&out, '\r');
	buf_repeat(&out, " ", (size_t)p->style.width - 1);
	buf_char(&out, '\r');
	screen_note(buf_text(&out), out.len, SCREEN_NOW_NS);
	buf_free(&out);
	p->line_open = false;
}

void
progress_say(struct progress *p, bool important, const char *fmt, ...)
{
	char text[1024];
	struct buf out;
	va_list ap;

	if (p->quiet && !important)
		return;
	progress_end(p);
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	buf_init(&out);
	text_wrap(&out, important ? "ioreceipt: " : "", text, &p->style);
	screen_note(buf_text(&out), out.len, SCREEN_NOW_NS);
	buf_free(&out);
}

/* Of the windows from n on, without what has passed of window n. */
static uint64_t
left_ns(const struct progress *p, uint32_t n, uint64_t passed_ns)
{
	uint64_t sum = 0, own;
	uint32_t i;

	for (i = n; i < p->plan->window_count; i++) {
		own = plan_window_ns(p->plan, i);
		if (i == n)
			own = own > passed_ns ? own - passed_ns : 0;
		sum += own;
	}
	return sum;
}

static void
add_bar(struct buf *out, double share, bool utf8)
{
	int i, full;

	if (share < 0)
		share = 0;
	if (share > 1)
		share = 1;
	full = (int)lround(share * BAR_COLUMNS);
	buf_char(out, '[');
	for (i = 0; i < BAR_COLUMNS; i++)
		buf_str(out, i >= full ? " " : utf8 ? "\xe2\x94\x81" : "=");
	buf_str(out, "] ");
}

/*
 * The old line is overwritten, padding included, so that no escape sequence
 * is needed.  One column stays free: some terminals wrap at the last one.
 */
static void
draw(struct progress *p, struct buf *line)
{
	struct buf out;

	buf_init(&out);
	buf_char(&out, '\r');
	text_cell(
		&out, buf_text(line), p->style.width - 1, false, p->style.utf8);
	screen_note(buf_text(&out), out.len, SCREEN_NOW_NS);
	buf_free(&out);
	p->line_open = true;
}

static void
draw_prepare(struct progress *p, const struct record *r, uint64_t now_ns)
{
	uint64_t done = atomic_load(&r->prepared_bytes), left = 0;
	uint64_t size = p->plan->size_bytes, took = now_ns - p->began_ns;
	double rate = took ? (double)done * 1e9 / (double)took : 0;
	char a[32], b[32];
	struct buf line;

	buf_init(&line);
	if (rate > 0)
		left = (uint64_t)((double)(size - done) / rate * 1e9);
	left += left_ns(p, 0, 0);
	buf_str(&line, "prepare ");
	add_bar(&line, (double)done / (double)size, p->style.utf8);
	buf_printf(&line, "%s of %s, %.*f MiB/s, %llu s left",
		units_bytes(done, a, sizeof(a)),
		units_bytes(size, b, sizeof(b)), rate < 1e7 ? 1 : 0,
		rate / 1048576, (unsigned long long)(left / CLOCK_NS_PER_S));
	draw(p, &line);
	buf_free(&line);
}

static void
draw_window(struct progress *p, const struct record *r, uint64_t now_ns)
{
	uint32_t n = atomic_load(&r->window);
	uint64_t began = atomic_load(&r->window_began_ns), ios, lat, d, passed;
	char count[32], ms[32];
	struct buf line;

	passed = began && now_ns > began ? now_ns - began : 0;
	record_live_total(r, &ios, &lat);
	buf_init(&line);
	buf_printf(&line, "%u/%u %s ", n + 1, plan_windows(p->plan),
		p->plan->windows[n].name);
	add_bar(&line,
		(double)passed / (double)(plan_window_ns(p->plan, n) + 1),
		p->style.utf8);
	buf_printf(&line, "%llu s left",
		(unsigned long long)((left_ns(p, n, passed) +
					     CLOCK_NS_PER_S / 2) /
				     CLOCK_NS_PER_S));
	if (p->last_ns && ios > p->last_ios) {
		d = ios - p->last_ios;
		buf_printf(&line, ", %s IOPS, %s ms",
			units_count(d * CLOCK_NS_PER_S / (now_ns - p->last_ns),
				count, sizeof(count)),
			units_ms3((lat - p->last_lat_ns) / d, ms, sizeof(ms)));
	}
	p->last_ios = ios;
	p->last_lat_ns = lat;
	p->last_ns = now_ns;
	draw(p, &line);
	buf_free(&line);
}

static void
draw_probes(struct progress *p)
{
	struct buf line;

	buf_init(&line);
	buf_str(&line, "probes beside the windows, a few seconds");
	draw(p, &line);
	buf_free(&line);
}

/* The whole probe, its waiting too, is one bar. */
static void
draw_neighbour(struct progress *p, const struct record *r, uint64_t now_ns)
{
	const struct plan_probe *probe = &p->plan->probe;
	uint64_t began = r->probe.began_ns, passed, left;
	uint32_t n = atomic_load(&r->window);
	struct buf line;

	passed = began && now_ns > began ? now_ns - began : 0;
	left = probe->length_ns > passed ? probe->length_ns - passed : 0;
	buf_init(&line);
	buf_str(&line, "neighbour probe ");
	add_bar(&line, (double)passed / (double)probe->length_ns,
		p->style.utf8);
	buf_printf(&line, "%llu s left, sample %u of %u",
		(unsigned long long)((left + CLOCK_NS_PER_S / 2) /
				     CLOCK_NS_PER_S),
		n - plan_windows(p->plan) + 1, probe->samples);
	draw(p, &line);
	buf_free(&line);
}

static void
announce_neighbour(struct progress *p)
{
	const struct plan *plan = p->plan;
	char length[32], sample[32];

	if (p->shown_neighbour)
		return;
	p->shown_neighbour = true;
	if (!p->live)
		progress_say(p, false,
			"neighbour probe: %u samples of %s in %s",
			plan->probe.samples,
			units_ns(plan->jobs[plan->job_count - 1].runtime_ns,
				sample, sizeof(sample)),
			units_ns(
				plan->probe.length_ns, length, sizeof(length)));
}

/*
 * How long it will take is known only now: how fast the target can be written
 * is in no plan.
 */
static void
announce_rate(struct progress *p, const struct record *r, uint64_t now_ns)
{
	uint64_t done = atomic_load(&r->prepared_bytes), left;
	uint64_t took = now_ns - p->began_ns;
	char more[32], windows[32];
	struct plan_cost cost;
	double rate;

	if (p->live || p->shown_rate || took < RATE_AFTER_NS || !done)
		return;
	p->shown_rate = true;
	rate = (double)done / (double)took;
	left = (uint64_t)((double)(p->plan->size_bytes - done) / rate);
	if (left < RATE_AFTER_NS)
		return;
	plan_cost(p->plan, &cost);
	progress_say(p, false,
		"prepare: %.1f MiB/s, %s more, then %s of windows",
		rate * 1e9 / 1048576,
		units_ns(left / CLOCK_NS_PER_S * CLOCK_NS_PER_S, more,
			sizeof(more)),
		units_ns((cost.windows_ns + cost.diag_ns) / CLOCK_NS_PER_S *
				 CLOCK_NS_PER_S,
			windows, sizeof(windows)));
}

/* One plain line when a phase begins. */
static void
announce(struct progress *p, int phase, uint32_t n)
{
	char a[32], b[32];

	if (phase == RECORD_PREPARE && p->shown_phase < RECORD_PREPARE) {
		p->shown_phase = phase;
		if (!p->live)
			progress_say(p, false, "prepare: writing %s",
				units_bytes(p->plan->size_bytes, a, sizeof(a)));
	}
	/* before its gate opens, so that nothing is printed inside */
	if (phase < RECORD_GATE || phase > RECORD_DRAIN || n == p->shown_window)
		return;
	p->shown_window = n;
	p->last_ns = 0;
	if (!p->live)
		progress_say(p, false,
			"window %u/%u: %s, run %u, %s; %s of windows left",
			n + 1, plan_windows(p->plan), p->plan->windows[n].name,
			p->plan->windows[n].run,
			units_ns(plan_window_ns(p->plan, n), a, sizeof(a)),
			units_ns(left_ns(p, n, 0), b, sizeof(b)));
}

void
progress_tick(struct progress *p, const struct record *r, uint64_t now_ns)
{
	int phase = atomic_load(&r->phase);
	uint32_t n = atomic_load(&r->window);
	bool probing;

	if (p->quiet)
		return;
	if (!p->began_ns && phase >= RECORD_PREPARE)
		p->began_ns = now_ns;
	probing = p->plan->probe.samples && phase >= RECORD_GATE &&
		  phase < RECORD_DIAGNOSE && n >= plan_windows(p->plan);
	if (probing)
		announce_neighbour(p);
	else
		announce(p, phase, n);
	if (phase == RECORD_PREPARE)
		announce_rate(p, r, now_ns);
	if (!p->live || now_ns - p->drawn_ns < DRAW_EVERY_NS)
		return;
	p->drawn_ns = now_ns;
	if (phase == RECORD_PREPARE || phase == RECORD_SETTLE)
		draw_prepare(p, r, now_ns);
	else if (probing)
		draw_neighbour(p, r, now_ns);
	else if (phase >= RECORD_RAMP && phase <= RECORD_DRAIN)
		draw_window(p, r, now_ns);
	else if (phase == RECORD_DIAGNOSE)
		draw_probes(p);
}
