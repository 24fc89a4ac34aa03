#include "receipt/show_facts.h"

#include <math.h>
#include <string.h>

#include "base/shape.h"
#include "base/units.h"
#include "receipt/show_common.h"

/* The first line in the making: items two blanks apart, none torn. */
struct show_facts_head {
	struct buf *out;
	const struct text_style *style;
	size_t column;
};

static void
show_facts_item(struct show_facts_head *h, const char *s)
{
	size_t width = (size_t)h->style->width, columns;
	struct buf item, line;

	if (!s || !*s)
		return;
	buf_init(&item);
	buf_init(&line);
	text_clean(&item, s, h->style->utf8);
	columns = text_columns(buf_text(&item));
	if (h->column > SHOW_COMMON_LABEL && h->column + 2 + columns > width) {
		buf_char(h->out, '\n');
		buf_repeat(h->out, " ", SHOW_COMMON_LABEL);
		h->column = SHOW_COMMON_LABEL;
	}
	if (h->column > SHOW_COMMON_LABEL) {
		buf_str(h->out, "  ");
		h->column += 2;
	}
	if (h->column + columns <= width) {
		buf_str(h->out, buf_text(&item));
		h->column += columns;
	} else {
		/* as long as a paragraph: only the last item can be */
		text_wrap(&line, "           ", buf_text(&item), h->style);
		buf_add(h->out, buf_text(&line) + SHOW_COMMON_LABEL,
			line.len - SHOW_COMMON_LABEL - 1);
		h->column = width;
	}
	h->out->failed |= buf_failed(&item) || buf_failed(&line);
	buf_free(&line);
	buf_free(&item);
}

static void
show_facts_head(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_facts_head h = { out, style, SHOW_COMMON_LABEL };
	bool complete = show_common_complete(r, NULL);
	char size[UNITS_SIZE];
	struct buf tool;

	buf_init(&tool);
	text_colored(out, complete ? TEXT_GREEN : TEXT_RED,
		complete ? "COMPLETE" : "INCOMPLETE", style);
	buf_str(out, complete ? "   " : " ");
	buf_printf(&tool, "ioreceipt %s",
		r->tool && r->tool->version ? r->tool->version : "");
	show_facts_item(&h, buf_text(&tool));
	if (r->clock)
		show_facts_item(&h, r->clock->started_utc);
	if (r->plan) {
		show_facts_item(&h, r->plan->suite);
		if (shape_has(r->plan->size_bytes))
			show_facts_item(&h, units_bytes(r->plan->size_bytes,
						    size, sizeof(size)));
	}
	show_facts_item(&h, r->sub);
	buf_char(out, '\n');
	buf_free(&tool);
}

static void
show_facts_reasons(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	static const struct show_common_label none = { "", TEXT_PLAIN };
	const char *against;
	struct buf text;
	size_t i;

	buf_init(&text);
	show_common_complete(r, &against);
	if (against) {
		buf_printf(
			&text, "this receipt says complete, but %s", against);
		show_common_line(out, &none, buf_text(&text), style);
	}
	for (i = 0; i < r->incomplete_count; i++) {
		buf_reset(&text);
		buf_printf(&text, "%s: %s", r->incomplete[i].what,
			r->incomplete[i].why);
		show_common_line(out, &none, buf_text(&text), style);
	}
	out->failed |= buf_failed(&text);
	buf_free(&text);
}

/* Add a part of a sentence, the separator before all but the first. */
static void
show_facts_part(struct buf *b, const char *separator, const char *s)
{
	if (!s || !*s)
		return;
	if (b->len > 0)
		buf_str(b, separator);
	buf_str(b, s);
}

static bool
show_facts_is(const char *s, const char *word)
{
	return s && strcmp(s, word) == 0;
}

static void
show_facts_machine(const struct receipt_host *h, struct buf *b)
{
	char size[UNITS_SIZE];

	show_facts_part(b, ", ", h->os);
	if (h->kernel && *h->kernel) {
		show_facts_part(b, ", ", "kernel ");
		buf_str(b, h->kernel);
	}
	if (shape_has(h->cpus)) {
		buf_printf(b, "%s%llu x %s", b->len > 0 ? ", " : "",
			(unsigned long long)h->cpus,
			h->cpu_model && *h->cpu_model ? h->cpu_model : "CPU");
	} else {
		show_facts_part(b, ", ", h->cpu_model);
	}
	if (shape_has(h->memory_bytes)) {
		show_facts_part(b, ", ",
			units_bytes(h->memory_bytes, size, sizeof(size)));
		buf_str(b, " of memory");
	}
	if (show_facts_is(h->virtualisation, "none"))
		show_facts_part(b, ", ", "no virtualisation seen");
	else
		show_facts_part(b, ", ", h->virtualisation);
	if (h->container && *h->container &&
		!show_facts_is(h->container, "none")) {
		show_facts_part(b, ", ", "container ");
		buf_str(b, h->container);
	}
}

/* What stands in brackets behind the name of a layer. */
static void
show_facts_details(const struct receipt_layer *l, struct buf *b)
{
	char size[UNITS_SIZE];
	bool named = l->name && *l->name;

	if (show_facts_is(l->layer, "partition") ||
		show_facts_is(l->layer, "loop") || !named)
		return;
	if (!show_facts_is(l->layer, "disk"))
		show_facts_part(b, ", ", l->layer);
	show_facts_part(b, ", ", l->transport);
	show_facts_part(b, ", ", l->model);
	if (shape_has(l->size_bytes) && (l->transport || l->model))
		show_facts_part(b, ", ",
			units_bytes(l->size_bytes, size, sizeof(size)));
	show_facts_part(b, ", ", l->scheduler);
	if (l->rotational == 1)
		show_facts_part(b, ", ", "rotational");
}

