#include "disk/plan.h"

#include "tap.h"

#define S   UINT64_C(1000000000)
#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

/* Nothing asked for: the command line's own defaults. */
static const struct plan_request nothing = { .ramp_ns = UINT64_MAX };

static struct plan plan; /* large */

static bool
made(const struct plan_request *r, const char *what)
{
	struct err e = { 0 };
	bool ok = plan_make(&plan, r, &e) == 0;

	if (!OK(ok, what))
		printf("# %s\n", e.text);
	return ok;
}

static void
refused(const struct plan_request *r, const char *part)
{
	struct err e = { 0 };

	if (!OK(plan_make(&plan, r, &e) < 0 && e.code == ERR_USAGE &&
			    strstr(e.text, part),
		    part))
		printf("# %s\n", e.text);
}

static void
test_baseline(void)
{
	static const char *const names[] = { "qd1-randread", "qd1-randread",
		"qd1-randread", "qd32-randread", "qd4-mixed-70-30",
		"fdatasync-8k-write" };
	struct plan_cost cost;
	size_t i;

	made(&nothing, "without a word: baseline");
	EQ_STR(plan.suite, "baseline", "its name");
	EQ_U64(plan.window_count, 6, "six windows");
	for (i = 0; i < 6; i++)
		EQ_STR(plan.windows[i].name, names[i], names[i]);
	EQ_U64(plan.windows[2].run, 3, "third run");
	EQ_U64(plan.windows[3].run, 1, "first run");
	EQ_U64(plan.size_bytes, 512 * MIB, "512 MiB");
	EQ_U64(plan.floor_bytes, 2 * GIB, "2 GiB");
	plan_cost(&plan, &cost);
	EQ_U64(cost.windows_ns, 72 * S, "72 s");
	EQ_U64(cost.prepare_bytes, 512 * MIB, "written once");
	EQ_U64(cost.buffers_bytes, 32 * 4096, "buffers");
	EQ_U64(cost.slots, 32, "slots");
	EQ_U64(cost.iodepth, 32, "depth");
	EQ_U64(cost.threads, 1, "threads");
	OK(cost.writes && !cost.unbounded, "writes, by time");
}

static void
test_overrides(void)
{
	struct plan_request r = nothing;
	struct plan_cost cost;

	r.size_bytes = 64 * MIB;
	r.runtime_ns = 2 * S;
	r.ramp_ns = S;
	r.runs = 2;
	r.only = "*randread";
	made(&r, "size, runtime, ramp, runs, only");
	EQ_U64(plan.window_count, 4, "two jobs, two runs");
	EQ_U64(plan.job_count, 2, "others are no part of the plan");
	EQ_STR(plan.jobs[plan.windows[3].job].name, "qd32-randread", "index");
	EQ_U64(plan.size_bytes, 64 * MIB, "size");
	plan_cost(&plan, &cost);
	EQ_U64(cost.windows_ns, 12 * S, "4 windows of 1 + 2 s");
	OK(!cost.writes, "only reads are left");
	r.ramp_ns = 0;
	r.suite = "lowqd";
	r.only = "*_qd4_*";
	made(&r, "no ramp");
	plan_cost(&plan, &cost);
	EQ_U64(cost.windows_ns, 32 * S, "8 jobs, 2 runs, 2 s");
	EQ_U64(cost.slots, 8, "2 threads of depth 4");
	EQ_U64(plan.floor_bytes, 0, "no floor");
	r = nothing;
	r.suite = "tuning";
	made(&r, "tuning");
	EQ_U64(plan.size_bytes, 4 * GIB, "one file for all");
	r.size_bytes = 1000 * MIB + 4096;
	made(&r, "tuning, smaller");
	EQ_U64(plan.jobs[0].size_bytes, 250 * MIB, "a quarter each");
	EQ_U64(plan.jobs[0].offset_increment_bytes, 250 * MIB, "side by side");
	EQ_U64(plan.jobs[1].size_bytes, 1000 * MIB + 4096, "the whole");
	EQ_U64(plan.size_bytes, 1000 * MIB + 4096, "target");
	r.size_bytes = MIB;
	refused(&r, "too small");
}

static void
test_jobs(void)
{
	const char *const words[] = { "rw=randread runtime=1",
		"fio --name=b --rw=write --bs=1M --size=10M",
		"rw=rw size=1000000 numjobs=3" };
	struct plan_request r = nothing;
	struct plan_cost cost;

	r.jobs = words;
	r.job_count = 3;
	made(&r, "jobs of one's own");
	EQ_STR(plan.suite, "custom", "no suite");
	EQ_STR(plan.jobs[0].name, "job1", "named by place");
	EQ_STR(plan.jobs[1].name, "b", "named");
	EQ_STR(plan.jobs[2].name, "job3", "named by place again");
	EQ_U64(plan.jobs[0].size_bytes, 10 * MIB, "size of the largest");
	EQ_U64(plan.jobs[2].size_bytes, 1000000, "its own size");
	plan_cost(&plan, &cost);
	OK(cost.unbounded && cost.writes, "some end by size");
	EQ_U64(cost.buffers_bytes, MIB, "largest window");
	EQ_U64(cost.threads, 3, "largest numjobs");
	r.jobs = &words[2];
	r.job_count = 1;
	made(&r, "an odd size");
	EQ_U64(plan.size_bytes, 1003520, "a target of whole pages");
	r.jobs = words;
	made(&r, "no size at all");
	EQ_U64(plan.size_bytes, 512 * MIB, "512 MiB");
	r.size_bytes = 10000;
	made(&r, "any size");
	EQ_U64(plan.jobs[0].size_bytes, 10000, "as declared");
	EQ_U64(plan.size_bytes, 12288, "in pages");
}

