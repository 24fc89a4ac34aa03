#include "disk/plan.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "disk/diag.h"
#include "disk/jobfile.h"
#include "disk/suite.h"

#define DEFAULT_SIZE_BYTES (UINT64_C(512) << 20)
#define PREPARE_BYTES	   (UINT64_C(1) << 20)
/* The target is written by whole pages, whatever its jobs declare. */
#define PAGE_BYTES	UINT64_C(4096)
#define SAMPLE_LEAST_NS (UINT64_C(100) * 1000000)

static const char *const sequence_words[] = {
	[PLAN_FIO_335] = "fio3.35",
	[PLAN_FIO_334] = "fio3.34",
};

const char *
plan_sequence_word(enum plan_sequence s)
{
	return sequence_words[s];
}

/* ---- which jobs -------------------------------------------------------- */

static int
unknown_suite(const char *name, struct err *e)
{
	const char *const *names = suite_names();
	const char *near = units_nearest(name, names);
	char all[160] = "";
	size_t len = 0;

	for (; *names && len < sizeof(all); names++)
		len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s",
			len ? ", " : "", *names);
	return err_set(e, ERR_USAGE, 0, "there is no suite \"%.40s\"%s%s%s %s",
		name, near ? ": did you mean " : "", near ? near : "",
		near ? "? There are" : "; there are", all);
}

static int
take_suite(struct plan *p, const char *name, struct err *e)
{
	const struct suite *s = suite_find(name);

	if (!s)
		return unknown_suite(name, e);
	snprintf(p->suite, sizeof(p->suite), "%s", s->name);
	memcpy(p->jobs, s->jobs, s->count * sizeof(s->jobs[0]));
	p->job_count = (uint32_t)s->count;
	p->floor_bytes = s->floor_bytes;
	if (!s->probe)
		return 0;
	p->jobs[p->job_count++] = s->probe->job;
	p->probe.samples = s->probe->job.runs;
	p->probe.length_ns = s->probe->length_ns;
	p->probe.every_ns = s->probe->every_ns;
	return 0;
}

/* Is it one of a suite, jobs in words, a job file, and of fair length? */
static int
check_source(const struct plan_request *r, struct err *e)
{
	size_t count = r->job_count + r->parsed_count;

	if (r->suite && count)
		return err_set(e, ERR_USAGE, 0,
			"a suite and jobs of your own: a plan is one or the "
			"other");
	if (r->job_count && r->parsed_count)
		return err_set(e, ERR_USAGE, 0,
			"--job and --jobfile: a plan is of one or the other");
	if (count > PLAN_JOBS_MAX)
		return err_set(e, ERR_USAGE, 0,
			"%zu jobs: a plan has %d at most", count,
			PLAN_JOBS_MAX);
	return 0;
}

static int
take_jobs(struct plan *p, const struct plan_request *r, struct err *e)
{
	struct job *j;
	size_t i;

	snprintf(p->suite, sizeof(p->suite), "custom");
	for (i = 0; i < r->parsed_count; i++)
		p->jobs[p->job_count++] = r->parsed[i];
	for (i = 0; i < r->job_count; i++) {
		j = &p->jobs[i];
		job_defaults(j);
		if (job_parse(j, r->jobs[i], e) < 0)
			return err_wrap(e, "job %zu", i + 1);
		if (!j->name[0])
			snprintf(j->name, sizeof(j->name), "job%zu", i + 1);
	}
	p->job_count += (uint32_t)r->job_count;
	return 0;
}

static int
check_names(const struct plan *p, struct err *e)
{
	uint32_t i, k;

	for (i = 0; i < p->job_count; i++)
		for (k = 0; k < i; k++)
			if (!strcmp(p->jobs[i].name, p->jobs[k].name))
				return err_set(e, ERR_USAGE, 0,
					"jobs %u and %u are both named "
					"\"%s\": a window has a name of its "
					"own",
					k + 1, i + 1, p->jobs[i].name);
	return 0;
}

/* Keep the jobs whose name matches; the others leave the plan. */
static int
keep_only(struct plan *p, const char *glob, struct err *e)
{
	char all[300] = "";
	size_t used = 0;
	uint32_t i, kept = 0;
	bool probed = false;

	for (i = 0; i < p->job_count; i++) {
		if (used < sizeof(all))
			used += (size_t)snprintf(all + used, sizeof(all) - used,
				"%s%s", i ? " " : "", p->jobs[i].name);
		if (fnmatch(glob, p->jobs[i].name, 0) != 0)
			continue;
		probed = i >= plan_jobs(p);
		p->jobs[kept++] = p->jobs[i];
	}
	if (!probed)
		p->probe = (struct plan_probe){ 0 };
	if (!kept)
		return err_set(e, ERR_USAGE, 0,
			"no window is named like \"%.60s\"; there are: %s",
			glob, all);
	p->job_count = kept;
	return 0;
}

