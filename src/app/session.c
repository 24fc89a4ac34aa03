#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/bounded.h"
#include "app/command.h"
#include "app/deliver.h"
#include "app/progress.h"
#include "app/reach.h"
#include "app/screen.h"
#include "app/send.h"
#include "app/session.h"
#include "app/sign.h"
#include "app/stop.h"
#include "app/supervise.h"
#include "app/tool.h"
#include "base/clock.h"
#include "base/rng.h"
#include "disk/guard.h"
#include "disk/lab.h"
#include "disk/target.h"
#include "host/host.h"
#include "receipt/assemble.h"
#include "receipt/finding.h"
#include "receipt/require.h"

#define ROOT "" /* the machine's own /proc and /sys */

struct session {
	const struct run_options *o;
	struct plan plan;
	struct require demands[REQUIRE_MAX];
	size_t demand_count;
	char digest[DIGEST_HEX_SIZE];
	char jti[37];
	struct tool tool;
	struct host host;
	struct guard_view view;
	struct lab lab;
	struct target target;
	struct record *record;
	struct pressure_delta window_delta[PLAN_WINDOWS_MAX];
	struct supervise supervise;
	struct progress progress;
	struct deliver deliver;
	struct sign sign;
	struct send send;
	struct assemble in; /* what the receipt is made of */
	int status;
};

/* Something went wrong: on the screen, in the receipt, in the status. */
static void
note(struct session *s, const char *what, const struct err *e)
{
	/* a disk that fails has not refused: something may have been written */
	int code = e->sys == EIO && e->code == ERR_REFUSED ? ERR_INCOMPLETE
							   : e->code;

	progress_end(&s->progress);
	screen_say("%s: %s", what, e->text);
	s->status = err_worse(s->status, code);
	assemble_reason(&s->in, what, "%s", e->text);
}

/* Was a signal asked for between steps?  Notes it. */
static int
interrupted(struct session *s, const char *what)
{
	struct err e = { 0 };
	int sig = stop_signal();

	if (!sig)
		return 0;
	err_set(&e, ERR_SIGNAL + sig, 0, "ended by signal %d (%s)", sig,
		strsignal(sig));
	note(s, what, &e);
	return -1;
}

static int
identify(struct session *s, struct err *e)
{
	struct rng rng;
	struct buf text;

	buf_init(&text);
	plan_canonical(&s->plan, &text);
	digest_sha256(buf_text(&text), text.len, s->digest);
	buf_free(&text);
	if (rng_init(&rng, e) < 0) {
		e->code = ERR_REFUSED; /* nothing was touched yet */
		return -1;
	}
	rng_uuid4(&rng, s->jti);
	tool_read(&s->tool);
	host_read(&s->host, ROOT);
	return 0;
}

static void
describe(struct session *s)
{
	struct assemble *in = &s->in;

	in->plan = &s->plan;
	in->host = &s->host;
	in->tool = &s->tool.facts;
	in->jti = s->jti;
	in->plan_digest = s->digest;
	in->sub = s->o->label;
	in->note = s->o->note;
	in->nonce = s->o->nonce;
	in->aud = s->o->aud;
	in->dir = s->o->dir;
	in->clock_state = clock_state(TOOL_RELEASED_S);
	in->clock_read_cost_ns = clock_read_cost_ns();
	in->ticker_ns = SUPERVISE_TICK_NS;
	in->allowed_memory = s->o->allow_memory;
	in->lab_removed = -1;
}

static int
guard(struct session *s)
{
	struct err e = { 0 };

	if (reach_dir(s->o->dir, false, &e) < 0 ||
		guard_look(&s->view, s->o->dir, ROOT, &e) < 0) {
		note(s, "guard", &e);
		return -1;
	}
	s->in.view = &s->view;
	if (guard_judge(&s->view, &s->plan, s->o->allow_memory, ROOT, &e) < 0) {
		note(s, "guard", &e);
		return -1;
	}
	return interrupted(s, "guard");
}

/* The lab and the target in it: from here on there is something to clean. */
static int
enter(struct session *s)
{
	struct target_wish wish;
	struct err e = { 0 };

	guard_wish(&s->view, &s->plan, &wish);
	if (reach_dir(s->view.dir, true, &e) < 0 ||
		lab_enter(&s->lab, s->view.dir_fd, &e) < 0) {
		note(s, "guard", &e);
		return -1;
	}
	s->in.lab_removed = 0;
	s->in.took_over = s->lab.took_over;
	if (s->lab.took_over)
		progress_say(&s->progress, true,
			"took over the lab that an earlier run left in %s",
			s->view.dir);
	if (target_make(&s->target, &s->lab, &wish, &e) < 0) {
		note(s, "guard", &e);
		return -1;
	}
	s->in.target = &s->target;
	return interrupted(s, "guard");
}

