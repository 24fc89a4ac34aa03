#include "receipt/assemble_facts.h"

#include "base/clock.h"

/* What is not told is copied as it stands: each has the same word for it. */
_Static_assert(HOST_UNKNOWN == SHAPE_ABSENT && STACK_UNKNOWN == SHAPE_ABSENT &&
		       LIMITS_UNKNOWN == SHAPE_ABSENT,
	"unknown is absent");

/* One receipt in the making. */
struct assemble_facts {
	const struct assemble *in;
	struct receipt *out;
	struct arena *a;
};

static const char *
assemble_facts_utc(struct assemble_facts *m, int64_t wall_s)
{
	char text[21];

	clock_utc(wall_s, text);
	return arena_strdup(m->a, text);
}

static int
assemble_facts_head(struct assemble_facts *m)
{
	const struct assemble *in = m->in;
	struct receipt *out = m->out;
	struct receipt_clock *c = arena_alloc(m->a, 1, sizeof(*c));

	out->schema = RECEIPT_SCHEMA;
	out->jti = in->jti;
	out->iat = in->ended_s > 0 ? (uint64_t)in->ended_s : 0;
	out->sub = in->sub;
	out->note = in->note;
	out->nonce = in->nonce;
	out->aud = in->aud;
	if (in->tool) {
		out->tool = arena_alloc(m->a, 1, sizeof(*out->tool));
		if (!out->tool)
			return -1;
		*out->tool = *in->tool;
	}
	if (!c)
		return -1;
	out->clock = c;
	c->started_utc = assemble_facts_utc(m, in->started_s);
	c->ended_utc = assemble_facts_utc(m, in->ended_s);
	c->state = in->clock_state;
	c->source = in->host ? in->host->clock_source : NULL;
	c->read_cost_ns =
		in->clock_read_cost_ns ? in->clock_read_cost_ns : SHAPE_ABSENT;
	return c->started_utc && c->ended_utc ? 0 : -1;
}

/* What is 0 was not declared. */
static uint64_t
assemble_facts_declared(uint64_t v)
{
	return v ? v : SHAPE_ABSENT;
}

int
assemble_facts_job(
	struct receipt_job *to, const struct job *from, struct arena *a)
{
	uint32_t i;

	to->name = from->name;
	to->rw = job_rw_word(from->rw);
	to->ioengine = job_ioengine_word(from->ioengine);
	to->bs_bytes = from->bs_bytes;
	to->size_bytes = assemble_facts_declared(from->size_bytes);
	to->iodepth = from->iodepth;
	to->numjobs = from->numjobs;
	to->rwmixread_pct = job_reads(from) && job_writes(from)
				    ? from->rwmixread_pct
				    : SHAPE_ABSENT;
	to->runtime_ns = assemble_facts_declared(from->runtime_ns);
	to->ramp_ns = assemble_facts_declared(from->ramp_ns);
	to->fsync = assemble_facts_declared(from->fsync_every);
	to->fdatasync = assemble_facts_declared(from->fdatasync_every);
	to->runs = from->runs;
	to->offset_increment_bytes =
		assemble_facts_declared(from->offset_increment_bytes);
	to->number_ios = assemble_facts_declared(from->number_ios);
	to->randseed = assemble_facts_declared(from->randseed);
	to->direct = 1;
	to->time_based = from->time_based;
	to->norandommap = from->norandommap;
	to->randrepeat = from->randrepeat;
	to->end_fsync = from->end_fsync;
	if (from->percentile_count == 0)
		return 0;
	to->percentile_count = from->percentile_count;
	to->percentiles = arena_alloc(
		a, from->percentile_count, sizeof(*to->percentiles));
	for (i = 0; to->percentiles && i < from->percentile_count; i++)
		to->percentiles[i] = from->percentiles[i];
	return to->percentiles ? 0 : -1;
}

static int
assemble_facts_plan(struct assemble_facts *m)
{
	const struct plan *from = m->in->plan;
	struct receipt_plan *p;
	uint32_t i;

	if (!from)
		return 0;
	p = m->out->plan = arena_alloc(m->a, 1, sizeof(*p));
	if (!p)
		return -1;
	p->suite = from->suite;
	p->digest = m->in->plan_digest;
	p->method = PLAN_METHOD;
	p->sequence = plan_sequence_word(from->sequence);
	p->size_bytes = from->size_bytes;
	p->job_count = plan_jobs(from);
	p->jobs = arena_alloc(m->a, p->job_count + 1u, sizeof(*p->jobs));
	if (!p->jobs)
		return -1;
	for (i = 0; i < p->job_count; i++)
		if (assemble_facts_job(&p->jobs[i], &from->jobs[i], m->a))
			return -1;
	return 0;
}