/* ---- what was asked for beside them ------------------------------------ */

/* part * size / span, in whole blocks. */
static uint64_t
scaled(const struct job *j, uint64_t part, uint64_t size)
{
	unsigned __int128 wide = (unsigned __int128)part * size;

	wide /= job_span_bytes(j) * (unsigned __int128)j->bs_bytes;
	return (uint64_t)wide * j->bs_bytes;
}

/*
 * Give job j a target of `size` bytes: where its threads have regions of
 * their own, these shrink or grow in proportion.
 */
static int
resize(struct job *j, uint64_t size, struct err *e)
{
	uint64_t region, increment;

	/* without a size of its own job_check says what is missing */
	if (j->offset_increment_bytes && !j->size_bytes)
		return 0;
	if (!j->offset_increment_bytes) {
		j->size_bytes = size;
		return 0;
	}
	region = scaled(j, j->size_bytes, size);
	increment = scaled(j, j->offset_increment_bytes, size);
	if (!region || !increment)
		return err_set(e, ERR_USAGE, 0,
			"size=%llu is too small for %u regions of one block",
			(unsigned long long)size, j->numjobs);
	j->size_bytes = region;
	j->offset_increment_bytes = increment;
	return 0;
}

static int
override(struct job *j, const struct plan_request *r, struct err *e)
{
	if (r->size_bytes && resize(j, r->size_bytes, e) < 0)
		return -1;
	if (r->runtime_ns)
		j->runtime_ns = r->runtime_ns;
	if (r->ramp_ns != UINT64_MAX)
		j->ramp_ns = r->ramp_ns;
	if (r->runs)
		j->runs = r->runs;
	return 0;
}

/*
 * A sample is a tenth of the time from one to the next, not more than was
 * declared, and long enough for a few hundred I/Os.
 */
static int
override_probe(struct plan *p, const struct plan_request *r, struct err *e)
{
	struct job *j = &p->jobs[p->job_count - 1];
	struct plan_probe *probe = &p->probe;
	uint64_t sample_ns;

	if (r->size_bytes && resize(j, r->size_bytes, e) < 0)
		return -1;
	if (!r->runtime_ns || r->runtime_ns >= probe->length_ns)
		return 0;
	probe->every_ns = r->runtime_ns / probe->samples;
	probe->length_ns = probe->every_ns * probe->samples;
	sample_ns = probe->every_ns / 10;
	if (sample_ns < SAMPLE_LEAST_NS)
		sample_ns = SAMPLE_LEAST_NS;
	if (sample_ns > probe->every_ns)
		sample_ns = probe->every_ns;
	if (sample_ns < j->runtime_ns)
		j->runtime_ns = sample_ns;
	return 0;
}

static int
check_request(const struct plan_request *r, struct err *e)
{
	if (r->size_bytes > JOB_SIZE_MAX_BYTES)
		return err_set(e, ERR_USAGE, 0, "a size of more than 1 PiB");
	if (r->runtime_ns > JOB_TIME_MAX_NS ||
		(r->ramp_ns != UINT64_MAX && r->ramp_ns > JOB_TIME_MAX_NS))
		return err_set(e, ERR_USAGE, 0,
			"a runtime or ramp of more than a week");
	if (r->runs > JOB_RUNS_MAX)
		return err_set(e, ERR_USAGE, 0, "%u runs: %d at most", r->runs,
			JOB_RUNS_MAX);
	return 0;
}