static void
measure(struct session *s)
{
	int disk = stack_single_disk(&s->view.stack);
	struct worker worker = { .target = &s->target };
	struct supervise *sv = &s->supervise;
	const struct stack_layer *layer = NULL;
	struct err e = { 0 };

	s->record = record_make(&s->plan, &e);
	if (!s->record) {
		note(s, "memory", &e);
		return;
	}
	s->in.record = s->record;
	worker.setup = (struct engine_setup){
		.plan = &s->plan,
		.record = s->record,
		.target_fd = s->target.fd,
		.align_bytes = s->target.mem_align_bytes > s->target.align_bytes
				       ? s->target.mem_align_bytes
				       : s->target.align_bytes,
		.data_seed = s->target.seed,
		.syscall_reap =
			s->o->reap && strcmp(s->o->reap, "syscall") == 0,
		.cpu = s->o->cpu == UINT64_MAX ? -1 : (int)s->o->cpu,
		.root = ROOT,
	};
	sv->worker = &worker;
	sv->progress = &s->progress;
	sv->stall_limit_ns = s->o->stall_limit_ns;
	sv->deadline_ns = s->o->deadline_ns;
	sv->meanwhile.windows = s->window_delta;
	sv->meanwhile.window_count = s->plan.window_count;
	if (disk >= 0)
		layer = &s->view.stack.layers[disk];
	pressure_source_init(&sv->meanwhile.source, ROOT,
		layer ? layer->dev_major : 0, layer ? layer->dev_minor : 0,
		s->host.virtualisation);
	s->in.window_delta = s->window_delta;
	s->in.prepare_delta = &sv->meanwhile.prepare;
	if (supervise_run(sv) < 0)
		note(s, sv->what, &sv->err);
	pressure_source_close(&sv->meanwhile.source);
}

static int
leave(void *arg, struct err *e)
{
	struct session *s = arg;

	return lab_leave(&s->lab, e);
}

/* Say what stays where; the receipt names it, too. */
static void
leave_behind(struct session *s, const struct err *e)
{
	/* refused would mean that nothing was touched */
	if (s->status == ERR_REFUSED)
		s->status = ERR_CLEANUP;
	s->in.left = s->lab.name;
	note(s, "clean-up", e);
	screen_say(
		"%s/%s may be left; it holds no data of ours, and "
		"`ioreceipt clean --dir '%s'` removes it where nothing is in "
		"the way",
		s->view.dir, s->lab.name, s->view.dir);
}

/*
 * The lab goes.  Where the disk has stopped answering nothing is touched any
 * more: the lab stays and is named.  It holds nothing but its marker, and the
 * next run recognises it, so that is no failure beyond the one that there is.
 */
static void
clean_up(struct session *s)
{
	struct err e = { 0 };
	enum bounded_end end = BOUNDED_HANGS;

	if (s->in.lab_removed < 0)
		return;
	if (s->supervise.abandoned)
		err_set(&e, ERR_INCOMPLETE, 0,
			"not done, for the disk does not answer");
	else
		end = bounded_call(leave, s, BOUNDED_LIMIT_NS, "clean-up", &e);
	s->in.lab_removed = end == BOUNDED_OK;
	/* whatever went wrong: that something is left is what counts */
	if (end == BOUNDED_FAILED)
		e.code = ERR_CLEANUP;
	if (end == BOUNDED_HANGS)
		e.code = ERR_INCOMPLETE;
	if (end != BOUNDED_OK)
		leave_behind(s, &e);
	else if (s->status < ERR_SIGNAL)
		interrupted(s, "clean-up");
}

/* What the figures say, and whether they are what was demanded. */
static int
judge(struct session *s, struct receipt *r, struct arena *a, struct err *e)
{
	if (finding_judge(r, a) < 0 ||
		require_judge(r, s->demands, s->demand_count, a) < 0)
		return err_set(e, ERR_INCOMPLETE, 0,
			"out of memory while judging the figures");
	if (!require_all_hold(r))
		s->status = err_worse(s->status, ERR_DIFFERS);
	return 0;
}

