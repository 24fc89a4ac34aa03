/*
 * show_fio_file: what a file in fio's shape holds.  Part of show_fio_job; nobody
 * else includes it.
 *
 * fio's JSON, as far as we know what it says; the members are in fio's order.
 * Ground: the output of fio 3.33, --output-format=json.  Latencies are in ns as
 * there, runtimes in ms, rates in KiB/s where no unit is named.  Texts and what
 * is pointed to belong to the one who fills it in; what is absent
 * (shape_clear) is not written.
 */
#ifndef RECEIPT_SHOW_FIO_FILE_H
#define RECEIPT_SHOW_FIO_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/shape.h"

struct show_fio_file_latency {
	uint64_t min, max, mean, stddev, n;
	struct shape_figure *percentile;
	size_t percentile_count;
};

struct show_fio_file_lane {
	uint64_t io_bytes, io_kbytes, bw_bytes, bw;
	double iops;
	uint64_t runtime_ms, total_ios, short_ios, drop_ios;
	struct show_fio_file_latency *slat, *clat, *lat;
};

struct show_fio_file_sync {
	uint64_t total_ios;
	struct show_fio_file_latency *lat;
};

/* The words of the job, all of them texts. */
struct show_fio_file_options {
	const char *name, *rw, *bs, *size, *ioengine, *iodepth, *numjobs;
	const char *direct, *rwmixread, *runtime, *ramp_time, *time_based;
	const char *norandommap, *randrepeat, *randseed, *number_ios;
	const char *offset_increment, *fsync, *fdatasync, *end_fsync;
	const char *percentile_list, *group_reporting;
};

struct show_fio_file_job {
	const char *jobname;
	uint64_t groupid, error, elapsed_s;
	struct show_fio_file_options *options;
	struct show_fio_file_lane *read, *write, *trim;
	struct show_fio_file_sync *sync;
	uint64_t job_runtime_ms;
	double usr_cpu, sys_cpu;
	uint64_t ctx, minf;
};

struct show_fio_file {
	const char *version;
	uint64_t timestamp_s;
	struct show_fio_file_job *jobs;
	size_t job_count;
};

extern const struct shape show_fio_file_latency_shape;
extern const struct shape show_fio_file_lane_shape;
extern const struct shape show_fio_file_sync_shape;
extern const struct shape show_fio_file_options_shape;
extern const struct shape show_fio_file_job_shape;
extern const struct shape show_fio_file_shape;

#endif
