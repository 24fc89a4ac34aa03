#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/reading.h"
#include "app/receipts.h"
#include "app/screen.h"
#include "receipt/compare.h"
#include "receipt/compare_show.h"

enum {
	SAID_MAX = 10, /* files that are no receipts: named, then counted */
	KEPT_MAX = 8   /* receipts whose distributions a page draws */
};

struct compare_options_given {
	const char *as, *by, *sort, *color;
	struct option_texts only;
	bool anyway, incomplete;
};

#define AT(member) offsetof(struct compare_options_given, member)

const struct option_row cmd_compare_rows[] = {
	{ "by", 0, OPTION_WORD, AT(by), "label|kid|model", "label|kid|model", 0,
		0,
		"one group a label, signing key, or model of machine and disk; "
		"else one a file or folder" },
	{ "sort", 0, OPTION_TEXT, AT(sort), "METRIC", NULL, 0, 0,
		"groups by this figure, the best first; the others are held "
		"against it" },
	{ "only", 0, OPTION_TEXTS, AT(only), "GLOB", NULL, 0, 0,
		"figures whose names match, e.g. '*.write.*' (default: iops "
		"and p50, p99, p99_9 of lat); may be repeated" },
	{ "anyway", 0, OPTION_FLAG, AT(anyway), NULL, NULL, 0, 0,
		"compare receipts of unlike plans, too, below the list of what "
		"differs" },
	{ "incomplete", 0, OPTION_FLAG, AT(incomplete), NULL, NULL, 0, 0,
		"take incomplete receipts, too" },
	{ "as", 0, OPTION_WORD, AT(as), "table|json|csv|html",
		"table|json|csv|html", 0, 0, "how to print (default table)" },
	{ "color", 0, OPTION_WORD, AT(color), "auto|always|never",
		"auto|always|never", 0, 0, "colours in the table" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

struct comparing {
	const struct compare_options_given *o;
	struct compare compare;
	struct reading reading;
	struct verify kept[KEPT_MAX];
	size_t kept_count;
	const char *operand;	/* at hand */
	char named[4096];	/* group of the operand at hand */
	uint64_t broken, twice; /* files */
	int status;		/* of those that are no receipts */
	struct err failed;	/* what ends it all */
};

/* The disk at the bottom of the stack, and the machine around it. */
static void
model_of(const struct receipt *r, char *out, size_t size)
{
	const struct receipt_host *h = r->host;
	const struct receipt_target *t = r->target;
	const char *disk =
		t && t->stack_count ? t->stack[t->stack_count - 1].model : NULL;
	const char *machine = h ? h->dmi_product : NULL;

	snprintf(out, size, "%s%s%s", machine ? machine : "",
		machine && disk ? ", " : "", disk ? disk : "");
	if (!machine && !disk)
		snprintf(out, size, "(no model)");
}

/* The group that the receipt at hand falls into; buf may be used for it. */
static const char *
group_of(const struct comparing *c, char *buf, size_t size)
{
	const struct receipt *r = c->reading.receipt;

	if (!c->o->by)
		return c->named;
	if (strcmp(c->o->by, "label") == 0)
		return r->sub ? r->sub : "(no label)";
	if (strcmp(c->o->by, "kid") == 0)
		return c->reading.is_signed ? c->reading.kid : "(not signed)";
	model_of(r, buf, size);
	return buf;
}

/* What is no receipt is said, and does not keep the others from it. */
static int
broken(struct comparing *c, const struct err *e)
{
	c->status = err_worse(c->status, e->code);
	if (c->broken++ < SAID_MAX)
		screen_say("%s", e->text);
	return 0;
}

/* A page draws distributions: the first receipts stay as they were read. */
static const struct receipt *
keep(struct comparing *c, struct compare_source *source)
{
	struct verify *v = &c->kept[c->kept_count];

	if (strcmp(c->o->as, "html") != 0 || c->kept_count == KEPT_MAX)
		return c->reading.receipt;
	*v = c->reading.files;
	verify_init(&c->reading.files);
	c->kept_count++;
	source->stays = true;
	if (c->reading.is_signed)
		source->kid = v->jws.kid;
	return &v->receipt;
}

static int
one(void *arg, const char *path)
{
	struct comparing *c = arg;
	const struct receipt *receipt;
	struct compare_source source = { .name = path };
	struct err e = { 0 };
	char model[256];
	int is_new;

	if (reading_file(&c->reading, path, &e) < 0)
		return broken(c, &e);
	source.group = group_of(c, model, sizeof(model));
	is_new = reading_is_new(&c->reading, source.group, &c->failed);
	c->twice += is_new == 0;
	if (is_new <= 0)
		return is_new;
	source.kid = c->reading.kid;
	source.signature =
		c->reading.is_signed ? COMPARE_GOOD : COMPARE_UNSIGNED;
	receipt = keep(c, &source);
	return compare_add(&c->compare, receipt, &source, &c->failed);
}

/* An operand given twice is two groups. */
static void
name_group(struct comparing *c, char **operands, int i)
{
	int k, before = 0;

	for (k = 0; k < i; k++)
		before += strcmp(operands[k], operands[i]) == 0;
	if (before)
		snprintf(c->named, sizeof(c->named), "%.4000s (%d)",
			operands[i], before + 1);
	else
		snprintf(c->named, sizeof(c->named), "%.4000s", operands[i]);
}

static int
read_all(struct comparing *c, char **operands, int count)
{
	struct err e;
	int i;

	for (i = 0; i < count; i++) {
		e = (struct err){ 0 };
		name_group(c, operands, i);
		if (receipts_walk(operands[i], one, c, &e) < 0 && e.code)
			broken(c, &e);
		if (c->failed.code)
			return -1;
	}
	if (c->broken > SAID_MAX)
		screen_say("%" PRIu64 " more files are no receipts",
			c->broken - SAID_MAX);
	if (c->twice)
		screen_say("%" PRIu64 " receipts were there twice: each counts "
			   "once",
			c->twice);
	if (c->compare.receipts == 0 && c->compare.left_out.count > 0)
		return err_set(&c->failed, ERR_INCOMPLETE, 0,
			"no receipt is complete, the first (%s) is %s: "
			"--incomplete takes them all the same",
			c->compare.left_out.list[0].name,
			c->compare.left_out.list[0].why);
	if (c->compare.receipts == 0)
		return err_set(&c->failed, c->status ? c->status : ERR_INPUT, 0,
			"there is nothing to compare");
	return 0;
}

static int
render(const struct comparing *c, struct buf *out, struct err *e)
{
	struct text_style style;

	if (strcmp(c->o->as, "json") == 0)
		return compare_show_json(&c->compare, out, e);
	screen_style(STDOUT_FILENO, screen_color_of(c->o->color), &style);
	if (strcmp(c->o->as, "csv") == 0)
		compare_show_csv(&c->compare, out);
	else if (strcmp(c->o->as, "html") == 0)
		compare_show_html(&c->compare, out);
	else
		compare_show_table(&c->compare, &style, out);
	return buf_failed(out) ? err_set(e, ERR_INCOMPLETE, ENOMEM, "rendering")
			       : 0;
}

/* Everything is read: figures, and the way out. */
static int
conclude(struct comparing *c)
{
	struct compare *all = &c->compare;
	bool unlike = compare_is_unlike(all) && !c->o->anyway;
	struct err *e = &c->failed;
	struct buf out;
	int rc;

	buf_init(&out);
	rc = compare_finish(all, unlike ? NULL : c->o->sort, e);
	if (rc == 0)
		rc = render(c, &out, e);
	if (rc == 0)
		rc = screen_out(buf_text(&out), out.len, e);
	buf_free(&out);
	if (rc == 0 && unlike)
		rc = err_set(e, ERR_DIFFERS, 0,
			"%" PRIu64 " receipts are of another plan than the "
			"first and cannot be compared with it; --anyway does "
			"it below that list",
			all->unlike.count);
	return rc;
}

int
cmd_compare(int argc, char **argv)
{
	struct compare_options_given o = { .as = "table" };
	struct compare_options how = { 0 };
	struct comparing c = { .o = &o };
	const char *only[OPTION_TEXTS_MAX + 1] = { NULL };
	struct err e = { 0 };
	int operands = argc, rc;

	rc = command_scan("compare", argc, argv, &o, &operands);
	if (rc >= 0)
		return rc;
	if (operands == argc) {
		err_set(&e, ERR_USAGE, 0,
			"compare takes receipts or folders of them: ioreceipt "
			"compare FILE...");
		return command_fail(&e);
	}
	memcpy(only, o.only.v, o.only.n * sizeof(only[0]));
	how.only = o.only.n ? only : NULL;
	how.anyway = o.anyway;
	how.incomplete = o.incomplete;
	how.by_name = o.by != NULL;
	compare_init(&c.compare, &how);
	reading_init(&c.reading);
	if (read_all(&c, argv + operands, argc - operands) == 0)
		conclude(&c);
	compare_free(&c.compare);
	while (c.kept_count > 0)
		verify_free(&c.kept[--c.kept_count]);
	reading_free(&c.reading);
	if (c.failed.code)
		c.status = err_worse(c.status, command_fail(&c.failed));
	return c.status;
}