/*
 * Layers come from the top down, a branch of a mirror at a time: what follows
 * a disk is another branch.
 */
static void
show_facts_stack(const struct receipt_target *t, struct buf *b)
{
	const struct receipt_layer *l;
	struct buf inner;
	size_t i;

	buf_init(&inner);
	for (i = 0; i < t->stack_count; i++) {
		l = &t->stack[i];
		if (i > 0)
			buf_str(b, show_facts_is(t->stack[i - 1].layer, "disk")
					   ? " + "
					   : " on ");
		buf_str(b, l->name && *l->name ? l->name : l->layer);
		buf_reset(&inner);
		show_facts_details(l, &inner);
		if (inner.len > 0)
			buf_printf(b, " (%s)", buf_text(&inner));
	}
	if (t->stack_count == 0)
		show_facts_part(b, ", ", t->filesystem);
	b->failed |= buf_failed(&inner);
	buf_free(&inner);
}

/* "mounted noatime, discard": a word a piece, so that the line can wrap. */
static void
show_facts_mount(const struct receipt_target *t, struct buf *b)
{
	const char *s = t->mount_options;

	if (!s || !*s)
		return;
	buf_str(b, "mounted ");
	for (; *s; s++)
		if (*s == ',')
			buf_str(b, ", ");
		else
			buf_char(b, *s);
}

/* The second line of storage. */
static void
show_facts_place(const struct receipt_target *t, struct buf *b)
{
	size_t i;

	show_facts_mount(t, b);
	for (i = t->stack_count; i > 0; i--)
		if (t->stack[i - 1].write_cache)
			break;
	if (i > 0) {
		show_facts_part(b, "; ", t->stack[i - 1].write_cache);
		buf_str(b, " cache");
	}
	if (t->backing && *t->backing) {
		show_facts_part(b, "; ", "backing ");
		buf_str(b, t->backing);
		if (t->backing_why && *t->backing_why)
			buf_printf(b, " (%s)", t->backing_why);
	}
	if (t->allowed_memory == 1)
		show_facts_part(
			b, "; ", "--allow-memory-backed: not comparable");
	if (t->nocow == 1)
		show_facts_part(b, "; ", "file without copy on write");
	if (t->took_over == 1)
		show_facts_part(b, "; ", "took over an abandoned lab");
}

static void
show_facts_storage(const struct receipt_target *t, struct buf *b)
{
	struct buf place;

	buf_init(&place);
	show_facts_stack(t, b);
	show_facts_place(t, &place);
	show_facts_part(b, "\n", buf_text(&place));
	b->failed |= buf_failed(&place);
	buf_free(&place);
}

static void
show_facts_prepare(const struct receipt_prepare *p, struct buf *b)
{
	char text[UNITS_SIZE];

	if (!shape_has(p->bytes))
		return;
	buf_str(b, units_bytes(p->bytes, text, sizeof(text)));
	buf_str(b, " written");
	if (shape_has(p->elapsed_ns))
		buf_printf(b, " in %s",
			units_ns(p->elapsed_ns, text, sizeof(text)));
	if (!isnan(p->bw_bytes))
		buf_printf(b, ", %s MiB/s",
			show_common_mibs(p->bw_bytes, text, sizeof(text)));
}

/* "cgroup v2 io.max: 200 reads/s, 4 MiB/s written" */
static void
show_facts_limit(const struct receipt_limit *l, struct buf *b)
{
	char text[UNITS_SIZE];
	const char *separator = ": ";

	show_facts_part(b, "; ", l->source);
	if (shape_has(l->riops)) {
		buf_printf(b, "%s%s reads/s", separator,
			units_count(l->riops, text, sizeof(text)));
		separator = ", ";
	}
	if (shape_has(l->wiops)) {
		buf_printf(b, "%s%s writes/s", separator,
			units_count(l->wiops, text, sizeof(text)));
		separator = ", ";
	}
	if (shape_has(l->rbps)) {
		buf_printf(b, "%s%s/s read", separator,
			units_bytes(l->rbps, text, sizeof(text)));
		separator = ", ";
	}
	if (shape_has(l->wbps))
		buf_printf(b, "%s%s/s written", separator,
			units_bytes(l->wbps, text, sizeof(text)));
}

/* One labelled line of what is in text, which is empty again then. */
static void
show_facts_line(struct buf *out, const char *label, struct buf *text,
	const struct text_style *style)
{
	struct show_common_label l = { label, TEXT_DIM };

	show_common_line(out, &l, buf_text(text), style);
	buf_reset(text);
}

void
show_facts(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct buf text;
	size_t i;

	buf_init(&text);
	show_facts_head(r, style, out);
	show_facts_reasons(r, style, out);
	if (r->host)
		show_facts_machine(r->host, &text);
	show_facts_line(out, "machine", &text, style);
	if (r->target) {
		show_facts_storage(r->target, &text);
		show_facts_line(out, "storage", &text, style);
		for (i = 0; i < r->target->limit_count; i++)
			show_facts_limit(&r->target->limits[i], &text);
		show_facts_line(out, "limits", &text, style);
	}
	if (r->prepare)
		show_facts_prepare(r->prepare, &text);
	show_facts_line(out, "prepare", &text, style);
	out->failed |= buf_failed(&text);
	buf_free(&text);
}
