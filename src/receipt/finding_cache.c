#include "receipt/finding_cache.h"

#include <math.h>
#include <stdio.h>

#include "base/shape.h"
#include "disk/hist.h"
#include "receipt/finding_place.h"
#include "receipt/latency.h"

enum {
	FINDING_CACHE_WIDTH = 16, /* fio's buckets in a quarter of an octave */
	FINDING_CACHE_BINS = HIST_FIO_BUCKETS / FINDING_CACHE_WIDTH
};

/* Two heaps of samples with little between them. */
struct finding_modes {
	double fast_ns, slow_ns;   /* where they are highest */
	double fast_pct, slow_pct; /* samples near there */
};

/*
 * Samples in three neighbouring quarter octaves, in per cent: a heap is what
 * lies within a factor of 1.7, so that a long tail is none.
 */
static int
finding_cache_heaps(const struct receipt_latency *l, double *pct)
{
	uint64_t counts[HIST_FIO_BUCKETS];
	double bins[FINDING_CACHE_BINS] = { 0 };
	int i;

	if (latency_unfold(l, counts) || l->n == 0)
		return -1;
	for (i = 0; i < FINDING_CACHE_BINS * FINDING_CACHE_WIDTH; i++)
		bins[i / FINDING_CACHE_WIDTH] +=
			(double)counts[i] / (double)l->n * 100;
	for (i = 0; i < FINDING_CACHE_BINS; i++)
		pct[i] = bins[i] + (i > 0 ? bins[i - 1] : 0) +
			 (i + 1 < FINDING_CACHE_BINS ? bins[i + 1] : 0);
	return 0;
}

static int
finding_cache_highest(const double *pct, int from, int to)
{
	int i, best = from;

	for (i = from; i < to; i++)
		if (pct[i] > pct[best])
			best = i;
	return best;
}

static double
finding_cache_middle(int bin)
{
	return (double)hist_fio_value((
		uint32_t)(bin * FINDING_CACHE_WIDTH + FINDING_CACHE_WIDTH / 2));
}

/* The two modes of l where the rule finds them. */
static bool
finding_cache_modes(const struct finding_case *c,
	const struct receipt_latency *l, struct finding_modes *m)
{
	double least = finding_case_limit(c, "mode_pct");
	double apart = finding_case_limit(c, "mode_ratio");
	double hollow = finding_case_limit(c, "hollow_pct") / 100;
	double pct[FINDING_CACHE_BINS], lower;
	int v, fast, slow;

	if (finding_cache_heaps(l, pct))
		return false;
	for (v = 1; v + 1 < FINDING_CACHE_BINS; v++) {
		fast = finding_cache_highest(pct, 0, v);
		slow = finding_cache_highest(pct, v + 1, FINDING_CACHE_BINS);
		m->fast_ns = finding_cache_middle(fast);
		m->slow_ns = finding_cache_middle(slow);
		m->fast_pct = pct[fast];
		m->slow_pct = pct[slow];
		lower = m->fast_pct < m->slow_pct ? m->fast_pct : m->slow_pct;
		/* a hollow between them, not a slope */
		if (lower >= least && m->slow_ns >= apart * m->fast_ns &&
			pct[v] <= lower * hollow)
			return true;
	}
	return false;
}

/* The reads, one at a time, with the least median. */
static const struct receipt_latency *
finding_cache_fastest(struct finding_case *c, size_t *at)
{
	const struct receipt_latency *l, *least = NULL;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		if (!finding_case_alone(&c->windows[i]) ||
			!c->windows[i].w->read)
			continue;
		l = c->windows[i].w->read->lat_ns;
		if (!l || !shape_has(l->p50) || (least && l->p50 >= least->p50))
			continue;
		least = l;
		*at = i;
	}
	return least;
}

