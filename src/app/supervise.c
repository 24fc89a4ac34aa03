#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stop.h"
#include "app/supervise.h"
#include "base/clock.h"
#include "base/units.h"

#define KILL_AFTER_NS	 (5 * CLOCK_NS_PER_S) /* from asking to SIGKILL */
#define KILL_STALLED_NS	 (1 * CLOCK_NS_PER_S) /* the same after a stall */
#define ABANDON_AFTER_NS (1 * CLOCK_NS_PER_S) /* from SIGKILL to leaving */
#define SAY_AGAIN_NS	 (10 * CLOCK_NS_PER_S)
#define STOPPED_NS	 (CLOCK_NS_PER_S / 2) /* no sleep is so late by itself */

/* What the loop has to remember from tick to tick. */
struct watch {
	pid_t pid;
	bool ended;
	int status;
	uint64_t began_ns;
	uint64_t awake_ns;  /* since then no sleep took far too long */
	uint64_t asked_ns;  /* when the worker was asked to stop, 0 = not */
	uint64_t killed_ns; /* when it was killed, 0 = not */
	uint64_t said_ns;   /* when the stall was announced last, 0 = none */
	int continued;	    /* stop_continued() so far */
	struct neighbour neighbour;
};

static void
name_window(const struct plan *p, uint32_t n, char *out, size_t size)
{
	snprintf(out, size, "window %s run %u", p->windows[n].name,
		p->windows[n].run);
}

/* What the worker is at. */
static void
name_place(const struct supervise *s, char *out, size_t size)
{
	const struct record *r = s->worker->setup.record;
	const struct plan *p = s->worker->setup.plan;
	uint32_t n = atomic_load(&r->window);

	if (s->began == 0 || n >= p->window_count)
		snprintf(out, size, "prepare");
	else if (atomic_load(&r->phase) == RECORD_DIAGNOSE ||
		 (n + 1 == p->window_count &&
			 atomic_load(&r->windows[n].state) == RECORD_MEASURED))
		snprintf(out, size, "after the windows");
	else
		name_window(p, n, out, size);
}

/* Ask the worker to stop, once; why is what the receipt will say. */
static void
ask(struct supervise *s, struct watch *w, int stop, uint64_t now_ns)
{
	if (w->asked_ns)
		return;
	w->asked_ns = now_ns;
	name_place(s, s->what, sizeof(s->what));
	atomic_store(&s->worker->setup.record->stop, stop);
}

static void
look_at_signals(struct supervise *s, struct watch *w, uint64_t now_ns)
{
	struct record *r = s->worker->setup.record;
	int continued = stop_continued();

	if (continued != w->continued)
		atomic_fetch_add(&r->continued, continued - w->continued);
	w->continued = continued;
	if (!stop_signal() || w->asked_ns)
		return;
	s->signal = stop_signal();
	ask(s, w, s->signal, now_ns);
	err_set(&s->err, ERR_SIGNAL + s->signal, 0, "ended by signal %d (%s)",
		s->signal, strsignal(s->signal));
}

/* Samples stand outside the window: before its gate opens, after its end. */
static void
serve_gate(struct supervise *s, struct watch *w, uint64_t now_ns)
{
	struct record *r = s->worker->setup.record;
	uint32_t at = atomic_load(&r->at_gate),
		 done = atomic_load(&r->finished);

	if (done > atomic_load(&r->seen)) {
		meanwhile_end(&s->meanwhile, done - 1);
		atomic_store(&r->seen, done);
	}
	neighbour_tick(&w->neighbour, done, now_ns);
	if (at > s->began)
		s->began = at;
	if (at > atomic_load(&r->gate) &&
		neighbour_may_open(&w->neighbour, at - 1, now_ns)) {
		progress_tick(s->progress, r, now_ns);
		meanwhile_gate(&s->meanwhile, at - 1);
		atomic_store(&r->gate, at);
	}
	/* the probe counts its own seconds, those between the samples too */
	if (at <= plan_windows(s->worker->setup.plan))
		meanwhile_tick(&s->meanwhile, atomic_load(&r->phase), now_ns);
}

/*
 * The sleep between two looks.  One that takes far too long: we were stopped,
 * or the whole machine was, and no disk was waited for.
 */
static uint64_t
tick(struct watch *w)
{
	uint64_t from_ns = clock_now_ns(), now_ns;

	clock_sleep_ns(SUPERVISE_TICK_NS);
	now_ns = clock_now_ns();
	if (now_ns - from_ns > STOPPED_NS)
		w->awake_ns = now_ns;
	return now_ns;
}

/* How long the oldest I/O has been waited for, as far as we were awake. */
static uint64_t
stall_age(const struct supervise *s, const struct watch *w, uint64_t now_ns)
{
	uint64_t age = record_oldest_ns(s->worker->setup.record, now_ns);
	uint64_t awake = now_ns - w->awake_ns;

	return age < awake ? age : awake;
}

