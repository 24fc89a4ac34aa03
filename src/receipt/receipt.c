#include "receipt/receipt.h"

#include <stdbool.h>
#include <string.h>

#include "receipt/fields.h"
#include "receipt/latency.h"

#define RECEIPT_SCHEMA_ID "urn:ioreceipt:schema:1"
#define RECEIPT_RUNS_MAX  1000 /* more than any plan has */

const struct shape *
receipt_shape(void)
{
	return &fields_receipt;
}

void
receipt_clear(struct receipt *r)
{
	shape_clear(&fields_receipt, r);
}

int
receipt_write(const struct receipt *r, struct buf *out, struct err *e)
{
	if (shape_write(&fields_receipt, r, out, e))
		return -1;
	buf_char(out, '\n');
	if (buf_failed(out))
		return err_set(e, ERR_INCOMPLETE, 0,
			"out of memory while writing the receipt");
	return 0;
}

int
receipt_schema(struct buf *out, struct err *e)
{
	return shape_schema(&fields_receipt, RECEIPT_SCHEMA_ID, out, e);
}

const struct receipt_window *
receipt_window(const struct receipt *r, const char *name, uint64_t run)
{
	size_t i;

	for (i = 0; i < r->window_count; i++)
		if (!strcmp(r->windows[i].name, name) &&
			(run == 0 || r->windows[i].run == run))
			return &r->windows[i];
	return NULL;
}

static int
receipt_check_latency(const struct receipt_latency *l, const char *at,
	const char *key, struct err *e)
{
	const char *fault = l ? latency_fault(l) : NULL;

	if (!fault)
		return 0;
	return err_set(e, ERR_INPUT, 0, "%s.%s %s", at, key, fault);
}

static int
receipt_check_lane(
	const struct receipt_lane *lane, const char *at, struct err *e)
{
	if (!lane)
		return 0;
	if (receipt_check_latency(lane->slat_ns, at, "slat_ns", e) ||
		receipt_check_latency(lane->clat_ns, at, "clat_ns", e))
		return -1;
	return receipt_check_latency(lane->lat_ns, at, "lat_ns", e);
}

static int
receipt_check_window(
	const struct receipt *r, const struct receipt_window *w, struct err *e)
{
	if (w->job >= r->plan->job_count)
		return err_set(e, ERR_INPUT, 0, "job is none of the plan's");
	if (w->run == 0 || w->run > RECEIPT_RUNS_MAX)
		return err_set(e, ERR_INPUT, 0, "run is not in 1 .. %d",
			RECEIPT_RUNS_MAX);
	if (receipt_window(r, w->name, w->run) != w)
		return err_set(e, ERR_INPUT, 0, "is there twice");
	if (receipt_check_lane(w->read, "read", e) ||
		receipt_check_lane(w->write, "write", e) ||
		receipt_check_lane(w->sync, "sync", e) ||
		receipt_check_lane(w->commit, "commit", e))
		return -1;
	return 0;
}

static bool
receipt_check_holds(const struct receipt_check *checks, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (checks[i].holds != 1)
			return false;
	return true;
}

/* Fail closed: who says complete may not say the contrary elsewhere. */
static int
receipt_check_complete(const struct receipt *r, struct err *e)
{
	size_t i;

	if (r->complete != 1)
		return 0;
	if (r->incomplete_count > 0)
		return err_set(e, ERR_INPUT, 0,
			"complete, but with reasons why it is not");
	if (r->window_count == 0 && !r->probe)
		return err_set(e, ERR_INPUT, 0, "complete, but no windows");
	if (r->probe && r->probe->sample_count != r->probe->job->runs)
		return err_set(e, ERR_INPUT, 0,
			"complete, but samples of the probe are missing");
	if (r->cleanup && r->cleanup->lab_removed != 1)
		return err_set(e, ERR_INPUT, 0,
			"complete, but the lab was not removed");
	for (i = 0; i < r->window_count; i++)
		if (!receipt_check_holds(
			    r->windows[i].checks, r->windows[i].check_count))
			return err_set(e, ERR_INPUT, 0,
				"complete, but a check of windows[%zu] does "
				"not hold",
				i);
	return 0;
}

