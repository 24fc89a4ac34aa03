/*
 * receipt: the model of what a run leaves behind, as plain structs.
 *
 * One field table a struct (fields.c) writes, reads, checks and documents it;
 * see base/shape.h for how absent facts and withheld percentiles are held.
 * Everything a receipt points to lives in one arena.  Latencies are integers
 * in ns, counts integers below 2^53, rates have 3 decimals.  No figure in
 * here was not measured: what is missing is absent and named in `incomplete`.
 */
#ifndef RECEIPT_RECEIPT_H
#define RECEIPT_RECEIPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/shape.h"

#define RECEIPT_SCHEMA	  "ioreceipt/1"
#define RECEIPT_MEDIAN	  "ioreceipt-median/1" /* made of receipts: derived */
#define RECEIPT_MAX_BYTES ((size_t)4 << 20)    /* a longer file is no receipt */

struct receipt_reason {
	const char *what; /* "window qd32-randread", "guard", "prepare" */
	const char *why;  /* one sentence */
};

struct receipt_tool {
	const char *name;		     /* "ioreceipt" */
	const char *version, *arch, *sha256; /* of the binary that ran */
	const char *musl, *bearssl, *libaio, *jansson;
};

struct receipt_clock {
	const char *started_utc, *ended_utc;
	const char *state; /* synced | unsynced | unset */
	const char *source;
	uint64_t read_cost_ns;
};

/* A job in fio's words, numbers in bytes and ns. */
struct receipt_job {
	const char *name, *rw, *ioengine;
	uint64_t bs_bytes, size_bytes, iodepth, numjobs, rwmixread_pct;
	uint64_t runtime_ns, ramp_ns, fsync, fdatasync, runs;
	uint64_t offset_increment_bytes, number_ios, randseed;
	int8_t direct, time_based, norandommap, randrepeat, end_fsync;
	double *percentiles; /* percentile_list; absent = fio's own list */
	size_t percentile_count;
};

struct receipt_plan {
	const char *suite, *digest; /* sha256 of the canonical text, hex */
	uint64_t method;
	const char *sequence; /* fio3.35 | fio3.34 */
	uint64_t size_bytes;
	struct receipt_job *jobs;
	size_t job_count;
};

struct receipt_host {
	const char *os, *kernel, *cpu_model;
	uint64_t cpus, memory_bytes;
	double cpu_limit_pct; /* of a control group; 100 = one CPU */
	const char *virtualisation, *dmi_vendor, *dmi_product, *container;
	int8_t fstrim_timer; /* absent where systemd does not run */
};

struct receipt_layer {
	const char *layer, *name, *model, *transport;
	uint64_t size_bytes;
	int8_t rotational;
	const char *scheduler, *write_cache;
	uint64_t logical_block_bytes, physical_block_bytes;
	uint64_t discard_max_bytes, nr_requests;
};

struct receipt_limit {
	const char *source;
	const char *name; /* of the layer that it is on */
	uint64_t rbps, wbps, riops, wiops;
};

struct receipt_target {
	const char *filesystem, *mount_options;
	uint64_t size_bytes, available_bytes, dio_align_bytes;
	int8_t nocow, took_over; /* took_over: an abandoned lab was reused */
	const char *backing;	 /* disk | memory | unknown */
	const char *backing_why; /* where it is not disk */
	int8_t allowed_memory;	 /* --allow-memory-backed: tainted */
	struct receipt_layer *stack;
	size_t stack_count;
	struct receipt_limit *limits;
	size_t limit_count;
};

struct receipt_check {
	const char *name;
	int8_t holds;
};

struct receipt_prepare {
	uint64_t bytes, elapsed_ns;
	double bw_bytes;
	uint64_t device_bytes; /* seen by the device's counters, else by the
	                          kernel's write_bytes */
	uint64_t first_quarter_ns, last_quarter_ns; /* of the writing */
	struct receipt_check *checks;
	size_t check_count;
};

