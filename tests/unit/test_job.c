#include "disk/job.h"

#include "disk/job_words.h"
#include "tap.h"

#define S UINT64_C(1000000000)

/* The command lines of four articles, as they are printed there. */
static const char prepare[] =
	"fio --name=prepare-file --filename=\"$TARGET\" --size=512M \\\n"
	"  --rw=write --bs=1M --ioengine=psync --direct=1 \\\n"
	"  --end_fsync=1 --output-format=json \\\n"
	"  --output=\"$LAB/prepare.json\"\n";
static const char qd1[] =
	"  fio --name=\"qd1-randread-run-$run\" \\\n"
	"    --filename=\"$TARGET\" --size=512M \\\n"
	"    --rw=randread --bs=4k --ioengine=libaio --direct=1 \\\n"
	"    --iodepth=1 --numjobs=1 --time_based=1 --runtime=12 \\\n"
	"    --randrepeat=1 --group_reporting=1 \\\n"
	"    --percentile_list=50:95:99:99.9 \\\n"
	"    --output-format=json --output=\"$LAB/qd1-run-$run.json\"\n";
static const char qd32[] =
	"fio --name=qd32-randread \\\n"
	"  --filename=\"$TARGET\" --size=512M \\\n"
	"  --rw=randread --bs=4k --ioengine=libaio --direct=1 \\\n"
	"  --iodepth=32 --numjobs=1 --time_based=1 --runtime=12 \\\n"
	"  --randrepeat=1 --group_reporting=1 \\\n"
	"  --percentile_list=50:95:99:99.9 \\\n"
	"  --output-format=json --output=\"$LAB/qd32.json\"\n";
static const char mixed[] =
	"fio --name=qd4-mixed-70-30 \\\n"
	"  --filename=\"$TARGET\" --size=512M \\\n"
	"  --rw=randrw --rwmixread=70 --bs=4k \\\n"
	"  --ioengine=libaio --direct=1 \\\n"
	"  --iodepth=4 --numjobs=1 --time_based=1 --runtime=12 \\\n"
	"  --randrepeat=1 --group_reporting=1 \\\n"
	"  --percentile_list=50:95:99:99.9 \\\n"
	"  --output-format=json --output=\"$LAB/mixed.json\"\n";
static const char fdatasync8k[] =
	"fio --name=fdatasync-8k-write \\\n"
	"  --filename=\"$TARGET\" --size=512M \\\n"
	"  --rw=randwrite --bs=8k --ioengine=psync --direct=1 \\\n"
	"  --iodepth=1 --numjobs=1 --fdatasync=1 \\\n"
	"  --time_based=1 --runtime=12 --randrepeat=1 \\\n"
	"  --group_reporting=1 --percentile_list=50:95:99:99.9 \\\n"
	"  --output-format=json --output=\"$LAB/fdatasync.json\"\n";
static const char seqread[] =
	"# sequential read throughput\n"
	"fio --name=seqread --ioengine=libaio --direct=1 --rw=read --bs=1M \\\n"
	"    --size=4G --iodepth=32 --numjobs=4 --group_reporting --runtime=30";
static const char randread[] =
	"# random read IOPS and latency\n"
	"fio --name=randread --ioengine=libaio --direct=1 --rw=randread "
	"--bs=4k \\\n"
	"    --size=4G --iodepth=32 --numjobs=4 --group_reporting --runtime=30";
static const char randwrite[] =
	"# random write (run on a throwaway file)\n"
	"fio --name=randwrite --ioengine=libaio --direct=1 --rw=randwrite "
	"--bs=4k \\\n"
	"    --size=4G --iodepth=32 --numjobs=4 --group_reporting --runtime=30";
static const char lowqd[] =
	"fio --name=randrw_70read_4k_qd1_jobs2 --size=2G --time_based=1 "
	"--runtime=30 --ramp_time=5 --ioengine=libaio --direct=1 --rw=randrw "
	"--rwmixread=70 --bs=4k --iodepth=1 --numjobs=2 --group_reporting=1 "
	"--norandommap=1 --randrepeat=0 --invalidate=1 --clat_percentiles=1 "
	"--percentile_list=50:90:95:99:99.9:99.99 --output-format=json";

