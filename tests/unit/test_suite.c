#include "disk/suite.h"

#include "tap.h"

static void
add_words(const char *words, struct buf *out)
{
	struct job j;
	struct err e = { 0 };

	job_defaults(&j);
	if (!OK(job_parse(&j, words, &e) == 0, words))
		printf("# %s\n", e.text);
	job_canonical(&j, out);
}

/* A suite's table says the same as its article's command lines. */
static void
same(const char *suite, const struct buf *want)
{
	const struct suite *s = suite_find(suite);
	struct buf got;
	size_t i;

	buf_init(&got);
	for (i = 0; s && i < s->count; i++)
		job_canonical(&s->jobs[i], &got);
	EQ_STR(buf_text(&got), buf_text(want), suite);
	buf_free(&got);
}

static void
test_baseline(void)
{
	const char *common = "size=512M time_based=1 runtime=12 numjobs=1 "
			     "randrepeat=1";
	struct buf want;
	char words[256];

	buf_init(&want);
	snprintf(words, sizeof(words),
		"%s name=qd1-randread rw=randread bs=4k iodepth=1 runs=3",
		common);
	add_words(words, &want);
	snprintf(words, sizeof(words),
		"%s name=qd32-randread rw=randread bs=4k iodepth=32", common);
	add_words(words, &want);
	snprintf(words, sizeof(words),
		"%s name=qd4-mixed-70-30 rw=randrw rwmixread=70 bs=4k "
		"iodepth=4",
		common);
	add_words(words, &want);
	snprintf(words, sizeof(words),
		"%s name=fdatasync-8k-write rw=randwrite bs=8k ioengine=psync "
		"fdatasync=1",
		common);
	add_words(words, &want);
	same("baseline", &want);
	EQ_U64(suite_find("baseline")->floor_bytes, UINT64_C(2) << 30,
		"2 GiB of free space");
	buf_free(&want);
}

static void
test_lowqd(void)
{
	static const char *const bs[] = { "4k", "8k" };
	static const int mixes[] = { 70, 50 }, depths[] = { 1, 2, 4 };
	struct buf want;
	char words[512];
	int i, mix, depth, jobs;

	buf_init(&want);
	for (i = 0; i < 24; i++) {
		mix = mixes[i / 6 % 2];
		depth = depths[i / 2 % 3];
		jobs = i % 2 + 1;
		snprintf(words, sizeof(words),
			"name=randrw_%dread_%s_qd%d_jobs%d size=2G "
			"time_based=1 runtime=30 ramp_time=5 rw=randrw "
			"rwmixread=%d bs=%s iodepth=%d numjobs=%d "
			"norandommap=1 randrepeat=0",
			mix, bs[i / 12], depth, jobs, mix, bs[i / 12], depth,
			jobs);
		add_words(words, &want);
	}
	same("lowqd", &want);
	buf_free(&want);
}

static void
test_others(void)
{
	const char *common = "runtime=30 time_based=1";
	struct buf want;
	char words[256];

	buf_init(&want);
	snprintf(words, sizeof(words),
		"%s name=qd32-seqread-1m-jobs4 rw=read bs=1M size=1G "
		"offset_increment=1G iodepth=32 numjobs=4",
		common);
	add_words(words, &want);
	snprintf(words, sizeof(words),
		"%s name=qd32-randread-jobs4 rw=randread size=4G iodepth=32 "
		"numjobs=4",
		common);
	add_words(words, &want);
	snprintf(words, sizeof(words),
		"%s name=qd32-randwrite-jobs4 rw=randwrite size=4G iodepth=32 "
		"numjobs=4",
		common);
	add_words(words, &want);
	snprintf(words, sizeof(words),
		"%s name=qd1-mixed-70-30 rw=randrw rwmixread=70 size=4G",
		common);
	add_words(words, &want);
	same("tuning", &want);
	buf_reset(&want);
	add_words("name=qd32-randread-300s rw=randread size=512M iodepth=32 "
		  "runtime=300 time_based=1",
		&want);
	same("sustained", &want);
	buf_free(&want);
}

static void
test_standard(void)
{
	static const char *const words[] = {
		"name=qd1-randread rw=randread size=4G",
		"name=qd1-randwrite rw=randwrite size=4G",
		"name=qd32-randread-jobs4 rw=randread size=4G iodepth=32 "
		"numjobs=4",
		"name=qd32-randwrite-jobs4 rw=randwrite size=4G iodepth=32 "
		"numjobs=4",
		"name=qd32-mixed-70-30-jobs4 rw=randrw rwmixread=70 size=4G "
		"iodepth=32 numjobs=4",
		"name=qd16-seqread-64k-jobs2 rw=read bs=64k size=2G "
		"offset_increment=2G iodepth=16 numjobs=2",
		"name=qd16-seqwrite-64k-jobs2 rw=write bs=64k size=2G "
		"offset_increment=2G iodepth=16 numjobs=2",
		"name=qd16-seqread-1m-jobs2 rw=read bs=1m size=2G "
		"offset_increment=2G iodepth=16 numjobs=2",
		"name=qd16-seqwrite-1m-jobs2 rw=write bs=1m size=2G "
		"offset_increment=2G iodepth=16 numjobs=2",
		"name=qd1-randread-latency rw=randread size=4G "
		"lat_percentiles=1",
		"name=fsync-4k-write rw=randwrite size=4G fsync=1",
	};
	const struct suite_probe *probe = suite_find("standard")->probe;
	struct buf want, got;
	char line[256];
	size_t i;

	buf_init(&want);
	buf_init(&got);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		snprintf(line, sizeof(line), "%s runtime=60 time_based=1",
			words[i]);
		add_words(line, &want);
	}
	same("standard", &want);
	buf_reset(&want);
	add_words("name=neighbour rw=randread size=4G runtime=1 time_based=1 "
		  "runs=6",
		&want);
	job_canonical(&probe->job, &got);
	EQ_STR(buf_text(&got), buf_text(&want), "a sample of its probe");
	EQ_U64(probe->length_ns, UINT64_C(60000000000), "for a minute");
	EQ_U64(probe->every_ns * probe->job.runs, probe->length_ns,
		"filled by its samples");
	OK(!suite_find("baseline")->probe, "no other suite has one");
	buf_free(&want);
	buf_free(&got);
}

static void
test_table(void)
{
	const struct suite *s;
	struct err e = { 0 };
	size_t i, k;

	for (i = 0; (s = suite_at(i)); i++) {
		OK(suite_find(s->name) == s, s->name);
		EQ_STR(suite_names()[i], s->name, "named for --help");
		OK(s->count && s->what[0], "has jobs and a line for --help");
		for (k = 0; k < s->count; k++)
			if (job_check(&s->jobs[k], &e) < 0 ||
				!s->jobs[k].name[0])
				break;
		EQ_U64(k, s->count, "every job holds together");
	}
	OK(!suite_names()[i], "and no more names");
	OK(!suite_find("nosuch") && !suite_find(""), "no such suite");
}

int
main(void)
{
	test_baseline();
	test_lowqd();
	test_others();
	test_standard();
	test_table();
	return tap_done();
}
