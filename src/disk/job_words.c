#include "disk/job_words.h"

#include <string.h>

#include "base/units.h"
#include "disk/job.h"

/* One macro a kind of row, so that a row is a line. */
#define NUMBER(key, kind, member, min, max)                                    \
	{                                                                      \
		key, JOB_WORDS_##kind, NULL, NULL,                             \
			offsetof(struct job, member), min, max                 \
	}
#define PLAIN(key, kind, member) NUMBER(key, kind, member, 0, 0)
#define WORD(key, kind)                                                        \
	{                                                                      \
		key, JOB_WORDS_##kind, NULL, NULL, 0, 0, 0                     \
	}
#define ONLY(key, only, why)                                                   \
	{                                                                      \
		key, JOB_WORDS_ONLY, why, only, 0, 0, 0                        \
	}
#define NEVER(key, why)                                                        \
	{                                                                      \
		key, JOB_WORDS_REFUSED, why, NULL, 0, 0, 0                     \
	}
#define NOTED(key) WORD(key, NOTED)
#define BARE(key)  WORD(key, BARE)

#define ONE_BY_ONE                                                             \
	"one submit and one reap an I/O is the method here, and fio's default"
#define ALL_LATENCIES "every latency is measured here, always"
#define NO_LOGS                                                                \
	"the receipt holds the series and the histograms; no logs are written"
#define WHOLE_MACHINE                                                          \
	"priorities, CPUs and groups are left as the machine has them"
#define DATA_IS_NEW                                                            \
	"written data never repeat and never compress here: thin pools and "   \
	"compression must not help"
#define FULL_SPEED "only the speed that the disk can do is measured here"
#define ONE_BS	   "one block size a job, for reads and writes alike"
#define ONE_FILE                                                               \
	"one file is measured; its size is size=, its start is its beginning"
#define NO_VERIFY  "contents are not verified here; every I/O's result is"
#define NO_TRIM	   "trim gives blocks back, which no window here measures"
#define NO_ZONES   "zones are not measured here"
#define UNIFORM	   "offsets are drawn evenly from the whole file here"
#define NO_REPLAY  "no I/O logs are replayed or written here"
#define NO_COMMAND "no other program is run here"
#define ONE_RUN	   "a window ends by runtime, size or number_ios"
#define LOCAL	   "a machine measures itself; receipts travel instead"