static struct job
parsed(const char *words)
{
	struct job j;
	struct err e = { 0 };

	job_defaults(&j);
	if (!OK(job_parse(&j, words, &e) == 0 && job_check(&j, &e) == 0,
		    "taken as printed"))
		printf("# %s\n", e.text);
	return j;
}

static void
test_articles(void)
{
	struct job j = parsed(prepare);

	EQ_STR(j.name, "prepare-file", "name");
	OK(j.rw == JOB_WRITE && j.ioengine == JOB_PSYNC && j.end_fsync,
		"prepare");
	EQ_U64(j.bs_bytes, 1 << 20, "1M");
	EQ_U64(j.runtime_ns, 0, "one pass");
	j = parsed(qd1);
	EQ_STR(j.name, "qd1-randread-run-_run", "a variable in a name");
	EQ_U64(j.size_bytes, 536870912, "512M");
	EQ_U64(j.runtime_ns, 12 * S, "12 s");
	EQ_U64(j.percentile_count, 4, "four percentiles");
	OK(j.percentiles[3] == 99.9, "99.9");
	OK(j.time_based && j.randrepeat && j.group_reporting, "flags");
	j = parsed(qd32);
	EQ_U64(j.iodepth, 32, "depth");
	j = parsed(mixed);
	EQ_U64(j.rwmixread_pct, 70, "mix");
	OK(job_reads(&j) && job_writes(&j) && job_random(&j), "randrw");
	j = parsed(fdatasync8k);
	EQ_U64(j.fdatasync_every, 1, "fdatasync");
	OK(job_syncs(&j) && !job_reads(&j), "syncs");
	j = parsed(seqread);
	OK(j.numjobs == 4 && !j.time_based && !job_random(&j), "seqread");
	EQ_U64(j.size_bytes, UINT64_C(4) << 30, "4G");
	(void)parsed(randread);
	j = parsed(randwrite);
	OK(j.rw == JOB_RANDWRITE && !job_syncs(&j), "randwrite");
	j = parsed(lowqd);
	EQ_U64(j.ramp_ns, 5 * S, "ramp");
	OK(j.norandommap && !j.randrepeat, "no map, no repeat");
	EQ_U64(j.percentile_count, 6, "six percentiles");
}

