#include <string.h>

#include "app/run_options.h"
#include "base/clock.h"

void
run_options_default(struct run_options *o)
{
	memset(o, 0, sizeof(*o));
	o->dir = "/var/tmp";
	o->ramp_ns = UINT64_MAX;
	o->cpu = UINT64_MAX;
	o->stall_limit_ns = 60 * CLOCK_NS_PER_S;
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

	if (o->sequence && strcmp(o->sequence, "fio3.34") == 0)
		r.sequence = PLAN_FIO_334;
	return plan_make(p, &r, e);
}
