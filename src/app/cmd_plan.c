#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/plan_time.h"
#include "app/run_options.h"
#include "app/screen.h"
#include "base/clock.h"
#include "base/units.h"
#include "crypto/digest.h"
#include "disk/guard.h"

static void
add_windows(const struct plan *p, struct buf *out)
{
	char run[32], bs[32], time[32], ramp[32];
	uint32_t i;

	buf_str(out, "\n  #  window                     run  rw         bs    "
		     "depth  jobs  time\n");
	for (i = 0; i < plan_windows(p); i++) {
		const struct plan_window *w = &p->windows[i];
		const struct job *j = &p->jobs[w->job];

		units_count(w->run, run, sizeof(run));
		buf_printf(out, "%3u  ", i + 1);
		text_cell(out, w->name, 25, false, false);
		buf_printf(out, "  %3s  %-9s  %-5s %5u %5u  ", run,
			job_rw_word(j->rw),
			units_bytes_short(j->bs_bytes, bs, sizeof(bs)),
			j->iodepth, j->numjobs);
		if (j->ramp_ns)
			buf_printf(out, "%s + ",
				units_ns(j->ramp_ns, ramp, sizeof(ramp)));
		buf_printf(out, "%s%s\n",
			j->runtime_ns
				? units_ns(j->runtime_ns, time, sizeof(time))
				: "one pass",
			j->runtime_ns && !j->time_based ? " or one pass" : "");
	}
}

static void
add_probe(const struct plan *p, struct buf *out)
{
	const struct job *j = &p->jobs[p->job_count - 1];
	char length[32], sample[32], every[32];

	if (!p->probe.samples)
		return;
	buf_printf(out,
		"\nprobe      %s: CPU steal each second for %s, a %s at "
		"depth %u\n           for %s at the end of every %s\n",
		j->name, units_ns(p->probe.length_ns, length, sizeof(length)),
		job_rw_word(j->rw), j->iodepth,
		units_ns(j->runtime_ns, sample, sizeof(sample)),
		units_ns(p->probe.every_ns, every, sizeof(every)));
}

/* Windows that write: how many, for how long. */
static void
add_writes(const struct plan *p, struct buf *out)
{
	uint64_t ns = 0, most = 0, bytes;
	uint32_t i, n = 0;
	char time[32], size[32];

	for (i = 0; i < p->window_count; i++) {
		const struct job *j = &p->jobs[p->windows[i].job];

		if (!job_writes(j))
			continue;
		n++;
		ns += j->ramp_ns + j->runtime_ns;
		/* whichever comes first ends it */
		bytes = j->size_bytes;
		if (j->number_ios && j->number_ios < bytes / j->bs_bytes)
			bytes = j->number_ios * j->bs_bytes;
		if (!j->time_based)
			most += bytes * j->numjobs;
	}
	if (n == 0)
		return;
	buf_printf(out, "windows    %u of them write, ", n);
	if (ns)
		buf_printf(out, "for %s, ", units_ns(ns, time, sizeof(time)));
	buf_str(out, "as fast as the disk takes it\n");
	if (most)
		buf_printf(out, "           those that end by size write %s\n",
			units_bytes(most, size, sizeof(size)));
}

static void
add_cost(const struct plan *p, const struct guard_view *v, struct buf *out)
{
	struct plan_cost c;
	char a[32], b[32];

	plan_cost(p, &c);
	buf_printf(out, "\nprepare    %s written once\n",
		units_bytes(c.prepare_bytes, a, sizeof(a)));
	add_writes(p, out);
	buf_printf(out, "memory     %s of buffers, at most %u I/Os at once\n",
		units_bytes(c.buffers_bytes, a, sizeof(a)), c.slots);
	buf_printf(out, "space      %s wanted, %s available in ",
		units_bytes(guard_space_wanted(v, p), a, sizeof(a)),
		units_bytes(v->available_bytes, b, sizeof(b)));
	text_clean(out, v->dir, true);
	buf_char(out, '\n');
	buf_str(out,
		"writes     spend burst credits where the disk has them\n");
}

static int
describe(const struct run_options *o, const struct plan *p, struct buf *out,
	struct err *e)
{
	struct guard_view view = { .dir_fd = -1 };
	char hex[DIGEST_HEX_SIZE], size[32];
	struct buf text;
	bool allowed;

	if (guard_look(&view, o->dir, "", e) < 0)
		return -1;
	buf_init(&text);
	plan_canonical(p, &text);
	digest_sha256(buf_text(&text), text.len, hex);
	buf_free(&text);
	buf_printf(out, "plan       %s, target %s, sequence of %s\n", p->suite,
		units_bytes(p->size_bytes, size, sizeof(size)),
		plan_sequence_word(p->sequence));
	buf_printf(out, "digest     %s\n", hex);
	if (plan_windows(p))
		add_windows(p, out);
	add_probe(p, out);
	add_cost(p, &view, out);
	allowed = guard_judge(&view, p, o->allow_memory, "", e) == 0;
	plan_time_add(p, allowed ? &view : NULL, out);
	if (allowed)
		buf_str(out, "guard      would let it run\n");
	else
		buf_printf(out, "refused    %s\n", e->text);
	*e = (struct err){ 0 };
	guard_close(&view);
	return 0;
}

static int
print_plan(const struct run_options *o, struct err *e)
{
	struct plan *p = calloc(1, sizeof(*p));
	struct require demands[REQUIRE_MAX];
	struct buf out;
	int rc = -1;

	buf_init(&out);
	if (!p) {
		err_set(e, ERR_REFUSED, 0, "out of memory");
	} else if (run_options_plan(o, p, e) == 0 &&
		   run_options_require(o, p, demands, e) >= 0) {
		rc = 0;
		if (o->fio)
			plan_fio(p, "fio-target.bin", &out);
		else
			rc = describe(o, p, &out, e);
	}
	if (rc == 0)
		rc = screen_out(buf_text(&out), out.len, e);
	buf_free(&out);
	free(p);
	return rc;
}

int
cmd_plan(int argc, char **argv)
{
	struct run_options o;
	struct err e = { 0 };
	int operands = argc, status;

	run_options_default(&o);
	status = command_scan("plan", argc, argv, &o, &operands);
	if (status >= 0)
		return status;
	if (operands < argc)
		err_set(&e, ERR_USAGE, 0, "plan takes no operand (\"%s\")",
			argv[operands]);
	else
		print_plan(&o, &e);
	return e.code ? command_fail(&e) : 0;
}
