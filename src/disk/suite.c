#include "disk/suite.h"

#include <string.h>

#define KIB UINT64_C(1024)
#define MIB (KIB << 10)
#define GIB (MIB << 10)
#define S   UINT64_C(1000000000)

/*
 * A job's columns: name, rw, block size, iodepth, numjobs, per cent of reads
 * (50 is fio's default where it means nothing), runs.
 */
#define JOB(label, pattern, bs, depth, jobs, mix, times)                       \
	.name = label, .rw = JOB_##pattern, .bs_bytes = bs, .iodepth = depth,  \
	.numjobs = jobs, .rwmixread_pct = mix, .runs = times,                  \
	.time_based = true, .group_reporting = true

/* What all windows of a suite share. */
#define BASELINE                                                               \
	.size_bytes = 512 * MIB, .runtime_ns = 12 * S, .randrepeat = true,     \
	.percentiles = { 50, 95, 99, 99.9 }, .percentile_count = 4
#define LOWQD                                                                  \
	.size_bytes = 2 * GIB, .runtime_ns = 30 * S, .ramp_ns = 5 * S,         \
	.norandommap = true, .percentiles = { 50, 90, 95, 99, 99.9, 99.99 },   \
	.percentile_count = 6
#define TUNING	 .runtime_ns = 30 * S, .randrepeat = true
#define STANDARD .size_bytes = 4 * GIB, .runtime_ns = 60 * S, .randrepeat = true
/* Two threads in one file of 4 GiB: each has a half. */
#define STANDARD_HALVES                                                        \
	.size_bytes = 2 * GIB, .offset_increment_bytes = 2 * GIB,              \
	.runtime_ns = 60 * S, .randrepeat = true
#define SUSTAINED                                                              \
	.size_bytes = 512 * MIB, .runtime_ns = 300 * S, .randrepeat = true

/* Four questions of a buyer: responsiveness, parallelism, a mix, commits. */
static const struct job baseline[] = {
	{ JOB("qd1-randread", RANDREAD, 4 * KIB, 1, 1, 50, 3), BASELINE },
	{ JOB("qd32-randread", RANDREAD, 4 * KIB, 32, 1, 50, 1), BASELINE },
	{ JOB("qd4-mixed-70-30", RANDRW, 4 * KIB, 4, 1, 70, 1), BASELINE },
	{ JOB("fdatasync-8k-write", RANDWRITE, 8 * KIB, 1, 1, 50, 1), BASELINE,
		.ioengine = JOB_PSYNC, .fdatasync_every = 1 },
};

/* Mixes at the depths that a small server sees. */
#define LOWQD_JOBS(name, bs, mix, depth)                                       \
	{ JOB(name "1", RANDRW, bs, depth, 1, mix, 1), LOWQD },                \
	{                                                                      \
		JOB(name "2", RANDRW, bs, depth, 2, mix, 1), LOWQD             \
	}
#define LOWQD_DEPTHS(name, bs, mix)                                            \
	LOWQD_JOBS(name "_qd1_jobs", bs, mix, 1),                              \
		LOWQD_JOBS(name "_qd2_jobs", bs, mix, 2),                      \
		LOWQD_JOBS(name "_qd4_jobs", bs, mix, 4)

static const struct job lowqd[] = {
	LOWQD_DEPTHS("randrw_70read_4k", 4 * KIB, 70),
	LOWQD_DEPTHS("randrw_50read_4k", 4 * KIB, 50),
	LOWQD_DEPTHS("randrw_70read_8k", 8 * KIB, 70),
	LOWQD_DEPTHS("randrw_50read_8k", 8 * KIB, 50),
};

/*
 * What a change of scheduler or mount options moves.  The four sequential
 * readers share one file of 4 GiB: each has a quarter.
 */
