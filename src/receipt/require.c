#include "receipt/require.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "receipt/finding.h"
#include "receipt/show_common.h"

#define REQUIRE_EXPR_MAX 256 /* bytes: the field table's limit */
#define REQUIRE_MIB	 1048576.0

/* What an operator is called; longer ones first. */
static const struct require_word {
	const char *word;
	enum require_op op;
} require_words[] = {
	{ "<=", REQUIRE_AT_MOST },
	{ ">=", REQUIRE_AT_LEAST },
	{ "==", REQUIRE_EQUAL },
	{ "<", REQUIRE_BELOW },
	{ ">", REQUIRE_ABOVE },
	{ NULL, REQUIRE_EQUAL },
};

/* A unit that a value of a metric may have. */
static const struct require_unit {
	enum metric_unit of;
	const char *word;
	double counts;
} require_units[] = {
	{ METRIC_NS, "ns", 1 },
	{ METRIC_NS, "us", 1e3 },
	{ METRIC_NS, "ms", 1e6 },
	{ METRIC_NS, "s", 1e9 },
	{ METRIC_IOPS, "", 1 },
	{ METRIC_IOPS, "k", 1e3 },
	{ METRIC_IOPS, "M", 1e6 },
	{ METRIC_BYTES_PER_S, "B/s", 1 },
	{ METRIC_BYTES_PER_S, "KiB/s", 1024 },
	{ METRIC_BYTES_PER_S, "MiB/s", REQUIRE_MIB },
	{ METRIC_BYTES_PER_S, "GiB/s", 1024 * REQUIRE_MIB },
	{ METRIC_PCT, "%", 1 },
	{ METRIC_RATIO, "", 1 },
	{ METRIC_RATIO, "x", 1 },
	{ METRIC_NS, NULL, 0 },
};

/* A tab is none: an expression stands in the receipt as it was given. */
static bool
require_is_blank(char c)
{
	return c == ' ';
}

/* s[0..len) without blanks around it, copied; false where it is too long. */
static bool
require_trim(const char *s, size_t len, char *out, size_t size)
{
	while (len > 0 && require_is_blank(*s)) {
		s++;
		len--;
	}
	while (len > 0 && require_is_blank(s[len - 1]))
		len--;
	if (len >= size)
		return false;
	memcpy(out, s, len);
	out[len] = '\0';
	return true;
}

static int
require_unknown_code(const char *code, struct err *e)
{
	const char *codes[FINDING_RULES + 1], *near;
	const struct finding_rule *rule;
	size_t n = 0;

	for (rule = finding_rules(); rule->code; rule++)
		if (rule->judge)
			codes[n++] = rule->code;
	codes[n] = NULL;
	near = units_nearest(code, codes);
	return err_set(e, ERR_USAGE, 0, "there is no finding \"%s\"%s%s%s",
		code, near ? ": did you mean \"" : "; README.md lists them",
		near ? near : "", near ? "\"?" : "");
}

/* "no warning", "no finding CODE": what stands behind "no". */
static int
require_parse_no(struct require *out, const char *what, struct err *e)
{
	size_t len = strcspn(what, " ");

	if (!strcmp(what, "warning")) {
		out->kind = REQUIRE_NO_WARNING;
		return 0;
	}
	if (len != strlen("finding") || strncmp(what, "finding", len) != 0)
		return err_set(e, ERR_USAGE, 0,
			"\"no %.60s\" is neither \"no warning\" nor \"no "
			"finding CODE\"",
			what);
	out->kind = REQUIRE_NO_FINDING;
	if (!require_trim(what + len, strlen(what + len), out->name,
		    sizeof(out->name)) ||
		!finding_rule(out->name))
		return require_unknown_code(
			*out->name ? out->name : what + len, e);
	return 0;
}

/* The units of a kind, as a list for a message: "ns, us, ms or s". */
static void
require_list_units(enum metric_unit of, struct buf *out)
{
	const struct require_unit *u;
	size_t n = 0, i = 0;

	for (u = require_units; u->word; u++)
		n += u->of == of;
	for (u = require_units; u->word; u++) {
		if (u->of != of)
			continue;
		buf_printf(out, "%s%s",
			i == 0	     ? ""
			: i + 1 == n ? " or "
				     : ", ",
			*u->word ? u->word : "no unit");
		i++;
	}
}

static int
require_wrong_unit(const struct metric *m, const char *value, struct err *e)
{
	struct buf units;

	buf_init(&units);
	require_list_units(m->unit, &units);
	err_set(e, ERR_USAGE, 0, "\"%.60s\" is not a value of %s: it takes %s",
		value, m->name, buf_text(&units));
	buf_free(&units);
	return -1;
}

static int
require_parse_value(struct require *out, const struct metric *m,
	const char *value, struct err *e)
{
	const struct require_unit *u;
	const char *rest;
	double number;

	if (units_parse_number(value, &number, &rest, e))
		return -1;
	while (require_is_blank(*rest))
		rest++;
	for (u = require_units; u->word; u++)
		if (u->of == m->unit && !strcmp(u->word, rest))
			break;
	if (!u->word)
		return require_wrong_unit(m, value, e);
	out->value = number * u->counts;
	return 0;
}

