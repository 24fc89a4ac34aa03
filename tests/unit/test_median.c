/* A median of receipts: its figures, its marks, and what is refused. */
#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "receipt/compare.h"
#include "receipt/latency.h"
#include "receipt/median.h"
#include "receipt/metric.h"
#include "tap.h"

#define GOLDEN "tests/golden/baseline.json"

enum { SOURCES = 3 };

struct sources {
	struct arena arena;
	struct receipt receipts[SOURCES];
	struct median_source list[SOURCES];
};

static const char *const jtis[SOURCES] = {
	"00000000-0000-4000-8000-000000000001",
	"00000000-0000-4000-8000-000000000002",
	"00000000-0000-4000-8000-000000000003",
};

/* Three of the golden one, with rates in the ratio 1 : 3 : 2. */
static bool
load(struct sources *s)
{
	static const double factors[SOURCES] = { 1, 3, 2 };
	struct err e = { 0 };
	struct buf b;
	FILE *f = fopen(GOLDEN, "r");
	bool ok = true;
	size_t i, k;
	int c;

	arena_init(&s->arena);
	buf_init(&b);
	while (f && (c = getc(f)) != EOF)
		buf_char(&b, (char)c);
	if (f)
		fclose(f);
	for (i = 0; i < SOURCES; i++) {
		struct receipt *r = &s->receipts[i];

		ok &= receipt_read(r, buf_text(&b), b.len, &s->arena, &e) == 0;
		r->jti = jtis[i];
		for (k = 0; ok && k < r->window_count; k++)
			if (r->windows[k].read)
				r->windows[k].read->iops *= factors[i];
		s->list[i] = (struct median_source){ r, "a file",
			i == 1 ? "a-key" : "" };
	}
	buf_free(&b);
	return ok;
}

static void
test_figures(struct sources *s)
{
	const struct receipt_lane *first, *third;
	const struct receipt_merged *merged;
	struct receipt r, again;
	struct err e = { 0 };
	struct buf json;

	OK(median_of(s->list, SOURCES, &r, &s->arena, &e) == 0, "a median");
	first = receipt_window(&s->receipts[0], "qd32-randread", 0)->read;
	third = receipt_window(&r, "qd32-randread", 0)->read;
	OK(fabs(third->iops - 2 * first->iops) < 0.002, "the middle rate");
	EQ_U64(third->lat_ns->p99, first->lat_ns->p99, "the same p99");
	OK(!third->lat_ns->buckets, "no histogram that is none");
	OK(!receipt_window(&r, "qd32-randread", 0)->series, "no series");
	EQ_STR(r.schema, RECEIPT_MEDIAN, "its own schema");
	EQ_U64(r.derived->from_count, SOURCES, "what it is of");
	EQ_STR(r.derived->from[1].signature, "good", "one was signed");
	EQ_STR(r.derived->from[2].signature, "unsigned", "one was not");
	merged = &r.derived->merged[0];
	EQ_STR(merged->window, "qd1-randread", "histograms of a window");
	EQ_U64(merged->lat_ns->n,
		3 * (receipt_window(&s->receipts[0], "qd1-randread", 1)
				    ->read->lat_ns->n +
			    receipt_window(&s->receipts[0], "qd1-randread", 2)
				    ->read->lat_ns->n +
			    receipt_window(&s->receipts[0], "qd1-randread", 3)
				    ->read->lat_ns->n),
		"all runs of all receipts");
	OK(!latency_fault(merged->lat_ns), "which agree with themselves");
	r.jti = jtis[0];
	r.iat = 1;
	buf_init(&json);
	OK(receipt_write(&r, &json, &e) == 0, "it is written");
	OK(receipt_read(&again, json.data, json.len, &s->arena, &e) == 0,
		"and read again");
	r.schema = RECEIPT_SCHEMA;
	buf_reset(&json);
	OK(receipt_write(&r, &json, &e) == 0 &&
			receipt_read(
				&again, json.data, json.len, &s->arena, &e) < 0,
		"it cannot pass for a receipt");
	buf_free(&json);
}

static void
test_refused(struct sources *s)
{
	struct receipt r, kept = s->receipts[1];
	struct err e = { 0 };

	OK(median_of(s->list, 1, &r, &s->arena, &e) < 0 && e.code == ERR_INPUT,
		"of one there is none");
	s->receipts[1].jti = jtis[0];
	OK(median_of(s->list, SOURCES, &r, &s->arena, &e) < 0 &&
			e.code == ERR_INPUT && strstr(e.text, "twice"),
		"one twice");
	s->receipts[1] = kept;
	s->receipts[1].complete = 0;
	OK(median_of(s->list, SOURCES, &r, &s->arena, &e) < 0 &&
			e.code == ERR_INCOMPLETE,
		"an incomplete one");
	s->receipts[1] = kept;
	s->receipts[1].window_count--;
	OK(median_of(s->list, SOURCES, &r, &s->arena, &e) < 0 &&
			e.code == ERR_INPUT,
		"other windows");
	s->receipts[1] = kept;
	s->receipts[1].plan = s->receipts[2].plan;
	s->receipts[2].plan->digest = "another";
	OK(median_of(s->list, SOURCES, &r, &s->arena, &e) < 0 &&
			e.code == ERR_DIFFERS,
		"another plan");
	s->receipts[2].plan->digest = s->receipts[0].plan->digest;
	s->receipts[1] = kept;
}

/* A comparison takes it as its sources. */
static void
test_compared(struct sources *s)
{
	struct compare_options o = { 0 };
	struct compare_source a = { .group = "a", .name = "a" }, b = a;
	const struct compare_cell *cell;
	struct receipt r;
	struct compare c;
	struct err e = { 0 };
	size_t m;

	median_of(s->list, SOURCES, &r, &s->arena, &e);
	r.jti = jtis[0];
	b.group = "b";
	compare_init(&c, &o);
	OK(compare_add(&c, &s->receipts[0], &a, &e) == 0 &&
			compare_add(&c, &r, &b, &e) == 0 &&
			compare_finish(&c, NULL, &e) == 0,
		"a receipt beside a median");
	for (m = 0; m < c.metric_count; m++)
		if (!strcmp(c.metrics[m].name, "qd32-randread.read.iops"))
			break;
	cell = m < c.metric_count ? compare_cell(c.groups[1], m) : NULL;
	OK(cell && cell->sample.n == SOURCES, "as three values");
	OK(cell && fabs(cell->change_pct - 100) < 0.01, "twice the rate");
	OK(cell && cell->verdict == COMPARE_WITHIN,
		"which three that differ so much do not tell from noise");
	compare_free(&c);
}

int
main(void)
{
	struct sources s = { 0 };

	if (OK(load(&s), "the golden receipt")) {
		test_figures(&s);
		test_compared(&s);
		test_refused(&s);
	}
	arena_free(&s.arena);
	return tap_done();
}
