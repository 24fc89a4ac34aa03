#include "receipt/show.h"

#include <stdio.h>
#include <string.h>

#include "receipt/show_fio_job.h"

/* The files so far. */
struct show_fio_folder {
	struct show_file *files;
	int count, max;
};

/* What the method of baseline (show.h) calls its windows; ended by NULL. */
static const struct {
	const char *window, *stem;
} show_fio_baseline[] = {
	{ "qd1-randread", "qd1" },
	{ "qd32-randread", "qd32" },
	{ "qd4-mixed-70-30", "mixed" },
	{ "fdatasync-8k-write", "fdatasync" },
	{ NULL, NULL },
};

void
show_fio_free(struct show_file *files, int count)
{
	int i;

	for (i = 0; i < count; i++)
		buf_free(&files[i].text);
}

static bool
show_fio_is_taken(const struct show_fio_folder *f, const char *name)
{
	int i;

	for (i = 0; i < f->count; i++)
		if (!strcmp(f->files[i].name, name))
			return true;
	return false;
}

/*
 * A file name out of a stem from a receipt that anybody may have written: no
 * path, no hidden file, nothing that a shell takes for an option.
 */
static void
show_fio_clean(char *stem)
{
	static const char fine[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	char *c;

	for (c = stem; *c; c++)
		if (!strchr(fine, *c) && (c == stem || !strchr(".-", *c)))
			*c = '_';
}

/* The next file, empty, STEM.json or STEM-N.json; NULL with e where full. */
static struct buf *
show_fio_add(struct show_fio_folder *f, const char *stem, const char *type,
	struct err *e)
{
	struct show_file *file;
	char clean[72], name[sizeof(file->name)];
	int n;

	if (f->count == f->max) {
		err_set(e, ERR_OUTPUT, 0, "more than %d files", f->max);
		return NULL;
	}
	snprintf(clean, sizeof(clean), "%s", stem);
	show_fio_clean(clean);
	snprintf(name, sizeof(name), "%s.%s", clean, type);
	for (n = 2; show_fio_is_taken(f, name); n++)
		snprintf(name, sizeof(name), "%.66s-%d.%s", clean, n, type);
	file = &f->files[f->count++];
	memcpy(file->name, name, sizeof(name));
	buf_init(&file->text);
	return &file->text;
}

/* Did the window pass all its checks?  One that did not gives no file. */
static bool
show_fio_holds(const struct receipt_window *w)
{
	size_t i;

	for (i = 0; i < w->check_count; i++)
		if (w->checks[i].holds != 1)
			return false;
	return true;
}

/*
 * That method's names are for complete receipts alone: its parser says
 * "receipt=complete" of whatever folder has them all, and all six windows may
 * be whole where the clean-up was not.
 */
static void
show_fio_stem(const struct receipt *r, const struct receipt_window *w,
	char *out, size_t size)
{
	uint64_t runs = r->plan->jobs[w->job].runs;
	const char *stem = w->name;
	bool seed_names =
		r->complete == 1 && !strcmp(r->plan->suite, "baseline");
	size_t i;

	for (i = 0; seed_names && show_fio_baseline[i].window; i++)
		if (!strcmp(w->name, show_fio_baseline[i].window))
			stem = show_fio_baseline[i].stem;
	if (runs > 1)
		snprintf(out, size, "%s-run-%llu", stem,
			(unsigned long long)w->run);
	else
		snprintf(out, size, "%s", stem);
}

static int
show_fio_windows(
	struct show_fio_folder *f, const struct receipt *r, struct err *e)
{
	const struct receipt_window *w;
	struct buf *text;
	char stem[128];
	size_t i;

	for (i = 0; i < r->window_count; i++) {
		w = &r->windows[i];
		if (!show_fio_holds(w))
			continue;
		show_fio_stem(r, w, stem, sizeof(stem));
		text = show_fio_add(f, stem, "json", e);
		if (!text || show_fio_job_window(r, w, text, e))
			return -1;
	}
	return 0;
}

/* A line of environment.txt, where the fact is known. */
static void
show_fio_line(struct buf *b, const char *key, const char *value)
{
	if (!value || !*value)
		return;
	buf_printf(b, "%s=", key);
	text_clean(b, value, true);
	buf_char(b, '\n');
}

/* The lines of that method's environment.txt, by our own tool. */
static void
show_fio_environment(const struct receipt *r, struct buf *b)
{
	show_fio_line(b, "tested_at_utc", r->clock->started_utc);
	buf_str(b, "tool=");
	text_clean(b, r->tool->name, true);
	buf_char(b, ' ');
	text_clean(b, r->tool->version, true);
	buf_char(b, '\n');
	show_fio_line(b, "kernel", r->host ? r->host->kernel : NULL);
	if (!r->target)
		return;
	show_fio_line(b, "filesystem", r->target->filesystem);
	if (!shape_has(r->target->size_bytes))
		return;
	show_fio_line(b, "target_type", "regular-file");
	buf_printf(b, "target_size_bytes=%llu\n",
		(unsigned long long)r->target->size_bytes);
}

static int
show_fio_fill(struct show_fio_folder *f, const struct receipt *r, struct err *e)
{
	struct buf *text;
	int i;

	if (r->prepare) {
		text = show_fio_add(f, "prepare", "json", e);
		if (!text || show_fio_job_prepare(r, text, e))
			return -1;
	}
	if (show_fio_windows(f, r, e))
		return -1;
	text = show_fio_add(f, "environment", "txt", e);
	if (!text)
		return -1;
	show_fio_environment(r, text);
	text = show_fio_add(f, "summary", "txt", e);
	if (!text)
		return -1;
	show_keys(r, text);
	for (i = 0; i < f->count; i++)
		if (buf_failed(&f->files[i].text))
			return err_set(e, ERR_OUTPUT, 0,
				"out of memory while writing fio's files");
	return 0;
}

int
show_fio(const struct receipt *r, struct show_file *files, int max,
	struct err *e)
{
	struct show_fio_folder f = { .files = files, .max = max };

	if (show_fio_fill(&f, r, e)) {
		show_fio_free(files, f.count);
		return -1;
	}
	return f.count;
}
