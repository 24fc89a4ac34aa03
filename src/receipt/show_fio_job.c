#include "receipt/show_fio_job.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/units.h"
#include "receipt/latency.h"
#include "receipt/show_fio_file.h"

/* One file in the making; `failed` = out of memory somewhere. */
struct show_fio_job_maker {
	const struct receipt *r;
	const struct receipt_job *job; /* NULL for prepare */
	struct arena arena;
	bool failed;
};

/* What fio reports where no percentile_list is given. */
static const double show_fio_job_percentiles[] = { 1, 5, 10, 20, 30, 40, 50, 60,
	70, 80, 90, 95, 99, 99.5, 99.9, 99.95, 99.99 };

/* A member with everything absent; NULL marks the maker failed. */
static void *
show_fio_job_new(struct show_fio_job_maker *m, const struct shape *s)
{
	void *object = arena_alloc(&m->arena, 1, s->size);

	if (object)
		shape_clear(s, object);
	m->failed |= !object;
	return object;
}

static const char *
show_fio_job_text(struct show_fio_job_maker *m, const char *s)
{
	const char *copy = arena_strdup(&m->arena, s);

	m->failed |= !copy;
	return copy;
}

/* A number as a text; what is absent stays so. */
static const char *
show_fio_job_number(struct show_fio_job_maker *m, uint64_t v)
{
	char text[24];

	if (!shape_has(v))
		return NULL;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)v);
	return show_fio_job_text(m, text);
}

static const char *
show_fio_job_bytes(struct show_fio_job_maker *m, uint64_t bytes)
{
	char text[32];

	if (!shape_has(bytes))
		return NULL;
	units_bytes_short(bytes, text, sizeof(text));
	return show_fio_job_text(m, text);
}

/* In fio's units: seconds, or what is exact. */
static const char *
show_fio_job_time(struct show_fio_job_maker *m, uint64_t ns)
{
	char text[32];

	if (!shape_has(ns) || ns % 1000000000 == 0)
		return show_fio_job_number(
			m, shape_has(ns) ? ns / 1000000000 : ns);
	if (ns % 1000000 == 0)
		snprintf(text, sizeof(text), "%llums",
			(unsigned long long)(ns / 1000000));
	else
		snprintf(text, sizeof(text), "%lluus",
			(unsigned long long)(ns / 1000));
	return show_fio_job_text(m, text);
}

static const char *
show_fio_job_list(struct show_fio_job_maker *m, const double *v, size_t n)
{
	char text[400] = "";
	size_t i, at = 0;

	for (i = 0; i < n && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%.10g",
			i ? ":" : "", v[i]);
	return n ? show_fio_job_text(m, text) : NULL;
}

static const char *
show_fio_job_flag(int8_t flag)
{
	return flag == 1 ? "1" : NULL;
}

/* fio rounds its runtimes up to whole milliseconds. */
static uint64_t
show_fio_job_ms(uint64_t ns)
{
	return ns / 1000000 + (ns % 1000000 > 0);
}

/* Is there a figure of that key already?  Receipts are hostile. */
static bool
show_fio_job_twice(const struct show_fio_file_latency *l, const char *key)
{
	size_t i;

	for (i = 0; i < l->percentile_count; i++)
		if (!strcmp(l->percentile[i].key, key))
			return true;
	return false;
}

/* fio's own value, whether many samples carry it or few. */
static void
show_fio_job_percentile(struct show_fio_job_maker *m,
	struct show_fio_file_latency *to, const struct receipt_latency *from)
{
	const struct receipt_job *job = m->job;
	size_t n = job->percentiles
			   ? job->percentile_count
			   : sizeof(show_fio_job_percentiles) / sizeof(double);
	const double *list =
		job->percentiles ? job->percentiles : show_fio_job_percentiles;
	uint64_t buckets[HIST_FIO_BUCKETS];
	char key[48];
	size_t i;

	/* out of coarser ones they would not be fio's */
	if (!latency_is_fio(from) || latency_unfold(from, buckets))
		return;
	to->percentile = arena_alloc(&m->arena, n + 1, sizeof(*to->percentile));
	m->failed |= !to->percentile;
	for (i = 0; i < n && !m->failed; i++) {
		if (!(list[i] > 0 && list[i] <= 100))
			continue;
		snprintf(key, sizeof(key), "%f", list[i]);
		if (show_fio_job_twice(to, key))
			continue;
		to->percentile[to->percentile_count].key =
			show_fio_job_text(m, key);
		to->percentile[to->percentile_count++].value =
			(double)hist_fio_percentile(buckets, from->n, list[i]);
	}
}

/* from NULL: nothing was timed, of which only the number is known. */
static struct show_fio_file_latency *
show_fio_job_latency(
	struct show_fio_job_maker *m, const struct receipt_latency *from)
{
	struct show_fio_file_latency *to =
		show_fio_job_new(m, &show_fio_file_latency_shape);

