/*
 * show: renderings of a receipt.  They hold no thresholds and compute no
 * figure that the receipt does not have; a receipt is hostile input here, so
 * every text is cleaned on its way out.
 *
 * Names of files and keys are those of the published method that baseline
 * follows, "A VPS Disk Benchmark Needs Latency, Not Just IOPS", so that its
 * own parser reads them.
 */
#ifndef RECEIPT_SHOW_H
#define RECEIPT_SHOW_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"
#include "receipt/receipt.h"

/*
 * The table: at most style->width columns (80 wanted, 40 least), COMPLETE or
 * INCOMPLETE first.  Its latencies are lat.  Lines below the windows have
 * their label in the first 11 columns, and the last line is one of them (or a
 * window's): a caller may go on in the same way.
 */
void show_table(const struct receipt *r, const struct text_style *style,
	struct buf *out);

/*
 * The lines of the method that baseline follows ("qd1_run=1 read_iops=...";
 * other suites: by the name of the window), whose latencies are clat as they
 * are there, then
 * "metric NAME=VALUE UNIT" for each metric ("metric NAME=withheld").  Figures
 * that are withheld or absent are left out of the lines; percentiles that
 * fewer than 10 samples lie beyond are named in them ("read_few=p99_9") and
 * have " few" behind their metric.  Last "receipt=complete" only when it is
 * ("receipt=median" where it is made of receipts), else 'incomplete
 * what="..." why="..."' lines and "receipt=incomplete".
 */
void show_keys(const struct receipt *r, struct buf *out);

/* One file in fio's JSON shape (or plain text) of --fio-dir. */
struct show_file {
	char name[80];
	struct buf text;
};

/*
 * The files for --fio-dir: prepare.json, one JSON a window, environment.txt,
 * summary.txt.  For a complete baseline named as in that method
 * (qd1-run-1.json ... fdatasync.json), else <window>.json with "-run-N" where
 * there are several; a window that failed a check has none.
 * Percentiles in them are fio's own value (folded buckets).  Returns the
 * number of files, -1 on error; free with show_fio_free.
 */
#define SHOW_FILES_MAX 160
int show_fio(const struct receipt *r, struct show_file *files, int max,
	struct err *e);
void show_fio_free(struct show_file *files, int count);

#endif
