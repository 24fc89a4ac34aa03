#include "receipt/show_facts.h"

#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "base/units.h"
#include "receipt/show_common.h"
#include "receipt/show_flow.h"

static bool
show_facts_is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

static void
show_facts_text(struct show_flow *f, const char *mark, const char *s)
{
	if (s)
		show_flow_item(f, mark, "%s", s);
}

static void
show_facts_head(const struct receipt *r, struct show_flow *f)
{
	bool complete = show_common_complete(r, NULL);
	char size[UNITS_SIZE];

	f->label.word = !complete    ? "INCOMPLETE"
			: r->derived ? "MEDIAN"
				     : "COMPLETE";
	f->label.color = !complete    ? TEXT_RED
			 : r->derived ? TEXT_BOLD
				      : TEXT_GREEN;
	f->gap = 2;
	if (r->tool && show_common_told(r->tool->version))
		show_flow_item(f, "", "ioreceipt %s", r->tool->version);
	else
		show_flow_item(f, "", "ioreceipt");
	if (r->clock)
		show_facts_text(f, "", r->clock->started_utc);
	if (r->plan)
		show_facts_text(f, "", r->plan->suite);
	if (r->plan && shape_has(r->plan->size_bytes))
		show_flow_item(f, "", "%s",
			units_bytes(r->plan->size_bytes, size, sizeof(size)));
	show_facts_text(f, "", r->sub);
	show_flow_end(f);
	f->gap = 1;
}

/* Not measured: made of these. */
static void
show_facts_sources(const struct receipt *r, struct show_flow *f)
{
	const struct receipt_derived *d = r->derived;
	const struct receipt_source *s;
	size_t i;

	f->label = (struct show_common_label){ "derived", TEXT_BOLD };
	if (d)
		show_flow_item(f, "",
			"not measured: each figure is the median of %zu "
			"receipts",
			d->from_count);
	show_flow_end(f);
	for (i = 0; d && i < d->from_count; i++) {
		s = &d->from[i];
		f->label = (struct show_common_label){ "of", TEXT_DIM };
		show_flow_item(f, "", "%s", s->jti);
		show_flow_item(f, ",", "%s", s->started_utc);
		show_facts_text(f, ",", s->sub);
		if (show_common_told(s->kid))
			show_flow_item(f, ",", "signed by key %s", s->kid);
		else
			show_flow_item(f, ",", "not signed");
		show_flow_end(f);
	}
}

static void
show_facts_reasons(const struct receipt *r, const struct show_flow *f)
{
	static const struct show_common_label none = { "", TEXT_PLAIN };
	const char *against;
	struct buf text;
	size_t i;

	buf_init(&text);
	show_common_complete(r, &against);
	if (against)
		buf_printf(
			&text, "this receipt says complete, but %s", against);
	show_common_line(f->out, &none, buf_text(&text), f->style);
	for (i = 0; i < r->incomplete_count; i++) {
		buf_reset(&text);
		buf_printf(&text, "%s: %s", r->incomplete[i].what,
			r->incomplete[i].why);
		show_common_line(f->out, &none, buf_text(&text), f->style);
	}
	f->out->failed |= buf_failed(&text);
	buf_free(&text);
}

/* Sold as what, and in what does it run? */
static void
show_facts_virtual(const struct receipt_host *h, struct show_flow *f)
{
	bool vendor = show_common_told(h->dmi_vendor);
	bool product = show_common_told(h->dmi_product);

	if (show_facts_is(h->virtualisation, "none"))
		show_flow_item(f, ",", "no virtualisation seen");
	else
		show_facts_text(f, ",", h->virtualisation);
	if (show_common_told(h->container) &&
		!show_facts_is(h->container, "none"))
		show_flow_item(f, ",", "container %s", h->container);
	show_flow_item(f, ",", "%s%s%s", vendor ? h->dmi_vendor : "",
		vendor && product ? " " : "", product ? h->dmi_product : "");
}

