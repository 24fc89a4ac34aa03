#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "made.h"
#include "receipt/metric.h"
#include "receipt/show.h"
#include "receipt/show_probe.h"
#include "tap.h"

#define S UINT64_C(1000000000)

static const struct plan_request request = {
	.suite = "standard", .only = "*[rd]", .ramp_ns = UINT64_MAX
};
static const struct plan_request alone = {
	.suite = "standard", .only = "neighbour", .ramp_ns = UINT64_MAX
};

static struct made m; /* large */

/* Assembled, written and read again: what a reader gets. */
struct result {
	struct arena a;
	struct receipt r;
	struct buf json, text;
	bool hold;
};

static void
assemble(struct result *got)
{
	struct receipt first;
	struct err e = { 0 };
	int rc;

	memset(got, 0, sizeof(*got));
	arena_init(&got->a);
	buf_init(&got->json);
	buf_init(&got->text);
	rc = assemble_receipt(&m.in, &first, &got->a, &got->hold, &e);
	if (rc == 0)
		rc = receipt_write(&first, &got->json, &e);
	if (rc == 0)
		rc = receipt_read(
			&got->r, got->json.data, got->json.len, &got->a, &e);
	if (!OK(rc == 0, "assembled, written and read again"))
		printf("# %s\n", e.text);
}

static void
drop(struct result *got)
{
	buf_free(&got->json);
	buf_free(&got->text);
	arena_free(&got->a);
}

static bool
begin(const struct plan_request *wanted)
{
	struct err e;

	return OK(made_run(&m, wanted, &e) == 0, "a run with a probe");
}

static double
figure(const struct receipt *r, const char *name)
{
	struct metric found = { .value = -1 };
	struct err e;

	metric_find(r, name, &found, &e);
	return found.value;
}

static const char *
why(const struct result *got, const char *what)
{
	size_t i;

	for (i = 0; i < got->r.incomplete_count; i++)
		if (!strcmp(got->r.incomplete[i].what, what))
			return got->r.incomplete[i].why;
	return "";
}

static void
test_whole(void)
{
	const struct text_style style = { .width = 80, .utf8 = true };
	const struct receipt_probe *p;
	uint64_t low = UINT64_MAX, high = 0, p99;
	struct result got;
	size_t i;

	if (!begin(&request))
		return;
	assemble(&got);
	p = got.r.probe;
	OK(got.r.complete == 1 && got.hold, "complete");
	EQ_U64(got.r.window_count, plan_windows(&m.plan), "windows");
	EQ_U64(got.r.plan->job_count, plan_jobs(&m.plan), "and their jobs");
	OK(!got.r.summary, "no spread of runs: samples are none");
	EQ_STR(p->job->name, "neighbour", "the probe's job");
	EQ_U64(p->job->runs, 6, "six samples");
	EQ_U64(p->sample_count, 6, "are there");
	EQ_U64(p->every_ns, 10 * S, "every 10 s");
	for (i = 0; i < p->sample_count; i++) {
		EQ_U64(p->samples[i].at_ns, (i + 1) * 10 * S - S, "its time");
		OK(!p->samples[i].read->lat_ns->bucket_count, "no buckets");
		p99 = p->samples[i].read->lat_ns->p99;
		low = p99 < low ? p99 : low;
		high = p99 > high ? p99 : high;
	}
	EQ_U64(p->p99_min_ns, low, "smallest p99");
	EQ_U64(p->p99_max_ns, high, "largest p99");
	OK(fabs(p->p99_spread - (double)high / (double)low) < 0.001, "spread");
	EQ_U64(p->steal_count, 60, "steal of each second");
	OK(fabs(p->steal_mean_pct - 0.05) < 0.0001, "mean");
	OK(fabs(p->steal_worst_pct - 3) < 0.0001, "worst");
	OK(figure(&got.r, "neighbour.p99_spread") == p->p99_spread, "a metric");
	OK(figure(&got.r, "neighbour.p99_max") == (double)high, "another");
	OK(figure(&got.r, "neighbour.steal_worst") == 3, "and another");
	show_probe(&got.r, &style, &got.text);
	OK(strstr(buf_text(&got.text),
		   "steal      0.05 % on average, 3.00 % in the worst 1 s of "
		   "1 min\n"),
		"shown");
	OK(strstr(buf_text(&got.text), "neighbour  read p99 of 6 of 6 samples"),
		"samples, too");
	drop(&got);
	made_free(&m);
}

