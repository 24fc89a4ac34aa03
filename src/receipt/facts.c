#include "receipt/facts.h"

#include "receipt/assemble_facts.h"
#include "receipt/fields.h"
#include "receipt/scrub.h"

#define FACTS_SCHEMA	"ioreceipt-facts/1"
#define FACTS_SCHEMA_ID "urn:ioreceipt:schema:facts:1"

static int
facts_watch(struct receipt_facts *out, const struct facts_source *from,
	struct arena *a)
{
	const struct guard_view *view = from->known.view;
	const struct pressure_sample *s = from->sample;
	struct receipt_watch *w;
	int disk = view ? stack_single_disk(&view->stack) : -1, i;

	if (!s)
		return 0;
	w = out->watch = arena_alloc(a, 1, sizeof(*w));
	if (!w)
		return -1;
	w->steal = s->cpu_steal_ticks != PRESSURE_UNKNOWN;
	w->runqueue_wait = from->runqueue_told;
	for (i = 0; i < PRESSURE_STALLS; i++)
		w->pressure |= s->stall_ns[i] != PRESSURE_UNKNOWN;
	w->device = s->device_read_bytes != PRESSURE_UNKNOWN;
	if (w->device && disk >= 0)
		w->name = view->stack.layers[disk].name;
	return 0;
}

static int
facts_guard(struct receipt_facts *out, const struct facts_source *from,
	struct arena *a)
{
	const char *dirs[3] = { from->known.dir, NULL, NULL };
	struct receipt_guard *g;

	if (!from->plan)
		return 0;
	g = out->guard = arena_alloc(a, 1, sizeof(*g));
	if (!g)
		return -1;
	g->suite = from->plan->suite;
	g->size_bytes = from->plan->size_bytes;
	g->fits = from->refused == NULL;
	if (g->fits)
		return 0;
	if (from->known.view)
		dirs[1] = from->known.view->dir;
	g->why = scrub_paths(from->refused, dirs, a);
	return g->why ? 0 : -1;
}

int
facts_make(struct receipt_facts *out, const struct facts_source *from,
	struct arena *a, struct err *e)
{
	struct receipt r;

	shape_clear(&fields_facts, out);
	receipt_clear(&r);
	if (assemble_facts(&from->known, &r, a) || facts_watch(out, from, a) ||
		facts_guard(out, from, a))
		goto memory;
	out->schema = FACTS_SCHEMA;
	out->tool = r.tool;
	out->clock = r.clock;
	out->host = r.host;
	out->target = r.target;
	if (shape_tidy(&fields_facts, out, a))
		goto memory;
	return 0;
memory:
	return err_set(e, ERR_REFUSED, 0,
		"out of memory while putting the facts together");
}

int
facts_write(const struct receipt_facts *f, struct buf *out, struct err *e)
{
	if (shape_write(&fields_facts, f, out, e))
		return -1;
	buf_char(out, '\n');
	if (buf_failed(out))
		return err_set(e, ERR_OUTPUT, 0,
			"out of memory while writing the facts");
	return 0;
}

int
facts_schema(struct buf *out, struct err *e)
{
	return shape_schema(&fields_facts, FACTS_SCHEMA_ID, out, e);
}