	if (!to)
		return NULL;
	to->n = 0;
	if (!from)
		return to;
	to->min = from->min;
	to->max = from->max;
	to->mean = from->mean;
	to->stddev = from->stddev;
	to->n = from->n;
	show_fio_job_percentile(m, to, from);
	return to;
}

/* A direction in which nothing was done: that much is known. */
static struct show_fio_file_lane *
show_fio_job_idle(struct show_fio_job_maker *m)
{
	struct show_fio_file_lane *to =
		show_fio_job_new(m, &show_fio_file_lane_shape);

	if (!to)
		return NULL;
	to->io_bytes = to->io_kbytes = to->bw_bytes = to->bw = 0;
	to->iops = 0;
	to->runtime_ms = to->total_ios = to->short_ios = to->drop_ios = 0;
	to->slat = show_fio_job_latency(m, NULL);
	to->clat = show_fio_job_latency(m, NULL);
	to->lat = show_fio_job_latency(m, NULL);
	return to;
}

static struct show_fio_file_lane *
show_fio_job_lane(struct show_fio_job_maker *m, const struct receipt_window *w,
	const struct receipt_lane *from)
{
	struct show_fio_file_lane *to = show_fio_job_idle(m);

	if (!to || !from || isnan(from->iops) || isnan(from->bw_bytes))
		return to;
	to->io_bytes = from->bytes;
	to->io_kbytes = from->bytes / 1024;
	to->bw_bytes = (uint64_t)from->bw_bytes;
	to->bw = to->bw_bytes / 1024;
	to->iops = from->iops;
	to->runtime_ms = show_fio_job_ms(w->elapsed_ns);
	to->total_ios = from->ios;
	to->slat = show_fio_job_latency(m, from->slat_ns);
	to->clat = show_fio_job_latency(m, from->clat_ns);
	to->lat = show_fio_job_latency(m, from->lat_ns);
	return to;
}

static struct show_fio_file_sync *
show_fio_job_sync(struct show_fio_job_maker *m, const struct receipt_lane *from)
{
	struct show_fio_file_sync *to =
		show_fio_job_new(m, &show_fio_file_sync_shape);

	if (!to)
		return NULL;
	to->total_ios = from ? from->ios : 0;
	to->lat = show_fio_job_latency(m, from ? from->lat_ns : NULL);
	return to;
}

static struct show_fio_file_options *
show_fio_job_options(struct show_fio_job_maker *m)
{
	struct show_fio_file_options *to =
		show_fio_job_new(m, &show_fio_file_options_shape);
	const struct receipt_job *j = m->job;

	if (!to)
		return NULL;
	to->name = j->name;
	to->rw = j->rw;
	to->bs = show_fio_job_bytes(m, j->bs_bytes);
	to->size = show_fio_job_bytes(m, j->size_bytes);
	to->ioengine = j->ioengine;
	to->iodepth = show_fio_job_number(m, j->iodepth);
	to->numjobs = show_fio_job_number(m, j->numjobs);
	to->direct = show_fio_job_flag(j->direct);
	to->rwmixread = show_fio_job_number(m, j->rwmixread_pct);
	to->runtime = show_fio_job_time(m, j->runtime_ns);
	to->ramp_time = show_fio_job_time(m, j->ramp_ns);
	to->time_based = show_fio_job_flag(j->time_based);
	to->norandommap = show_fio_job_flag(j->norandommap);
	to->randrepeat = j->randrepeat == 0 ? "0" : "1";
	to->randseed = show_fio_job_number(m, j->randseed);
	to->number_ios = show_fio_job_number(m, j->number_ios);
	to->offset_increment = show_fio_job_bytes(m, j->offset_increment_bytes);
	to->fsync = show_fio_job_number(m, j->fsync);
	to->fdatasync = show_fio_job_number(m, j->fdatasync);
	to->end_fsync = show_fio_job_flag(j->end_fsync);
	to->percentile_list = show_fio_job_list(
		m, j->percentiles, j->percentiles ? j->percentile_count : 0);
	to->group_reporting = "1"; /* figures are always of the group */
	return to;
}

static double
show_fio_job_pct(uint64_t ns, uint64_t of_ns)
{
	return shape_has(ns) && of_ns > 0 ? (double)ns * 100 / (double)of_ns
					  : __builtin_nan("");
}

/* As fio does: over the runtimes of all threads together. */
static void
show_fio_job_cpu(const struct show_fio_job_maker *m,
	const struct receipt_window *w, struct show_fio_file_job *to)
{
	uint64_t threads = m->job->numjobs;
	uint64_t total_ns = SHAPE_MAX;

	if (threads > 0 && w->elapsed_ns < SHAPE_MAX / threads)
		total_ns = w->elapsed_ns * threads;
	to->job_runtime_ms = show_fio_job_ms(total_ns);
	if (!w->cpu)
		return;
	to->usr_cpu = show_fio_job_pct(w->cpu->user_ns, total_ns);
	to->sys_cpu = show_fio_job_pct(w->cpu->system_ns, total_ns);
	to->minf = w->cpu->minor_faults;
	if (shape_has(w->cpu->voluntary_switches) &&
		shape_has(w->cpu->involuntary_switches))
		to->ctx = w->cpu->voluntary_switches +
			  w->cpu->involuntary_switches;
}

