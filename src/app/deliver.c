#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/bounded.h"
#include "app/deliver.h"
#include "app/fio_dir.h"
#include "app/reach.h"
#include "app/screen.h"
#include "base/clock.h"
#include "receipt/show.h"

static bool
is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Is path what stdout leads to: /dev/stdout, a pipe, a file? */
static bool
is_stdout(const char *path)
{
	struct stat there, own;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &there) == 0 && fstat(STDOUT_FILENO, &own) == 0 &&
		       !S_ISDIR(own.st_mode) && there.st_dev == own.st_dev &&
		       there.st_ino == own.st_ino);
}

/*
 * --out FILE, --out DIR, or the default name in the working directory.  A name
 * that we make up is new, or somebody put something there for us to follow.
 */
static int
name_receipt(
	struct deliver *d, const char *out, int64_t started_s, struct err *e)
{
	bool own = !out || is_directory(out);
	struct stat st;
	char when[16];
	int n;

	clock_utc_compact(started_s, when);
	if (own)
		n = snprintf(d->path, sizeof(d->path),
			"%s/ioreceipt-%s-%d.json", out ? out : ".", when,
			(int)getpid());
	else
		n = snprintf(d->path, sizeof(d->path), "%s", out);
	if (n < 0 || (size_t)n >= sizeof(d->path))
		return err_set(e, ERR_USAGE, 0, "--out: the path is too long");
	if (own && lstat(d->path, &st) == 0)
		return err_set(e, ERR_OUTPUT, 0,
			"\"%s\" is there already; name another --out", d->path);
	return 0;
}

static void
drop_files(struct deliver *d)
{
	if (d->open)
		file_stage_drop(&d->stage);
	if (d->jws_open)
		file_stage_drop(&d->jws_stage);
	d->open = d->jws_open = false;
}

/* What is written to a device or a pipe is gone: nothing lies beside it. */
static bool
has_content(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 || S_ISREG(st.st_mode);
}

/* The receipt's file, and that of its signature beside it. */
static int
open_files(struct deliver *d, const struct run_options *o, struct err *e)
{
	struct stat st;

	if (file_stage_open(&d->stage, d->path, e) < 0)
		return -1;
	d->open = true;
	if (o->no_sign || !has_content(d->path))
		return 0;
	if (sign_path(d->path, d->jws_path, sizeof(d->jws_path)) < 0)
		return err_set(e, ERR_OUTPUT, 0, "--out: the path is too long");
	if (!o->out && lstat(d->jws_path, &st) == 0)
		return err_set(e, ERR_OUTPUT, 0,
			"\"%s\" is there already; name another --out",
			d->jws_path);
	if (file_stage_open(&d->jws_stage, d->jws_path, e) < 0)
		return -1;
	d->jws_open = true;
	return 0;
}

int
deliver_open(struct deliver *d, const struct run_options *o, int64_t started_s,
	struct err *e)
{
	bool to_stdout = o->out && is_stdout(o->out);

	memset(d, 0, sizeof(*d));
	d->json = o->json || to_stdout;
	screen_style(STDOUT_FILENO, screen_color_of(o->color), &d->style);
	if (o->fio_dir && fio_dir_open(o->fio_dir, &d->fio_made, e) < 0)
		return -1;
	d->fio_dir = o->fio_dir;
	if (to_stdout)
		return 0;
	if (name_receipt(d, o->out, started_s, e) < 0)
		return -1;
	if (reach_parent(d->path, true, e) < 0) {
		if (e)
			e->code = ERR_OUTPUT;
		return -1;
	}
	if (open_files(d, o, e) < 0) {
		drop_files(d);
		if (!o->out)
			err_wrap(e, "no place for the receipt here; use --out");
		return -1;
	}
	return 0;
}

void
deliver_drop(struct deliver *d)
{
	drop_files(d);
	if (d->fio_dir && d->fio_made)
		file_unmake_dir(d->fio_dir);
	d->fio_made = false;
}

bool
deliver_wants_signature(const struct deliver *d)
{
	return d->jws_open;
}

struct commit {
	struct deliver *d;
	const struct buf *json, *jws;
	const struct receipt *receipt;
};

static int
commit_file(void *arg, struct err *e)
{
	struct commit *c = arg;

	return file_stage_commit(&c->d->stage, c->json->data, c->json->len, e);
}

static int
commit_jws(void *arg, struct err *e)
{
	struct commit *c = arg;

	return file_stage_commit(
		&c->d->jws_stage, c->jws->data, c->jws->len, e);
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

/* The receipt where neither its file nor stdout took it. */
static void
rescue(const struct buf *json, bool stdout_takes)
{
	screen_say("the receipt follows on %s",
		stdout_takes ? "standard output, or standard error where that "
			       "fails"
			     : "standard error");
	if (!stdout_takes || screen_result(json->data, json->len, NULL) < 0)
		screen_note(json->data, json->len, SCREEN_PATIENT_NS);
}

/* Where what was left lies. */
static void
print_places(const struct deliver *d, const char *kid, struct buf *out)
{
	if (d->saved) {
		buf_str(out, "receipt    ");
		text_clean(out, d->path, d->style.utf8);
		buf_char(out, '\n');
	}
	if (d->jws_saved) {
		buf_str(out, "signed     ");
		text_clean(out, d->jws_path, d->style.utf8);
		buf_printf(out, "\n           by key %s\n", kid);
	}
}

/* false: stdout did not take it. */
static bool
print(struct deliver *d, const struct receipt *r, const struct commit *c,
	const char *kid, struct err *first)
{
	struct err e = { 0 };
	struct buf out;
	bool taken;

	buf_init(&out);
	if (d->json) {
		buf_add(&out, c->json->data, c->json->len);
	} else {
		show_table(r, &d->style, &out);
		print_places(d, kid, &out);
	}
	taken = screen_result(buf_text(&out), out.len, &e) == 0;
	if (!taken)
		fail(first, &e);
	buf_free(&out);
	return taken;
}

/* Files in their places; a place that hangs is not touched again. */
static void
save(struct deliver *d, struct commit *c, struct err *first)
{
	struct err one = { 0 };
	enum bounded_end end = BOUNDED_OK;

	if (d->open) {
		end = bounded_call(
			commit_file, c, BOUNDED_LIMIT_NS, d->path, &one);
		d->saved = end == BOUNDED_OK;
		if (end != BOUNDED_OK)
			fail(first, &one);
	}
	if (d->saved && d->jws_open && c->jws->len) {
		end = bounded_call(
			commit_jws, c, BOUNDED_LIMIT_NS, d->jws_path, &one);
		d->jws_saved = end == BOUNDED_OK;
		if (end != BOUNDED_OK)
			fail(first, &one);
	}
	if (end == BOUNDED_HANGS)
		d->open = d->jws_open = false;
	drop_files(d);
}

int
deliver_receipt(struct deliver *d, const struct receipt *r,
	const struct buf *json, const struct sign *sign, struct err *e)
{
	struct commit c = { d, json, &sign->jws, r };
	struct err first = { 0 }, one = { 0 };
	bool printed;

	save(d, &c, &first);
	if (d->fio_dir && bounded_call(commit_fio, &c, BOUNDED_LIMIT_NS,
				  d->fio_dir, &one) != BOUNDED_OK)
		fail(&first, &one);
	printed = print(d, r, &c, sign->kid, &first);
	if (!d->saved && !(printed && d->json))
		rescue(json, printed);
	if (e)
		*e = first;
	return first.code ? -1 : 0;
}
