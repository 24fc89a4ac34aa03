#include "disk/estimate.h"

#include "tap.h"

#define S   UINT64_C(1000000000)
#define MIB (UINT64_C(1) << 20)

static struct plan plan;
static struct guard_view view;

static bool
planned(const char *suite, uint64_t size_bytes, uint64_t runtime_ns)
{
	const struct plan_request r = { .suite = suite,
		.ramp_ns = UINT64_MAX,
		.size_bytes = size_bytes,
		.runtime_ns = runtime_ns };
	struct err e;

	return OK(plan_make(&plan, &r, &e) == 0, "a plan");
}

static void
test_run(void)
{
	const struct estimate_rates slow = { .bytes_per_s = 2 * MIB,
		.io_ns = S / 50 };
	const struct estimate_rates fast = { .bytes_per_s = 1024 * MIB,
		.io_ns = 100000 };
	struct estimate t;
	struct plan_cost cost;

	planned("baseline", 64 * MIB, 2 * S);
	plan_cost(&plan, &cost);
	estimate_run(&t, &plan, &slow);
	EQ_U64(t.prepare_ns, 32 * S, "64 MiB at 2 MiB/s");
	EQ_U64(t.windows_ns, cost.windows_ns + cost.diag_ns, "as planned");
	EQ_U64(t.drains_ns, (3 + 32 + 4 + 1) * S / 50, "what is in flight");
	estimate_run(&t, &plan, &fast);
	EQ_U64(t.prepare_ns, S / 16, "64 MiB at 1 GiB/s");
	OK(t.drains_ns < S / 50, "which drains at once");
	planned("standard", 64 * MIB, 6 * S);
	estimate_run(&t, &plan, &slow);
	OK(t.windows_ns >= 12 * 6 * S, "windows and the probe");
	OK(t.drains_ns > 2 * 16 * S && t.drains_ns < 60 * S,
		"32 MiB in flight twice, and 128 I/Os thrice");
}

/* No failure of a plan: a reason. */
static void
refused(const char *part)
{
	struct estimate_rates rates = { .bytes_per_s = 7, .io_ns = 7 };
	struct err e = { 0 };

	if (!OK(estimate_read(&rates, &view, &e) < 0 && e.code == ERR_OPEN &&
			    strstr(e.text, part),
		    part))
		printf("# %s\n", e.text);
	OK(!rates.bytes_per_s && !rates.io_ns, "nothing is known");
}

static void
test_read(void)
{
	struct stack_layer *l = view.stack.layers;
	struct limits_io *io = view.limits.io;
	struct estimate_rates rates;
	struct err e = { 0 };

	refused("no block device");
	view.stack.count = 1;
	l[0].kind = STACK_FILESYSTEM;
	refused("no block device");
	view.stack.count = 2;
	l[1].kind = STACK_DISK;
	refused("no block device");
	strcpy(l[1].name, "no!such");
	refused("/dev/no/such cannot be read");
	strcpy(l[1].name, "null");
	refused("/dev/null cannot be read");
	l[1].dev_major = 253;
	l[1].dev_minor = 7;
	view.limits.io_count = 1;
	io[0] = (struct limits_io){ .dev_major = 253,
		.dev_minor = 7,
		.rbps = LIMITS_UNKNOWN,
		.wbps = LIMITS_UNKNOWN,
		.riops = 100,
		.wiops = LIMITS_UNKNOWN };
	refused("/dev/null cannot be read");
	io[0].wbps = 2 * MIB;
	io[0].wiops = 50;
	OK(estimate_read(&rates, &view, &e) == 0 && rates.limited,
		"a limit of ours does, too");
	EQ_U64(rates.bytes_per_s, 2 * MIB, "on writes");
	EQ_U64(rates.io_ns, S / 50, "of each kind");
	io[0].wiops = 1;
	OK(estimate_read(&rates, &view, &e) == 0, "whichever is less");
	EQ_U64(rates.bytes_per_s, MIB, "1 MiB at a time");
	io[0].dev_minor = 8;
	refused("/dev/null cannot be read");
}

int
main(void)
{
	test_run();
	test_read();
	return tap_done();
}
