#include "receipt/show_diag.h"

#include <math.h>

#include "base/shape.h"
#include "base/units.h"
#include "disk/diag.h"
#include "receipt/show_common.h"
#include "receipt/show_flow.h"

static void
show_diag_polled(const struct receipt *r, struct show_flow *f)
{
	const struct receipt_polled *p = r->diagnostics->polled;
	char polled[SHOW_COMMON_FIGURE], slept[SHOW_COMMON_FIGURE];
	char cost[SHOW_COMMON_FIGURE];
	uint64_t p50;
	struct buf name;

	if (!p || !p->lat_ns || !r->plan || p->job >= r->plan->job_count)
		return;
	p50 = show_common_value(p->lat_ns, 50);
	if (!shape_has(p50))
		return;
	buf_init(&name);
	show_common_word(&name, r->plan->jobs[p->job].name, true);
	show_flow_item(f, "", "%s:", buf_text(&name));
	buf_free(&name);
	show_common_percentile(p->lat_ns, 50, polled, sizeof(polled));
	show_flow_item(f, "", "read p50 %s ms polled", polled);
	if (!shape_has(p->slept_p50_ns))
		return;
	show_common_ms(p->slept_p50_ns, slept, sizeof(slept));
	show_flow_item(f, ",", "%s ms asleep", slept);
	if (p->slept_p50_ns < p50)
		show_flow_item(f, ":",
			"polling was slower: the CPU was busy, no cost can be "
			"told");
	if (p->slept_p50_ns <= p50)
		return;
	show_common_ms(p->slept_p50_ns - p50, cost, sizeof(cost));
	show_flow_item(f, ":", "waking costs %s ms (%.0f %%)", cost,
		(double)(p->slept_p50_ns - p50) / (double)p->slept_p50_ns *
			100);
}

/* "sleeps of 60 us end 0.038 ms late before, 0.041 ms after" */
static void
show_diag_oversleep(const struct receipt_diagnostics *d, struct show_flow *f)
{
	const struct receipt_moment *of[DIAG_TIMES] = { d->before, d->after };
	static const char *const when[DIAG_TIMES] = { "before", "after" };
	char late[SHOW_COMMON_FIGURE];
	const char *mark = ";";
	int i;

	for (i = 0; i < DIAG_TIMES; i++) {
		if (!of[i] || !of[i]->oversleep_ns ||
			!shape_has(show_common_value(of[i]->oversleep_ns, 50)))
			continue;
		show_common_percentile(
			of[i]->oversleep_ns, 50, late, sizeof(late));
		if (*mark == ';')
			show_flow_item(f, mark,
				"sleeps of %u us end %s ms late %s",
				(unsigned)(DIAG_SLEEP_NS / 1000), late,
				when[i]);
		else
			show_flow_item(f, mark, "%s ms %s", late, when[i]);
		mark = ",";
	}
}

/* "CPU lost 0.12 % before, 0.40 % after, at most for 1.204 ms" */
static void
show_diag_gaps(const struct receipt_diagnostics *d, struct show_flow *f)
{
	const struct receipt_moment *of[DIAG_TIMES] = { d->before, d->after };
	static const char *const when[DIAG_TIMES] = { "before", "after" };
	char most[SHOW_COMMON_FIGURE];
	const char *mark = ";";
	uint64_t longest_ns = 0;
	int i;

	for (i = 0; i < DIAG_TIMES; i++) {
		if (!of[i] || !of[i]->gaps || isnan(of[i]->gaps->lost_pct))
			continue;
		show_flow_item(f, mark, "%s%.2f %% %s",
			*mark == ';' ? "CPU lost for " : "",
			of[i]->gaps->lost_pct, when[i]);
		mark = ",";
		if (shape_has(of[i]->gaps->longest_ns) &&
			of[i]->gaps->longest_ns > longest_ns)
			longest_ns = of[i]->gaps->longest_ns;
	}
	if (longest_ns == 0)
		return;
	show_common_ms(longest_ns, most, sizeof(most));
	show_flow_item(f, ",", "at most %s ms at once", most);
}

void
show_diag(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	struct show_flow f = { .out = out, .style = style, .gap = 1 };

	if (!r->diagnostics)
		return;
	f.label.word = "wake cost";
	f.label.color = TEXT_DIM;
	show_diag_polled(r, &f);
	show_diag_oversleep(r->diagnostics, &f);
	show_diag_gaps(r->diagnostics, &f);
	show_flow_end(&f);
}