/* words -> what job_canonical says of them, or "!" and part of the error. */
static const struct {
	const char *words, *want;
} cases[] = {
	{ "rw=randread", "rw=randread\n" },
	{ "--rw randread --bs 8k", "bs=8192\n" },
	{ "-rw=write", "rw=write\n" },
	{ "readwrite=readwrite rwmixwrite=20", "rwmixread=80\n" },
	{ "rwmixwrite=100", "rwmixread=0\n" },
	{ "time_based runtime=500ms", "runtime_ns=500000000\n" },
	{ "timeout=2m", "runtime_ns=120000000000\n" },
	{ "bs=4096b size=1g", "size=1073741824\n" },
	{ "bs=16kB", "bs=16384\n" },
	{ "number_ios=7", "number_ios=7\n" },
	{ "randseed=9223372036854775807", "randseed=9223372036854775807\n" },
	{ "randseed=9223372036854775808", "!from 1" },
	{ "number_ios=9 time_based runtime=1", "!would ignore" },
	{ "size=4M numjobs=2 offset_increment=1M",
		"offset_increment=1048576\n" },
	{ "allrandrepeat=1", "allrandrepeat=1\n" },
	{ "runs=3 fsync=32", "runs=3\n" },
	{ "--thread --stonewall --exitall --eta=never", "rw=read\n" },
	{ "--filename=\"${LAB}/x y\" --name='my job/1'", "name=my_job_1\n" },
	{ "", "!without words" },
	{ "fio fio", "!more than one" },
	{ "name=a name=b", "!second name" },
	{ "name=", "!1 to 55" },
	{ "name=global", "!all jobs share" },
	{ "name=0123456789012345678901234567890123456789012345678901234567",
		"!1 to 55" },
	{ "rw=randraed", "!did you mean randread?" },
	{ "rw=randtrim", "!gives blocks back" },
	{ "rw=randread:8", "!colon" },
	{ "ioengine=io_uring", "!take libaio" },
	{ "ioengine=sync", "!psync" },
	{ "ioengine=mmap", "!page cache" },
	{ "ioengine=libiao", "!did you mean libaio?" },
	{ "iodept=4", "!did you mean iodepth?" },
	{ "zzzzzzzz=4", "!is no word of a job" },
	{ "iodepth=0", "!from 1 to 1024" },
	{ "iodepth=1025", "!from 1 to 1024" },
	{ "iodepth=-1", "!from 1 to 1024" },
	{ "iodepth", "!needs a value" },
	{ "--iodepth", "!needs a value" },
	{ "numjobs=0", "!from 1 to 64" },
	{ "rwmixread=101", "!from 0 to 100" },
	{ "bs=0", "!512 B" },
	{ "bs=8M", "!4 MiB" },
	{ "bs=4k,8k", "!reads and writes alike" },
	{ "bs=4k-64k", "!reads and writes alike" },
	{ "bs=4KiB", "!1000 bytes" },
	{ "bs=1.5k", "!whole numbers" },
	{ "bs=1000", "!multiple of 512" },
	{ "bs=4x", "!not a size" },
	{ "size=50%", "!made by the run" },
	{ "size=2k bs=4k", "!smaller than one block" },
	{ "size=1P bs=512 rw=randread", "!2^32 blocks" },
	{ "offset_increment=1M", "!needs size=" },
	{ "size=4M offset_increment=1k", "!no multiple of bs" },
	{ "runtime=0.7", "!700ms" },
	{ "runtime=8d", "!a week" },
	{ "runtime=x", "!not a time" },
	{ "time_based", "!needs a runtime" },
	{ "time_based=2 runtime=1", "!from 0 to 1" },
	{ "ramp_time=1", "!needs a runtime" },
	{ "end_fsync", "!needs a value" },
	{ "randseed=0", "!from 1" },
	{ "percentile_list=50:", "!as in 50:99:99.9" },
	{ "percentile_list=0", "!as in 50:99:99.9" },
	{ "percentile_list=100.1", "!as in 50:99:99.9" },
	{ "percentile_list=99.9999", "!as in 50:99:99.9" },
	{ "percentile_list=99:50", "!rising" },
	{ "percentile_list=1:2:3:4:5:6:7:8:9", "!8 at most" },
	{ "ioengine=psync iodepth=4", "!depth 1" },
	{ "fsync=1 fdatasync=1", "!take one of them" },
	{ "allrandrepeat=1 randrepeat=0", "!take one of them" },
	{ "direct=0", "!page cache" },
	{ "buffered=1", "!page cache" },
	{ "bsrange=4k-64k", "!one block size" },
	{ "rate_iops=100", "!speed" },
	{ "rate_min=1", "!speed" },
	{ "zonemode=zbd", "!zones" },
	{ "zonesize=1M", "!zones" },
	{ "iodepth_batch=8", "!one submit" },
	{ "size=$SIZE", "!no shell" },
	{ "--size=\"${N}G\"", "!no shell" },
	{ "rw=read | tee x", "!one fio command" },
	{ "rw='read", "!not closed" },
	{ "job.fio", "!is no word of a job" },
};

static void
test_cases(void)
{
	struct job j;
	struct err e;
	struct buf b;
	size_t i;
	int got;

	buf_init(&b);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		e = (struct err){ 0 };
		job_defaults(&j);
		got = job_parse(&j, cases[i].words, &e);
		if (!got)
			got = job_check(&j, &e);
		buf_reset(&b);
		job_canonical(&j, &b);
		if (cases[i].want[0] == '!') {
			if (!OK(got < 0 && e.code == ERR_USAGE &&
					    strstr(e.text, cases[i].want + 1),
				    cases[i].words))
				printf("# %s\n", e.text);
			continue;
		}
		if (!OK(!got && strstr(buf_text(&b), cases[i].want),
			    cases[i].words))
			printf("# %s\n# %s\n", e.text, buf_text(&b));
	}
	buf_free(&b);
}