/* One latency distribution, ns. */
struct receipt_latency {
	uint64_t n, min, mean, stddev;
	uint64_t p50, p95, p99, p99_9, p99_99; /* SHAPE_WITHHELD = too few */
	uint64_t max;
	uint64_t tw_p50, tw_p99; /* time-weighted; lat only */
	/*
	 * The samples by buckets, 2^bucket_bits to the octave (6: fio's; 4;
	 * absent is 6): index of the first that is not empty, then a count
	 * for each, where a stretch of empty ones is a 0 and its length.
	 * latency_unfold reads it.
	 */
	uint64_t bucket_bits;
	uint64_t *buckets;
	size_t bucket_count; /* numbers in buckets */
};

/* One direction. */
struct receipt_lane {
	uint64_t ios, bytes, errors;
	double iops, bw_bytes;
	struct receipt_latency *slat_ns, *clat_ns, *lat_ns;
};

struct receipt_series {
	uint64_t interval_ns;
	uint64_t *read_ios, *write_ios, *worst_ns;
	size_t read_count, write_count, worst_count;
};

struct receipt_engine {
	const char *name, *reap; /* libaio | psync; ring | syscall */
	uint64_t ticker_ns, submits;
	uint64_t slow_submits_100us, slow_submits_1ms, slow_submit_ns;
	uint64_t early_completions, queue_short_ns;
};

struct receipt_cpu {
	uint64_t user_ns, system_ns;
	uint64_t voluntary_switches, involuntary_switches, minor_faults;
	double steal_pct; /* this and the next: over the whole window */
	double steal_worst_cpu_pct, steal_worst_second_pct;
	uint64_t steal_interval_ns; /* of each of the series */
	double *steal_series_pct;
	size_t steal_series_count;
	uint64_t runqueue_wait_ns;
	double others_cpu_pct, kernel_cpu_pct; /* of one CPU: may be over 100 */
};

/*
 * The one disk below the target.  other: moved by it beyond what we did;
 * missing: of what we did, what it did not move (a cache answered, or keeps
 * it).  wait: sum over its requests of the time that each took, so that
 * read_wait_ns / read_ios is what the disk itself needs for a read.
 */
struct receipt_device {
	uint64_t read_bytes, write_bytes, other_read_bytes, other_write_bytes;
	uint64_t missing_read_bytes, missing_write_bytes;
	uint64_t read_ios, write_ios, read_wait_ns, write_wait_ns;
};

/* How long tasks of the whole machine, ours too, waited for something. */
struct receipt_pressure {
	uint64_t cpu_some_ns, io_some_ns, memory_some_ns;
};

struct receipt_window {
	const char *name;
	uint64_t run, job; /* run: 1 ..; job: index into plan.jobs */
	uint64_t elapsed_ns;
	struct receipt_lane *read, *write, *sync, *commit;
	struct receipt_series *series;
	struct receipt_engine *engine;
	struct receipt_cpu *cpu;
	struct receipt_device *device;
	struct receipt_pressure *pressure;
	uint64_t longest_gap_ns;
	struct receipt_check *checks;
	size_t check_count;
};

/* One second of reading between the seconds of waiting. */
struct receipt_sample {
	uint64_t at_ns, elapsed_ns; /* at: after the probe's beginning */
	struct receipt_lane *read;  /* without buckets */
};

/*
 * The neighbour probe.  What is over all samples is absent where one is
 * missing, and null where one has too few I/Os to have a p99.
 */
struct receipt_probe {
	struct receipt_job *job; /* a sample; runs = samples declared */
	uint64_t length_ns, every_ns;
	struct receipt_sample *samples;
	size_t sample_count;
	uint64_t p99_min_ns, p99_max_ns; /* lat of the samples */
	double p99_spread;		 /* max / min */
	uint64_t steal_interval_ns;
	double *steal_pct;
	size_t steal_count;
	double steal_mean_pct, steal_worst_pct;
};

struct receipt_summary {
	double qd1_spread_pct;		      /* (max - min) / mean of IOPS */
	struct receipt_latency *qd1_all_runs; /* lat of all runs merged */
};

/* Time that others had a CPU on which one process ran without a pause. */
struct receipt_gaps {
	uint64_t elapsed_ns, count, lost_ns, longest_ns;
	double lost_pct;
};

struct receipt_moment {
	struct receipt_gaps *gaps;
	struct receipt_latency *oversleep_ns;
};

struct receipt_polled {
	uint64_t job, elapsed_ns; /* job: index into plan.jobs */
	struct receipt_latency *lat_ns;
	uint64_t slept_p50_ns; /* lat of all windows of the job */
};

