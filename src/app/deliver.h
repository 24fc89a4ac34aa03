/*
 * deliver: where a receipt goes: its file, stdout, the folder for fio's
 * files.
 *
 * Places are opened before anything is measured, so that a run does not end
 * with nowhere to put its result.  They may lie on the very disk that hangs:
 * everything written at the end is bounded in time (app/bounded.h), and a
 * receipt that its file does not take goes to stdout, else to stderr.
 */
#ifndef APP_DELIVER_H
#define APP_DELIVER_H

#include <stdbool.h>

#include "app/run_options.h"
#include "app/sign.h"
#include "base/err.h"
#include "base/file.h"
#include "base/text.h"
#include "receipt/receipt.h"

struct deliver {
	char path[4096]; /* of the receipt, "" = no file */
	struct file_stage stage;
	bool open;	     /* stage is open */
	char jws_path[4096]; /* of the signature beside it, "" = none */
	struct file_stage jws_stage;
	bool jws_open;
	bool json;		 /* JSON instead of the table on stdout */
	const char *fio_dir;	 /* NULL = none */
	bool fio_made;		 /* it was not there before */
	struct text_style style; /* of stdout */
	bool saved;		 /* the file stands in its place */
	bool jws_saved;		 /* and so does its signature */
};

/*
 * Name and open the places.  A FILE that is our standard output already is
 * the same as "-": one result there, not two.  started_s and the pid name the default file;
 * a directory as --out gets that name too.  ERR_OUTPUT.
 */
int deliver_open(struct deliver *d, const struct run_options *o,
	int64_t started_s, struct err *e);

/* Nothing will be delivered: leave no trace of the places. */
void deliver_drop(struct deliver *d);

/* Is there a place for a signature?  Beside a file, not on stdout. */
bool deliver_wants_signature(const struct deliver *d);

/*
 * Put json (one line with its LF) in its file, its signature (if there is one)
 * beside it, the table or JSON on stdout, and fio's files in their folder.
 * Tries everything; returns 0, or -1 with the first failure (ERR_OUTPUT).
 */
int deliver_receipt(struct deliver *d, const struct receipt *r,
	const struct buf *json, const struct sign *sign, struct err *e);

#endif