static void
finding_cache_modes_say(struct finding_case *c)
{
	static const char *const explained[] = { "cap", "rate-limited",
		"slice-throttle", "burst", "competing-io", "cpu-bound", "steal",
		NULL };
	struct finding_draft d = { .level = FINDING_NOTE,
		.confidence = FINDING_POSSIBLE };
	struct finding_modes m;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		if (!finding_case_alone(&c->windows[i]) ||
			!c->windows[i].w->read ||
			!c->windows[i].w->read->lat_ns ||
			finding_case_marked_any(c, explained, i) ||
			!finding_cache_modes(
				c, c->windows[i].w->read->lat_ns, &m))
			continue;
		finding_case_mark(c, i);
		finding_case_figure(&d, "fast_ns", m.fast_ns);
		finding_case_figure(&d, "slow_ns", m.slow_ns);
		finding_case_figure(&d, "fast_pct", m.fast_pct);
		finding_case_figure(&d, "slow_pct", m.slow_pct);
		finding_case_say(c, &d,
			"reads of %s are of two kinds, %.0f %% about %s and "
			"%.0f %% about %s: a cache answered one part, or the "
			"file lies on two kinds of storage.",
			finding_case_where(c, i), m.fast_pct,
			finding_case_ms(c, (uint64_t)m.fast_ns), m.slow_pct,
			finding_case_ms(c, (uint64_t)m.slow_ns));
		return;
	}
}

/* A disk that turns and answers before it could have turned. */
static bool
finding_cache_rotational(struct finding_case *c,
	const struct receipt_latency *l, struct finding_draft *d, size_t at)
{
	const struct receipt_layer *disk =
		finding_place_rotational(c->receipt->target);

	if (!disk ||
		(double)l->p50 >= finding_case_limit(c, "turning_ms") * 1e6)
		return false;
	finding_case_figure(d, "p50_ns", (double)l->p50);
	if (finding_place_is_virtual(c->receipt)) {
		d->level = FINDING_NOTE;
		d->confidence = FINDING_POSSIBLE;
		finding_case_say(c, d,
			"%s calls itself rotational, yet half of the reads of "
			"%s took %s or less: a virtual disk often says so "
			"without turning, else a cache answered.",
			disk->name ? disk->name : "the disk",
			finding_case_where(c, at), finding_case_ms(c, l->p50));
		return true;
	}
	d->level = FINDING_WARNING;
	d->confidence = FINDING_LIKELY;
	finding_case_say(c, d,
		"%s turns, yet half of the reads of %s took %s or less: a "
		"cache answered, not the disk.",
		disk->name ? disk->name : "the disk", finding_case_where(c, at),
		finding_case_ms(c, l->p50));
	return true;
}

void
finding_cache_suspected(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	struct finding_draft d = { .level = FINDING_WARNING,
		.confidence = FINDING_LIKELY };
	const struct receipt_latency *l;
	size_t at = 0;

	l = finding_cache_fastest(c, &at);
	/* of memory nobody has to suspect it */
	if (!l || (t && finding_case_is(t->backing, "memory")))
		return;
	if ((double)l->p50 >= finding_case_limit(c, "possible_us") * 1e3) {
		if (!finding_cache_rotational(c, l, &d, at))
			finding_cache_modes_say(c);
		return;
	}
	if ((double)l->p50 >= finding_case_limit(c, "likely_us") * 1e3) {
		if (finding_cache_rotational(c, l, &d, at))
			return;
		d.level = FINDING_NOTE;
		d.confidence = FINDING_POSSIBLE;
	}
	finding_case_mark(c, at);
	finding_case_figure(&d, "p50_ns", (double)l->p50);
	finding_case_say(c, &d,
		"half of the reads of %s took %s or less: flash takes longer "
		"to answer, so a cache of the host or the device may have.",
		finding_case_where(c, at), finding_case_ms(c, l->p50));
}