static int
receipt_check_diagnostics(const struct receipt *r, struct err *e)
{
	const struct receipt_diagnostics *d = r->diagnostics;

	if (!d)
		return 0;
	if (d->polled && d->polled->job >= r->plan->job_count)
		return err_set(e, ERR_INPUT, 0,
			"diagnostics.polled.job is none of the plan's");
	if (d->polled && receipt_check_latency(d->polled->lat_ns,
				 "diagnostics.polled", "lat_ns", e))
		return -1;
	if (d->before && receipt_check_latency(d->before->oversleep_ns,
				 "diagnostics.before", "oversleep_ns", e))
		return -1;
	return d->after ? receipt_check_latency(d->after->oversleep_ns,
				  "diagnostics.after", "oversleep_ns", e)
			: 0;
}

/* What is made of receipts says so in its schema, and all of it. */
static int
receipt_check_derived(const struct receipt *r, struct err *e)
{
	bool median = !strcmp(r->schema, RECEIPT_MEDIAN);
	const struct receipt_derived *d = r->derived;
	size_t i;

	if (median != (d != NULL))
		return err_set(e, ERR_INPUT, 0,
			"derived does not go with this schema");
	if (!d)
		return 0;
	if (d->from_count < 2)
		return err_set(e, ERR_INPUT, 0, "derived.from has no two");
	for (i = 0; i < d->figure_count; i++)
		if (d->figures[i].value_count != d->from_count)
			return err_set(e, ERR_INPUT, 0,
				"derived.figures[%zu] has not one value a "
				"source",
				i);
	for (i = 0; i < d->merged_count; i++)
		if (receipt_check_latency(
			    d->merged[i].lat_ns, "merged", "lat_ns", e))
			return -1;
	return 0;
}

/* What a table of fields cannot say. */
static int
receipt_check(const struct receipt *r, struct err *e)
{
	size_t i;

	if (receipt_check_derived(r, e))
		return -1;
	if (receipt_check_complete(r, e))
		return -1;
	for (i = 0; i < r->window_count; i++)
		if (receipt_check_window(r, &r->windows[i], e))
			return err_wrap(e, "windows[%zu]", i);
	if (receipt_check_diagnostics(r, e))
		return -1;
	for (i = 0; r->probe && i < r->probe->sample_count; i++)
		if (receipt_check_lane(r->probe->samples[i].read, "read", e))
			return err_wrap(e, "probe.samples[%zu]", i);
	if (!r->summary)
		return 0;
	return receipt_check_latency(
		r->summary->qd1_all_runs, "summary", "qd1_all_runs", e);
}

/*
 * Where the figures of a receipt of ours begin: these bytes cannot stand inside
 * of a string, in which a quote is escaped.  NULL: somebody else wrote it.
 */
static const char *
receipt_head_end(const char *json, size_t len)
{
	static const char behind[] = ",\"clock\":{";

	return memmem(json, len, behind, sizeof(behind) - 1);
}

int
receipt_read_head(struct receipt *r, const char *json, size_t len,
	struct arena *a, struct err *e)
{
	const char *end = receipt_head_end(json, len);
	struct shape_json text = { .text = json, .len = len, .lenient = true };
	char *head;

	if (len > RECEIPT_MAX_BYTES)
		return err_set(e, ERR_INPUT, 0,
			"%zu bytes are more than a receipt ever has (%zu)", len,
			RECEIPT_MAX_BYTES);
	receipt_clear(r);
	if (end) {
		text.len = (size_t)(end - json) + 1;
		head = arena_alloc(a, text.len + 1, 1);
		if (!head)
			return err_set(e, ERR_INPUT, 0, "out of memory");
		memcpy(head, json, text.len);
		head[text.len - 1] = '}';
		text.text = head;
	}
	if (shape_read(&fields_head, &text, r, a, e))
		return err_wrap(e, "not a receipt");
	return 0;
}

int
receipt_read(struct receipt *r, const char *json, size_t len, struct arena *a,
	struct err *e)
{
	struct shape_json text = { .text = json, .len = len };

	if (len > RECEIPT_MAX_BYTES)
		return err_set(e, ERR_INPUT, 0,
			"%zu bytes are more than a receipt ever has (%zu)", len,
			RECEIPT_MAX_BYTES);
	if (shape_read(&fields_receipt, &text, r, a, e) || receipt_check(r, e))
		return err_wrap(e, "not a receipt");
	return 0;
}
