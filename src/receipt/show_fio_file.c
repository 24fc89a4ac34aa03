#include "receipt/show_fio_file.h"

/* Columns: the key, its kind, its place; objects also what they are. */
#define AT(m) offsetof(struct STRUCT, m)
/* clang-format off */
#define ROW(key, kind, m) { key, kind, 0, AT(m), 0, NULL, NULL, 0, NULL }
#define SUB(key, m, sub) { key, SHAPE_OBJECT, 0, AT(m), 0, &sub, NULL, 0, NULL }
/* clang-format on */

#define STRUCT show_fio_file_latency
static const struct shape_field show_fio_file_latency_rows[] = {
	ROW("min", SHAPE_COUNT, min),
	ROW("max", SHAPE_COUNT, max),
	ROW("mean", SHAPE_COUNT, mean),
	ROW("stddev", SHAPE_COUNT, stddev),
	ROW("N", SHAPE_COUNT, n),
	{ "percentile", SHAPE_FIGURES, 0, AT(percentile), AT(percentile_count),
		NULL, NULL, 0, NULL },
	{ 0 },
};
const struct shape show_fio_file_latency_shape = { "latency",
	sizeof(struct STRUCT), show_fio_file_latency_rows, NULL };
#undef STRUCT

#define STRUCT show_fio_file_lane
static const struct shape_field show_fio_file_lane_rows[] = {
	ROW("io_bytes", SHAPE_COUNT, io_bytes),
	ROW("io_kbytes", SHAPE_COUNT, io_kbytes),
	ROW("bw_bytes", SHAPE_COUNT, bw_bytes),
	ROW("bw", SHAPE_COUNT, bw),
	ROW("iops", SHAPE_RATE, iops),
	ROW("runtime", SHAPE_COUNT, runtime_ms),
	ROW("total_ios", SHAPE_COUNT, total_ios),
	ROW("short_ios", SHAPE_COUNT, short_ios),
	ROW("drop_ios", SHAPE_COUNT, drop_ios),
	SUB("slat_ns", slat, show_fio_file_latency_shape),
	SUB("clat_ns", clat, show_fio_file_latency_shape),
	SUB("lat_ns", lat, show_fio_file_latency_shape),
	{ 0 },
};
const struct shape show_fio_file_lane_shape = { "lane", sizeof(struct STRUCT),
	show_fio_file_lane_rows, NULL };
#undef STRUCT

#define STRUCT show_fio_file_sync
static const struct shape_field show_fio_file_sync_rows[] = {
	ROW("total_ios", SHAPE_COUNT, total_ios),
	SUB("lat_ns", lat, show_fio_file_latency_shape),
	{ 0 },
};
const struct shape show_fio_file_sync_shape = { "sync", sizeof(struct STRUCT),
	show_fio_file_sync_rows, NULL };
#undef STRUCT

#define STRUCT	  show_fio_file_options
#define OPTION(m) ROW(#m, SHAPE_TEXT, m)
static const struct shape_field show_fio_file_options_rows[] = {
	OPTION(name),
	OPTION(rw),
	OPTION(bs),
	OPTION(size),
	OPTION(ioengine),
	OPTION(iodepth),
	OPTION(numjobs),
	OPTION(direct),
	OPTION(rwmixread),
	OPTION(runtime),
	OPTION(ramp_time),
	OPTION(time_based),
	OPTION(norandommap),
	OPTION(randrepeat),
	OPTION(randseed),
	OPTION(number_ios),
	OPTION(offset_increment),
	OPTION(fsync),
	OPTION(fdatasync),
	OPTION(end_fsync),
	OPTION(percentile_list),
	OPTION(group_reporting),
	{ 0 },
};
const struct shape show_fio_file_options_shape = { "options",
	sizeof(struct STRUCT), show_fio_file_options_rows, NULL };
#undef STRUCT

#define STRUCT show_fio_file_job
static const struct shape_field show_fio_file_job_rows[] = {
	ROW("jobname", SHAPE_TEXT, jobname),
	ROW("groupid", SHAPE_COUNT, groupid),
	ROW("error", SHAPE_COUNT, error),
	ROW("elapsed", SHAPE_COUNT, elapsed_s),
	SUB("job options", options, show_fio_file_options_shape),
	SUB("read", read, show_fio_file_lane_shape),
	SUB("write", write, show_fio_file_lane_shape),
	SUB("trim", trim, show_fio_file_lane_shape),
	SUB("sync", sync, show_fio_file_sync_shape),
	ROW("job_runtime", SHAPE_COUNT, job_runtime_ms),
	ROW("usr_cpu", SHAPE_RATE, usr_cpu),
	ROW("sys_cpu", SHAPE_RATE, sys_cpu),
	ROW("ctx", SHAPE_COUNT, ctx),
	ROW("minf", SHAPE_COUNT, minf),
	{ 0 },
};
const struct shape show_fio_file_job_shape = { "job", sizeof(struct STRUCT),
	show_fio_file_job_rows, NULL };
#undef STRUCT

#define STRUCT show_fio_file
static const struct shape_field show_fio_file_rows[] = {
	ROW("fio version", SHAPE_TEXT, version),
	ROW("timestamp", SHAPE_COUNT, timestamp_s),
	{ "jobs", SHAPE_LIST, 0, AT(jobs), AT(job_count),
		&show_fio_file_job_shape, NULL, 0, NULL },
	{ 0 },
};
const struct shape show_fio_file_shape = { "fio", sizeof(struct STRUCT),
	show_fio_file_rows, NULL };
#undef STRUCT