static int
assemble_facts_host(struct assemble_facts *m)
{
	const struct host *from = m->in->host;
	struct receipt_host *h;

	if (!from)
		return 0;
	h = m->out->host = arena_alloc(m->a, 1, sizeof(*h));
	if (!h)
		return -1;
	h->os = from->os;
	h->kernel = from->kernel;
	h->cpu_model = from->cpu_model;
	h->cpus = from->cpus;
	h->memory_bytes = from->memory_bytes;
	h->cpu_limit_pct = __builtin_nan("");
	if (m->in->view && m->in->view->limits.cpu_pct > 0)
		h->cpu_limit_pct = m->in->view->limits.cpu_pct;
	h->virtualisation = from->virtualisation;
	h->dmi_vendor = from->dmi_vendor;
	h->dmi_product = from->dmi_product;
	h->container = from->container;
	h->fstrim_timer = (int8_t)from->fstrim_timer;
	return 0;
}

static void
assemble_facts_layer(struct receipt_layer *to, const struct stack_layer *from)
{
	to->layer = from->layer;
	to->name = from->name;
	to->model = from->model;
	to->transport = from->transport;
	to->size_bytes = from->size_bytes;
	to->rotational = (int8_t)from->rotational;
	to->scheduler = from->scheduler;
	to->write_cache = from->write_cache;
	to->logical_block_bytes = from->logical_block_bytes;
	to->physical_block_bytes = from->physical_block_bytes;
	to->discard_max_bytes = from->discard_max_bytes;
	to->nr_requests = from->nr_requests;
}

/*
 * The layer that a limit is on; NULL = on none of them.  A stack that could
 * not be walked to its end may hide it: then its filesystem stands for it.
 */
static const struct stack_layer *
assemble_facts_limited(const struct stack *s, const struct limits_io *io)
{
	const struct stack_layer *l;
	unsigned i;

	for (i = 0; i < s->count; i++) {
		l = &s->layers[i];
		if (l->kind != STACK_FILESYSTEM &&
			l->dev_major == io->dev_major &&
			l->dev_minor == io->dev_minor)
			return l;
	}
	return s->count > 0 && !s->complete ? &s->layers[0] : NULL;
}

/* Those that are on the way down; others limit other disks. */
static int
assemble_facts_limits(struct assemble_facts *m, struct receipt_target *t)
{
	const struct limits *l = &m->in->view->limits;
	const struct stack_layer *layer;
	struct receipt_limit *to;
	unsigned i;

	if (l->io_count == 0)
		return 0;
	t->limits = arena_alloc(m->a, l->io_count, sizeof(*t->limits));
	if (!t->limits)
		return -1;
	for (i = 0; i < l->io_count; i++) {
		layer = assemble_facts_limited(&m->in->view->stack, &l->io[i]);
		if (!layer)
			continue;
		to = &t->limits[t->limit_count++];
		to->source = l->io[i].source;
		to->name = layer->name;
		to->rbps = l->io[i].rbps;
		to->wbps = l->io[i].wbps;
		to->riops = l->io[i].riops;
		to->wiops = l->io[i].wiops;
	}
	if (t->limit_count == 0)
		t->limits = NULL;
	return 0;
}

static int
assemble_facts_stack(struct assemble_facts *m, struct receipt_target *t)
{
	const struct stack *s = &m->in->view->stack;
	unsigned i;

	if (s->count > 0) {
		t->stack = arena_alloc(m->a, s->count, sizeof(*t->stack));
		if (!t->stack)
			return -1;
		t->stack_count = s->count;
	}
	for (i = 0; i < s->count; i++)
		assemble_facts_layer(&t->stack[i], &s->layers[i]);
	return assemble_facts_limits(m, t);
}

/* What the guard saw of the place. */
static int
assemble_facts_view(struct assemble_facts *m, struct receipt_target *t)
{
	const struct guard_view *v = m->in->view;
	char *options;

	t->filesystem = v->fstype;
	if (v->total_bytes > 0)
		t->available_bytes = v->available_bytes;
	t->backing = stack_backing_word(v->stack.backing);
	if (v->stack.backing != STACK_BACKING_DISK)
		t->backing_why = v->stack.why;
	if (v->mount_told) {
		options = arena_alloc(m->a, 1, sizeof(v->mount.options));
		if (!options)
			return -1;
		mounts_public_options(
			&v->mount, options, sizeof(v->mount.options));
		t->mount_options = options;
	}
	return assemble_facts_stack(m, t);
}

static int
assemble_facts_target(struct assemble_facts *m)
{
	const struct assemble *in = m->in;
	struct receipt_target *t;

	if (!in->view)
		return 0;
	t = m->out->target = arena_alloc(m->a, 1, sizeof(*t));
	if (!t)
		return -1;
	t->size_bytes = t->available_bytes = SHAPE_ABSENT;
	t->dio_align_bytes = SHAPE_ABSENT;
	t->nocow = t->took_over = -1;
	t->allowed_memory = in->allowed_memory ? 1 : -1;
	if (in->target) {
		t->size_bytes = in->target->size_bytes;
		t->nocow = in->target->nocow;
		t->took_over = in->took_over;
		if (in->target->align_told)
			t->dio_align_bytes = in->target->align_bytes;
	}
	return assemble_facts_view(m, t);
}

int
assemble_facts(const struct assemble *in, struct receipt *out, struct arena *a)
{
	struct assemble_facts m = { .in = in, .out = out, .a = a };

	if (assemble_facts_head(&m) || assemble_facts_plan(&m) ||
		assemble_facts_host(&m))
		return -1;
	return assemble_facts_target(&m);
}
