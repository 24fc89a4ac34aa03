#include "receipt/assemble.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "receipt/assemble_diag.h"
#include "receipt/assemble_facts.h"
#include "receipt/assemble_probe.h"
#include "receipt/assemble_window.h"
#include "receipt/check.h"
#include "receipt/fields.h"
#include "receipt/scrub.h"

/*
 * Of up to so many windows lat has fio's buckets, of more coarse ones: of 24
 * windows they would be a third of a receipt that has 256 KiB.
 */
#define ASSEMBLE_FINE_MAX 12

/* One receipt in the making. */
struct assemble_maker {
	const struct assemble *in;
	struct receipt *out;
	struct arena *a;
	bool checks_hold;
};

void
assemble_reason(struct assemble *in, const char *what, const char *fmt, ...)
{
	struct assemble_reason *r;
	va_list args;

	if (in->reason_count == ASSEMBLE_REASONS_MAX)
		return;
	r = &in->reasons[in->reason_count++];
	snprintf(r->what, sizeof(r->what), "%s", what);
	va_start(args, fmt);
	vsnprintf(r->why, sizeof(r->why), fmt, args);
	va_end(args);
}

/* A text for the receipt, without the paths of the machine. */
static char *
assemble_public(const struct assemble_maker *m, const char *text)
{
	const char *dirs[3] = { NULL };
	size_t n = 0;

	if (m->in->view)
		dirs[n++] = m->in->view->dir;
	dirs[n] = m->in->dir;
	return scrub_paths(text, dirs, m->a);
}

/* The same into the receipt; a full list has reasons enough. */
static int __attribute__((format(printf, 3, 4))) assemble_missing(
	struct assemble_maker *m, const char *what, const char *fmt, ...)
{
	struct receipt_reason *r;
	char why[640];
	va_list args;

	if (m->out->incomplete_count == FIELDS_REASONS_MAX)
		return 0;
	va_start(args, fmt);
	vsnprintf(why, sizeof(why), fmt, args);
	va_end(args);
	r = &m->out->incomplete[m->out->incomplete_count++];
	r->what = arena_strdup(m->a, what);
	r->why = assemble_public(m, why);
	return r->what && r->why ? 0 : -1;
}

/*
 * Has a reason said this already, more of it, or its end?  what NULL: of
 * whatever; why NULL: anything.
 */
static bool
assemble_is_told(
	const struct assemble_maker *m, const char *what, const char *why)
{
	const struct receipt_reason *r = m->out->incomplete;
	size_t i;

	/* as it would be told; without memory all fails soon anyway */
	if (why)
		why = assemble_public(m, why);
	for (i = 0; i < m->out->incomplete_count; i++) {
		if (what && strcmp(r[i].what, what) != 0)
			continue;
		if (!why || strstr(r[i].why, why) || strstr(why, r[i].why))
			return true;
	}
	return false;
}

/* Bytes that somebody below us has seen: the disk's counters, else ours. */
static uint64_t
assemble_device_bytes(const struct assemble_maker *m)
{
	const struct pressure_delta *d = m->in->prepare_delta;

	if (d && d->device_write_bytes != PRESSURE_UNKNOWN)
		return d->device_write_bytes;
	return m->in->record->prepare.kernel_write_bytes;
}

static int
assemble_not_reached(struct assemble_maker *m, const struct receipt_prepare *p)
{
	struct receipt_target *t = m->out->target;

	if (!t || !t->backing || strcmp(t->backing, "disk") != 0)
		return 0;
	t->backing = stack_backing_word(STACK_BACKING_UNKNOWN);
	t->backing_why = arena_printf(m->a,
		"only %llu of %llu bytes that were written reached a device",
		(unsigned long long)p->device_bytes,
		(unsigned long long)p->bytes);
	return t->backing_why ? 0 : -1;
}

