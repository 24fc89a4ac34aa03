#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/bounded.h"
#include "app/deliver.h"
#include "app/fio_dir.h"
#include "app/screen.h"
#include "base/clock.h"
#include "receipt/show.h"

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* --out FILE, --out DIR, or the default name in the working directory. */
static int
name_receipt(
	struct deliver *d, const char *out, int64_t started_s, struct err *e)
{
	char when[16];
	int n;

	clock_utc_compact(started_s, when);
	if (out && !is_directory(out))
		n = snprintf(d->path, sizeof(d->path), "%s", out);
	else
		n = snprintf(d->path, sizeof(d->path),
			"%s/ioreceipt-%s-%d.json", out ? out : ".", when,
			(int)getpid());
	if (n < 0 || (size_t)n >= sizeof(d->path))
		return err_set(e, ERR_USAGE, 0, "--out: the path is too long");
	return 0;
}

int
deliver_open(struct deliver *d, const struct run_options *o, int64_t started_s,
	struct err *e)
{
	memset(d, 0, sizeof(*d));
	d->fio_dir = o->fio_dir;
	d->json = o->json || (o->out && strcmp(o->out, "-") == 0);
	screen_style(STDOUT_FILENO, screen_color_of(o->color), &d->style);
	if (d->fio_dir && file_make_dir(d->fio_dir, e) < 0)
		return -1;
	if (o->out && strcmp(o->out, "-") == 0)
		return 0;
	if (name_receipt(d, o->out, started_s, e) < 0)
		return -1;
	if (file_stage_open(&d->stage, d->path, e) < 0) {
		if (!o->out)
			err_wrap(e, "no place for the receipt here; use --out");
		return -1;
	}
	d->open = true;
	return 0;
}

void
deliver_drop(struct deliver *d)
{
	if (d->open)
		file_stage_drop(&d->stage);
	d->open = false;
}

struct commit {
	struct deliver *d;
	const struct buf *json;
	const struct receipt *receipt;
};

static int
commit_file(void *arg, struct err *e)
{
	struct commit *c = arg;

	return file_stage_commit(&c->d->stage, c->json->data, c->json->len, e);
}

static int
commit_fio(void *arg, struct err *e)
{
	struct commit *c = arg;

	return fio_dir_write(c->d->fio_dir, c->receipt, e);
}

/* Keep the first failure, say each. */
static void
fail(struct err *first, const struct err *e)
{
	screen_say("%s", e->text);
	if (!first->code)
		*first = *e;
}

/* The file's content where the file did not take it. */
static void
rescue(const struct buf *json)
{
	screen_say("the receipt follows on %s",
		"standard output, or standard error where that fails");
	if (screen_out(json->data, json->len, NULL) < 0)
		screen_note(json->data, json->len, SCREEN_PATIENT_NS);
}

static void
print(struct deliver *d, const struct receipt *r, const struct buf *json,
	struct err *first)
{
	struct err e = { 0 };
	struct buf out;

	buf_init(&out);
	if (d->json) {
		buf_add(&out, json->data, json->len);
	} else {
		show_table(r, &d->style, &out);
		if (d->saved) {
			buf_str(&out, "receipt    ");
			text_clean(&out, d->path, d->style.utf8);
			buf_char(&out, '\n');
		}
	}
	if (screen_out(buf_text(&out), out.len, &e) < 0)
		fail(first, &e);
	buf_free(&out);
}

int
deliver_receipt(struct deliver *d, const struct receipt *r,
	const struct buf *json, struct err *e)
{
	struct commit c = { d, json, r };
	struct err first = { 0 }, one = { 0 };
	enum bounded_end end = BOUNDED_OK;

	if (d->open) {
		end = bounded_call(
			commit_file, &c, BOUNDED_LIMIT_NS, d->path, &one);
		d->saved = end == BOUNDED_OK;
		if (end != BOUNDED_OK)
			fail(&first, &one);
		/* a place that hangs is not touched again */
		if (end != BOUNDED_HANGS)
			deliver_drop(d);
	}
	if (d->fio_dir && bounded_call(commit_fio, &c, BOUNDED_LIMIT_NS,
				  d->fio_dir, &one) != BOUNDED_OK)
		fail(&first, &one);
	print(d, r, json, &first);
	if (end != BOUNDED_OK && !d->json)
		rescue(json);
	if (e)
		*e = first;
	return first.code ? -1 : 0;
}
