#include "receipt/compare_facts.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "base/shape_walk.h"
#include "receipt/fields.h"

/* Facts in the making. */
struct compare_facts_making {
	struct compare_facts *facts;
	struct arena *arena;
	const char *job;	/* whose words they are; NULL: the plan's */
	const char *const *but; /* globs of what is left out */
	size_t room;
	bool failed;
};

/* What is never the same, or is said elsewhere. */
static const char *const compare_facts_but[] = { "schema", "jti", "iat",
	"complete", "incomplete*", "tool.name", "tool.sha256", "tool.musl",
	"tool.bearssl", "tool.libaio", "tool.jansson", "sub", "note", "nonce",
	"aud", "clock.started_utc", "clock.ended_utc", "clock.read_cost_ns",
	"clock.state", "plan*", "target.available_bytes", "target.took_over",
	"target.backing_why", NULL };

static void
compare_facts_put(
	struct compare_facts_making *m, const char *name, const char *value)
{
	struct compare_facts *f = m->facts;
	struct compare_fact *list = f->list;

	if (f->count == COMPARE_FACTS_MAX || m->failed)
		return;
	if (f->count == m->room) {
		m->room = m->room ? 2 * m->room : 64;
		list = arena_alloc(m->arena, m->room, sizeof(*list));
		if (list && f->count)
			memcpy(list, f->list, f->count * sizeof(*list));
	}
	m->failed = !list;
	if (!list)
		return;
	f->list = list;
	list[f->count].name = arena_strdup(m->arena, name);
	list[f->count].value = arena_strdup(m->arena, value);
	m->failed = !list[f->count].name || !list[f->count].value;
	f->count += !m->failed;
}

static void
compare_facts_each(const char *path, const char *value, void *arg)
{
	struct compare_facts_making *m = arg;
	const char *const *but;

	for (but = m->but; *but; but++)
		if (fnmatch(*but, path, 0) == 0)
			return;
	compare_facts_put(m, path, value);
}

/* "bs_bytes" of a job -> "bs_bytes of qd1-randread". */
static void
compare_facts_word(const char *path, const char *value, void *arg)
{
	struct compare_facts_making *m = arg;
	char name[256];

	if (strcmp(path, "digest") == 0)
		return;
	snprintf(name, sizeof(name), "%s%s%s", path, m->job ? " of " : "",
		m->job ? m->job : "");
	compare_facts_put(m, name, value);
}

static const struct shape *
compare_facts_shape(const struct shape *s, const char *key)
{
	const struct shape_field *row;

	for (row = s->fields; row->key; row++)
		if (strcmp(row->key, key) == 0)
			return row->sub;
	return NULL;
}

int
compare_facts_plan(
	struct compare_facts *f, const struct receipt_plan *p, struct arena *a)
{
	struct compare_facts_making m = { .facts = f, .arena = a };
	struct shape_walk w = { compare_facts_word, &m };
	const struct shape *plan = compare_facts_shape(&fields_receipt, "plan");
	struct receipt_plan words = *p;
	size_t i;

	memset(f, 0, sizeof(*f));
	words.jobs = NULL;
	words.job_count = 0;
	shape_walk(plan, &words, &w);
	for (i = 0; i < p->job_count; i++) {
		m.job = p->jobs[i].name;
		shape_walk(compare_facts_shape(plan, "jobs"), &p->jobs[i], &w);
	}
	return m.failed ? -1 : 0;
}

/* "ext4, partition, disk": what stands on what. */
static void
compare_facts_stack(
	struct compare_facts_making *m, const struct receipt_target *t)
{
	struct buf b;
	size_t i;

	if (!t || t->stack_count == 0)
		return;
	buf_init(&b);
	for (i = 0; i < t->stack_count; i++)
		buf_printf(&b, "%s%s", i ? ", " : "", t->stack[i].layer);
	m->failed |= buf_failed(&b);
	compare_facts_put(m, COMPARE_FACTS_STACK, buf_text(&b));
	buf_free(&b);
}

/* Which observations were made: "finding.scheduler" is "note". */
static void
compare_facts_findings(struct compare_facts_making *m, const struct receipt *r)
{
	char name[96];
	size_t i;

	for (i = 0; i < r->finding_count; i++) {
		snprintf(name, sizeof(name), COMPARE_FACTS_FOUND "%s",
			r->findings[i].code);
		compare_facts_put(m, name, r->findings[i].level);
	}
}

