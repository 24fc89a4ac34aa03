#include <errno.h>
#include <stdlib.h>

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