void
show_facts_machine(const struct receipt *r, struct show_flow *f)
{
	const struct receipt_host *h = r->host;
	bool model = h && show_common_told(h->cpu_model);
	char size[UNITS_SIZE];

	f->label.word = "machine";
	if (h) {
		show_facts_text(f, ",", h->os);
		if (show_common_told(h->kernel))
			show_flow_item(f, ",", "kernel %s", h->kernel);
		if (!shape_has(h->cpus))
			show_facts_text(f, ",", h->cpu_model);
		else if (model)
			show_flow_item(f, ",", "%llu x %s",
				(unsigned long long)h->cpus, h->cpu_model);
		else
			show_flow_item(f, ",", "%llu CPU%s",
				(unsigned long long)h->cpus,
				h->cpus == 1 ? "" : "s");
		if (!isnan(h->cpu_limit_pct))
			show_flow_item(f, ",", "of which %.2f are allowed",
				h->cpu_limit_pct / 100);
		if (shape_has(h->memory_bytes))
			show_flow_item(f, ",", "%s memory",
				units_bytes(
					h->memory_bytes, size, sizeof(size)));
		show_facts_virtual(h, f);
	}
	if (r->clock && show_facts_is(r->clock->state, "unsynced"))
		show_flow_item(f, ",", "wall clock not synchronised");
	if (r->clock && show_facts_is(r->clock->state, "unset"))
		show_flow_item(f, ",", "wall clock not set");
	show_flow_end(f);
}

/* Add to what stands in brackets behind the name of a layer. */
static void
show_facts_detail(struct buf *b, const char *s)
{
	if (show_common_told(s))
		buf_printf(b, "%s%s", b->len > 0 ? ", " : " (", s);
}

static void
show_facts_details(const struct receipt_layer *l, struct buf *b)
{
	bool disk = show_facts_is(l->layer, "disk");
	char size[UNITS_SIZE];

	if (!show_common_told(l->name) ||
		show_facts_is(l->layer, "partition") ||
		show_facts_is(l->layer, "loop"))
		return;
	if (!disk)
		show_facts_detail(b, l->layer);
	show_facts_detail(b, l->transport);
	show_facts_detail(b, l->model);
	if (disk && shape_has(l->size_bytes))
		show_facts_detail(
			b, units_bytes(l->size_bytes, size, sizeof(size)));
	if (disk && show_facts_is(l->scheduler, "none"))
		show_facts_detail(b, "no scheduler");
	else if (disk)
		show_facts_detail(b, l->scheduler);
	if (l->rotational == 1)
		show_facts_detail(b, "rotational");
	if (b->len > 0)
		buf_char(b, ')');
}

/*
 * Layers come from the top down, a branch of a mirror at a time: what follows
 * a disk is another branch.
 */
static void
show_facts_stack(const struct receipt_target *t, struct show_flow *f)
{
	const struct receipt_layer *l;
	const char *joint = "";
	struct buf details;
	size_t i;

	buf_init(&details);
	for (i = 0; i < t->stack_count; i++) {
		l = &t->stack[i];
		buf_reset(&details);
		show_facts_details(l, &details);
		show_flow_item(f, "", "%s%s%s", joint,
			show_common_told(l->name) ? l->name : l->layer,
			buf_text(&details));
		joint = show_facts_is(l->layer, "disk") ? "+ " : "on ";
	}
	if (t->stack_count == 0)
		show_facts_text(f, "", t->filesystem);
	f->out->failed |= buf_failed(&details);
	buf_free(&details);
}

/* "mounted noatime, discard": each word an item; rw goes without saying. */
static void
show_facts_mount(const struct receipt_target *t, struct show_flow *f)
{
	const char *s = t->mount_options, *word = "mounted ", *mark = "";
	int len;

	while (s && *s) {
		len = (int)strcspn(s, ",");
		if (len > 0 && (len != 2 || memcmp(s, "rw", 2) != 0)) {
			show_flow_item(f, mark, "%s%.*s", word, len, s);
			word = "";
			mark = ",";
		}
		s += len;
		s += *s == ',';
	}
}