/* The syncs with the least median, and the writes before them. */
static bool
finding_cache_syncs(struct finding_case *c, size_t *at)
{
	const struct receipt_lane *sync;
	bool found = false;
	uint64_t least = 0;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		sync = c->windows[i].w->sync;
		if (!sync || !sync->lat_ns || !shape_has(sync->lat_ns->p50) ||
			(found && sync->lat_ns->p50 >= least))
			continue;
		found = true;
		least = sync->lat_ns->p50;
		*at = i;
	}
	return found;
}

/* How sure it is that a flush costs nothing; NULL: it costs something. */
static const char *
finding_cache_free(const struct finding_case *c, double sync_ns,
	const struct receipt_lane *write)
{
	if (sync_ns < finding_case_limit(c, "likely_us") * 1e3)
		return FINDING_LIKELY;
	if (sync_ns < finding_case_limit(c, "possible_us") * 1e3)
		return FINDING_POSSIBLE;
	if (write && write->lat_ns && shape_has(write->lat_ns->p50) &&
		sync_ns < finding_case_limit(c, "write_share") *
				  (double)write->lat_ns->p50)
		return FINDING_POSSIBLE;
	return NULL;
}

void
finding_cache_flush_free(struct finding_case *c)
{
	const char *cache = finding_place_write_cache(c->receipt->target);
	struct finding_draft d = { .level = FINDING_NOTE };
	const struct receipt_window *w;
	bool through;
	size_t at;

	if (!finding_cache_syncs(c, &at))
		return;
	w = c->windows[at].w;
	through = finding_case_is(cache, "write through");
	d.confidence =
		finding_cache_free(c, (double)w->sync->lat_ns->p50, w->write);
	if (!through && !d.confidence)
		return;
	if (through)
		d.confidence = NULL;
	finding_case_mark(c, at);
	finding_case_figure(&d, "sync_p50_ns", (double)w->sync->lat_ns->p50);
	if (w->write && w->write->lat_ns && shape_has(w->write->lat_ns->p50))
		finding_case_figure(
			&d, "write_p50_ns", (double)w->write->lat_ns->p50);
	if (through)
		finding_case_say(c, &d,
			"the disk says that it writes through, so the kernel "
			"sends it no flush: the syncs of %s (p50 %s) rest on "
			"that word.",
			finding_case_where(c, at),
			finding_case_ms(c, w->sync->lat_ns->p50));
	else
		finding_case_say(c, &d,
			"the syncs of %s cost next to nothing (p50 %s): "
			"something below says that data is safe before a disk "
			"could have stored it, or has a cache that survives a "
			"loss of power.",
			finding_case_where(c, at),
			finding_case_ms(c, w->sync->lat_ns->p50));
}

void
finding_cache_commit_limits(struct finding_case *c)
{
	double etcd_ns = finding_case_limit(c, "etcd_ms") * 1e6;
	double openshift_ns = finding_case_limit(c, "openshift_ms") * 1e6;
	struct finding_draft d = { .level = FINDING_NOTE };
	struct finding_worst worst = { 0 };
	const struct receipt_lane *sync;
	size_t i;

	for (i = 0; i < c->window_count; i++) {
		sync = c->windows[i].w->sync;
		if (sync && sync->lat_ns && shape_has(sync->lat_ns->p99) &&
			(double)sync->lat_ns->p99 > etcd_ns)
			finding_case_count(
				c, &worst, i, (double)sync->lat_ns->p99);
	}
	if (worst.count == 0)
		return;
	finding_case_figure(&d, "sync_p99_ns", worst.by);
	finding_case_say(c, &d,
		"one sync in a hundred of %s took %s or more; etcd's "
		"documentation wants p99 below %.0f ms, OpenShift's below %.0f "
		"ms%s.",
		finding_case_where(c, worst.at),
		finding_case_ms(c, (uint64_t)worst.by), etcd_ns / 1e6,
		openshift_ns / 1e6,
		worst.by > openshift_ns ? " too" : ", which it is");
}
