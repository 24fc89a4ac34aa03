/*
 * fio_dir: the folder of files in fio's JSON shape (--fio-dir).
 */
#ifndef APP_FIO_DIR_H
#define APP_FIO_DIR_H

#include "base/err.h"
#include "receipt/receipt.h"

/*
 * Write all files that show_fio makes of r into dir, which exists; each is
 * put in place whole.  ERR_OUTPUT.
 */
int fio_dir_write(const char *dir, const struct receipt *r, struct err *e);

#endif