int
compare_facts_place(
	struct compare_facts *f, const struct receipt *r, struct arena *a)
{
	struct compare_facts_making m = {
		.facts = f, .arena = a, .but = compare_facts_but
	};
	struct shape_walk w = { compare_facts_each, &m };
	struct receipt place = *r;

	memset(f, 0, sizeof(*f));
	/* what was measured is no fact of the place */
	place.derived = NULL;
	place.windows = NULL;
	place.window_count = 0;
	place.prepare = NULL;
	place.probe = NULL;
	place.summary = NULL;
	place.diagnostics = NULL;
	place.cleanup = NULL;
	place.findings = NULL;
	place.finding_count = 0;
	place.requirements = NULL;
	place.requirement_count = 0;
	compare_facts_stack(&m, r->target);
	shape_walk(&fields_receipt, &place, &w);
	compare_facts_findings(&m, r);
	return m.failed ? -1 : 0;
}

/* Where it is looked for first: lists are mostly in the same order. */
static const struct compare_fact *
compare_facts_find(
	const struct compare_facts *f, const char *name, size_t guess)
{
	size_t i;

	if (guess < f->count && strcmp(f->list[guess].name, name) == 0)
		return &f->list[guess];
	for (i = 0; i < f->count; i++)
		if (strcmp(f->list[i].name, name) == 0)
			return &f->list[i];
	return NULL;
}

void
compare_facts_agree(struct compare_facts *f, const struct compare_facts *other)
{
	const struct compare_fact *o;
	struct compare_fact *mine;
	size_t i;

	for (i = 0; i < f->count; i++) {
		mine = &f->list[i];
		if (!mine->value)
			continue;
		o = compare_facts_find(other, mine->name, i);
		if (!o || !o->value || strcmp(o->value, mine->value) != 0)
			mine->value = NULL;
	}
}

const char *
compare_facts_get(const struct compare_facts *f, const char *name)
{
	const struct compare_fact *found = compare_facts_find(f, name, 0);

	if (!found)
		return NULL;
	return found->value ? found->value : "(varies)";
}

/* Is the fact a word of a job that the other plan does not have at all? */
static bool
compare_facts_of_missing(const struct compare_facts *other, const char *name)
{
	const char *of = strstr(name, " of ");
	char job[192];

	if (!of || strncmp(name, "name of ", 8) == 0)
		return false;
	snprintf(job, sizeof(job), "name%s", of);
	return !compare_facts_find(other, job, 0);
}

static void
compare_facts_say(struct buf *out, const char *fmt, const char *a,
	const char *b, const char *c)
{
	if (out->len)
		buf_str(out, "; ");
	buf_str(out, a);
	buf_str(out, fmt);
	buf_str(out, b);
	if (c) {
		buf_str(out, ", not ");
		buf_str(out, c);
	}
}

void
compare_facts_differ(const struct compare_facts *is,
	const struct compare_facts *wanted, struct buf *out)
{
	const struct compare_fact *w, *mine;
	size_t i;

	for (i = 0; i < wanted->count; i++) {
		w = &wanted->list[i];
		if (compare_facts_of_missing(is, w->name))
			continue;
		mine = compare_facts_find(is, w->name, i);
		if (!mine && strncmp(w->name, "name of ", 8) == 0)
			compare_facts_say(
				out, "", "there is no job ", w->value, NULL);
		else if (!mine)
			compare_facts_say(out, " is absent, not ", w->name,
				w->value, NULL);
		else if (strcmp(mine->value, w->value) != 0)
			compare_facts_say(
				out, " is ", w->name, mine->value, w->value);
	}
	for (i = 0; i < is->count; i++) {
		mine = &is->list[i];
		if (compare_facts_find(wanted, mine->name, i) ||
			compare_facts_of_missing(wanted, mine->name))
			continue;
		if (strncmp(mine->name, "name of ", 8) == 0)
			compare_facts_say(
				out, "", "there is a job ", mine->value, NULL);
		else
			compare_facts_say(
				out, " is ", mine->name, mine->value, "absent");
	}
	if (!out->len)
		buf_str(out, "the digest of the plan is another");
}
