#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/run_options.h"
#include "app/screen.h"
#include "app/tool.h"
#include "base/clock.h"
#include "disk/guard.h"
#include "host/host.h"
#include "receipt/facts.h"

#define ROOT "" /* the machine's own /proc and /sys */

struct facts_options {
	const char *dir, *color;
	bool json;
};

#define AT(member) offsetof(struct facts_options, member)

const struct option_row cmd_facts_rows[] = {
	{ "dir", 'd', OPTION_TEXT, AT(dir), "DIR", NULL, 0, 0,
		"directory to look below (default /var/tmp)" },
	{ "json", 0, OPTION_FLAG, AT(json), NULL, NULL, 0, 0,
		"print JSON instead of the table" },
	{ "color", 0, OPTION_WORD, AT(color), "auto|always|never",
		"auto|always|never", 0, 0, "colours in the table" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

/* What is looked at. */
struct facts_look {
	struct plan plan;
	struct tool tool;
	struct host host;
	struct guard_view view;
	struct pressure_sample sample;
	struct facts_source source;
	struct err refused;
};

/* What a run would be able to watch. */
static void
look_at_watch(struct facts_look *l)
{
	int disk = l->view.dir_fd >= 0 ? stack_single_disk(&l->view.stack) : -1;
	const struct stack_layer *layer = NULL;
	struct pressure_source source;

	if (disk >= 0)
		layer = &l->view.stack.layers[disk];
	pressure_source_init(&source, ROOT, layer ? layer->dev_major : 0,
		layer ? layer->dev_minor : 0, l->host.virtualisation);
	pressure_take(&l->sample, &source);
	pressure_source_close(&source);
	l->source.sample = &l->sample;
	l->source.runqueue_told =
		pressure_runqueue_wait_ns(ROOT, 0, 0) != PRESSURE_UNKNOWN;
}

/* -1: there is no such directory; all that is told without it is there. */
static int
look(struct facts_look *l, const char *dir, struct err *e)
{
	struct assemble *in = &l->source.known;
	struct run_options o;
	int rc;

	run_options_default(&o);
	if (run_options_plan(&o, &l->plan, e) < 0)
		return -1;
	tool_read(&l->tool);
	host_read(&l->host, ROOT);
	in->tool = &l->tool.facts;
	in->host = &l->host;
	in->dir = dir;
	in->started_s = in->ended_s = clock_wall_s();
	in->clock_state = clock_state(TOOL_RELEASED_S);
	in->clock_read_cost_ns = clock_read_cost_ns();
	in->lab_removed = -1;
	l->source.plan = &l->plan;
	rc = guard_look(&l->view, dir, ROOT, &l->refused);
	if (rc == 0) {
		in->view = &l->view;
		guard_judge(&l->view, &l->plan, false, ROOT, &l->refused);
	} else {
		*e = l->refused;
	}
	if (l->refused.code)
		l->source.refused = l->refused.text;
	look_at_watch(l);
	return rc;
}

static int
print(const struct facts_look *l, const struct facts_options *o, struct err *e)
{
	struct receipt_facts facts;
	struct text_style style;
	struct arena arena;
	struct buf out;
	int rc;

	arena_init(&arena);
	buf_init(&out);
	rc = facts_make(&facts, &l->source, &arena, e);
	if (rc == 0 && o->json) {
		rc = facts_write(&facts, &out, e);
	} else if (rc == 0) {
		screen_style(STDOUT_FILENO, screen_color_of(o->color), &style);
		facts_show(&facts, &style, &out);
	}
	if (rc == 0)
		rc = screen_out(buf_text(&out), out.len, e);
	buf_free(&out);
	arena_free(&arena);
	return rc;
}

static int
facts(const struct facts_options *o)
{
	struct facts_look *l = calloc(1, sizeof(*l));
	struct err e = { 0 }, printing = { 0 };
	int status = 0;

	if (!l) {
		err_set(&e, ERR_REFUSED, 0, "out of memory");
		return command_fail(&e);
	}
	l->view.dir_fd = -1;
	if (look(l, o->dir, &e) < 0)
		status = command_fail(&e);
	if (l->source.plan && print(l, o, &printing) < 0)
		status = err_worse(status, command_fail(&printing));
	guard_close(&l->view);
	free(l);
	return status;
}

int
cmd_facts(int argc, char **argv)
{
	struct facts_options o = { .dir = "/var/tmp" };
	struct err e = { 0 };
	int operands = argc, status;

	status = command_scan("facts", argc, argv, &o, &operands);
	if (status >= 0)
		return status;
	if (operands < argc) {
		err_set(&e, ERR_USAGE, 0,
			"facts takes no operand (\"%s\"); the directory is "
			"given by --dir",
			argv[operands]);
		return command_fail(&e);
	}
	return facts(&o);
}