/* Every row does what its kind says. */
static void
test_table(void)
{
	const struct job_words *w;
	char key[64], value[64];
	struct job j;
	struct err e;
	size_t i, bad = 0;
	bool ok;

	for (i = 0; (w = job_words_at(i)); i++) {
		job_defaults(&j);
		snprintf(key, sizeof(key), "%.*s", (int)strcspn(w->key, "*"),
			w->key);
		e = (struct err){ 0 };
		ok = job_words_find(key) == w || w->key[strlen(key)];
		if (w->kind == JOB_WORDS_ONLY) {
			snprintf(value, sizeof(value), "%.*s",
				(int)strcspn(w->only, "|"), w->only);
			ok = ok && job_set(&j, key, value, &e) == 0 &&
			     job_set(&j, key, "zzz", &e) < 0 &&
			     strstr(e.text, w->why);
		} else if (w->kind == JOB_WORDS_REFUSED) {
			ok = ok && job_set(&j, key, "1", &e) < 0;
			ok = ok &&
			     (w->key[strlen(key)] || strstr(e.text, w->why));
		} else if (w->kind == JOB_WORDS_NOTED) {
			ok = ok && job_set(&j, key, "zzz", &e) == 0 &&
			     job_set(&j, key, NULL, &e) < 0;
		} else if (w->kind == JOB_WORDS_BARE ||
			   w->kind == JOB_WORDS_FLAG) {
			ok = ok && job_set(&j, key, NULL, &e) == 0;
		} else {
			ok = ok && job_set(&j, key, "", &e) < 0;
		}
		if (!ok) {
			printf("# row %s: %s\n", w->key, e.text);
			bad++;
		}
	}
	EQ_U64(bad, 0, "every row of the table");
	OK(i > 100, "fio has many words");
}

static void
test_canonical(void)
{
	struct job j = parsed(qd1);
	struct buf a;

	buf_init(&a);
	job_canonical(&j, &a);
	EQ_STR(buf_text(&a),
		"name=qd1-randread-run-_run\nrw=randread\nioengine=libaio\n"
		"bs=4096\nsize=536870912\noffset_increment=0\n"
		"runtime_ns=12000000000\ntime_based=1\nramp_time_ns=0\n"
		"number_ios=0\niodepth=1\nnumjobs=1\nrwmixread=50\nfsync=0\n"
		"fdatasync=0\nend_fsync=0\nnorandommap=0\nrandrepeat=1\n"
		"allrandrepeat=0\nrandseed=0\nruns=1\n",
		"canonical words: a change here changes every digest");
	buf_free(&a);
}

/* What job_fio prints says the same when it is read again. */
static void
test_fio(void)
{
	static const char *const all[] = { prepare, qd1, qd32, mixed,
		fdatasync8k, seqread, lowqd,
		"rw=rw bs=1536 size=1000001 runtime=1500us number_ios=9 "
		"fsync=3 randseed=5 numjobs=3 offset_increment=3k "
		"percentile_list=0.001:33.25:99.95" };
	struct buf text, want, got;
	struct job a, b;
	struct err e;
	size_t i;
	char *p;

	buf_init(&text);
	buf_init(&want);
	buf_init(&got);
	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		a = parsed(all[i]);
		buf_reset(&text);
		job_fio(&a, "/x/y z:1", &text);
		OK(strstr(buf_text(&text), "filename=/x/y z\\:1\n"),
			"fio's way to write a colon");
		p = strchr(text.data, '\n');
		*strstr(text.data, "filename=") = '#';
		job_defaults(&b);
		if (!OK(job_parse(&b, p, &e) == 0, "read again"))
			printf("# %s\n", e.text);
		memcpy(b.name, a.name, sizeof(b.name));
		buf_reset(&want);
		job_canonical(&a, &want);
		buf_reset(&got);
		job_canonical(&b, &got);
		if (!job_reads(&a) || !job_writes(&a))
			b.rwmixread_pct = a.rwmixread_pct;
		EQ_STR(buf_text(&got), buf_text(&want), "the same job");
		OK(!memcmp(a.percentiles, b.percentiles, sizeof(a.percentiles)),
			"the same percentiles");
	}
	buf_free(&text);
	buf_free(&want);
	buf_free(&got);
}

int
main(void)
{
	test_articles();
	test_cases();
	test_table();
	test_canonical();
	test_fio();
	return tap_done();
}
