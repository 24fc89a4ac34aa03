#include <math.h>

#include "base/arena.h"
#include "base/buf.h"
#include "receipt/metric.h"
#include "tap.h"

#define GOLDEN "tests/golden/baseline.json"

static bool
load(struct receipt *r, struct arena *a)
{
	struct err e = { 0 };
	struct buf b;
	FILE *f = fopen(GOLDEN, "r");
	bool ok;
	int c;

	buf_init(&b);
	while (f && (c = getc(f)) != EOF)
		buf_char(&b, (char)c);
	if (f)
		fclose(f);
	ok = receipt_read(r, buf_text(&b), b.len, a, &e) == 0;
	buf_free(&b);
	return ok;
}

/* What is seen on a walk. */
struct walk {
	size_t count, withheld;
	char names[16][METRIC_NAME_MAX]; /* the first ones */
	char last[METRIC_NAME_MAX];
	const struct receipt *r;
	bool found_all;
};

static void
look(const struct metric *m, void *arg)
{
	struct walk *w = arg;
	struct metric again;
	struct err e;

	if (w->count < 16)
		strcpy(w->names[w->count], m->name);
	strcpy(w->last, m->name);
	w->count++;
	w->withheld += isnan(m->value);
	w->found_all &= metric_find(w->r, m->name, &again, &e) == 0 &&
			(again.value == m->value || isnan(m->value)) &&
			again.unit == m->unit &&
			again.higher_is_better == m->higher_is_better;
}

static void
test_walk(const struct receipt *r)
{
	/* the order of the first ones */
	static const char *const first[] = { "qd1-randread.read.iops",
		"qd1-randread.read.iops.median", "qd1-randread.read.iops.run1",
		"qd1-randread.read.iops.run2", "qd1-randread.read.iops.run3",
		"qd1-randread.read.bw", "qd1-randread.read.bw.median" };
	struct walk w = { .r = r, .found_all = true };
	size_t i;

	metric_each(r, look, &w);
	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		EQ_STR(w.names[i], first[i], first[i]);
	EQ_STR(w.last, "fdatasync-8k-write.commit.lat.tw_p99", "the last");
	OK(w.found_all, "each one that is listed is found");
	/* slat and clat have 8, lat 10; rates 2 */
	EQ_U64(w.count, (28 * 5 + 1) + 28 + 2 * 28 + (2 + 8 + 10) + 10 + 10,
		"all of them");
	OK(w.withheld > 0, "some are withheld");
}

static double
value(const struct receipt *r, const char *name)
{
	struct metric m;
	struct err e;

	return metric_find(r, name, &m, &e) ? -1 : m.value;
}

static void
test_worst(const struct receipt *r)
{
	const struct receipt_window *w[3];
	double low = INFINITY, high = 0;
	char name[METRIC_NAME_MAX];
	int i;

	for (i = 0; i < 3; i++) {
		w[i] = receipt_window(r, "qd1-randread", (uint64_t)i + 1);
		low = fmin(low, w[i]->read->iops);
		high = fmax(high, (double)w[i]->read->lat_ns->p99);
		snprintf(name, sizeof(name), "qd1-randread.read.bw.run%d",
			i + 1);
		OK(value(r, name) == w[i]->read->bw_bytes, name);
	}
	OK(value(r, "qd1-randread.read.iops") == low, "the lowest rate");
	OK(value(r, "qd1-randread.read.lat.p99") == high,
		"the highest latency");
	OK(value(r, "qd1-randread.read.lat.p99.median") < high, "the median");
	OK(fabs(value(r, "qd1-randread.spread") - r->summary->qd1_spread_pct) <
			0.002,
		"the spread is the summary's");
}

static void
test_units(const struct receipt *r)
{
	struct metric m = { .value = 0 };
	struct err e;

	metric_find(r, "qd32-randread.read.iops", &m, &e);
	OK(m.unit == METRIC_IOPS && m.higher_is_better, "iops");
	metric_find(r, "qd32-randread.read.bw", &m, &e);
	OK(m.unit == METRIC_BYTES_PER_S && m.higher_is_better, "bytes");
	metric_find(r, "fdatasync-8k-write.commit.lat.p99", &m, &e);
	OK(m.unit == METRIC_NS && !m.higher_is_better, "ns");
	metric_find(r, "qd1-randread.spread", &m, &e);
	OK(m.unit == METRIC_PCT && !m.higher_is_better, "per cent");
	EQ_STR(metric_unit_word(METRIC_IOPS), "iops", "iops");
	EQ_STR(metric_unit_word(METRIC_BYTES_PER_S), "B/s", "B/s");
	EQ_STR(metric_unit_word(METRIC_NS), "ns", "ns");
	EQ_STR(metric_unit_word(METRIC_PCT), "%", "%");
}

static void
test_withheld(const struct receipt *r)
{
	struct receipt_latency *l = r->windows[1].read->lat_ns;
	uint64_t kept = l->p99_9;

	l->p99_9 = SHAPE_WITHHELD;
	OK(isnan(value(r, "qd1-randread.read.lat.p99_9")),
		"the worst of three is unknown where one is withheld");
	OK(isnan(value(r, "qd1-randread.read.lat.p99_9.median")),
		"and so is the median");
	OK(isnan(value(r, "qd1-randread.read.lat.p99_9.run2")), "that one");
	OK(value(r, "qd1-randread.read.lat.p99_9.run1") > 0, "the others not");
	l->p99_9 = SHAPE_ABSENT;
	OK(isnan(value(r, "qd1-randread.read.lat.p99_9")),
		"the same where one is missing");
	l->p99_9 = kept;
}

static void
test_unknown(const struct receipt *r)
{
	/* a name, and what it was meant to be ("": nothing near) */
	static const struct {
		const char *name, *near;
	} table[] = {
		{ "qd1-randread.read.lat.p999",
			"did you mean \"qd1-randread.read.lat.p99\"?" },
		{ "qd32-randread.iops",
			"did you mean \"qd32-randread.read.iops\"?" },
		{ "qd1-randread.spread.median", "" },
		{ "qd1-randread.read.iops.run4", "" },
		{ "qd32-randread.read.iops.run1", "" },
		{ "qd32-randread.read.slat.tw_p50", "" },
		{ "x", "" },
		{ "", "" },
	};
	struct metric m;
	struct err e;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		e.code = 0;
		OK(metric_find(r, table[i].name, &m, &e) == -1 &&
				e.code == ERR_USAGE,
			table[i].name);
		if (!OK(strstr(e.text, table[i].near), table[i].near))
			printf("# %s\n", e.text);
	}
}

int
main(void)
{
	struct receipt r;
	struct arena a;

	arena_init(&a);
	if (OK(load(&r, &a), GOLDEN)) {
		test_walk(&r);
		test_worst(&r);
		test_units(&r);
		test_withheld(&r);
		test_unknown(&r);
		r.window_count = 0;
		OK(value(&r, "qd1-randread.read.iops") < 0, "no windows");
	}
	arena_free(&a);
	return tap_done();
}
