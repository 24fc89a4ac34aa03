#include "disk/jobfile.h"

#include "disk/plan.h"
#include "disk/suite.h"
#include "tap.h"

static struct jobfile file; /* large */
static struct plan plan, other;

static bool
read_text(const char *text, const char *what)
{
	struct err e = { 0 };
	bool ok = jobfile_parse(&file, text, strlen(text), &e) == 0;

	if (!OK(ok, what))
		printf("# %s\n", e.text);
	return ok;
}

static void
refused_bytes(const char *text, size_t len, const char *part)
{
	struct err e = { 0 };

	if (!OK(jobfile_parse(&file, text, len, &e) < 0 &&
			    e.code == ERR_INPUT && strstr(e.text, part),
		    part))
		printf("# %d %s\n", e.code, e.text);
}

static void
refused(const char *text, const char *part)
{
	refused_bytes(text, strlen(text), part);
}

static void
test_form(void)
{
	if (!read_text("; a comment\n"
		       "# another\r\n"
		       "\n"
		       "[global]\n"
		       "  ioengine=libaio ; behind a word\n"
		       "direct=1\t# and here\n"
		       "time_based\n"
		       "runtime=5\n"
		       "size=64m\n"
		       "[first]\r\n"
		       "rw=randread\r\n"
		       "iodepth=8\n"
		       "stonewall\n"
		       "[Global, again]\n"
		       "runtime=7\n"
		       "stonewall\n"
		       "[a b]\n"
		       "rw=write\n"
		       "filename=/dev/$DISK;x\n"
		       "bs=1m",
		    "a job file"))
		return;
	EQ_U64(file.count, 2, "two jobs");
	EQ_STR(file.jobs[0].name, "first", "name");
	EQ_U64(file.jobs[0].iodepth, 8, "a word of its own");
	EQ_U64(file.jobs[0].runtime_ns, UINT64_C(5000000000), "one of global");
	OK(file.jobs[0].time_based, "a bare word");
	EQ_STR(file.jobs[1].name, "a_b", "what a name may not have");
	EQ_U64(file.jobs[1].runtime_ns, UINT64_C(7000000000), "global again");
	EQ_U64(file.jobs[1].size_bytes, UINT64_C(64) << 20, "and before");
	EQ_U64(file.jobs[1].bs_bytes, UINT64_C(1) << 20, "no LF at the end");
	EQ_U64(file.jobs[1].iodepth, 1, "another job's word is not taken over");
	OK(!file.together, "one after the other");
	read_text("[a]\n[b]\nbs=8k\n", "sections without stonewall");
	OK(file.together, "fio would start them together");
	read_text("[a]\n[b]\nbs=8k\nstonewall\n", "with it");
	OK(!file.together, "it would not");
}

static void
test_refusals(void)
{
	static const char nul[] = "[a]\nrw=read\0bs=4k\n";
	char *large = calloc(1, JOBFILE_MAX_BYTES + 1);

	refused("", "no job");
	refused("; nothing\n[global]\nbs=4k\n", "no job");
	refused("rw=read\n[a]\n", "line 1: \"rw=read\" stands before any");
	refused("[a]\nbs=4k\nrwmixraed=70\n",
		"line 3: \"rwmixraed\" is no word of a job; did you mean "
		"rwmixread?");
	refused("[a]\n\n; x\nrw=randraed\n", "did you mean randread?");
	refused("[a]\nrw=randraed\n", "line 2: rw=randraed is not known");
	refused("[a]\ndirect=0\n", "line 2: direct=0 is not taken: without");
	refused("[a]\nthinktime_blocks=4\n", "line 2: thinktime_blocks is not");
	refused("[a]\nbs\n", "line 2: bs needs a value");
	refused("[a]\n=4k\n", "line 2: \"=4k\"");
	refused("[a]\nrw = read\n", "without blanks");
	refused("[a]\nrw= read\n", "without blanks");
	refused("[a\nrw=read\n", "line 1: \"[a\" begins no section");
	refused("[]\n", "begins no section");
	refused("[\n", "begins no section");
	refused("[a] x\n", "begins no section");
	refused("[a]\nnumjobs=$ncpus\n", "line 2: numjobs=$ncpus: nothing is");
	refused("[a]\nsize=${SIZE}\n", "nothing is expanded");
	refused("[a]\ninclude other.fio\n", "line 2: include");
	refused("[global]\nname=x\n[a]\n", "line 2: a name is one job's");
	refused("[12345678901234567890123456789012345678901234567890123456]\n",
		"line 1: name=");
	refused("[a]\nrw=re\xff\x61\x64\n", "line 2: no UTF-8");
	refused("[a]\n\x1b[31m=1\n", "line 2: a control character");
	refused_bytes(nul, sizeof(nul) - 1, "line 2: a control character");
	memset(large, '\n', JOBFILE_MAX_BYTES + 1);
	refused_bytes(large, JOBFILE_MAX_BYTES + 1, "longer than 256 KiB");
	refused_bytes(large, JOBFILE_MAX_BYTES, "no job");
	memset(large, '[', JOBFILE_MAX_BYTES);
	refused_bytes(large, JOBFILE_MAX_BYTES, "begins no section");
	free(large);
}

