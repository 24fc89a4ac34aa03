#include <stdlib.h>
#include <string.h>

#include "app/run_options.h"
#include "app/screen.h"
#include "base/clock.h"
#include "base/file.h"
#include "disk/jobfile.h"
#include "receipt/metric.h"

void
run_options_default(struct run_options *o)
{
	memset(o, 0, sizeof(*o));
	o->dir = "/var/tmp";
	o->ramp_ns = UINT64_MAX;
	o->cpu = UINT64_MAX;
	o->stall_limit_ns = 60 * CLOCK_NS_PER_S;
	send_options_default(&o->send);
}

static int
read_jobfile(const struct run_options *o, struct jobfile *f, struct err *e)
{
	struct buf text;
	int rc;

	buf_init(&text);
	rc = file_read(o->jobfile, JOBFILE_MAX_BYTES, &text, e);
	if (rc == 0 && jobfile_parse(f, buf_text(&text), text.len, e) < 0)
		rc = err_wrap(e, "%s", o->jobfile);
	buf_free(&text);
	if (rc == 0 && f->together && !o->quiet)
		screen_say("%s: jobs without stonewall, which fio would start "
			   "together, run one after the other",
			o->jobfile);
	return rc;
}

int
run_options_plan(const struct run_options *o, struct plan *p, struct err *e)
{
	struct plan_request r = {
		.suite = o->suite,
		.only = o->only,
		.jobs = o->jobs.v,
		.job_count = o->jobs.n,
		.size_bytes = o->size_bytes,
		.runtime_ns = o->runtime_ns,
		.ramp_ns = o->ramp_ns,
		.runs = (uint32_t)o->runs,
		.sequence = PLAN_FIO_335,
		.keep_cow = o->keep_cow,
	};
	struct jobfile *f = NULL;
	int rc = 0;

	if (o->sequence && strcmp(o->sequence, "fio3.34") == 0)
		r.sequence = PLAN_FIO_334;
	if (o->jobfile) {
		f = calloc(1, sizeof(*f));
		rc = f ? read_jobfile(o, f, e)
		       : err_set(e, ERR_REFUSED, 0, "out of memory");
	}
	if (f && rc == 0) {
		r.parsed = f->jobs;
		r.parsed_count = f->count;
	}
	if (rc == 0)
		rc = plan_make(p, &r, e);
	free(f);
	return rc;
}

_Static_assert(OPTION_TEXTS_MAX <= REQUIRE_MAX, "a receipt holds them all");

int
run_options_require(const struct run_options *o, const struct plan *p,
	struct require *out, struct err *e)
{
	struct receipt names;
	struct arena a;
	size_t i;
	int rc = 0;

	if (o->require.n == 0)
		return 0;
	arena_init(&a);
	if (metric_plan(p, &names, &a))
		rc = err_set(e, ERR_REFUSED, 0, "out of memory");
	for (i = 0; i < o->require.n && rc == 0; i++)
		if (require_parse(&out[i], o->require.v[i], &names, e))
			rc = err_wrap(e, "--require");
	arena_free(&a);
	return rc ? -1 : (int)o->require.n;
}
