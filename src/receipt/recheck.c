#include "receipt/recheck.h"

#include <string.h>

#include "receipt/finding.h"
#include "receipt/require.h"
#include "receipt/show_common.h"

/* One receipt before its second judge. */
struct recheck {
	const struct receipt *told;
	struct receipt again;
	const struct text_style *style;
	struct buf *out;
	bool alike;
};

static bool
recheck_is_text(const char *a, const char *b)
{
	bool told_a = show_common_told(a), told_b = show_common_told(b);

	return told_a == told_b && (!told_a || !strcmp(a, b));
}

static bool
recheck_are_figures(
	const struct receipt_finding *a, const struct receipt_finding *b)
{
	size_t i;

	if (a->figure_count != b->figure_count)
		return false;
	for (i = 0; i < a->figure_count; i++)
		if (strcmp(a->figures[i].key, b->figures[i].key) != 0 ||
			a->figures[i].value != b->figures[i].value)
			return false;
	return true;
}

/* What of two findings of one code differs; NULL: nothing. */
static const char *
recheck_difference(
	const struct receipt_finding *a, const struct receipt_finding *b)
{
	if (!recheck_is_text(a->level, b->level))
		return "another level";
	if (!recheck_is_text(a->confidence, b->confidence))
		return "another confidence";
	if (!recheck_are_figures(a, b))
		return "other figures";
	if (!recheck_is_text(a->rule, b->rule))
		return "by another rule";
	return recheck_is_text(a->text, b->text) &&
			       recheck_is_text(a->command, b->command) &&
			       recheck_is_text(a->source, b->source)
		       ? NULL
		       : "other words";
}

static const struct receipt_finding *
recheck_of(const struct receipt *r, const char *code)
{
	size_t i;

	for (i = 0; i < r->finding_count; i++)
		if (!strcmp(r->findings[i].code, code))
			return &r->findings[i];
	return NULL;
}

static void
recheck_line(struct recheck *c, const char *word, enum text_color color,
	struct buf *text)
{
	const struct show_common_label label = { word, color };

	show_common_line(c->out, &label, buf_text(text), c->style);
	c->out->failed |= buf_failed(text);
	buf_reset(text);
}

static void
recheck_unlike(struct recheck *c, struct buf *text)
{
	c->alike = false;
	recheck_line(c, "UNLIKE", TEXT_RED, text);
}

static void
recheck_rule(struct recheck *c, const struct receipt_finding *f)
{
	struct buf text;

	buf_init(&text);
	buf_printf(&text, "%s (%s): %s", f->code, f->level, f->rule);
	buf_printf(&text, " [%s]", f->source);
	recheck_line(c, "same", TEXT_GREEN, &text);
	buf_free(&text);
}

/* A finding of the receipt, and what became of it. */
static void
recheck_told(struct recheck *c, const struct receipt_finding *f)
{
	const struct receipt_finding *again = recheck_of(&c->again, f->code);
	const char *difference;
	struct buf text;

	buf_init(&text);
	difference = again ? recheck_difference(f, again) : NULL;
	if (!again)
		buf_printf(&text, "%s: the receipt says so, its figures do not",
			f->code);
	else if (difference)
		buf_printf(&text, "%s: its figures give %s: %s", f->code,
			difference, again->text);
	if (text.len > 0)
		recheck_unlike(c, &text);
	else
		recheck_rule(c, again);
	buf_free(&text);
}

static void
recheck_findings(struct recheck *c)
{
	const struct receipt_finding *f;
	struct buf text;
	size_t i;

	for (i = 0; i < c->told->finding_count; i++)
		recheck_told(c, &c->told->findings[i]);
	buf_init(&text);
	for (i = 0; i < c->again.finding_count; i++) {
		f = &c->again.findings[i];
		if (recheck_of(c->told, f->code))
			continue;
		buf_printf(&text, "%s: the receipt does not say so: %s",
			f->code, f->text);
		recheck_unlike(c, &text);
	}
	if (c->alike && c->told->finding_count != c->again.finding_count) {
		buf_str(&text, "one finding is told twice");
		recheck_unlike(c, &text);
	}
	buf_free(&text);
}

/* Does the requirement hold by what was found now?  As told, or not? */
static int
recheck_requirement(struct recheck *c, const struct receipt_requirement *told,
	struct arena *a)
{
	struct require q;
	struct receipt now = c->again;
	bool holds = false;
	struct buf text;
	struct err e;

	/* one that cannot be read, or whose window is lost, holds nothing */
	if (!require_parse(&q, told->expr, &now, &e)) {
		if (require_judge(&now, &q, 1, a))
			return -1;
		holds = now.requirements[0].holds == 1;
	}
	buf_init(&text);
	buf_printf(
		&text, "%s: %s", told->expr, holds ? "holds" : "does not hold");
	if (holds == (told->holds == 1)) {
		recheck_line(c, "same", TEXT_GREEN, &text);
	} else {
		buf_str(&text, ", the receipt says otherwise");
		recheck_unlike(c, &text);
	}
	buf_free(&text);
	return 0;
}

static void
recheck_verdict(struct recheck *c)
{
	struct buf text;

	buf_init(&text);
	if (c->alike)
		buf_printf(&text,
			"%zu finding%s and %zu requirement%s are what the "
			"figures give",
			c->told->finding_count,
			c->told->finding_count == 1 ? "" : "s",
			c->told->requirement_count,
			c->told->requirement_count == 1 ? "" : "s");
	else
		buf_printf(&text,
			"the receipt does not say what its figures give by the "
			"rules of this program; it was made by version %s",
			c->told->tool ? c->told->tool->version : "?");
	recheck_line(c, "recheck", c->alike ? TEXT_GREEN : TEXT_RED, &text);
	buf_free(&text);
}

int
recheck(const struct receipt *r, const struct text_style *style,
	struct buf *out, struct arena *a, struct err *e)
{
	struct recheck c = { .told = r,
		.again = *r,
		.style = style,
		.out = out,
		.alike = true };
	size_t i;

	if (finding_judge(&c.again, a))
		goto memory;
	recheck_findings(&c);
	for (i = 0; i < r->requirement_count; i++)
		if (recheck_requirement(&c, &r->requirements[i], a))
			goto memory;
	recheck_verdict(&c);
	if (!buf_failed(out))
		return c.alike;
memory:
	return err_set(e, ERR_INCOMPLETE, 0, "out of memory while judging");
}

int
recheck_commands(struct receipt *r, struct arena *a, struct err *e)
{
	const struct receipt_finding *own;
	struct receipt again = *r;
	size_t i;

	if (finding_judge(&again, a))
		return err_set(
			e, ERR_INCOMPLETE, 0, "out of memory while judging");
	for (i = 0; i < r->finding_count; i++) {
		own = recheck_of(&again, r->findings[i].code);
		if (!own ||
			!recheck_is_text(r->findings[i].command, own->command))
			r->findings[i].command = NULL;
	}
	return 0;
}
