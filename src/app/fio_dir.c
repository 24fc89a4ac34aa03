#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "app/fio_dir.h"
#include "base/buf.h"
#include "base/file.h"
#include "receipt/show.h"

static int
write_one(const char *dir, const struct show_file *f, struct err *e)
{
	struct buf path;
	int rc;

	buf_init(&path);
	buf_printf(&path, "%s/%s", dir, f->name);
	if (buf_failed(&path))
		rc = err_set(e, ERR_OUTPUT, ENOMEM, "%s", f->name);
	else
		rc = file_replace(
			buf_text(&path), buf_text(&f->text), f->text.len, e);
	buf_free(&path);
	return rc;
}

/*
 * Of each folder that was written there is one of these, and of a complete
 * baseline all are: a parser that finds them in the end must not find those of
 * another run.  Ended by NULL.
 */
static const char *const fio_dir_names[] = { "prepare.json", "qd1-run-1.json",
	"qd1-run-2.json", "qd1-run-3.json", "qd32.json", "mixed.json",
	"fdatasync.json", "environment.txt", "summary.txt", NULL };

static int
refuse_old(const char *dir, struct err *e)
{
	struct buf path;
	struct stat st;
	size_t i;
	int rc = 0;

	buf_init(&path);
	for (i = 0; fio_dir_names[i] && rc == 0; i++) {
		buf_reset(&path);
		buf_printf(&path, "%s/%s", dir, fio_dir_names[i]);
		if (buf_failed(&path))
			rc = err_set(e, ERR_OUTPUT, ENOMEM, "%s", dir);
		else if (lstat(buf_text(&path), &st) == 0)
			rc = err_set(e, ERR_OUTPUT, 0,
				"\"%s\" has a %s already: files of two runs "
				"would pass for those of one; name another "
				"folder, or empty it",
				dir, fio_dir_names[i]);
	}
	buf_free(&path);
	return rc;
}

int
fio_dir_open(const char *dir, bool *made, struct err *e)
{
	if (file_open_dir(dir, made, e) < 0)
		return -1;
	return refuse_old(dir, e);
}

int
fio_dir_write(const char *dir, const struct receipt *r, struct err *e)
{
	struct show_file *files = calloc(SHOW_FILES_MAX, sizeof(*files));
	int i, n, rc = 0;

	if (!files)
		return err_set(e, ERR_OUTPUT, ENOMEM, "%s", dir);
	n = show_fio(r, files, SHOW_FILES_MAX, e);
	for (i = 0; i < n && rc == 0; i++)
		rc = write_one(dir, &files[i], e);
	if (n >= 0)
		show_fio_free(files, n);
	free(files);
	return n < 0 ? -1 : rc;
}