static int
require_parse_metric(struct require *out, const char *expr,
	const struct receipt *of, struct err *e)
{
	size_t len = strcspn(expr, "<>=");
	const struct require_word *w;
	char value[64];
	struct metric m;

	for (w = require_words; w->word; w++)
		if (!strncmp(expr + len, w->word, strlen(w->word)))
			break;
	if (!w->word)
		return err_set(e, ERR_USAGE, 0,
			"it has none of < <= > >= ==; an example is "
			"'qd1-randread.read.lat.p99_9 < 0.5ms'");
	out->kind = REQUIRE_METRIC;
	out->op = w->op;
	if (!require_trim(expr, len, out->name, sizeof(out->name)))
		return err_set(e, ERR_USAGE, 0, "no metric has such a name");
	if (metric_find(of, out->name, &m, e))
		return -1;
	len += strlen(w->word);
	if (!require_trim(expr + len, strlen(expr + len), value, sizeof(value)))
		return err_set(e, ERR_USAGE, 0, "its value is too long");
	return require_parse_value(out, &m, value, e);
}

int
require_parse(struct require *out, const char *expr, const struct receipt *of,
	struct err *e)
{
	char text[REQUIRE_EXPR_MAX + 1];
	int rc;

	*out = (struct require){ .expr = expr };
	if (!require_trim(expr, strlen(expr), text, sizeof(text)))
		return err_set(e, ERR_USAGE, 0,
			"\"%.60s...\" has more than %d bytes", expr,
			REQUIRE_EXPR_MAX);
	if (!strncmp(text, "no", 2) && require_is_blank(text[2]))
		rc = require_parse_no(out, text + 2 + strspn(text + 2, " "), e);
	else
		rc = require_parse_metric(out, text, of, e);
	return rc ? err_wrap(e, "\"%.120s\"", text) : 0;
}

static bool
require_compare(enum require_op op, double figure, double value)
{
	switch (op) {
	case REQUIRE_BELOW:
		return figure < value;
	case REQUIRE_AT_MOST:
		return figure <= value;
	case REQUIRE_ABOVE:
		return figure > value;
	case REQUIRE_AT_LEAST:
		return figure >= value;
	case REQUIRE_EQUAL:
		break;
	}
	return figure == value;
}

/* As in the table, but never so short that it seems to be the limit itself. */
static void
require_latency(const struct metric *m, double limit_ns, char *out, size_t size)
{
	char figure[SHOW_COMMON_FIGURE], limit[SHOW_COMMON_FIGURE];
	const char *few = m->few ? "~" : "";

	show_common_ms((uint64_t)m->value, figure, sizeof(figure));
	show_common_ms((uint64_t)limit_ns, limit, sizeof(limit));
	if (!strcmp(figure, limit) && m->value != limit_ns)
		snprintf(out, size, "%s%s ns", few,
			units_count(
				(uint64_t)m->value, figure, sizeof(figure)));
	else
		snprintf(out, size, "%s%s ms", few, figure);
}

static void
require_figure(const struct metric *m, double limit, char *out, size_t size)
{
	char text[SHOW_COMMON_FIGURE];

	switch (m->unit) {
	case METRIC_NS:
		require_latency(m, limit, out, size);
		return;
	case METRIC_IOPS:
		snprintf(out, size, "%s IOPS",
			show_common_rate(m->value, text, sizeof(text)));
		return;
	case METRIC_BYTES_PER_S:
		snprintf(out, size, "%s MiB/s",
			show_common_mibs(m->value, text, sizeof(text)));
		return;
	case METRIC_PCT:
		snprintf(out, size, "%.2f %%", m->value);
		return;
	case METRIC_RATIO:
		break;
	}
	snprintf(out, size, "%s%.2f", m->few ? "~" : "", m->value);
}

/* Is none of that code (NULL: any) and level (NULL: any) there? */
static bool
require_none(const struct receipt *r, const char *code, const char *level,
	char *figure, size_t size)
{
	const struct receipt_finding *f;
	size_t i, len = 0;

	/* what was not measured was not judged */
	if (r->complete != 1)
		snprintf(figure, size, "not complete");
	if (!finding_has(r, code, level))
		return r->complete == 1;
	for (i = 0; i < r->finding_count && len < size; i++) {
		f = &r->findings[i];
		if ((!code || !strcmp(f->code, code)) &&
			(!level || !strcmp(f->level, level)))
			len += (size_t)snprintf(figure + len, size - len,
				"%s%s", len ? ", " : "", f->code);
	}
	return false;
}

/* Does it hold?  What was looked at goes to figure. */
static bool
require_ask(const struct receipt *r, const struct require *q, char *figure,
	size_t size)
{
	struct metric m;
	struct err e;

	switch (q->kind) {
	case REQUIRE_NO_WARNING:
		return require_none(r, NULL, "warning", figure, size);
	case REQUIRE_NO_FINDING:
		return require_none(r, q->name, NULL, figure, size);
	case REQUIRE_METRIC:
		break;
	}
	if (metric_find(r, q->name, &m, &e)) {
		snprintf(figure, size, "not measured");
		return false;
	}
	if (isnan(m.value)) {
		snprintf(figure, size, "withheld: too few samples");
		return false;
	}
	require_figure(&m, q->value, figure, size);
	return require_compare(q->op, m.value, q->value);
}

int
require_judge(struct receipt *r, const struct require *list, size_t n,
	struct arena *a)
{
	struct receipt_requirement *out;
	char figure[64];
	size_t i;

	if (n == 0)
		return 0;
	out = arena_alloc(a, n, sizeof(*out));
	if (!out)
		return -1;
	for (i = 0; i < n; i++) {
		figure[0] = '\0';
		out[i].expr = list[i].expr;
		out[i].holds = require_ask(r, &list[i], figure, sizeof(figure));
		out[i].figure = arena_strdup(a, figure);
		if (!out[i].figure)
			return -1;
	}
	r->requirements = out;
	r->requirement_count = n;
	return 0;
}

bool
require_all_hold(const struct receipt *r)
{
	size_t i;

	for (i = 0; i < r->requirement_count; i++)
		if (r->requirements[i].holds != 1)
			return false;
	return true;
}
