/*
 * verify: is this file a receipt that somebody signed, and who?
 *
 * Looked at are the bytes as they lie there, never a text made anew of what was
 * parsed. A file is
 *   - a JWS (NAME.jws); a NAME.json beside it must hold the bytes that it signs;
 *   - a row as `--upload-body json` sends it: the receipt with the JWS as first
 *     member "jws"; the other members must be the bytes that it signs;
 *   - a receipt without a signature: then that of NAME.jws beside it counts.
 */
#ifndef APP_VERIFY_H
#define APP_VERIFY_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "crypto/jws.h"
#include "receipt/receipt.h"

/* The longest row: a receipt and its JWS. */
#define VERIFY_MAX_BYTES (RECEIPT_MAX_BYTES + JWS_MAX_BYTES)

/* Working memory, used again from file to file. */
struct verify {
	struct jws jws;	      /* of the file judged last, if it was good */
	struct buf text;      /* the file */
	struct buf other;     /* what lies beside it */
	const char *jws_text; /* the JWS in one of them, without its newline */
	size_t jws_len;
	struct arena arena;
	struct receipt receipt; /* its head alone (receipt_read_head) */
};

void verify_init(struct verify *v);
void verify_free(struct verify *v);

/*
 * Judge the file.  0: its signature is good, v->jws and v->receipt say by whom
 * and what.  -1: ERR_DIFFERS = not signed, not by what it holds, or the files
 * disagree; ERR_INPUT = not a receipt of ours; ERR_OPEN.  The sentence does not
 * name the file.
 */
int verify_file(struct verify *v, const char *path, struct err *e);

#endif