static void
test_many(void)
{
	struct buf b;
	int i;

	buf_init(&b);
	for (i = 0; i < PLAN_JOBS_MAX; i++)
		buf_printf(&b, "[j%d]\n", i);
	read_text(buf_text(&b), "64 jobs");
	EQ_U64(file.count, PLAN_JOBS_MAX, "all of them");
	buf_str(&b, "[one-more]\n");
	refused(buf_text(&b), "line 65: more than 64 jobs");
	buf_free(&b);
}

static void
test_runs(void)
{
	read_text("[a-run-1]\nbs=4k\n[a-run-2]\nbs=4k\n[a-run-3]\nbs=4k\n"
		  "[b]\n",
		"three runs");
	EQ_U64(file.count, 2, "one job of them");
	EQ_STR(file.jobs[0].name, "a", "its name");
	EQ_U64(file.jobs[0].runs, 3, "its runs");
	EQ_U64(file.jobs[1].runs, 1, "not the other's");
	read_text("[a-run-1]\n[a-run-2]\nbs=8k\n", "other work");
	EQ_U64(file.count, 2, "is another job");
	EQ_STR(file.jobs[0].name, "a-run-1", "which keeps its name");
	read_text("[a-run-1]\n[a-run-3]\n", "a gap");
	EQ_U64(file.count, 2, "is no run");
	read_text("[a-run-2]\n[a-run-3]\n", "not from the first");
	EQ_U64(file.count, 2, "are no runs");
	read_text("[a]\n[a-run-2]\n", "a name without a number");
	EQ_U64(file.count, 2, "is no run");
	read_text("[a-run-1]\n[a-run-2]\n[b-run-3]\n[-run-1]\n[-run-2]\n",
		"of another name");
	EQ_U64(file.count, 4, "are others");
	read_text("[a-run-1]\nruns=2\n[a-run-2]\nruns=2\n", "runs of our own");
	EQ_U64(file.count, 2, "are not counted twice");
}

/* plan --fio of each suite, read again, is the same plan. */
static void
test_round_trip(void)
{
	struct plan_request r = { .ramp_ns = UINT64_MAX }, again = r;
	struct buf text, a, b;
	struct err e = { 0 };
	uint32_t jobs;
	size_t i;

	buf_init(&text);
	buf_init(&a);
	buf_init(&b);
	for (i = 0; suite_at(i); i++) {
		buf_reset(&text);
		buf_reset(&a);
		buf_reset(&b);
		r.suite = suite_at(i)->name;
		plan_make(&plan, &r, &e);
		plan_fio(&plan, "fio-target.bin", &text);
		if (!read_text(buf_text(&text), r.suite))
			continue;
		again.parsed = file.jobs;
		again.parsed_count = file.count;
		OK(plan_make(&other, &again, &e) == 0, "makes a plan");
		EQ_U64(other.size_bytes, plan.size_bytes, "of one size");
		for (jobs = 0; jobs < other.job_count; jobs++) {
			job_canonical(&plan.jobs[jobs], &a);
			job_canonical(&other.jobs[jobs], &b);
		}
		EQ_STR(buf_text(&b), buf_text(&a), "and the same jobs");
	}
	buf_free(&text);
	buf_free(&a);
	buf_free(&b);
}

/* Bytes put in, left out and changed: an error or a plan, nothing else. */
static void
test_mutations(void)
{
	static const char seed[] =
		"[global]\nbs=4k\nsize=16m\n[a-run-1]\nrw=randrw ; x\n"
		"rwmixread=70\n[a-run-2]\nrw=randrw\npercentile_list=50:99\n"
		"[b]\nruntime=3s\ntime_based\ndescription=ioreceipt prepare\n";
	static const char alphabet[] = "[]=;#\n\r\t $-:09aZ\xc3\xa4\xff";
	char text[sizeof(seed) + 64];
	uint64_t x = 88172645463325252;
	size_t len, at, i;
	struct err e;
	int round, bad = 0;

	for (round = 0; round < 20000; round++) {
		memcpy(text, seed, sizeof(seed));
		len = sizeof(seed) - 1;
		for (i = 0; i < 1 + (size_t)round % 12; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			at = x % len;
			if (x >> 40 & 1 && len < sizeof(text) - 1) {
				memmove(text + at + 1, text + at, len - at);
				len++;
			} else if (x >> 41 & 1 && len > 1) {
				memmove(text + at, text + at + 1, len - at - 1);
				len--;
			}
			text[at] = alphabet[(x >> 20) % (sizeof(alphabet) - 1)];
		}
		memset(&e, 0, sizeof(e));
		if (jobfile_parse(&file, text, len, &e) < 0)
			bad += e.code != ERR_INPUT || !e.text[0];
		else
			bad += !file.count || file.count > PLAN_JOBS_MAX;
	}
	EQ_U64(bad, 0, "20,000 broken job files");
}

int
main(void)
{
	test_form();
	test_refusals();
	test_many();
	test_runs();
	test_round_trip();
	test_mutations();
	return tap_done();
}
