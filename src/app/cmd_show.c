#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/fio_dir.h"
#include "app/screen.h"
#include "base/file.h"
#include "receipt/receipt.h"
#include "receipt/recheck.h"
#include "receipt/show.h"

struct show_options {
	const char *as, *color, *fio_dir;
	bool recheck;
};

#define AT(member) offsetof(struct show_options, member)

const struct option_row cmd_show_rows[] = {
	{ "as", 0, OPTION_WORD, AT(as), "table|keys|json|fio",
		"table|keys|json|fio", 0, 0, "how to print (default table)" },
	{ "fio-dir", 0, OPTION_TEXT, AT(fio_dir), "DIR", NULL, 0, 0,
		"--as fio: write the files there instead of printing them" },
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
render(const struct show_options *o, const struct receipt *r,
	const struct buf *json, struct buf *out, struct err *e)
{
	struct text_style style;

	if (strcmp(o->as, "json") == 0) {
		buf_add(out, json->data, json->len);
	} else if (strcmp(o->as, "keys") == 0) {
		show_keys(r, out);
	} else if (strcmp(o->as, "fio") == 0) {
		return put_fio(r, o->fio_dir, out, e);
	} else {
		screen_style(STDOUT_FILENO, screen_color_of(o->color), &style);
		show_table(r, &style, out);
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

static int
show_file(const char *path, const struct show_options *o, struct err *e)
{
	struct arena arena;
	struct receipt receipt;
	struct buf json, out;
	int rc = -1;

	arena_init(&arena);
	buf_init(&json);
	buf_init(&out);
	if (file_read(path, RECEIPT_MAX_BYTES, &json, e) < 0)
		goto done;
	if (receipt_read(&receipt, buf_text(&json), json.len, &arena, e) < 0) {
		err_wrap(e, "%s", path);
		goto done;
	}
	if (receipt.derived && (o->recheck || strcmp(o->as, "fio") == 0)) {
		err_set(e, ERR_INPUT, 0,
			"%s is a median: ask the receipts that it is of for %s",
			path, o->recheck ? "findings" : "fio's files");
		goto done;
	}
	if (o->recheck) {
		rc = judge_again(o, &receipt, &arena, e);
		goto done;
	}
	if (recheck_commands(&receipt, &arena, e) < 0 ||
		render(o, &receipt, &json, &out, e) < 0)
		goto done;
	rc = screen_out(buf_text(&out), out.len, e);
done:
	buf_free(&out);
	buf_free(&json);
	arena_free(&arena);
	return rc;
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
	else if (o.recheck && strcmp(o.as, "table") != 0)
		err_set(&e, ERR_USAGE, 0, "--recheck goes without --as");
	else
		show_file(argv[operands], &o, &e);
	return e.code ? command_fail(&e) : 0;
}