/* What is the same in each file, and the whole written out. */
static int
show_fio_job_write(struct show_fio_job_maker *m, struct show_fio_file_job *job,
	struct buf *out, struct err *e)
{
	struct show_fio_file file = {
		.jobs = job, .job_count = 1, .timestamp_s = m->r->iat
	};
	int rc = -1;

	file.version = arena_printf(
		&m->arena, "%s-%s", m->r->tool->name, m->r->tool->version);
	m->failed |= !file.version;
	/* sums of what a receipt may hold can be more than a file may hold */
	if (!m->failed)
		m->failed =
			shape_tidy(&show_fio_file_shape, &file, &m->arena) != 0;
	if (m->failed)
		err_set(e, ERR_OUTPUT, 0,
			"out of memory while writing fio's files");
	else
		rc = shape_write(&show_fio_file_shape, &file, out, e);
	if (rc == 0)
		buf_char(out, '\n');
	arena_free(&m->arena);
	return rc;
}

int
show_fio_job_window(const struct receipt *r, const struct receipt_window *w,
	struct buf *out, struct err *e)
{
	struct show_fio_job_maker m = { .r = r, .job = &r->plan->jobs[w->job] };
	struct show_fio_file_job job;

	arena_init(&m.arena);
	shape_clear(&show_fio_file_job_shape, &job);
	job.jobname = w->name;
	if (shape_has(m.job->runs) && m.job->runs > 1) {
		job.jobname = arena_printf(&m.arena, "%s-run-%llu", w->name,
			(unsigned long long)w->run);
		m.failed |= !job.jobname;
	}
	job.groupid = job.error = 0;
	job.elapsed_s =
		w->elapsed_ns / 1000000000 + (w->elapsed_ns % 1000000000 > 0);
	job.options = show_fio_job_options(&m);
	job.read = show_fio_job_lane(&m, w, w->read);
	job.write = show_fio_job_lane(&m, w, w->write);
	job.trim = show_fio_job_idle(&m);
	job.sync = show_fio_job_sync(&m, w->sync);
	show_fio_job_cpu(&m, w, &job);
	return show_fio_job_write(&m, &job, out, e);
}

/* The writing was not timed call by call: bytes and a rate are all. */
int
show_fio_job_prepare(const struct receipt *r, struct buf *out, struct err *e)
{
	static const struct receipt_job declared = { .name = "prepare-file",
		.rw = "write",
		.ioengine = "psync",
		.bs_bytes = 1 << 20,
		.iodepth = 1,
		.numjobs = 1,
		.rwmixread_pct = SHAPE_ABSENT,
		.runtime_ns = SHAPE_ABSENT,
		.ramp_ns = SHAPE_ABSENT,
		.fsync = SHAPE_ABSENT,
		.fdatasync = SHAPE_ABSENT,
		.offset_increment_bytes = SHAPE_ABSENT,
		.number_ios = SHAPE_ABSENT,
		.randseed = SHAPE_ABSENT,
		.direct = 1,
		.randrepeat = 1,
		.end_fsync = 1 };
	struct receipt_job wanted = declared;
	struct show_fio_job_maker m = { .r = r, .job = &wanted };
	const struct receipt_prepare *p = r->prepare;
	struct show_fio_file_job job;

	arena_init(&m.arena);
	wanted.size_bytes = r->plan->size_bytes;
	shape_clear(&show_fio_file_job_shape, &job);
	job.jobname = wanted.name;
	job.groupid = job.error = 0;
	job.elapsed_s =
		p->elapsed_ns / 1000000000 + (p->elapsed_ns % 1000000000 > 0);
	job.options = show_fio_job_options(&m);
	job.read = show_fio_job_idle(&m);
	job.trim = show_fio_job_idle(&m);
	job.write = show_fio_job_new(&m, &show_fio_file_lane_shape);
	if (job.write) {
		job.write->io_bytes = p->bytes;
		job.write->io_kbytes = p->bytes / 1024;
		job.write->runtime_ms = show_fio_job_ms(p->elapsed_ns);
		if (!isnan(p->bw_bytes)) {
			job.write->bw_bytes = (uint64_t)p->bw_bytes;
			job.write->bw = job.write->bw_bytes / 1024;
		}
	}
	job.job_runtime_ms = show_fio_job_ms(p->elapsed_ns);
	return show_fio_job_write(&m, &job, out, e);
}