/* A receipt that cannot be signed is a receipt all the same. */
static void
sign(struct session *s, const struct buf *json)
{
	struct err e = { 0 };

	if ((!deliver_wants_signature(&s->deliver) && !s->send.on) ||
		sign_receipt(&s->sign, json, &e) == 0)
		return;
	screen_say("the receipt is not signed: %s", e.text);
	s->status = err_worse(s->status, ERR_OUTPUT);
}

/* After it lies on the disk and was shown. */
static void
upload(struct session *s, const struct buf *json)
{
	struct send_receipt r = { s->jti, s->sign.kid, s->in.started_s, json,
		buf_text(&s->sign.jws), 0 };
	struct err e = { 0 };

	/* a receipt that could not be signed was told of */
	if (!s->send.on || s->sign.jws.len == 0)
		return;
	r.jws_len = s->sign.jws.len - 1;
	if (send_receipt(&s->send, &r, &e) == 0) {
		progress_say(&s->progress, true, "the receipt is uploaded");
		return;
	}
	screen_say("upload: %s", e.text);
	s->status = err_worse(s->status, ERR_UPLOAD);
	if (stop_signal())
		s->status = err_worse(s->status, ERR_SIGNAL + stop_signal());
}

/* Assemble, judge, sign, write, print, send; the status learns of all that failed. */
static void
finish(struct session *s)
{
	struct arena arena;
	struct receipt receipt;
	struct buf json;
	struct err e = { 0 };
	bool checks_hold = true;

	arena_init(&arena);
	buf_init(&json);
	s->in.ended_s = clock_wall_s();
	if (assemble_receipt(&s->in, &receipt, &arena, &checks_hold, &e) < 0 ||
		judge(s, &receipt, &arena, &e) < 0 ||
		receipt_write(&receipt, &json, &e) < 0) {
		screen_say("%s", e.text);
		s->status = err_worse(s->status, e.code);
		deliver_drop(&s->deliver);
	} else {
		if (!checks_hold)
			s->status = err_worse(s->status, ERR_INCOMPLETE);
		sign(s, &json);
		if (deliver_receipt(
			    &s->deliver, &receipt, &json, &s->sign, &e) < 0)
			s->status = err_worse(s->status, e.code);
		upload(s, &json);
	}
	buf_free(&json);
	arena_free(&arena);
}

/* The steps up to where something is measured; -1 = it ends before. */
static int
begin(struct session *s)
{
	struct text_style style;
	struct err e = { 0 };
	int demands;

	screen_style(STDERR_FILENO, screen_color_of(s->o->color), &style);
	stop_install();
	demands = -1;
	if (run_options_plan(s->o, &s->plan, &e) == 0)
		demands = run_options_require(s->o, &s->plan, s->demands, &e);
	if (demands < 0) {
		s->status = command_fail(&e);
		return -1;
	}
	s->demand_count = (size_t)demands;
	progress_init(&s->progress, &s->plan, s->o->quiet, &style,
		screen_is_live(STDERR_FILENO));
	s->in.started_s = clock_wall_s();
	if (send_open(&s->send, &s->o->send, &e) < 0 ||
		sign_open(&s->sign, s->o->key, s->o->no_sign, &e) < 0 ||
		deliver_open(&s->deliver, s->o, s->in.started_s, &e) < 0 ||
		identify(s, &e) < 0) {
		deliver_drop(&s->deliver);
		s->status = command_fail(&e);
		return -1;
	}
	describe(s);
	return 0;
}

static int
run(struct session *s)
{
	if (begin(s) < 0)
		return s->status;
	if (guard(s) == 0 && enter(s) == 0)
		measure(s);
	if (!s->supervise.abandoned)
		target_close(&s->target);
	clean_up(s);
	/* a refusal leaves a receipt only where one was asked for */
	if (s->status == ERR_REFUSED && !s->o->out && !s->send.on)
		deliver_drop(&s->deliver);
	else
		finish(s);
	return s->status;
}

int
session_run(const struct run_options *o)
{
	struct session *s = calloc(1, sizeof(*s));
	int status;

	if (!s) {
		screen_say("out of memory");
		return ERR_REFUSED;
	}
	s->o = o;
	s->target.fd = -1;
	s->view.dir_fd = -1;
	lab_init(&s->lab);
	status = run(s);
	sign_close(&s->sign);
	send_close(&s->send);
	if (s->supervise.abandoned)
		return status;
	lab_abandon(&s->lab);
	guard_close(&s->view);
	if (s->record)
		record_free(s->record);
	free(s);
	return status;
}