static int
assemble_prepare(struct assemble_maker *m)
{
	const struct record *r = m->in->record;
	struct check_prepare check;
	struct receipt_prepare *p;
	const char *broken;
	bool reached;

	if (!r || !r->prepare.done)
		return 0;
	p = m->out->prepare = arena_alloc(m->a, 1, sizeof(*p));
	if (!p)
		return -1;
	p->bytes = r->prepare.bytes;
	p->elapsed_ns = r->prepare.elapsed_ns;
	p->bw_bytes = p->elapsed_ns
			      ? (double)p->bytes * 1e9 / (double)p->elapsed_ns
			      : __builtin_nan("");
	p->device_bytes = assemble_device_bytes(m);
	p->first_quarter_ns = r->prepare.last_quarter_ns > 0
				      ? r->prepare.first_quarter_ns
				      : SHAPE_ABSENT;
	p->last_quarter_ns = r->prepare.last_quarter_ns > 0
				     ? r->prepare.last_quarter_ns
				     : SHAPE_ABSENT;
	check.measured = &r->prepare;
	check.size_bytes = m->in->plan ? m->in->plan->size_bytes : p->bytes;
	check.device_bytes = p->device_bytes;
	broken = check_prepare(&check, p, m->a, &reached);
	if (!broken)
		return -1;
	if (*broken) {
		m->checks_hold = false;
		if (assemble_missing(
			    m, "prepare", "its check %s does not hold", broken))
			return -1;
	}
	return reached ? 0 : assemble_not_reached(m, p);
}

/* Window i of the plan with its checks. */
static int
assemble_one_window(
	struct assemble_maker *m, uint32_t i, struct receipt_window *out)
{
	const struct plan *p = m->in->plan;
	struct assemble_window in = { .plan = &p->windows[i],
		.job = &p->jobs[p->windows[i].job],
		.measured = &m->in->record->windows[i],
		.ticker_ns = m->in->ticker_ns,
		.coarse = plan_windows(p) > ASSEMBLE_FINE_MAX };
	struct check_window check = {
		.job = in.job, .measured = in.measured, .figures = out
	};
	const char *broken;
	char what[160];

	if (m->in->window_delta)
		in.delta = &m->in->window_delta[i];
	if (assemble_window(&in, out, m->a))
		return -1;
	broken = check_window(&check, out, m->a);
	if (!broken)
		return -1;
	if (!*broken)
		return 0;
	m->checks_hold = false;
	snprintf(what, sizeof(what), "window %s run %u", in.plan->name,
		(unsigned)in.plan->run);
	return assemble_missing(m, what, "its check %s does not hold", broken);
}

/* The same of one that is a sample of the probe. */
static int
assemble_sample(struct assemble_maker *m, uint32_t i)
{
	struct receipt_window *w = arena_alloc(m->a, 1, sizeof(*w));

	if (!w || assemble_one_window(m, i, w))
		return -1;
	if (!m->out->probe)
		m->out->probe = assemble_probe_begin(m->in->plan, m->a);
	if (!m->out->probe)
		return -1;
	assemble_probe_sample(m->out->probe, m->in->record, i, w);
	return 0;
}

static int
assemble_measured(struct assemble_maker *m, uint32_t i)
{
	if (i >= plan_windows(m->in->plan))
		return assemble_sample(m, i);
	return assemble_one_window(
		m, i, &m->out->windows[m->out->window_count++]);
}

/* Is that only the echo of what the run has told: that it asked for the end? */
static bool
assemble_is_echo(const struct assemble_maker *m, const char *why)
{
	return m->in->reason_count > 0 && strstr(why, RECORD_SUPERVISED);
}

/* A window that began and gives no figures. */
static int
assemble_lost_window(struct assemble_maker *m, uint32_t i, bool failed)
{
	const struct plan_window *w = &m->in->plan->windows[i];
	const char *why = m->in->record->windows[i].err.text;
	char what[160];

	snprintf(what, sizeof(what), "window %s run %u", w->name,
		(unsigned)w->run);
	failed &= *why && !assemble_is_echo(m, why);
	if (assemble_is_told(m, what, failed ? why : NULL))
		return 0;
	return assemble_missing(
		m, what, "%s", failed ? why : "it did not come to its end");
}

/* Windows and samples that never began. */
static int
assemble_unbegun(struct assemble_maker *m, uint32_t windows, uint32_t samples)
{
	const struct plan *p = m->in->plan;

	if (windows &&
		assemble_missing(m, "windows", "%u of %u windows never began",
			windows, plan_windows(p)))
		return -1;
	if (!samples)
		return 0;
	return assemble_missing(m, "probe",
		"%u of %u samples of the neighbour probe never began", samples,
		p->probe.samples);
}

