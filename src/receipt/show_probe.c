#include "receipt/show_probe.h"

#include <math.h>

#include "base/shape.h"
#include "base/units.h"
#include "receipt/show_common.h"

static void
show_probe_line(struct buf *text, const char *word,
	const struct text_style *style, struct buf *out)
{
	const struct show_common_label label = { word, TEXT_PLAIN };

	show_common_line(out, &label, buf_text(text), style);
	buf_free(text);
}

/* The p99 of each sample, in their order, where one has any. */
static void
show_probe_samples(const struct receipt_probe *p, struct buf *text)
{
	char ms[SHOW_COMMON_FIGURE];
	size_t i = 0;

	while (i < p->sample_count &&
		!shape_has(show_common_value(p->samples[i].read->lat_ns, 99)))
		i++;
	if (i == p->sample_count) {
		buf_str(text, "too few reads");
		return;
	}

	for (i = 0; i < p->sample_count; i++) {
		show_common_percentile(
			p->samples[i].read->lat_ns, 99, ms, sizeof(ms));
		buf_printf(text, "%s%s", i ? " " : "", ms[0] ? ms : "?");
	}
	buf_str(text, " ms");
}

void
show_probe(const struct receipt *r, const struct text_style *style,
	struct buf *out)
{
	const struct receipt_probe *p = r->probe;
	char length[UNITS_SIZE], every[UNITS_SIZE];
	struct buf text;

	if (!p)
		return;
	buf_init(&text);
	buf_printf(&text, "read p99 of %zu of %llu samples, one every %s: ",
		p->sample_count, (unsigned long long)p->job->runs,
		units_ns(p->every_ns, every, sizeof(every)));
	show_probe_samples(p, &text);
	if (!isnan(p->p99_spread))
		buf_printf(&text, "; largest / smallest: %.2f", p->p99_spread);
	show_probe_line(&text, "neighbour", style, out);
	if (isnan(p->steal_mean_pct) || isnan(p->steal_worst_pct))
		return;
	buf_init(&text);
	buf_printf(&text, "%.2f %% on average, %.2f %% in the worst %s of %s",
		p->steal_mean_pct, p->steal_worst_pct,
		units_ns(p->steal_interval_ns, every, sizeof(every)),
		units_ns(p->length_ns, length, sizeof(length)));
	show_probe_line(&text, "steal", style, out);
}
