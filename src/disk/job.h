/*
 * job: one declared workload, plain data in fio's words.
 *
 * The words and their meaning are fio's (HOWTO of fio 3.x); `runs` is ours:
 * the job is measured that many times, a window each.
 */
#ifndef DISK_JOB_H
#define DISK_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

#define JOB_NAME_MAX	    64
#define JOB_PERCENTILES_MAX 8
#define JOB_IODEPTH_MAX	    1024
#define JOB_NUMJOBS_MAX	    64
#define JOB_BS_MAX_BYTES    (UINT64_C(4) << 20)
#define JOB_RUNS_MAX	    16
#define JOB_SIZE_MAX_BYTES  (UINT64_C(1) << 50)
#define JOB_TIME_MAX_NS	    (UINT64_C(7) * 86400 * 1000000000) /* a week */

enum job_rw {
	JOB_READ,
	JOB_WRITE,
	JOB_RW,
	JOB_RANDREAD,
	JOB_RANDWRITE,
	JOB_RANDRW
};
enum job_ioengine { JOB_LIBAIO, JOB_PSYNC };

struct job {
	char name[JOB_NAME_MAX];
	enum job_rw rw;
	enum job_ioengine ioengine;
	uint64_t bs_bytes;
	uint64_t size_bytes; /* of the region each thread works on; 0 = unset */
	uint64_t runtime_ns; /* 0 = one pass over size */
	uint64_t ramp_ns;    /* fio's ramp_time: before it, nothing counts */
	uint64_t offset_increment_bytes; /* thread k starts at k times this */
	uint64_t number_ios; /* stop after so many; 0 = no such limit */
	uint64_t randseed;   /* 0 = fio's default seeds */
	uint32_t iodepth;
	uint32_t numjobs;
	uint32_t rwmixread_pct;
	uint32_t fsync_every; /* fsync after every n-th write; 0 = never */
	uint32_t fdatasync_every;
	uint32_t runs;
	bool time_based;
	bool end_fsync;
	bool norandommap;
	bool randrepeat;      /* default true, as in fio */
	bool allrandrepeat;   /* other seeds up to fio 3.34, none of it later */
	bool group_reporting; /* noted; figures are always of the group */
	bool lat_percentiles; /* noted; all latencies are always kept */
	bool stonewall;	      /* noted; windows never overlap */
	double percentiles
		[JOB_PERCENTILES_MAX]; /* percentile_list; n = 0: ours */
	uint32_t percentile_count;
};

/* fio's defaults with direct=1; libaio, 4k read, iodepth 1, one job, one run. */
void job_defaults(struct job *j);

/*
 * Read fio's command line words into j, which holds defaults already:
 * "--rw=randread --bs=4k ..." or "rw=randread bs=4k", with or without a
 * leading "fio", quotes and backslash-newlines as a shell would take them.
 * Words that mean nothing here are accepted (--output, --output-format,
 * --filename, --invalidate=1 ...); words that would make another experiment
 * (direct=0, ioengine=io_uring) are refused with a sentence; unknown words
 * name the nearest known one.  ERR_USAGE.
 *
 * Values are fio's: 4k is 4096 bytes, a time without a unit is in seconds.
 * What fio reads in a way that nobody means is refused: 4KiB (4000 bytes to
 * fio), 1.5G, runtime=0.7 (0).  Characters that a window's name may not have
 * (all but letters, digits and "._+-") become '_' in name=.
 */
int job_parse(struct job *j, const char *words, struct err *e);

/* One word "key=value" (no dashes); value NULL where there is no '='. */
int job_set(struct job *j, const char *key, const char *value, struct err *e);

/*
 * Do the values fit together (bs <= size, time_based with a runtime ...)?
 * psync with iodepth > 1 is refused: fio would run it at depth 1 with a note,
 * and a plan must not declare a depth that is not held.
 */
int job_check(const struct job *j, struct err *e);

/* From the first job's first byte to the last one's end; 0 = size unset. */
uint64_t job_span_bytes(const struct job *j);
bool job_reads(const struct job *j);
bool job_writes(const struct job *j);
bool job_random(const struct job *j);
bool job_syncs(const struct job *j);	 /* fsync or fdatasync in the loop */
const char *job_rw_word(enum job_rw rw); /* "randread" */
const char *job_ioengine_word(enum job_ioengine e); /* "libaio" */

/*
 * Append the job in canonical words, one a line "key=value", every key in
 * fixed order, numbers in bytes and ns: what the plan's digest is made of.
 * Words that change no I/O (group_reporting, percentile_list ...) are absent.
 */
void job_canonical(const struct job *j, struct buf *out);

/* Append the job as a section of a fio job file; filename as given. */
void job_fio(const struct job *j, const char *filename, struct buf *out);

#endif
