/*
 * run_options: what `run` and `plan` were asked for, as the option table of
 * cmd_run.c fills it.
 */
#ifndef APP_RUN_OPTIONS_H
#define APP_RUN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/option.h"
#include "app/send.h"
#include "base/err.h"
#include "disk/plan.h"
#include "receipt/require.h"

struct run_options {
	const char *dir;
	const char *suite, *only;
	struct option_texts jobs, require;
	const char *jobfile;
	uint64_t size_bytes, runtime_ns, ramp_ns, runs;
	const char *sequence, *reap;
	uint64_t cpu; /* UINT64_MAX = not pinned */
	bool keep_cow, allow_memory;
	uint64_t stall_limit_ns, deadline_ns;
	const char *out, *fio_dir;
	bool json, quiet, no_sign;
	const char *label, *note, *nonce, *aud, *key, *color;
	struct send_options send;
	bool fio; /* plan only */
};

/* The defaults that --help names. */
void run_options_default(struct run_options *o);

/*
 * The plan that o asks for.  ERR_USAGE, and of a job file ERR_INPUT, ERR_OPEN.
 * Says on stderr where a plan is other than fio would read the file.
 */
int run_options_plan(
	const struct run_options *o, struct plan *p, struct err *e);

/*
 * What o demands of a run of p, into out[REQUIRE_MAX]; returns how many, -1
 * with ERR_USAGE where p cannot yield what is demanded.
 */
int run_options_require(const struct run_options *o, const struct plan *p,
	struct require *out, struct err *e);

#endif