static void
test_refusals(void)
{
	const char *const twice[] = { "name=a", "name=a" };
	const char *const bad[] = { "rw=randread", "iodepth=0" };
	const char *const open[] = { "numjobs=2 offset_increment=4k" };
	const char *const many[] = { "runs=16", "name=b runs=16" };
	const char *lots[PLAN_JOBS_MAX + 1];
	char names[PLAN_JOBS_MAX + 1][16];
	struct plan_request r = nothing;
	size_t i;

	r.suite = "basline";
	refused(&r, "did you mean baseline? There are baseline, lowqd, ");
	r.suite = "";
	refused(&r, "there is no suite \"\"; there are baseline, lowqd, ");
	r = nothing;
	r.only = "qd2*";
	refused(&r, "qd32-randread");
	r.only = NULL;
	r.size_bytes = 4096;
	refused(&r, "fdatasync-8k-write: size=4096 is smaller");
	r = nothing;
	r.runs = 17;
	refused(&r, "16 at most");
	r = nothing;
	r.runtime_ns = 8 * 86400 * S;
	refused(&r, "week");
	r = nothing;
	r.jobs = twice;
	r.job_count = 2;
	refused(&r, "jobs 1 and 2 are both named \"a\"");
	r.jobs = bad;
	refused(&r, "job 2: iodepth=");
	r.suite = "baseline";
	refused(&r, "one or the other");
	r = nothing;
	r.parsed = plan.jobs;
	r.parsed_count = 1;
	r.suite = "baseline";
	refused(&r, "one or the other");
	r.suite = NULL;
	r.jobs = bad;
	r.job_count = 1;
	refused(&r, "--job and --jobfile");
	r = nothing;
	r.jobs = open;
	r.job_count = 1;
	refused(&r, "needs size=");
	r.size_bytes = MIB;
	refused(&r, "needs size=");
	r = nothing;
	r.jobs = many;
	r.job_count = 2;
	made(&r, "32 windows");
	for (i = 0; i <= PLAN_JOBS_MAX; i++) {
		snprintf(names[i], sizeof(names[i]), "name=j%zu", i);
		lots[i] = names[i];
	}
	r.jobs = lots;
	r.job_count = PLAN_JOBS_MAX;
	r.runs = 2;
	made(&r, "64 jobs, 128 windows");
	r.runs = 3;
	refused(&r, "more than 128 windows");
	r.job_count++;
	refused(&r, "64 at most");
}

/* What is in the digest, and what is not. */
static void
test_canonical(void)
{
	const char *const same[] = {
		"name=qd32-randread rw=randread bs=4k iodepth=32 size=512M "
		"time_based=1 runtime=12 --output=x --lat_percentiles=1",
	};
	struct plan_request r = nothing;
	struct buf a, b;

	buf_init(&a);
	buf_init(&b);
	r.only = "qd32*";
	made(&r, "one window of the suite");
	plan_canonical(&plan, &a);
	r = nothing;
	r.jobs = same;
	r.job_count = 1;
	made(&r, "the same in words");
	plan_canonical(&plan, &b);
	EQ_STR(buf_text(&b), buf_text(&a), "one text");
	OK(!strncmp(buf_text(&a),
		   "method=1\nsequence=fio3.35\nkeep_cow=0\nsize=536870912\n\n"
		   "name=qd32-randread\nrw=randread\n",
		   50),
		"which begins with the method");
	r.sequence = PLAN_FIO_334;
	r.keep_cow = true;
	made(&r, "other method");
	buf_reset(&b);
	plan_canonical(&plan, &b);
	OK(strstr(buf_text(&b), "sequence=fio3.34\nkeep_cow=1\n"),
		"sequence and copy on write are in it");
	buf_free(&a);
	buf_free(&b);
}