static const struct job tuning[] = {
	{ JOB("qd32-seqread-1m-jobs4", READ, MIB, 32, 4, 50, 1), TUNING,
		.size_bytes = GIB, .offset_increment_bytes = GIB },
	{ JOB("qd32-randread-jobs4", RANDREAD, 4 * KIB, 32, 4, 50, 1), TUNING,
		.size_bytes = 4 * GIB },
	{ JOB("qd32-randwrite-jobs4", RANDWRITE, 4 * KIB, 32, 4, 50, 1), TUNING,
		.size_bytes = 4 * GIB },
	{ JOB("qd1-mixed-70-30", RANDRW, 4 * KIB, 1, 1, 70, 1), TUNING,
		.size_bytes = 4 * GIB },
};

/* What a public comparison of machines measures, and a look at who disturbs. */
static const struct job standard[] = {
	{ JOB("qd1-randread", RANDREAD, 4 * KIB, 1, 1, 50, 1), STANDARD },
	{ JOB("qd1-randwrite", RANDWRITE, 4 * KIB, 1, 1, 50, 1), STANDARD },
	{ JOB("qd32-randread-jobs4", RANDREAD, 4 * KIB, 32, 4, 50, 1),
		STANDARD },
	{ JOB("qd32-randwrite-jobs4", RANDWRITE, 4 * KIB, 32, 4, 50, 1),
		STANDARD },
	{ JOB("qd32-mixed-70-30-jobs4", RANDRW, 4 * KIB, 32, 4, 70, 1),
		STANDARD },
	{ JOB("qd16-seqread-64k-jobs2", READ, 64 * KIB, 16, 2, 50, 1),
		STANDARD_HALVES },
	{ JOB("qd16-seqwrite-64k-jobs2", WRITE, 64 * KIB, 16, 2, 50, 1),
		STANDARD_HALVES },
	{ JOB("qd16-seqread-1m-jobs2", READ, MIB, 16, 2, 50, 1),
		STANDARD_HALVES },
	{ JOB("qd16-seqwrite-1m-jobs2", WRITE, MIB, 16, 2, 50, 1),
		STANDARD_HALVES },
	{ JOB("qd1-randread-latency", RANDREAD, 4 * KIB, 1, 1, 50, 1), STANDARD,
		.lat_percentiles = true },
	{ JOB("fsync-4k-write", RANDWRITE, 4 * KIB, 1, 1, 50, 1), STANDARD,
		.fsync_every = 1 },
};

static const struct suite_probe neighbour = {
	.job = { JOB("neighbour", RANDREAD, 4 * KIB, 1, 1, 50, 6),
		.size_bytes = 4 * GIB, .runtime_ns = S, .randrepeat = true },
	.length_ns = 60 * S,
	.every_ns = 10 * S,
};

/* Long enough to empty a bucket of burst credits. */
static const struct job sustained[] = {
	{ JOB("qd32-randread-300s", RANDREAD, 4 * KIB, 32, 1, 50, 1),
		SUSTAINED },
};

#define JOBS(table) table, sizeof(table) / sizeof((table)[0])

static const struct suite suites[] = {
	{ "baseline", "latency, parallelism, a mix and commits in 75 s",
		JOBS(baseline), 2 * GIB, NULL },
	{ "lowqd", "24 mixes at depths of 1 to 4 in 14 min", JOBS(lowqd), 0,
		NULL },
	{ "tuning", "sequential and random at depth 32 in 2 min", JOBS(tuning),
		0, NULL },
	{ "standard",
		"a VM comparison's 11 windows and a look for neighbours in "
		"12 min",
		JOBS(standard), 0, &neighbour },
	{ "sustained", "one window of 5 min: does the speed last?",
		JOBS(sustained), 0, NULL },
};

#define SUITES (sizeof(suites) / sizeof(suites[0]))

static const char *const names[] = { "baseline", "lowqd", "tuning", "standard",
	"sustained", NULL };

const struct suite *
suite_at(size_t index)
{
	return index < SUITES ? &suites[index] : NULL;
}

const struct suite *
suite_find(const char *name)
{
	size_t i;

	for (i = 0; i < SUITES; i++)
		if (!strcmp(suites[i].name, name))
			return &suites[i];
	return NULL;
}

const char *const *
suite_names(void)
{
	return names;
}