static void
watch_stall(struct supervise *s, struct watch *w, uint64_t now_ns)
{
	uint64_t age = stall_age(s, w, now_ns);
	uint64_t least = s->stall_limit_ns < SUPERVISE_STALL_NS
				 ? s->stall_limit_ns
				 : SUPERVISE_STALL_NS;
	char place[96], text[32];

	if (age < least) {
		if (w->said_ns && age == 0)
			w->said_ns = 0;
		return;
	}
	name_place(s, place, sizeof(place));
	units_ns(age / CLOCK_NS_PER_S * CLOCK_NS_PER_S, text, sizeof(text));
	if (!w->said_ns || now_ns - w->said_ns >= SAY_AGAIN_NS) {
		progress_say(s->progress, true,
			"%s: the disk has not answered an I/O for %s", place,
			text);
		w->said_ns = now_ns;
	}
	if (age < s->stall_limit_ns || w->asked_ns)
		return;
	s->stalled = true;
	ask(s, w, -1, now_ns);
	err_set(&s->err, ERR_INCOMPLETE, 0,
		"given up: the disk has not answered an I/O for %s "
		"(--stall-limit)",
		text);
}

static void
watch_deadline(struct supervise *s, struct watch *w, uint64_t now_ns)
{
	char text[32];

	if (!s->deadline_ns || w->asked_ns ||
		now_ns - w->began_ns < s->deadline_ns)
		return;
	ask(s, w, -1, now_ns);
	err_set(&s->err, ERR_INCOMPLETE, 0,
		"not done after %s (--deadline); a smaller --size or "
		"--runtime fits into less",
		units_ns(s->deadline_ns, text, sizeof(text)));
}

/*
 * Once asked, the worker gets SIGUSR1 at each tick (it may be about to enter
 * a system call when the first one comes), then SIGKILL, then is left.
 */
static void
press(struct supervise *s, struct watch *w, uint64_t now_ns)
{
	uint64_t patience_ns = s->stalled ? KILL_STALLED_NS : KILL_AFTER_NS;

	if (!w->asked_ns)
		return;
	if (w->killed_ns) {
		if (now_ns - w->killed_ns >= ABANDON_AFTER_NS)
			s->abandoned = true;
	} else if (now_ns - w->asked_ns >= patience_ns) {
		kill(w->pid, SIGKILL);
		w->killed_ns = now_ns;
	} else {
		kill(w->pid, SIGUSR1);
	}
}

static void
reap(struct watch *w)
{
	pid_t got = waitpid(w->pid, &w->status, WNOHANG);

	if (got == w->pid || (got < 0 && errno == ECHILD))
		w->ended = true;
}

/* A window that failed while the run went on; false = none did. */
static bool
find_failed_window(struct supervise *s)
{
	const struct record *r = s->worker->setup.record;
	uint32_t i;

	for (i = 0; i < r->window_count; i++) {
		if (atomic_load(&r->windows[i].state) != RECORD_FAILED)
			continue;
		s->err = r->windows[i].err;
		name_window(s->worker->setup.plan, i, s->what, sizeof(s->what));
		return true;
	}
	return false;
}

/* Put the worker's end into words, unless we ended it ourselves. */
static int
judge(struct supervise *s, const struct watch *w)
{
	const struct record *r = s->worker->setup.record;

	if (s->err.code)
		return -1;
	if (w->ended && WIFEXITED(w->status) && WEXITSTATUS(w->status) == 0)
		return 0;
	name_place(s, s->what, sizeof(s->what));
	if (r->err.code) {
		s->err = r->err;
	} else if (find_failed_window(s)) {
		return -1;
	} else if (WIFSIGNALED(w->status)) {
		err_set(&s->err, ERR_INCOMPLETE, 0,
			"the measuring process was ended by signal %d (%s)%s",
			WTERMSIG(w->status), strsignal(WTERMSIG(w->status)),
			WTERMSIG(w->status) == SIGKILL
				? "; out of memory, perhaps"
				: "");
	} else {
		err_set(&s->err, ERR_INCOMPLETE, 0,
			"the measuring process ended early with status %d",
			WEXITSTATUS(w->status));
	}
	return -1;
}

int
supervise_run(struct supervise *s)
{
	struct watch w = { .continued = stop_continued() };
	uint64_t now_ns;

	meanwhile_begin(&s->meanwhile);
	neighbour_init(&w.neighbour, s->worker->setup.plan,
		&s->meanwhile.source, &s->worker->setup.record->probe);
	w.began_ns = w.awake_ns = clock_now_ns();
	w.pid = fork();
	if (w.pid == 0)
		worker_run(s->worker);
	if (w.pid < 0) {
		snprintf(s->what, sizeof(s->what), "prepare");
		return err_set(&s->err, ERR_INCOMPLETE, errno,
			"cannot start the measuring process");
	}
	while (!w.ended && !s->abandoned) {
		now_ns = tick(&w);
		look_at_signals(s, &w, now_ns);
		serve_gate(s, &w, now_ns);
		watch_stall(s, &w, now_ns);
		watch_deadline(s, &w, now_ns);
		press(s, &w, now_ns);
		progress_tick(s->progress, s->worker->setup.record, now_ns);
		reap(&w);
	}
	serve_gate(s, &w, clock_now_ns());
	progress_end(s->progress);
	return judge(s, &w);
}