/* Ended in the fourth sample: three are there, nothing over all of them. */
static void
test_partial(void)
{
	struct result got;
	uint32_t first;
	struct err e = { 0 };

	if (!begin(&request))
		return;
	first = plan_windows(&m.plan);
	m.windows[first + 3].state = RECORD_FAILED;
	err_set(&m.windows[first + 3].err, ERR_SIGNAL + 15, 0,
		"ended by signal 15");
	m.windows[first + 4].state = RECORD_PENDING;
	m.windows[first + 5].state = RECORD_PENDING;
	m.record.probe.steal_count = 33;
	assemble(&got);
	OK(got.r.complete == 0, "not complete");
	EQ_U64(got.r.probe->sample_count, 3, "three samples");
	EQ_U64(got.r.probe->p99_max_ns, SHAPE_ABSENT, "no figure of fewer");
	OK(isnan(got.r.probe->p99_spread) && isnan(got.r.probe->steal_mean_pct),
		"of none");
	EQ_U64(got.r.probe->steal_count, 33, "but what was seen of steal");
	EQ_STR(why(&got, "window neighbour run 4"), "ended by signal 15",
		"why");
	EQ_STR(why(&got, "probe"),
		"2 of 6 samples of the neighbour probe never began",
		"the rest");
	EQ_STR(why(&got, "windows"), "", "all windows began");
	OK(metric_find(&got.r, "neighbour.p99_spread", &(struct metric){ 0 },
		   &e) < 0,
		"no such metric");
	got.r.complete = 1;
	got.r.incomplete_count = 0;
	buf_reset(&got.json);
	receipt_write(&got.r, &got.json, &e);
	OK(receipt_read(&got.r, got.json.data, got.json.len, &got.a, &e) < 0 &&
			strstr(e.text, "samples of the probe are missing"),
		"complete without them is a lie");
	drop(&got);
	made_free(&m);
}

static void
test_untold(void)
{
	struct result got;
	uint32_t n, first;

	if (!begin(&request))
		return;
	first = plan_windows(&m.plan);
	for (n = first; n < m.plan.window_count; n++)
		m.windows[n].state = RECORD_PENDING;
	m.record.probe.began_ns = 0;
	assemble(&got);
	OK(got.r.complete == 0 && !got.r.probe, "a probe that never began");
	drop(&got);
	for (n = first; n < m.plan.window_count; n++)
		m.windows[n].state = RECORD_MEASURED;
	m.record.probe.began_ns = 400000000000;
	m.record.probe.steal_pct[7] = NAN;
	assemble(&got);
	OK(got.r.complete == 1, "steal that is not told");
	OK(!got.r.probe->steal_count &&
			got.r.probe->steal_interval_ns == SHAPE_ABSENT &&
			isnan(got.r.probe->steal_worst_pct),
		"is absent");
	drop(&got);
	m.windows[first + 1].minor_faults = 1;
	assemble(&got);
	OK(got.r.complete == 0 && !got.hold, "a sample's check fails the run");
	EQ_STR(why(&got, "window neighbour run 2"),
		"its check no-page-faults does not hold", "by name");
	drop(&got);
	made_free(&m);
}

/* Samples of 100 ms at 1 ms: a p99 of few; then of too few. */
static void
test_few(void)
{
	struct plan_request brief = request;
	struct metric found = { 0 };
	const struct text_style style = { .width = 80 };
	struct result got;
	size_t i;
	struct err e;

	brief.runtime_ns = 6 * S;
	if (!begin(&brief))
		return;
	EQ_U64(m.plan.probe.every_ns, S, "every second");
	assemble(&got);
	if (shape_has(got.r.probe->p99_max_ns)) {
		metric_find(&got.r, "neighbour.p99_max", &found, &e);
		OK(found.few, "marked");
	} else {
		OK(isnan(figure(&got.r, "neighbour.p99_max")), "withheld");
		OK(isnan(figure(&got.r, "neighbour.p99_spread")), "all of it");
	}
	for (i = 0; i < got.r.probe->sample_count; i++)
		got.r.probe->samples[i].read->lat_ns->p99 = SHAPE_WITHHELD;
	show_probe(&got.r, &style, &got.text);
	OK(strstr(buf_text(&got.text), "too few reads") &&
			!strstr(buf_text(&got.text), "- -"),
		"no row of dashes");
	drop(&got);
	made_free(&m);
}

static void
test_alone(void)
{
	const struct text_style style = { .width = 80 };
	struct result got;

	if (!begin(&alone))
		return;
	EQ_U64(plan_windows(&m.plan), 0, "the probe alone");
	assemble(&got);
	OK(got.r.complete == 1 && got.r.window_count == 0, "is complete");
	show_table(&got.r, &style, &got.text);
	OK(!strncmp(buf_text(&got.text), "COMPLETE", 8), "and shown so");
	buf_reset(&got.text);
	show_keys(&got.r, &got.text);
	OK(strstr(buf_text(&got.text), "\nreceipt=complete\n"), "in keys, too");
	drop(&got);
	made_free(&m);
}

/* Any suite stays below 256 KiB. */
static void
test_size(void)
{
	struct plan_request all = request;
	struct result got;

	all.only = NULL;
	if (!begin(&all))
		return;
	assemble(&got);
	printf("# %zu bytes\n", got.json.len);
	OK(got.r.complete == 1 && got.json.len < 160 << 10,
		"the whole suite in less than 160 KiB");
	drop(&got);
	made_free(&m);
}

int
main(void)
{
	test_whole();
	test_partial();
	test_untold();
	test_few();
	test_alone();
	test_size();
	return tap_done();
}