static int
assemble_windows(struct assemble_maker *m)
{
	const struct plan *p = m->in->plan;
	const struct record *r = m->in->record;
	uint32_t i, count = p ? p->window_count : 0, missing[2] = { 0 };
	int state, rc = 0;

	m->out->windows =
		arena_alloc(m->a, count + 1u, sizeof(*m->out->windows));
	if (!m->out->windows)
		return -1;
	for (i = 0; i < count && rc == 0; i++) {
		state = RECORD_PENDING;
		if (r && i < r->window_count)
			state = atomic_load(&r->windows[i].state);
		if (state == RECORD_MEASURED)
			rc = assemble_measured(m, i);
		else if (state == RECORD_PENDING)
			missing[i >= plan_windows(p)]++;
		else
			rc = assemble_lost_window(m, i, state == RECORD_FAILED);
	}
	if (rc == 0)
		rc = assemble_unbegun(m, missing[0], missing[1]);
	if (rc == 0 && m->out->probe)
		rc = assemble_probe_end(m->out->probe, p, &r->probe, m->a);
	if (rc == 0 && r && p)
		rc = assemble_window_summary(p, r, &m->out->summary, m->a);
	if (rc == 0 && r && p)
		rc = assemble_diag(p, r, &m->out->diagnostics, m->a);
	return rc;
}

/* Why it is not complete, what the run knows of it before the rest. */
static int
assemble_reasons(struct assemble_maker *m)
{
	const struct assemble *in = m->in;
	unsigned i;

	m->out->incomplete = arena_alloc(
		m->a, FIELDS_REASONS_MAX, sizeof(*m->out->incomplete));
	if (!m->out->incomplete)
		return -1;
	for (i = 0; i < in->reason_count; i++)
		if (assemble_missing(
			    m, in->reasons[i].what, "%s", in->reasons[i].why))
			return -1;
	return 0;
}

/* What the worker gave up with, unless somebody has told it already. */
static int
assemble_worker_reason(struct assemble_maker *m)
{
	const struct record *r = m->in->record;

	if (!r || r->err.code == ERR_NONE || assemble_is_echo(m, r->err.text) ||
		assemble_is_told(m, NULL, r->err.text))
		return 0;
	return assemble_missing(m, r->prepare.done ? "run" : "prepare", "%s",
		*r->err.text ? r->err.text : "the worker gave up");
}

static int
assemble_cleanup(struct assemble_maker *m)
{
	const char *why = "the lab was not removed";
	const struct assemble *in = m->in;
	struct receipt_cleanup *c;

	if (in->lab_removed < 0)
		return 0;
	c = m->out->cleanup = arena_alloc(m->a, 1, sizeof(*c));
	if (!c)
		return -1;
	c->lab_removed = in->lab_removed == 1;
	if (in->left && *in->left) {
		why = c->left = assemble_public(m, in->left);
		if (!why)
			return -1;
	}
	if (c->lab_removed || assemble_is_told(m, NULL, why))
		return 0;
	return assemble_missing(m, "clean-up", "%s", why);
}

/*
 * Fail closed: whatever the reasons say, it is not complete without each of
 * what a complete one has.
 */
static int
assemble_verdict(struct assemble_maker *m)
{
	const struct receipt *out = m->out;
	size_t samples = out->probe ? out->probe->sample_count : 0;
	bool whole = m->in->plan && out->prepare && out->cleanup &&
		     out->window_count + samples > 0 &&
		     samples == m->in->plan->probe.samples &&
		     out->window_count == plan_windows(m->in->plan);

	if (!whole && out->incomplete_count == 0 &&
		assemble_missing(m, "run", "it ended before its end"))
		return -1;
	m->out->complete = out->incomplete_count == 0;
	if (m->out->complete)
		m->out->incomplete = NULL;
	return 0;
}

int
assemble_receipt(struct assemble *in, struct receipt *out, struct arena *a,
	bool *checks_hold, struct err *e)
{
	struct assemble_maker m = {
		.in = in, .out = out, .a = a, .checks_hold = true
	};

	receipt_clear(out);
	if (assemble_reasons(&m) || assemble_facts(in, out, a) ||
		assemble_prepare(&m) || assemble_windows(&m) ||
		assemble_worker_reason(&m) || assemble_cleanup(&m) ||
		assemble_verdict(&m) || shape_tidy(receipt_shape(), out, a))
		return err_set(e, ERR_INCOMPLETE, 0,
			"out of memory while putting the receipt together");
	*checks_hold = m.checks_hold;
	return 0;
}
