#include "receipt/seconds.h"

#include "base/shape.h"

size_t
seconds_count(const struct receipt_window *w)
{
	const struct receipt_series *s = w->series;
	uint64_t whole;
	size_t n;

	if (!s || !shape_has(s->interval_ns) || s->interval_ns == 0 ||
		!shape_has(w->elapsed_ns))
		return 0;
	n = s->read_count > s->write_count ? s->read_count : s->write_count;
	whole = (w->elapsed_ns + s->interval_ns / 20) / s->interval_ns;
	n = n < whole ? n : (size_t)whole;
	return n < SECONDS_MAX ? n : SECONDS_MAX;
}

static double
at(const uint64_t *v, size_t n, size_t i)
{
	return i < n && shape_has(v[i]) ? (double)v[i] : 0;
}

double
seconds_rate(const struct receipt_series *s, size_t i)
{
	return (at(s->read_ios, s->read_count, i) +
		       at(s->write_ios, s->write_count, i)) *
	       1e9 / (double)s->interval_ns;
}

double
seconds_worst_ns(const struct receipt_series *s, size_t i)
{
	return at(s->worst_ns, s->worst_count, i);
}