/* Sizes that were left open are the largest that was given. */
static void
settle_sizes(struct plan *p)
{
	uint64_t largest = 0, span;
	uint32_t i;

	for (i = 0; i < p->job_count; i++) {
		span = job_span_bytes(&p->jobs[i]);
		largest = span > largest ? span : largest;
	}
	if (!largest)
		largest = DEFAULT_SIZE_BYTES;
	for (i = 0; i < p->job_count; i++)
		if (!job_span_bytes(&p->jobs[i]))
			p->jobs[i].size_bytes = largest;
	p->size_bytes = (largest + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

static int
lay_windows(struct plan *p, struct err *e)
{
	struct plan_window *w;
	uint32_t i, run;

	for (i = 0; i < p->job_count; i++) {
		for (run = 1; run <= p->jobs[i].runs; run++) {
			if (p->window_count == PLAN_WINDOWS_MAX)
				return err_set(e, ERR_USAGE, 0,
					"more than %d windows",
					PLAN_WINDOWS_MAX);
			w = &p->windows[p->window_count++];
			memcpy(w->name, p->jobs[i].name, sizeof(w->name));
			w->job = i;
			w->run = run;
		}
	}
	return 0;
}

int
plan_make(struct plan *p, const struct plan_request *r, struct err *e)
{
	int got;
	uint32_t i;

	memset(p, 0, sizeof(*p));
	p->sequence = r->sequence;
	p->keep_cow = r->keep_cow;
	if (check_source(r, e) < 0)
		return -1;
	got = r->job_count || r->parsed_count
		      ? take_jobs(p, r, e)
		      : take_suite(p, r->suite ? r->suite : "baseline", e);
	if (got < 0 || check_names(p, e) < 0 || check_request(r, e) < 0)
		return -1;
	if (r->only && keep_only(p, r->only, e) < 0)
		return -1;
	for (i = 0; i < plan_jobs(p); i++)
		if (override(&p->jobs[i], r, e) < 0)
			return err_wrap(e, "%s", p->jobs[i].name);
	if (p->probe.samples && override_probe(p, r, e) < 0)
		return err_wrap(e, "%s", p->jobs[i].name);
	settle_sizes(p);
	for (i = 0; i < p->job_count; i++)
		if (job_check(&p->jobs[i], e) < 0)
			return err_wrap(e, "%s", p->jobs[i].name);
	return lay_windows(p, e);
}

/* ---- what it says and costs -------------------------------------------- */

void
plan_canonical(const struct plan *p, struct buf *out)
{
	uint32_t i;

	buf_printf(out, "method=%d\nsequence=%s\nkeep_cow=%d\nsize=%llu\n",
		PLAN_METHOD, plan_sequence_word(p->sequence), p->keep_cow,
		(unsigned long long)p->size_bytes);
	for (i = 0; i < p->job_count; i++) {
		buf_char(out, '\n');
		job_canonical(&p->jobs[i], out);
	}
	if (p->probe.samples)
		buf_printf(out, "\nprobe=%s\nlength_ns=%llu\nevery_ns=%llu\n",
			p->jobs[p->job_count - 1].name,
			(unsigned long long)p->probe.length_ns,
			(unsigned long long)p->probe.every_ns);
}

uint64_t
plan_window_ns(const struct plan *p, uint32_t n)
{
	const struct job *j = &p->jobs[p->windows[n].job];

	return n < plan_windows(p) ? j->ramp_ns + j->runtime_ns
				   : p->probe.every_ns;
}

uint64_t
plan_sample_at_ns(const struct plan *p, uint32_t n)
{
	return (n - plan_windows(p) + 1) * p->probe.every_ns -
	       p->jobs[p->windows[n].job].runtime_ns;
}

void
plan_cost(const struct plan *p, struct plan_cost *out)
{
	const struct job *j;
	uint32_t i, slots;
	uint64_t bytes;

	*out = (struct plan_cost){ .prepare_bytes = p->size_bytes,
		.diag_ns = diag_cost_ns(p) };
	for (i = 0; i < p->window_count; i++) {
		j = &p->jobs[p->windows[i].job];
		slots = j->numjobs * j->iodepth;
		bytes = slots * j->bs_bytes;
		out->windows_ns += plan_window_ns(p, i);
		if (bytes > out->buffers_bytes)
			out->buffers_bytes = bytes;
		if (slots > out->slots)
			out->slots = slots;
		if (j->iodepth > out->iodepth)
			out->iodepth = j->iodepth;
		if (j->numjobs > out->threads)
			out->threads = j->numjobs;
		out->unbounded = out->unbounded || !j->runtime_ns;
		out->writes = out->writes || job_writes(j);
	}
}

void
plan_fio(const struct plan *p, const char *filename, struct buf *out)
{
	const struct plan_window *w;
	struct job j;
	size_t len;
	uint32_t i;

	buf_printf(out,
		"; The windows of plan \"%s\", for fio itself.\n"
		"; fio seeds its offsets by the place of a section in the "
		"file: they are other\n"
		"; offsets than those of a window that fio runs by itself.\n\n",
		p->suite);
	job_defaults(&j);
	snprintf(j.name, sizeof(j.name), "prepare");
	j.rw = JOB_WRITE;
	j.ioengine = JOB_PSYNC;
	j.bs_bytes = PREPARE_BYTES;
	j.size_bytes = p->size_bytes;
	j.end_fsync = true;
	job_fio(&j, filename, out);
	buf_str(out, JOBFILE_PREPARE "\n");
	for (i = 0; i < plan_windows(p); i++) {
		w = &p->windows[i];
		j = p->jobs[w->job];
		len = strlen(j.name);
		if (j.runs > 1)
			snprintf(j.name + len, sizeof(j.name) - len, "-run-%u",
				w->run);
		buf_char(out, '\n');
		job_fio(&j, filename, out);
	}
	if (p->probe.samples)
		buf_printf(out,
			"\n; Not in this file: the neighbour probe, %u reads "
			"of "
			"%llu ms, %llu ms apart.\n",
			p->probe.samples,
			(unsigned long long)(p->jobs[p->job_count - 1]
						     .runtime_ns /
					     CLOCK_NS_PER_MS),
			(unsigned long long)(p->probe.every_ns /
					     CLOCK_NS_PER_MS));
}
