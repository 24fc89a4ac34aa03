/*
 * fio_dir: the folder of files in fio's JSON shape (--fio-dir).
 */
#ifndef APP_FIO_DIR_H
#define APP_FIO_DIR_H

#include <stdbool.h>

#include "base/err.h"
#include "receipt/receipt.h"

/*
 * Make dir unless it is there (*made; file_unmake_dir takes it away again).
 * ERR_OUTPUT where no files can be made in it, or where it holds those of
 * another run.
 */
int fio_dir_open(const char *dir, bool *made, struct err *e);

/*
 * Write all files that show_fio makes of r into dir, which is open; each is
 * put in place whole.  ERR_OUTPUT.
 */
int fio_dir_write(const char *dir, const struct receipt *r, struct err *e);

#endif