static const struct job_words table[] = {
	/* understood */
	WORD("name", NAME),
	WORD("rw", RW),
	WORD("readwrite", RW),
	WORD("ioengine", ENGINE),
	NUMBER("bs", BYTES, bs_bytes, 512, JOB_BS_MAX_BYTES),
	NUMBER("blocksize", BYTES, bs_bytes, 512, JOB_BS_MAX_BYTES),
	NUMBER("size", BYTES, size_bytes, 512, JOB_SIZE_MAX_BYTES),
	NUMBER("offset_increment", BYTES, offset_increment_bytes, 0,
		JOB_SIZE_MAX_BYTES),
	PLAIN("runtime", TIME, runtime_ns),
	PLAIN("timeout", TIME, runtime_ns),
	PLAIN("ramp_time", TIME, ramp_ns),
	NUMBER("number_ios", U64, number_ios, 0, UINT64_C(1) << 53),
	NUMBER("randseed", U64, randseed, 1, INT64_MAX),
	NUMBER("iodepth", U32, iodepth, 1, JOB_IODEPTH_MAX),
	NUMBER("numjobs", U32, numjobs, 1, JOB_NUMJOBS_MAX),
	NUMBER("rwmixread", U32, rwmixread_pct, 0, 100),
	NUMBER("rwmixwrite", MIX, rwmixread_pct, 0, 100),
	NUMBER("fsync", U32, fsync_every, 0, 1000000),
	NUMBER("fdatasync", U32, fdatasync_every, 0, 1000000),
	NUMBER("runs", U32, runs, 1, JOB_RUNS_MAX),
	PLAIN("time_based", FLAG, time_based),
	PLAIN("end_fsync", BOOL, end_fsync),
	PLAIN("norandommap", FLAG, norandommap),
	PLAIN("randrepeat", BOOL, randrepeat),
	PLAIN("allrandrepeat", BOOL, allrandrepeat),
	PLAIN("group_reporting", FLAG, group_reporting),
	PLAIN("lat_percentiles", BOOL, lat_percentiles),
	PLAIN("stonewall", FLAG, stonewall),
	PLAIN("wait_for_previous", FLAG, stonewall),
	WORD("percentile_list", LIST),
	/* understood in one way only */
	ONLY("direct", "1",
		"without direct I/O the page cache is measured, not the disk"),
	ONLY("buffered", "0",
		"buffered I/O measures the page cache, not the disk"),
	ONLY("sync", "0|none",
		"files are not opened O_SYNC here: take fdatasync=1 or "
		"fsync=1"),
	ONLY("loops", "1", "take runs=N: a window each"),
	ONLY("nrfiles", "1", ONE_FILE),
	ONLY("nr_files", "1", ONE_FILE),
	ONLY("openfiles", "1", ONE_FILE),
	ONLY("offset", "0", ONE_FILE),
	ONLY("iodepth_batch", "1", ONE_BY_ONE),
	ONLY("iodepth_batch_submit", "1", ONE_BY_ONE),
	ONLY("iodepth_batch_complete", "1", ONE_BY_ONE),
	ONLY("iodepth_batch_complete_min", "1", ONE_BY_ONE),
	ONLY("iodepth_batch_complete_max", "1", ONE_BY_ONE),
	ONLY("io_submit_mode", "inline", ONE_BY_ONE),
	ONLY("serialize_overlap", "0", ONE_BY_ONE),
	ONLY("random_distribution", "random", UNIFORM),
	ONLY("random_generator", "tausworthe",
		"offsets are drawn with tausworthe, fio's default"),
	ONLY("percentage_random", "100", UNIFORM),
	ONLY("zonemode", "none", NO_ZONES),
	ONLY("verify", "0|none", NO_VERIFY),
	ONLY("do_verify", "0", NO_VERIFY),
	ONLY("scramble_buffers", "1", DATA_IS_NEW),
	ONLY("zero_buffers", "0", DATA_IS_NEW),
	ONLY("buffer_compress_percentage", "0", DATA_IS_NEW),
	ONLY("dedupe_percentage", "0", DATA_IS_NEW),
	ONLY("thinktime", "0", FULL_SPEED),
	ONLY("startdelay", "0", FULL_SPEED),
	ONLY("rate", "0", FULL_SPEED),
	ONLY("rate_iops", "0", FULL_SPEED),
	ONLY("pre_read", "0", "the file is not read before it is measured"),
	ONLY("gtod_reduce", "0", ALL_LATENCIES),
	ONLY("disable_lat", "0", ALL_LATENCIES),
	ONLY("disable_clat", "0", ALL_LATENCIES),
	ONLY("disable_slat", "0", ALL_LATENCIES),
	ONLY("stats", "1", ALL_LATENCIES),
	ONLY("clocksource", "clock_gettime",
		"stamps come from clock_gettime(CLOCK_MONOTONIC)"),
	ONLY("unified_rw_reporting", "0|none",
		"reads and writes are told apart here"),
	ONLY("kb_base", "1024", "4k is 4096 bytes here"),
	ONLY("mem", "malloc|mmap", "buffers are plain memory here"),
	ONLY("iomem", "malloc|mmap", "buffers are plain memory here"),
	ONLY("continue_on_error", "none|0",
		"a failed I/O makes the window incomplete, always"),
	/* without a meaning here */
	NOTED("filename"),
	NOTED("directory"),
	NOTED("filename_format"),
	NOTED("description"),
	NOTED("output"),
	NOTED("output-format"),
	BARE("minimal"),
	BARE("append-terse"),
	NOTED("terse-version"),
	NOTED("eta"),
	NOTED("eta-interval"),
	NOTED("eta-newline"),
	NOTED("status-interval"),
	BARE("warnings-fatal"),
	NOTED("max-jobs"),
	NOTED("alloc-size"),
	NOTED("aux-path"),
	NOTED("invalidate"),
	NOTED("fadvise_hint"),
	NOTED("fallocate"),
	NOTED("overwrite"),
	NOTED("create_serialize"),
	NOTED("create_fsync"),
	NOTED("create_on_open"),
	NOTED("allow_file_create"),
	NOTED("allow_mounted_write"),
	NOTED("file_service_type"),
	NOTED("unlink"),
	NOTED("iomem_align"),
	NOTED("mem_align"),
	BARE("refill_buffers"),
	NOTED("softrandommap"),
	NOTED("rwmixcycle"),
	BARE("thread"),
	BARE("exitall"),
	BARE("exitall_on_error"),
	BARE("new_group"),
	NOTED("wait_for"),
	NOTED("clat_percentiles"),
	NOTED("slat_percentiles"),
	NOTED("disk_util"),
	NOTED("disable_bw"),
	NOTED("disable_bw_measurement"),
	NOTED("per_job_logs"),
	NOTED("bwavgtime"),
	NOTED("iopsavgtime"),
	NOTED("significant_figures"),
	NOTED("unit_base"),
	/* another experiment */
	NEVER("iodepth_low", ONE_BY_ONE),
	NEVER("userspace_reap", "--reap says how completions are fetched"),
	NEVER("bsrange", ONE_BS),
	NEVER("blocksize_range", ONE_BS),
	NEVER("bssplit", ONE_BS),
	NEVER("bs_*", ONE_BS),
	NEVER("blocksize_unaligned", ONE_BS),
	NEVER("ba", ONE_BS),
	NEVER("blockalign", ONE_BS),
	NEVER("filesize", ONE_FILE),
	NEVER("file_append", ONE_FILE),
	NEVER("fill_*", ONE_FILE),
	NEVER("offset_align", ONE_FILE),
	NEVER("opendir", ONE_FILE),
	NEVER("io_size", ONE_RUN),
	NEVER("io_limit", ONE_RUN),
	NEVER("steadystate*", ONE_RUN),
	NEVER("ss", ONE_RUN),
	NEVER("ss_*", ONE_RUN),
	NEVER("max_latency", ONE_RUN),
	NEVER("latency_*", FULL_SPEED),
	NEVER("thinktime_*", FULL_SPEED),
	NEVER("rate_*", FULL_SPEED),
	NEVER("ratemin", FULL_SPEED),
	NEVER("ratecycle", FULL_SPEED),
	NEVER("flow*", FULL_SPEED),
	NEVER("rw_sequencer", UNIFORM),
	NEVER("percentage_sequential", UNIFORM),
	NEVER("zone*", NO_ZONES),
	NEVER("verify*", NO_VERIFY),
	NEVER("trim*", NO_TRIM),
	NEVER("buffer_*", DATA_IS_NEW),
	NEVER("dedupe_*", DATA_IS_NEW),
	NEVER("write_barrier", "take fdatasync=1"),
	NEVER("sync_file_range", "it makes nothing durable: take fdatasync=1"),
	NEVER("fsync_on_close", "take end_fsync=1"),
	NEVER("atomic", "atomic writes are not measured here"),
	NEVER("write_iolog", NO_REPLAY),
	NEVER("read_iolog*", NO_REPLAY),
	NEVER("replay_*", NO_REPLAY),
	NEVER("write_*", NO_LOGS),
	NEVER("log_*", NO_LOGS),
	NEVER("latency-log", NO_LOGS),
	NEVER("bandwidth-log", NO_LOGS),
	NEVER("exec_*", NO_COMMAND),
	NEVER("profile", NO_COMMAND),
	NEVER("trigger*", NO_COMMAND),
	NEVER("ioscheduler", WHOLE_MACHINE),
	NEVER("nice", WHOLE_MACHINE),
	NEVER("prio*", WHOLE_MACHINE),
	NEVER("cgroup*", WHOLE_MACHINE),
	NEVER("numa_*", WHOLE_MACHINE),
	NEVER("lockmem", WHOLE_MACHINE),
	NEVER("cpus_allowed*", "take --cpu"),
	NEVER("cpumask", "take --cpu"),
	NEVER("uid", "start it as that user"),
	NEVER("gid", "start it as that user"),
	NEVER("client", LOCAL),
	NEVER("server*", LOCAL),
	NEVER("remote-config", LOCAL),
	NEVER("daemonize", LOCAL),
	NEVER("readonly", "rw=read and rw=randread write nothing in a window"),
	NEVER("section", "it picks from a job file"),
};

#define ROWS (sizeof(table) / sizeof(table[0]))

const struct job_words *
job_words_find(const char *key)
{
	size_t i, len;

	for (i = 0; i < ROWS; i++) {
		len = strlen(table[i].key);
		if (!strcmp(key, table[i].key))
			return &table[i];
		if (table[i].key[len - 1] == '*' &&
			!strncmp(key, table[i].key, len - 1))
			return &table[i];
	}
	return NULL;
}

const char *
job_words_nearest(const char *key)
{
	const char *names[ROWS + 1];
	size_t i, n = 0;

	for (i = 0; i < ROWS; i++)
		if (table[i].kind != JOB_WORDS_REFUSED)
			names[n++] = table[i].key;
	names[n] = NULL;
	return units_nearest(key, names);
}

const struct job_words *
job_words_at(size_t index)
{
	return index < ROWS ? &table[index] : NULL;
}