/* What the machine adds; outside of the windows (disk/diag.h). */
struct receipt_diagnostics {
	struct receipt_moment *before, *after;
	struct receipt_polled *polled;
};

/* An observation, never a grade; finding.h has the rules. */
struct receipt_finding {
	const char *code, *level, *confidence, *text;
	struct shape_figure *figures;
	size_t figure_count;
	const char *command; /* that would change it, where there is one */
	const char *rule, *source;
};

struct receipt_requirement {
	const char *expr;
	int8_t holds;
	const char *figure;
};

struct receipt_cleanup {
	int8_t lab_removed;
	const char *left; /* what is left and why, where something is */
};

/* ---- what is made of several receipts (receipt/median.h) ------------------ */

struct receipt_source {
	const char *jti, *sub, *started_utc;
	uint64_t iat;
	const char *signature; /* unsigned | good */
	const char *kid;
};

/* A figure in each of the sources, in their order. */
struct receipt_derived_figure {
	const char *metric;
	double *values;
	size_t value_count;
};

/* The latencies of all sources together. */
struct receipt_merged {
	const char *window, *direction;
	struct receipt_latency *lat_ns;
};

struct receipt_derived {
	const char *how; /* median */
	struct receipt_source *from;
	size_t from_count;
	struct receipt_derived_figure *figures;
	size_t figure_count;
	struct receipt_merged *merged;
	size_t merged_count;
};

struct receipt {
	const char *schema, *jti;
	uint64_t iat;
	int8_t complete;
	struct receipt_reason *incomplete;
	size_t incomplete_count;
	struct receipt_tool *tool;
	const char *sub, *note, *nonce, *aud;
	struct receipt_derived *derived; /* there where schema says so */
	struct receipt_clock *clock;
	struct receipt_plan *plan;
	struct receipt_host *host;
	struct receipt_target *target;
	struct receipt_prepare *prepare;
	struct receipt_window *windows; /* those that were measured */
	size_t window_count;
	struct receipt_probe *probe;
	struct receipt_summary *summary;
	struct receipt_diagnostics *diagnostics;
	struct receipt_finding *findings;
	size_t finding_count;
	struct receipt_requirement *requirements;
	size_t requirement_count;
	struct receipt_cleanup *cleanup;
};

/* ---- what is told without measuring (receipt/facts.h) --------------------- */

/* What a run would know of what else goes on; name: of the disk counted. */
struct receipt_watch {
	int8_t steal, runqueue_wait, pressure, device;
	const char *name;
};

/* Would a run of that suite begin here? */
struct receipt_guard {
	const char *suite;
	uint64_t size_bytes;
	int8_t fits;
	const char *why; /* it does not, one sentence */
};

struct receipt_facts {
	const char *schema;
	struct receipt_tool *tool;
	struct receipt_clock *clock;
	struct receipt_host *host;
	struct receipt_target *target;
	struct receipt_watch *watch;
	struct receipt_guard *guard;
};

/* ---- reading and writing ------------------------------------------------- */

/* The field table of the whole (fields.c). */
const struct shape *receipt_shape(void);

/* Everything absent. */
void receipt_clear(struct receipt *r);

/* One line of JSON and an LF appended to out; a wrong receipt is an error. */
int receipt_write(const struct receipt *r, struct buf *out, struct err *e);

/*
 * Read json[0..len).  Beyond shape_read: schema known, window.job in range,
 * buckets in order and summing to n, percentiles in order.  ERR_INPUT.
 */
int receipt_read(struct receipt *r, const char *json, size_t len,
	struct arena *a, struct err *e);

/*
 * Read only whose it is: schema, jti, iat, complete, sub, nonce; the rest of r
 * is absent.  A tenth of the time: of a receipt that we wrote what comes behind
 * is not even parsed.  ERR_INPUT.
 */
int receipt_read_head(struct receipt *r, const char *json, size_t len,
	struct arena *a, struct err *e);

/* The JSON Schema of a receipt, for src/receipt/receipt.schema.json. */
int receipt_schema(struct buf *out, struct err *e);

/* The first window of that name (and run, 0 = any); NULL where none is. */
const struct receipt_window *receipt_window(
	const struct receipt *r, const char *name, uint64_t run);

#endif
