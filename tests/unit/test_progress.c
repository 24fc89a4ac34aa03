/*
 * Lines of progress where no terminal is: one a phase, none inside a window.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "app/progress.h"
#include "base/clock.h"
#include "disk/plan.h"
#include "tap.h"

static struct plan plan;
static char text[4096];

/* What was printed at a tick with the record as it is. */
static const char *
tick(struct progress *p, const struct record *r, int from)
{
	ssize_t n;

	progress_tick(p, r, clock_now_ns());
	n = read(from, text, sizeof(text) - 1);
	text[n > 0 ? n : 0] = '\0';
	return text;
}

static void
test_phases(struct record *r, int from)
{
	static const int inside[] = { RECORD_RAMP, RECORD_WINDOW, RECORD_DRAIN,
		RECORD_CHECK };
	const struct text_style style = { .width = 80 };
	struct progress p;
	uint32_t n;
	size_t i;

	progress_init(&p, &plan, false, &style, false);
	EQ_STR(tick(&p, r, from), "", "nothing before it starts");
	atomic_store(&r->phase, RECORD_PREPARE);
	OK(strstr(tick(&p, r, from), "prepare"), "prepare is announced");
	EQ_STR(tick(&p, r, from), "", "once");
	for (n = 0; n < 2; n++) {
		atomic_store(&r->window, n);
		atomic_store(&r->phase, RECORD_GATE);
		OK(strstr(tick(&p, r, from), n ? "window 2/2" : "window 1/2"),
			"a window is announced at its gate");
		for (i = 0; i < sizeof(inside) / sizeof(inside[0]); i++) {
			atomic_store(&r->phase, inside[i]);
			EQ_STR(tick(&p, r, from), "", "and not inside");
		}
	}
	progress_init(&p, &plan, true, &style, false);
	atomic_store(&r->phase, RECORD_PREPARE);
	EQ_STR(tick(&p, r, from), "", "nothing where quiet is asked for");
}

int
main(void)
{
	static const char *const jobs[] = {
		"name=a rw=randread bs=4k size=1m runtime=1 time_based runs=2"
	};
	const struct plan_request wish = {
		.jobs = jobs, .job_count = 1, .ramp_ns = UINT64_MAX
	};
	struct record *r = NULL;
	struct err e = { 0 };
	int ends[2];

	if (plan_make(&plan, &wish, &e) == 0)
		r = record_make(&plan, &e);
	if (!OK(r && pipe(ends) == 0, "a plan, a record, a pipe"))
		return tap_done();
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	dup2(ends[1], STDERR_FILENO);
	test_phases(r, ends[0]);
	record_free(r);
	return tap_done();
}
