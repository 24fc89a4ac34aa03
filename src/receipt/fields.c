#include "receipt/fields.h"

#include "disk/hist.h"
#include "disk/plan.h"
#include "host/limits.h"
#include "host/pressure.h"
#include "host/stack.h"
#include "receipt/receipt.h"

/*
 * The rows; shape.h explains their columns.  A member is called as its key is,
 * so that each name stands once; STRUCT is the struct of the table at hand.
 */
#define AT(m) offsetof(struct STRUCT, m)
/* clang-format off */
#define ROW(m, kind, flags, count, sub, words, max, doc)                       \
	{ #m, kind, flags, AT(m), count, sub, words, max, doc }
/* clang-format on */

#define COUNT(m, flags, doc) ROW(m, SHAPE_COUNT, flags, 0, NULL, NULL, 0, doc)
#define RATE(m, flags, doc)  ROW(m, SHAPE_RATE, flags, 0, NULL, NULL, 0, doc)
#define FLAG(m, flags, doc)  ROW(m, SHAPE_FLAG, flags, 0, NULL, NULL, 0, doc)
#define TEXT(m, flags, max, doc)                                               \
	ROW(m, SHAPE_TEXT, flags, 0, NULL, NULL, max, doc)
#define WORD(m, flags, words, doc)                                             \
	ROW(m, SHAPE_TEXT, flags, 0, NULL, words, 0, doc)
#define OBJECT(m, flags, sub, doc)                                             \
	ROW(m, SHAPE_OBJECT, flags, 0, &fields_##sub, NULL, 0, doc)
#define LIST(m, c, flags, sub, max, doc)                                       \
	ROW(m, SHAPE_LIST, flags, AT(c), &fields_##sub, NULL, max, doc)
#define COUNTS(m, c, max, doc)                                                 \
	ROW(m, SHAPE_COUNTS, 0, AT(c), NULL, NULL, max, doc)
#define RATES(m, c, max, doc)                                                  \
	ROW(m, SHAPE_RATES, 0, AT(c), NULL, NULL, max, doc)
#define FIGURES(m, c, max, doc)                                                \
	ROW(m, SHAPE_FIGURES, 0, AT(c), NULL, NULL, max, doc)

#define REQUIRED SHAPE_REQUIRED
#define NULLABLE SHAPE_NULLABLE

#define STRUCT receipt_reason
static const struct shape_field fields_reason_rows[] = {
	TEXT(what, REQUIRED, 160,
		"what is missing: a window, prepare, guard, cleanup"),
	TEXT(why, REQUIRED, 1024, "one sentence"),
	{ 0 },
};
static const struct shape fields_reason = { "reason", sizeof(struct STRUCT),
	fields_reason_rows, "Why a receipt is not complete." };
#undef STRUCT

#define STRUCT receipt_tool
static const struct shape_field fields_tool_rows[] = {
	WORD(name, REQUIRED, "ioreceipt", "always ioreceipt"),
	TEXT(version, REQUIRED, 32, "of the program"),
	TEXT(arch, REQUIRED, 32, "machine that it was built for"),
	TEXT(sha256, 0, 64, "of the binary that ran, hex"),
	TEXT(musl, 0, 32, "version of the C library"),
	TEXT(bearssl, 0, 32, "version of the library"),
	TEXT(libaio, 0, 32, "version of the library"),
	TEXT(jansson, 0, 32, "version of the library"),
	{ 0 },
};
static const struct shape fields_tool = { "tool", sizeof(struct STRUCT),
	fields_tool_rows, "The program that measured." };
#undef STRUCT

#define STRUCT receipt_clock
static const struct shape_field fields_clock_rows[] = {
	TEXT(started_utc, REQUIRED, 20,
		"wall clock at the start, 2026-11-30T21:28:00Z"),
	TEXT(ended_utc, REQUIRED, 20, "wall clock at the end"),
	WORD(state, 0, "synced|unsynced|unset",
		"is the wall clock kept right? unset = before this program was "
		"built"),
	TEXT(source, 0, 32, "the kernel's clock source"),
	COUNT(read_cost_ns, 0, "one read of the monotonic clock, ns"),
	{ 0 },
};
static const struct shape fields_clock = { "clock", sizeof(struct STRUCT),
	fields_clock_rows, "When, and by which clock." };
#undef STRUCT

#define STRUCT receipt_job
static const struct shape_field fields_job_rows[] = {
	TEXT(name, REQUIRED, FIELDS_NAME_MAX, "of its windows"),
	WORD(rw, REQUIRED, "read|write|rw|randread|randwrite|randrw",
		"direction and order of the offsets"),
	WORD(ioengine, REQUIRED, "libaio|psync", "how I/O is issued"),
	COUNT(bs_bytes, REQUIRED, "block size"),
	COUNT(size_bytes, 0, "region that each thread works on"),
	COUNT(iodepth, REQUIRED, "I/Os kept outstanding by each thread"),
	COUNT(numjobs, REQUIRED, "threads"),
	COUNT(rwmixread_pct, 0, "share of reads where both directions occur"),
	COUNT(runtime_ns, 0,
		"declared length; absent = one pass over the region"),
	COUNT(ramp_ns, 0, "time before it during which nothing counts"),
	COUNT(fsync, 0, "an fsync after so many writes"),
	COUNT(fdatasync, 0, "an fdatasync after so many writes"),
	COUNT(runs, REQUIRED, "windows of this job"),
	COUNT(offset_increment_bytes, 0, "thread k begins at k times this"),
	COUNT(number_ios, 0, "ends after so many I/Os"),
	COUNT(randseed, 0,
		"seed of the offsets; absent = fio's own (or above 2^53 - 1)"),
	FLAG(direct, REQUIRED, "without the page cache"),
	FLAG(time_based, REQUIRED, "goes on until the runtime is over"),
	FLAG(norandommap, REQUIRED, "offsets may come twice in a pass"),
	FLAG(randrepeat, REQUIRED, "the same sequence in each run"),
	FLAG(end_fsync, REQUIRED, "an fsync at the end"),
	RATES(percentiles, percentile_count, JOB_PERCENTILES_MAX,
		"percentile_list; absent = fio's own list"),
	{ 0 },
};
static const struct shape fields_job = { "job", sizeof(struct STRUCT),
	fields_job_rows, "One declared workload in fio's words." };
#undef STRUCT

#define STRUCT receipt_plan
static const struct shape_field fields_plan_rows[] = {
	TEXT(suite, REQUIRED, 63,
		"name of the suite, custom for jobs of the command line"),
	TEXT(digest, REQUIRED, 64, "sha256 of the plan's canonical text, hex"),
	COUNT(method, REQUIRED, "number of the measuring method"),
	WORD(sequence, REQUIRED, "fio3.35|fio3.34",
		"whose sequence the offsets follow"),
	COUNT(size_bytes, REQUIRED, "of the target"),
	LIST(jobs, job_count, REQUIRED, job, PLAN_JOBS_MAX,
		"in the order of their windows"),
	{ 0 },
};
static const struct shape fields_plan = { "plan", sizeof(struct STRUCT),
	fields_plan_rows,
	"What was to be done; equal digests are like for like." };
#undef STRUCT

#define STRUCT receipt_host
static const struct shape_field fields_host_rows[] = {
	TEXT(os, 0, 96, "name of the distribution"),
	TEXT(kernel, 0, 96, "release"),
	TEXT(cpu_model, 0, 96, "as the processor calls itself"),
	COUNT(cpus, 0, "usable by the run"),
	RATE(cpu_limit_pct, 0,
		"CPU time that a control group allows, 100 = one"),
	COUNT(memory_bytes, 0, "of the machine"),
	TEXT(virtualisation, 0, 32, "word of systemd-detect-virt"),
	TEXT(dmi_vendor, 0, 64, "of the (virtual) machine"),
	TEXT(dmi_product, 0, 64, "of the (virtual) machine"),
	TEXT(container, 0, 32, "kind of container, none where there is none"),
	FLAG(fstrim_timer, 0, "systemd's weekly fstrim is switched on"),
	{ 0 },
};
static const struct shape fields_host = { "host", sizeof(struct STRUCT),
	fields_host_rows, "The machine, without what identifies it." };
#undef STRUCT

#define STRUCT receipt_layer
static const struct shape_field fields_layer_rows[] = {
	TEXT(layer, REQUIRED, 32,
		"kind: ext4, partition, dm-crypt, loop, disk"),
	TEXT(name, 0, 32, "kernel's name of the device"),
	TEXT(model, 0, 64, "of a disk"),
	TEXT(transport, 0, 32, "virtio, nvme, scsi"),
	COUNT(size_bytes, 0, "of the device"),
	FLAG(rotational, 0, "does it turn?"),
	TEXT(scheduler, 0, 32, "I/O scheduler in force"),
	TEXT(write_cache, 0, 32, "write back, write through"),
	COUNT(logical_block_bytes, 0, "smallest unit of I/O"),
	COUNT(physical_block_bytes, 0, "smallest unit without a read before"),
	COUNT(discard_max_bytes, 0, "0 = cannot discard"),
	COUNT(nr_requests, 0, "depth of its queue"),
	{ 0 },
};
static const struct shape fields_layer = { "layer", sizeof(struct STRUCT),
	fields_layer_rows, "One layer between the directory and the disk." };
#undef STRUCT

#define STRUCT receipt_limit
static const struct shape_field fields_limit_rows[] = {
	TEXT(source, REQUIRED, 48, "which kind of limit"),
	TEXT(name, 0, 32, "kernel's name of the device that it is on"),
	COUNT(rbps, 0, "bytes read a second"),
	COUNT(wbps, 0, "bytes written a second"),
	COUNT(riops, 0, "reads a second"),
	COUNT(wiops, 0, "writes a second"),
	{ 0 },
};
static const struct shape fields_limit = { "limit", sizeof(struct STRUCT),
	fields_limit_rows,
	"An I/O limit of a control group that applies to the run." };
#undef STRUCT

#define STRUCT receipt_target
static const struct shape_field fields_target_rows[] = {
	TEXT(filesystem, 0, 32, "its type"),
	TEXT(mount_options, 0, 512, "those on an allow-list of words"),
	COUNT(size_bytes, 0, "of the file"),
	COUNT(available_bytes, 0, "free for this user before the run"),
	COUNT(dio_align_bytes, 0,
		"alignment of direct I/O, as the kernel tells"),
	FLAG(nocow, 0, "made without copy on write"),
	FLAG(took_over, 0, "an abandoned lab of ours was used"),
	WORD(backing, 0, "disk|memory|unknown",
		"what the file lies on in the end"),
	TEXT(backing_why, 0, 256, "why it is not disk"),
	FLAG(allowed_memory, 0,
		"--allow-memory-backed was given: not comparable"),
	LIST(stack, stack_count, 0, layer, STACK_LAYERS_MAX,
		"from the filesystem down to the disks"),
	LIST(limits, limit_count, 0, limit, LIMITS_MAX, "I/O limits"),
	{ 0 },
};
static const struct shape fields_target = { "target", sizeof(struct STRUCT),
	fields_target_rows, "Where it was measured." };
#undef STRUCT

#define STRUCT receipt_check
static const struct shape_field fields_check_rows[] = {
	TEXT(name, REQUIRED, FIELDS_NAME_MAX, "of the rule"),
	FLAG(holds, REQUIRED, "does it?"),
	{ 0 },
};
static const struct shape fields_check = { "check", sizeof(struct STRUCT),
	fields_check_rows, "A rule that the figures have to obey." };
#undef STRUCT

#define STRUCT receipt_prepare
static const struct shape_field fields_prepare_rows[] = {
	COUNT(bytes, REQUIRED, "written"),
	COUNT(elapsed_ns, REQUIRED, "with its fsync"),
	RATE(bw_bytes, 0, "bytes a second"),
	COUNT(device_bytes, 0,
		"seen by the device's counters, else by the kernel's"),
	COUNT(first_quarter_ns, 0, "writing the first quarter"),
	COUNT(last_quarter_ns, 0, "writing the last quarter"),
	LIST(checks, check_count, 0, check, 16,
		"what was looked at afterwards"),
	{ 0 },
};
static const struct shape fields_prepare = { "prepare", sizeof(struct STRUCT),
	fields_prepare_rows, "Writing the target once." };
#undef STRUCT

#define STRUCT receipt_latency
static const struct shape_field fields_latency_rows[] = {
	COUNT(n, REQUIRED, "samples"),
	COUNT(min, REQUIRED, "smallest"),
	COUNT(mean, REQUIRED, "rounded"),
	COUNT(stddev, REQUIRED, "rounded"),
	COUNT(p50, NULLABLE, "median; null = fewer than one sample beyond it"),
	COUNT(p95, NULLABLE, "95 %; null = fewer than one sample beyond it"),
	COUNT(p99, NULLABLE, "99 %; null = fewer than one sample beyond it"),
	COUNT(p99_9, NULLABLE,
		"99.9 %; null = fewer than one sample beyond it"),
	COUNT(p99_99, NULLABLE,
		"99.99 %; null = fewer than one sample beyond it"),
	COUNT(max, REQUIRED, "largest"),
	COUNT(tw_p50, 0,
		"each I/O weighted by its own latency: half of all moments"),
	COUNT(tw_p99, 0, "the same for 99 % of all moments"),
	COUNT(bucket_bits, 0,
		"4: buckets are 16 to the octave; 6 or absent: fio's, 64"),
	COUNTS(buckets, bucket_count, 2 * HIST_FIO_BUCKETS,
		"samples by buckets (see bucket_bits): index of the first, "
		"then counts; 0 and a length = so many empty ones"),
	{ 0 },
};
static const struct shape fields_latency = { "latency", sizeof(struct STRUCT),
	fields_latency_rows, "A distribution of latencies, ns." };
#undef STRUCT

#define STRUCT receipt_lane
static const struct shape_field fields_lane_rows[] = {
	COUNT(ios, 0, "operations that ended in the window"),
	COUNT(bytes, 0, "moved by them"),
	COUNT(errors, 0, "operations that failed"),
	RATE(iops, 0, "operations a second"),
	RATE(bw_bytes, 0, "bytes a second"),
	OBJECT(slat_ns, 0, latency, "inside the submitting call"),
	OBJECT(clat_ns, 0, latency,
		"from the submission's return to the completion, as fio counts "
		"it"),
	OBJECT(lat_ns, 0, latency, "both together: what an application waits"),
	{ 0 },
};
static const struct shape fields_lane = { "lane", sizeof(struct STRUCT),
	fields_lane_rows, "One direction of a window." };
#undef STRUCT

#define STRUCT receipt_series
static const struct shape_field fields_series_rows[] = {
	COUNT(interval_ns, REQUIRED, "length of one; the last may be shorter"),
	COUNTS(read_ios, read_count, 4096, "reads that ended"),
	COUNTS(write_ios, write_count, 4096, "writes that ended"),
	COUNTS(worst_ns, worst_count, 4096, "worst latency"),
	{ 0 },
};
static const struct shape fields_series = { "series", sizeof(struct STRUCT),
	fields_series_rows, "What happened in each interval." };
#undef STRUCT

#define STRUCT receipt_engine
static const struct shape_field fields_engine_rows[] = {
	WORD(name, REQUIRED, "libaio|psync", "its name"),
	WORD(reap, 0, "ring|syscall", "how completions were read"),
	COUNT(ticker_ns, 0, "interval at which the supervisor wakes"),
	COUNT(submits, 0, "submitting calls, those of the ramp too"),
	COUNT(slow_submits_100us, 0, "submitting calls of 100 us and more"),
	COUNT(slow_submits_1ms, 0, "submitting calls of 1 ms and more"),
	COUNT(slow_submit_ns, 0, "time in slow submitting calls"),
	COUNT(early_completions, 0, "done before the submitting call returned"),
	COUNT(queue_short_ns, 0,
		"slot time that was not used before the deadline"),
	{ 0 },
};
static const struct shape fields_engine = { "engine", sizeof(struct STRUCT),
	fields_engine_rows, "How the I/O was issued." };
#undef STRUCT

#define STRUCT receipt_cpu
static const struct shape_field fields_cpu_rows[] = {
	COUNT(user_ns, 0, "CPU time"),
	COUNT(system_ns, 0, "CPU time in the kernel"),
	COUNT(voluntary_switches, 0, "waits"),
	COUNT(involuntary_switches, 0, "preemptions"),
	COUNT(minor_faults, 0, "pages touched first"),
	RATE(steal_pct, 0, "CPU time that the hypervisor took from all CPUs"),
	RATE(steal_worst_cpu_pct, 0, "the same of the CPU that lost most"),
	RATE(steal_worst_second_pct, 0, "the same in the worst second"),
	COUNT(steal_interval_ns, 0, "length of each of steal_series_pct"),
	RATES(steal_series_pct, steal_series_count, PRESSURE_SECONDS_MAX,
		"steal of all CPUs, from the window's start on"),
	COUNT(runqueue_wait_ns, 0, "ready to run, but no CPU"),
	RATE(others_cpu_pct, 0, "CPU time of other programs, 100 = one CPU"),
	RATE(kernel_cpu_pct, 0,
		"CPU time of the kernel's own threads, which also finish our "
		"I/O, 100 = one CPU"),
	{ 0 },
};
static const struct shape fields_cpu = { "cpu", sizeof(struct STRUCT),
	fields_cpu_rows, "What the run itself cost and waited for." };
#undef STRUCT

#define STRUCT receipt_device
static const struct shape_field fields_device_rows[] = {
	COUNT(read_bytes, 0, "read by anybody"),
	COUNT(write_bytes, 0, "written by anybody"),
	COUNT(other_read_bytes, 0, "read by others"),
	COUNT(other_write_bytes, 0, "written by others"),
	COUNT(missing_read_bytes, 0,
		"read by us, but not from the disk: a cache answered"),
	COUNT(missing_write_bytes, 0,
		"written by us, but not to the disk: something keeps it"),
	COUNT(read_ios, 0, "its read requests, merged or split"),
	COUNT(write_ios, 0, "its write requests, merged or split"),
	COUNT(read_wait_ns, 0, "sum of the time that each of read_ios took"),
	COUNT(write_wait_ns, 0, "sum of the time that each of write_ios took"),
	{ 0 },
};
static const struct shape fields_device = { "device", sizeof(struct STRUCT),
	fields_device_rows, "The whole disk below the target." };
#undef STRUCT

#define STRUCT receipt_pressure
static const struct shape_field fields_pressure_rows[] = {
	COUNT(cpu_some_ns, 0, "time in which a task waited for a CPU"),
	COUNT(io_some_ns, 0, "time in which a task waited for I/O"),
	COUNT(memory_some_ns, 0, "time in which a task waited for memory"),
	{ 0 },
};
static const struct shape fields_pressure = { "pressure", sizeof(struct STRUCT),
	fields_pressure_rows,
	"What tasks of the whole machine waited for, ours too (PSI)." };
#undef STRUCT

#define STRUCT receipt_window
static const struct shape_field fields_window_rows[] = {
	TEXT(name, REQUIRED, FIELDS_NAME_MAX, "its job's name"),
	COUNT(run, REQUIRED, "1 for the first of the job"),
	COUNT(job, REQUIRED, "index into plan.jobs"),
	COUNT(elapsed_ns, REQUIRED,
		"from the first submission to the last completion"),
	OBJECT(read, 0, lane, "reads"),
	OBJECT(write, 0, lane, "writes"),
	OBJECT(sync, 0, lane, "fsync or fdatasync alone"),
	OBJECT(commit, 0, lane, "a write and its sync together"),
	OBJECT(series, 0, series, "over time"),
	OBJECT(engine, 0, engine, "the engine"),
	OBJECT(cpu, 0, cpu, "CPU"),
	OBJECT(device, 0, device, "the disk"),
	OBJECT(pressure, 0, pressure, "what tasks waited for"),
	COUNT(longest_gap_ns, 0, "longest time without a completion"),
	LIST(checks, check_count, 0, check, 32,
		"rules that the window was held to"),
	{ 0 },
};
static const struct shape fields_window = { "window", sizeof(struct STRUCT),
	fields_window_rows, "One measured window." };
#undef STRUCT

#define STRUCT receipt_sample
static const struct shape_field fields_sample_rows[] = {
	COUNT(at_ns, REQUIRED, "its start, after the probe's beginning"),
	COUNT(elapsed_ns, REQUIRED, "its length"),
	OBJECT(read, REQUIRED, lane, "what was read"),
	{ 0 },
};
static const struct shape fields_sample = { "sample", sizeof(struct STRUCT),
	fields_sample_rows, "One sample of the neighbour probe." };
#undef STRUCT

#define STRUCT receipt_probe
static const struct shape_field fields_probe_rows[] = {
	OBJECT(job, REQUIRED, job, "one sample; runs = how many there are"),
	COUNT(length_ns, REQUIRED, "of the whole probe"),
	COUNT(every_ns, REQUIRED, "from one sample's end to the next one's"),
	LIST(samples, sample_count, REQUIRED, sample, 64, "in their order"),
	COUNT(p99_min_ns, NULLABLE, "smallest p99 of lat of all samples"),
	COUNT(p99_max_ns, NULLABLE, "largest"),
	RATE(p99_spread, 0, "largest / smallest"),
	COUNT(steal_interval_ns, 0, "steal was taken so often"),
	RATES(steal_pct, steal_count, PRESSURE_SECONDS_MAX,
		"CPU time that the hypervisor took from all CPUs"),
	RATE(steal_mean_pct, 0, "over the whole probe"),
	RATE(steal_worst_pct, 0, "the worst interval"),
	{ 0 },
};
static const struct shape fields_probe = { "probe", sizeof(struct STRUCT),
	fields_probe_rows,
	"Short samples over a minute of mere waiting: do others disturb?" };
#undef STRUCT

#define STRUCT receipt_summary
static const struct shape_field fields_summary_rows[] = {
	RATE(qd1_spread_pct, 0,
		"(largest - smallest) / mean of the IOPS of all runs at depth "
		"1"),
	OBJECT(qd1_all_runs, 0, latency, "lat of all those runs together"),
	{ 0 },
};
static const struct shape fields_summary = { "summary", sizeof(struct STRUCT),
	fields_summary_rows, "Figures over several windows." };
#undef STRUCT

#define STRUCT receipt_gaps
static const struct shape_field fields_gaps_rows[] = {
	COUNT(elapsed_ns, REQUIRED, "length of the probe"),
	COUNT(count, REQUIRED, "gaps of more than 20 us"),
	COUNT(lost_ns, REQUIRED, "their sum"),
	RATE(lost_pct, 0, "their share"),
	COUNT(longest_ns, REQUIRED, "the longest of them"),
	{ 0 },
};
static const struct shape fields_gaps = { "gaps", sizeof(struct STRUCT),
	fields_gaps_rows,
	"Time that others had the CPU, seen by reading the clock without a "
	"pause." };
#undef STRUCT

#define STRUCT receipt_moment
static const struct shape_field fields_moment_rows[] = {
	OBJECT(gaps, 0, gaps, "interruptions of a busy process"),
	OBJECT(oversleep_ns, 0, latency,
		"what sleeps of 60 us took beyond that"),
	{ 0 },
};
static const struct shape fields_moment = { "moment", sizeof(struct STRUCT),
	fields_moment_rows, "What the machine did to a process at that time." };
#undef STRUCT

#define STRUCT receipt_polled
static const struct shape_field fields_polled_rows[] = {
	COUNT(job, REQUIRED, "index into plan.jobs"),
	COUNT(elapsed_ns, REQUIRED, "length of the probe"),
	OBJECT(lat_ns, REQUIRED, latency, "of its reads"),
	COUNT(slept_p50_ns, 0,
		"median lat of all windows of the job, in which the process "
		"slept"),
	{ 0 },
};
static const struct shape fields_polled = { "polled", sizeof(struct STRUCT),
	fields_polled_rows,
	"The job at depth 1 again, spinning instead of sleeping." };
#undef STRUCT

#define STRUCT receipt_diagnostics
static const struct shape_field fields_diagnostics_rows[] = {
	OBJECT(before, 0, moment, "before the target was written"),
	OBJECT(after, 0, moment, "after the last window"),
	OBJECT(polled, 0, polled, "after the last window"),
	{ 0 },
};
static const struct shape fields_diagnostics = { "diagnostics",
	sizeof(struct STRUCT), fields_diagnostics_rows,
	"What the machine adds to an I/O; no part of any figure." };
#undef STRUCT

#define STRUCT receipt_finding
static const struct shape_field fields_finding_rows[] = {
	TEXT(code, REQUIRED, 63, "of the rule that raised it"),
	WORD(level, REQUIRED, "note|warning", "how loud"),
	WORD(confidence, 0, "possible|likely", "how sure"),
	FIGURES(figures, figure_count, 16, "the figures that raised it"),
	TEXT(text, REQUIRED, 512, "one sentence"),
	TEXT(command, 0, 256, "that would change it"),
	TEXT(rule, 0, 512, "what raised it, with its thresholds"),
	TEXT(source, 0, 256, "where the rule comes from"),
	{ 0 },
};
static const struct shape fields_finding = { "finding", sizeof(struct STRUCT),
	fields_finding_rows, "An observation, never a grade." };
#undef STRUCT

#define STRUCT receipt_requirement
static const struct shape_field fields_requirement_rows[] = {
	TEXT(expr, REQUIRED, 256, "as given"),
	FLAG(holds, REQUIRED, "does it?"),
	TEXT(figure, 0, 64, "what was compared"),
	{ 0 },
};
static const struct shape fields_requirement = { "requirement",
	sizeof(struct STRUCT), fields_requirement_rows,
	"What the user demanded." };
#undef STRUCT

#define STRUCT receipt_cleanup
static const struct shape_field fields_cleanup_rows[] = {
	FLAG(lab_removed, REQUIRED, "the lab is gone"),
	TEXT(left, 0, 1024, "what is left, and why"),
	{ 0 },
};
static const struct shape fields_cleanup = { "cleanup", sizeof(struct STRUCT),
	fields_cleanup_rows, "Was everything of ours removed?" };
#undef STRUCT

#define STRUCT receipt_source
static const struct shape_field fields_source_rows[] = {
	TEXT(jti, REQUIRED, 36, "of the receipt"),
	COUNT(iat, REQUIRED, "when it was issued"),
	TEXT(started_utc, REQUIRED, 20, "when its run began"),
	TEXT(sub, 0, FIELDS_LABEL_MAX, "its label"),
	WORD(signature, REQUIRED, "unsigned|good",
		"what was found when it was read"),
	TEXT(kid, 0, 64, "thumbprint of the key that signed it"),
	{ 0 },
};
static const struct shape fields_source = { "source", sizeof(struct STRUCT),
	fields_source_rows, "One of the receipts that a median is of." };
#undef STRUCT

#define STRUCT receipt_derived_figure
static const struct shape_field fields_derived_figure_rows[] = {
	TEXT(metric, REQUIRED, 127, "its name"),
	RATES(values, value_count, FIELDS_SOURCES_MAX,
		"one of each source, in their order"),
	{ 0 },
};
static const struct shape fields_derived_figure = { "derived_figure",
	sizeof(struct STRUCT), fields_derived_figure_rows,
	"A figure in each of the sources: its spread." };
#undef STRUCT

#define STRUCT receipt_merged
static const struct shape_field fields_merged_rows[] = {
	TEXT(window, REQUIRED, FIELDS_NAME_MAX, "name"),
	WORD(direction, REQUIRED, "read|write|sync|commit", "of the I/Os"),
	OBJECT(lat_ns, REQUIRED, latency, "of all runs of all sources"),
	{ 0 },
};
static const struct shape fields_merged = { "merged", sizeof(struct STRUCT),
	fields_merged_rows, "Latencies of all sources in one distribution." };
#undef STRUCT

#define STRUCT receipt_derived
static const struct shape_field fields_derived_rows[] = {
	WORD(how, REQUIRED, "median", "each figure is that of the sources"),
	LIST(from, from_count, REQUIRED, source, FIELDS_SOURCES_MAX,
		"the receipts that it is made of"),
	LIST(figures, figure_count, REQUIRED, derived_figure, 0,
		"what was measured"),
	LIST(merged, merged_count, 0, merged, 4 * PLAN_WINDOWS_MAX,
		"histograms added up"),
	{ 0 },
};
static const struct shape fields_derived = { "derived", sizeof(struct STRUCT),
	fields_derived_rows,
	"Not measured: made of receipts, which are named." };
#undef STRUCT

/*
 * What says whose a receipt is, without its figures: for reading alone, with
 * whatever else stands there left out (receipt_read_head).
 */
#define STRUCT receipt
static const struct shape_field fields_head_rows[] = {
	WORD(schema, REQUIRED, "ioreceipt/1|ioreceipt-median/1", "as below"),
	TEXT(jti, REQUIRED, 36, "as below"),
	COUNT(iat, REQUIRED, "as below"),
	FLAG(complete, REQUIRED, "as below"),
	TEXT(sub, 0, FIELDS_LABEL_MAX, "as below"),
	TEXT(nonce, 0, FIELDS_NONCE_MAX, "as below"),
	{ 0 },
};
const struct shape fields_head = { "head", sizeof(struct STRUCT),
	fields_head_rows, "Whose a receipt is." };

static const struct shape_field fields_receipt_rows[] = {
	WORD(schema, REQUIRED, "ioreceipt/1|ioreceipt-median/1",
		"of this document; ioreceipt-median/1 has derived"),
	TEXT(jti, REQUIRED, 36, "UUID of this receipt"),
	COUNT(iat, REQUIRED, "issued at, seconds since 1970"),
	FLAG(complete, REQUIRED,
		"every window ran, every I/O succeeded, every check held, "
		"nothing was left"),
	LIST(incomplete, incomplete_count, 0, reason, FIELDS_REASONS_MAX,
		"what is missing and why"),
	OBJECT(tool, REQUIRED, tool, "the program"),
	TEXT(sub, 0, FIELDS_LABEL_MAX, "the user's own label"),
	TEXT(note, 0, FIELDS_NOTE_MAX, "the user's own words"),
	TEXT(nonce, 0, FIELDS_NONCE_MAX, "given by who asked for this receipt"),
	TEXT(aud, 0, FIELDS_AUD_MAX, "for whom it is"),
	OBJECT(derived, 0, derived, "what it is made of, where not measured"),
	OBJECT(clock, REQUIRED, clock, "time"),
	OBJECT(plan, REQUIRED, plan, "what was to be done"),
	OBJECT(host, 0, host, "the machine"),
	OBJECT(target, 0, target, "the place"),
	OBJECT(prepare, 0, prepare, "writing the target"),
	LIST(windows, window_count, REQUIRED, window, PLAN_WINDOWS_MAX,
		"those that were measured"),
	OBJECT(probe, 0, probe, "the neighbour probe, where the suite has one"),
	OBJECT(summary, 0, summary, "over several windows"),
	OBJECT(diagnostics, 0, diagnostics, "what the machine adds"),
	LIST(findings, finding_count, 0, finding, 256, "observations"),
	LIST(requirements, requirement_count, 0, requirement, 64, "demands"),
	OBJECT(cleanup, 0, cleanup, "what was removed"),
	{ 0 },
};
const struct shape fields_receipt = { "receipt", sizeof(struct STRUCT),
	fields_receipt_rows,
	"A declared workload, what was measured, and the circumstances." };
#undef STRUCT

#define STRUCT receipt_watch
static const struct shape_field fields_watch_rows[] = {
	FLAG(steal, 0, "CPU steal"),
	FLAG(runqueue_wait, 0, "how long a process waited for a CPU"),
	FLAG(pressure, 0, "what tasks of the machine waited for (PSI)"),
	FLAG(device, 0, "bytes and requests of the one disk below"),
	TEXT(name, 0, 32, "of that disk"),
	{ 0 },
};
static const struct shape fields_watch = { "watch", sizeof(struct STRUCT),
	fields_watch_rows,
	"What a run would know of what else went on; unknown otherwise." };
#undef STRUCT

#define STRUCT receipt_guard
static const struct shape_field fields_guard_rows[] = {
	TEXT(suite, REQUIRED, 63, "of the run that was judged"),
	COUNT(size_bytes, REQUIRED, "of its target"),
	FLAG(fits, REQUIRED, "would it begin?"),
	TEXT(why, 0, 1024, "why not"),
	{ 0 },
};
static const struct shape fields_guard = { "guard", sizeof(struct STRUCT),
	fields_guard_rows, "What the guard would say to a run." };
#undef STRUCT

#define STRUCT receipt_facts
static const struct shape_field fields_facts_rows[] = {
	WORD(schema, REQUIRED, "ioreceipt-facts/1", "of this document"),
	OBJECT(tool, REQUIRED, tool, "the program"),
	OBJECT(clock, REQUIRED, clock, "time"),
	OBJECT(host, 0, host, "the machine"),
	OBJECT(target, 0, target, "the place"),
	OBJECT(watch, 0, watch, "circumstances that can be had"),
	OBJECT(guard, 0, guard, "may a run begin here?"),
	{ 0 },
};
const struct shape fields_facts = { "facts", sizeof(struct STRUCT),
	fields_facts_rows,
	"The machine and the storage stack below a directory, not measured." };
#undef STRUCT