/* Each option makes another plan, of a suite with a probe, too. */
static void
test_digest(void)
{
	static const char *const suites[] = { "baseline", "lowqd", "tuning",
		"standard", "sustained" };
	const struct plan_request asked[] = {
		{ .ramp_ns = UINT64_MAX, .size_bytes = 256 * MIB },
		{ .ramp_ns = UINT64_MAX, .runtime_ns = 7 * S },
		{ .ramp_ns = 2 * S },
		{ .ramp_ns = UINT64_MAX, .runs = 2 },
	};
	struct plan_request r;
	struct buf plain, other;
	size_t i, k;

	buf_init(&plain);
	buf_init(&other);
	for (i = 0; i < sizeof(suites) / sizeof(suites[0]); i++) {
		r = nothing;
		r.suite = suites[i];
		made(&r, suites[i]);
		buf_reset(&plain);
		plan_canonical(&plan, &plain);
		for (k = 0; k < sizeof(asked) / sizeof(asked[0]); k++) {
			r = asked[k];
			r.suite = suites[i];
			made(&r, "asked for something else");
			buf_reset(&other);
			plan_canonical(&plan, &other);
			OK(strcmp(buf_text(&plain), buf_text(&other)) != 0,
				"another text");
		}
	}
	buf_free(&plain);
	buf_free(&other);
}

static void
probed(uint64_t runtime_ns, uint64_t length_ns, uint64_t sample_ns)
{
	struct plan_request r = nothing;
	uint32_t last;

	r.suite = "standard";
	r.runtime_ns = runtime_ns;
	r.ramp_ns = 3 * S;
	r.runs = 2;
	r.size_bytes = 64 * MIB;
	if (!made(&r, "standard"))
		return;
	last = plan.window_count - 1;
	EQ_U64(plan_windows(&plan), 22, "windows, two runs each");
	EQ_U64(plan_jobs(&plan), 11, "their jobs");
	EQ_U64(plan.probe.samples, 6, "samples, not touched by runs");
	EQ_U64(last, 27, "which are the last windows");
	EQ_U64(plan.jobs[11].size_bytes, 64 * MIB, "in the same file");
	EQ_U64(plan.jobs[11].ramp_ns, 0, "without a ramp");
	EQ_U64(plan.jobs[11].runtime_ns, sample_ns, "their length");
	EQ_U64(plan.probe.length_ns, length_ns, "the probe's length");
	EQ_U64(plan_window_ns(&plan, last), length_ns / 6, "with its wait");
	EQ_U64(plan_sample_at_ns(&plan, last), length_ns - sample_ns, "at");
	EQ_U64(plan_window_ns(&plan, 0),
		(runtime_ns ? runtime_ns : 60 * S) + 3 * S, "a window's");
}

static void
test_probe(void)
{
	struct plan_request r = nothing;
	struct plan_cost cost;
	struct buf b;

	probed(0, 60 * S, S);
	probed(90 * S, 60 * S, S);
	probed(12 * S, 12 * S, S / 5);
	probed(3 * S, 3 * S, S / 10);
	probed(S / 5, 33333333 * 6, 33333333);
	r.suite = "standard";
	made(&r, "as declared");
	plan_cost(&plan, &cost);
	EQ_U64(cost.windows_ns, 12 * 60 * S, "11 windows and a minute");
	buf_init(&b);
	plan_canonical(&plan, &b);
	OK(strstr(buf_text(&b), "\nprobe=neighbour\nlength_ns=60000000000\n"
				"every_ns=10000000000\n"),
		"part of the digest");
	buf_reset(&b);
	plan_fio(&plan, "x", &b);
	OK(!strstr(buf_text(&b), "[neighbour") &&
			strstr(buf_text(&b), "\n; Not in this file: the "
					     "neighbour probe, 6 reads of 1000 "
					     "ms, 10000 ms apart.\n"),
		"told where fio cannot do it");
	buf_free(&b);
	r.only = "qd1-*";
	made(&r, "some windows");
	EQ_U64(plan.probe.samples, 0, "without the probe");
	EQ_U64(plan_windows(&plan), 3, "three");
	r.only = "neighbour";
	made(&r, "the probe alone");
	EQ_U64(plan_windows(&plan), 0, "no other window");
	EQ_U64(plan.window_count, 6, "six samples");
	EQ_U64(plan.size_bytes, 4 * GIB, "in the suite's file");
	r.only = "neigbour";
	refused(&r, "fsync-4k-write neighbour");
}

static size_t
count(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)); text++)
		n++;
	return n;
}

static void
test_fio(void)
{
	struct buf b;

	buf_init(&b);
	made(&nothing, "baseline");
	plan_fio(&plan, "/tmp/x", &b);
	OK(strstr(buf_text(&b), "\n[prepare]\nstonewall\nfilename=/tmp/x\n"
				"rw=write\nbs=1M\nsize=512M\n"),
		"first the file");
	OK(strstr(buf_text(&b), "\n[qd1-randread-run-3]\n"), "runs apart");
	OK(strstr(buf_text(&b), "\n[qd32-randread]\n"), "one run, one name");
	EQ_U64(count(buf_text(&b), "stonewall\n"), 7, "one after the other");
	buf_free(&b);
}

int
main(void)
{
	test_baseline();
	test_overrides();
	test_jobs();
	test_refusals();
	test_canonical();
	test_digest();
	test_probe();
	test_fio();
	return tap_done();
}
