/* facts_show of facts.h. */
#include <string.h>

#include "base/shape.h"
#include "base/units.h"
#include "receipt/facts.h"
#include "receipt/show_common.h"
#include "receipt/show_facts.h"
#include "receipt/show_flow.h"

static void
facts_show_head(const struct receipt_facts *f, struct show_flow *flow)
{
	flow->label.word = "facts";
	flow->gap = 2;
	show_flow_item(flow, "", "ioreceipt %s", f->tool->version);
	show_flow_item(flow, "", "%s", f->clock->started_utc);
	show_flow_item(flow, "", "nothing was measured");
	show_flow_end(flow);
	flow->gap = 1;
}

static void
facts_show_clock(const struct receipt_clock *c, struct show_flow *flow)
{
	char text[UNITS_SIZE];

	flow->label.word = "clock";
	if (show_common_told(c->source))
		show_flow_item(flow, "", "%s", c->source);
	if (shape_has(c->read_cost_ns))
		show_flow_item(flow, ",", "a reading takes %s",
			units_ns(c->read_cost_ns, text, sizeof(text)));
	if (c->state && strcmp(c->state, "synced") == 0)
		show_flow_item(flow, ",", "wall clock synchronised");
	show_flow_end(flow);
}

static void
facts_show_blocks(const struct receipt_layer *l, struct show_flow *flow)
{
	char text[UNITS_SIZE];

	if (shape_has(l->logical_block_bytes))
		show_flow_item(flow, ",", "blocks of %s",
			units_bytes(
				l->logical_block_bytes, text, sizeof(text)));
	if (shape_has(l->physical_block_bytes) &&
		l->physical_block_bytes != l->logical_block_bytes)
		show_flow_item(flow, "", "(physical %s)",
			units_bytes(
				l->physical_block_bytes, text, sizeof(text)));
	if (l->discard_max_bytes == 0)
		show_flow_item(flow, ",", "no discard");
	else if (shape_has(l->discard_max_bytes))
		show_flow_item(flow, ",", "discards up to %s",
			units_bytes(l->discard_max_bytes, text, sizeof(text)));
	if (shape_has(l->nr_requests))
		show_flow_item(flow, ",", "queue of %s",
			units_count(l->nr_requests, text, sizeof(text)));
}

/* A device in all that it tells; filesystems have nothing of their own. */
static void
facts_show_layer(const struct receipt_layer *l, struct show_flow *flow)
{
	char text[UNITS_SIZE];

	show_flow_item(flow, "", "%s:", l->name);
	show_flow_item(flow, "", "%s", l->layer);
	if (show_common_told(l->transport))
		show_flow_item(flow, ",", "%s", l->transport);
	if (show_common_told(l->model))
		show_flow_item(flow, ",", "%s", l->model);
	if (shape_has(l->size_bytes))
		show_flow_item(flow, ",", "%s",
			units_bytes(l->size_bytes, text, sizeof(text)));
	if (l->rotational >= 0)
		show_flow_item(
			flow, ",", "%srotational", l->rotational ? "" : "not ");
	if (show_common_told(l->scheduler))
		show_flow_item(flow, ",", "%s",
			strcmp(l->scheduler, "none") == 0 ? "no scheduler"
							  : l->scheduler);
	if (show_common_told(l->write_cache))
		show_flow_item(flow, ",", "%s cache", l->write_cache);
	facts_show_blocks(l, flow);
	show_flow_end(flow);
}

static void
facts_show_target(const struct receipt_target *t, struct show_flow *flow)
{
	char text[UNITS_SIZE];
	size_t i;

	show_facts_target(t, flow);
	if (t->limit_count == 0) {
		flow->label.word = "limits";
		show_flow_item(flow, "", "of I/O: none seen");
		show_flow_end(flow);
	}
	flow->label.word = "space";
	if (shape_has(t->available_bytes))
		show_flow_item(flow, "", "%s available",
			units_bytes(t->available_bytes, text, sizeof(text)));
	show_flow_end(flow);
	flow->label.word = "layers";
	for (i = 0; i < t->stack_count; i++) {
		if (!show_common_told(t->stack[i].name))
			continue;
		facts_show_layer(&t->stack[i], flow);
		flow->label.word = "";
	}
}

static void
facts_show_watch(const struct receipt_watch *w, struct show_flow *flow)
{
	flow->label.word = "watched";
	if (w->steal == 1)
		show_flow_item(flow, ",", "CPU steal");
	if (w->runqueue_wait == 1)
		show_flow_item(flow, ",", "waits for a CPU");
	if (w->pressure == 1)
		show_flow_item(flow, ",", "pressure (PSI)");
	if (w->device == 1)
		show_flow_item(flow, ",", "counters of %s",
			show_common_told(w->name) ? w->name : "the disk");
	show_flow_end(flow);
}

/* "unknown" for a word, a number and a flag that are not told. */
static void
facts_show_untold(struct show_flow *flow, bool told, const char *what)
{
	if (!told)
		show_flow_item(flow, ",", "%s", what);
}

static void
facts_show_unknown(const struct receipt_facts *f, struct show_flow *flow)
{
	const struct receipt_target *t = f->target;
	const struct receipt_watch *w = f->watch;
	const struct receipt_host *h = f->host;

	flow->label.word = "unknown";
	if (h) {
		facts_show_untold(flow, show_common_told(h->os), "system");
		facts_show_untold(flow, show_common_told(h->kernel), "kernel");
		facts_show_untold(
			flow, show_common_told(h->cpu_model), "CPU model");
		facts_show_untold(flow, shape_has(h->memory_bytes), "memory");
		facts_show_untold(flow, show_common_told(h->virtualisation),
			"virtualisation");
		facts_show_untold(
			flow, show_common_told(h->container), "container");
	}
	facts_show_untold(
		flow, show_common_told(f->clock->source), "clock source");
	if (t)
		facts_show_untold(flow, show_common_told(t->mount_options),
			"mount options");
	if (w) {
		facts_show_untold(flow, w->steal == 1, "CPU steal");
		facts_show_untold(
			flow, w->runqueue_wait == 1, "waits for a CPU");
		facts_show_untold(flow, w->pressure == 1, "pressure (PSI)");
		facts_show_untold(flow, w->device == 1, "counters of one disk");
	}
	show_flow_end(flow);
}

static void
facts_show_guard(const struct receipt_guard *g, struct show_flow *flow)
{
	char text[UNITS_SIZE];

	flow->label.word = "guard";
	flow->label.color = g->fits == 1 ? TEXT_GREEN : TEXT_YELLOW;
	units_bytes(g->size_bytes, text, sizeof(text));
	if (g->fits == 1)
		show_flow_item(flow, "", "a run would begin here (%s, %s)",
			g->suite, text);
	else
		show_flow_item(flow, "", "a run would be refused (%s, %s): %s",
			g->suite, text, show_common_told(g->why) ? g->why : "");
	show_flow_end(flow);
}

void
facts_show(const struct receipt_facts *f, const struct text_style *style,
	struct buf *out)
{
	struct show_flow flow = { .out = out, .style = style };
	struct receipt r;

	receipt_clear(&r);
	r.clock = f->clock;
	r.host = f->host;
	flow.label.color = TEXT_DIM;
	facts_show_head(f, &flow);
	show_facts_machine(&r, &flow);
	facts_show_clock(f->clock, &flow);
	if (f->target)
		facts_show_target(f->target, &flow);
	if (f->watch)
		facts_show_watch(f->watch, &flow);
	facts_show_unknown(f, &flow);
	if (f->guard)
		facts_show_guard(f->guard, &flow);
}
