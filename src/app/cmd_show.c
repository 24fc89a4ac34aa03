#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/fio_dir.h"
#include "app/receipts.h"
#include "app/screen.h"
#include "app/sign.h"
#include "app/verify.h"
#include "base/file.h"
#include "receipt/receipt.h"
#include "receipt/recheck.h"
#include "receipt/show.h"
#include "receipt/show_html.h"
#include "receipt/show_plots.h"

struct show_options {
	const char *as, *color, *fio_dir;
	bool recheck, plots;
};

/* What is to be shown. */
struct shown {
	struct buf json;
	struct arena arena;
	struct receipt receipt;
	struct verify files; /* where its signature was looked at */
	struct show_html_signature signature;
	struct err fault; /* of the signature */
};

#define AT(member) offsetof(struct show_options, member)

const struct option_row cmd_show_rows[] = {
	{ "as", 0, OPTION_WORD, AT(as), "table|keys|json|fio|html",
		"table|keys|json|fio|html", 0, 0,
		"how to print (default table)" },
	{ "fio-dir", 0, OPTION_TEXT, AT(fio_dir), "DIR", NULL, 0, 0,
		"--as fio: write the files there instead of printing them" },
	{ "plots", 0, OPTION_FLAG, AT(plots), NULL, NULL, 0, 0,
		"below the table: distributions and seconds, drawn as text" },
	{ "recheck", 0, OPTION_FLAG, AT(recheck), NULL, NULL, 0, 0,
		"judge the figures again and compare with what the receipt "
		"says of them; status 1 where that is not the same" },
	{ "color", 0, OPTION_WORD, AT(color), "auto|always|never",
		"auto|always|never", 0, 0, "colours in the table" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

/* Files into a folder, or one behind the other with their names between. */
static int
put_fio(const struct receipt *r, const char *dir, struct buf *out,
	struct err *e)
{
	struct show_file *files;
	bool made;
	int i, n;

	if (dir)
		return fio_dir_open(dir, &made, e) < 0
			       ? -1
			       : fio_dir_write(dir, r, e);
	files = calloc(SHOW_FILES_MAX, sizeof(*files));
	if (!files)
		return err_set(e, ERR_OUTPUT, ENOMEM, "rendering");
	n = show_fio(r, files, SHOW_FILES_MAX, e);
	for (i = 0; i < n; i++) {
		buf_printf(out, "==> %s <==\n", files[i].name);
		buf_add(out, files[i].text.data, files[i].text.len);
	}
	if (n >= 0)
		show_fio_free(files, n);
	free(files);
	return n < 0 ? -1 : 0;
}

static int
render(const struct show_options *o, const struct shown *s, struct buf *out,
	struct err *e)
{
	const struct receipt *r = &s->receipt;
	const struct buf *json = &s->json;
	struct text_style style;

	if (strcmp(o->as, "json") == 0) {
		buf_add(out, json->data, json->len);
	} else if (strcmp(o->as, "keys") == 0) {
		show_keys(r, out);
	} else if (strcmp(o->as, "fio") == 0) {
		return put_fio(r, o->fio_dir, out, e);
	} else if (strcmp(o->as, "html") == 0) {
		show_html(r, &s->signature, out);
	} else {
		screen_style(STDOUT_FILENO, screen_color_of(o->color), &style);
		show_table(r, &style, out);
		if (o->plots)
			show_plots(r, &style, out);
	}
	if (buf_failed(out))
		return err_set(e, ERR_OUTPUT, ENOMEM, "rendering");
	return 0;
}

/* Judged again; what is not the same is said before it is the status. */
static int
judge_again(const struct show_options *o, const struct receipt *r,
	struct arena *a, struct err *e)
{
	struct text_style style;
	struct buf out;
	int rc, alike;

	buf_init(&out);
	screen_style(STDOUT_FILENO, screen_color_of(o->color), &style);
	rc = alike = recheck(r, &style, &out, a, e);
	if (rc >= 0)
		rc = screen_out(buf_text(&out), out.len, e);
	buf_free(&out);
	if (rc == 0 && !alike)
		rc = err_set(e, ERR_DIFFERS, 0,
			"the receipt and its figures do not say the same");
	return rc;
}

/* A JWS, or a row with one: what it signs is the receipt. */
static int
load_signed(struct shown *s, const char *path, struct err *e)
{
	struct verify *v = &s->files;

	if (verify_file(v, path, e) < 0)
		return err_wrap(e, "%s", path);
	buf_reset(&s->json);
	buf_add(&s->json, v->jws.payload.data, v->jws.payload.len);
	s->signature.kid = v->jws.kid;
	return 0;
}

/* The signature beside a plain receipt, for a page that says who signed. */
static void
look_beside(struct shown *s, const char *path)
{
	char twin[4096];

	if (strcmp(path, "-") == 0 || sign_path(path, twin, sizeof(twin)) < 0 ||
		access(twin, F_OK) < 0)
		return;
	if (verify_file(&s->files, path, &s->fault) == 0)
		s->signature.kid = s->files.jws.kid;
	else
		s->signature.fault = s->fault.text;
}

static int
load(struct shown *s, const char *path, const struct show_options *o,
	struct err *e)
{
	const char *text;

	if (receipts_read(path, VERIFY_MAX_BYTES, &s->json, e) < 0)
		return -1;
	text = buf_text(&s->json);
	if (strcmp(path, "-") != 0 &&
		(text[0] != '{' || !strncmp(text, "{\"jws\"", 6))) {
		if (receipts_is(path, ".jws") || text[0] == '{')
			if (load_signed(s, path, e) < 0)
				return -1;
	} else if (strcmp(o->as, "html") == 0) {
		look_beside(s, path);
	}
	if (receipt_read(&s->receipt, buf_text(&s->json), s->json.len,
		    &s->arena, e) < 0)
		return err_wrap(e, "%s", path);
	return 0;
}

static int
show(struct shown *s, const char *path, const struct show_options *o,
	struct err *e)
{
	struct buf out;
	int rc;

	if (s->receipt.derived && (o->recheck || strcmp(o->as, "fio") == 0))
		return err_set(e, ERR_INPUT, 0,
			"%s is a median: ask the receipts that it is of for %s",
			path, o->recheck ? "findings" : "fio's files");
	if (o->recheck)
		return judge_again(o, &s->receipt, &s->arena, e);
	buf_init(&out);
	rc = recheck_commands(&s->receipt, &s->arena, e);
	if (rc >= 0)
		rc = render(o, s, &out, e);
	if (rc >= 0)
		rc = screen_out(buf_text(&out), out.len, e);
	buf_free(&out);
	return rc;
}

static void
show_file(const char *path, const struct show_options *o, struct err *e)
{
	struct shown s = { 0 };

	arena_init(&s.arena);
	buf_init(&s.json);
	verify_init(&s.files);
	if (load(&s, path, o, e) == 0)
		show(&s, path, o, e);
	verify_free(&s.files);
	buf_free(&s.json);
	arena_free(&s.arena);
}

int
cmd_show(int argc, char **argv)
{
	struct show_options o = { .as = "table" };
	struct err e = { 0 };
	int operands = argc, status;

	status = command_scan("show", argc, argv, &o, &operands);
	if (status >= 0)
		return status;
	if (argc - operands != 1)
		err_set(&e, ERR_USAGE, 0,
			"show takes one receipt: ioreceipt show FILE");
	else if (o.fio_dir && strcmp(o.as, "fio") != 0)
		err_set(&e, ERR_USAGE, 0, "--fio-dir goes with --as fio");
	else if (o.plots && (o.recheck || strcmp(o.as, "table") != 0))
		err_set(&e, ERR_USAGE, 0, "--plots goes with the table");
	else if (o.recheck && strcmp(o.as, "table") != 0)
		err_set(&e, ERR_USAGE, 0, "--recheck goes without --as");
	else
		show_file(argv[operands], &o, &e);
	return e.code ? command_fail(&e) : 0;
}