static void
show_facts_place(const struct receipt_target *t, struct show_flow *f)
{
	size_t i;

	show_facts_mount(t, f);
	for (i = t->stack_count; i > 0; i--)
		if (show_common_told(t->stack[i - 1].write_cache))
			break;
	if (i > 0)
		show_flow_item(f, ";", "%s cache", t->stack[i - 1].write_cache);
	if (show_common_told(t->backing))
		show_flow_item(f, ";", "backing %s%s%s", t->backing,
			show_common_told(t->backing_why) ? ": " : "",
			show_common_told(t->backing_why) ? t->backing_why : "");
	if (t->allowed_memory == 1)
		show_flow_item(f, ";", "--allow-memory-backed: no comparison");
	if (t->nocow == 1)
		show_flow_item(f, ";", "file without copy on write");
	if (t->took_over == 1)
		show_flow_item(f, ";", "took over an abandoned lab");
}

/* "cgroup v2 io.max: 200 reads/s, 4 MiB/s written" */
static void
show_facts_limit(const struct receipt_limit *l, struct show_flow *f)
{
	bool named = show_common_told(l->name);
	const char *mark = "";
	char text[UNITS_SIZE];

	show_flow_item(f, ";", "%s%s%s:", l->source, named ? " on " : "",
		named ? l->name : "");
	if (shape_has(l->riops)) {
		show_flow_item(f, mark, "%s reads/s",
			units_count(l->riops, text, sizeof(text)));
		mark = ",";
	}
	if (shape_has(l->wiops)) {
		show_flow_item(f, mark, "%s writes/s",
			units_count(l->wiops, text, sizeof(text)));
		mark = ",";
	}
	if (shape_has(l->rbps)) {
		show_flow_item(f, mark, "%s/s read",
			units_bytes(l->rbps, text, sizeof(text)));
		mark = ",";
	}
	if (shape_has(l->wbps))
		show_flow_item(f, mark, "%s/s written",
			units_bytes(l->wbps, text, sizeof(text)));
}

void
show_facts_target(const struct receipt_target *t, struct show_flow *f)
{
	size_t i;

	f->label.word = "storage";
	show_facts_stack(t, f);
	if (f->column > 0)
		f->label.word = "";
	show_flow_end(f);
	show_facts_place(t, f);
	show_flow_end(f);
	f->label.word = "limits";
	for (i = 0; i < t->limit_count; i++)
		show_facts_limit(&t->limits[i], f);
	show_flow_end(f);
}

static void
show_facts_prepare(const struct receipt_prepare *p, struct show_flow *f)
{
	char text[UNITS_SIZE];

	if (!shape_has(p->bytes))
		return;
	f->label.word = "prepare";
	show_flow_item(
		f, "", "%s written", units_bytes(p->bytes, text, sizeof(text)));
	if (shape_has(p->elapsed_ns))
		show_flow_item(f, "", "in %s",
			units_ns(p->elapsed_ns, text, sizeof(text)));
	if (!isnan(p->bw_bytes))
		show_flow_item(f, ",", "%s MiB/s",
			show_common_mibs(p->bw_bytes, text, sizeof(text)));
	show_flow_end(f);
}

void
show_facts(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_flow f = { .out = out, .style = style };

	show_facts_head(r, &f);
	show_facts_reasons(r, &f);
	show_facts_sources(r, &f);
	f.label.color = TEXT_DIM;
	show_facts_machine(r, &f);
	if (r->target)
		show_facts_target(r->target, &f);
	if (r->prepare)
		show_facts_prepare(r->prepare, &f);
	f.label.word = "remark";
	show_facts_text(&f, "", r->note);
	show_flow_end(&f);
}
