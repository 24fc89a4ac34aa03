/*
 * spool: receipts that could not be sent yet: DIR/<jti>.jws, mode 0600, in a
 * folder that is ours alone (0700).  At most SPOOL_MAX wait; one process at a
 * time sends.
 */
#ifndef APP_SPOOL_H
#define APP_SPOOL_H

#include "app/send.h"
#include "base/err.h"

#define SPOOL_MAX 100

/* Make the folder, or see that it is fit: ERR_OUTPUT. */
int spool_open(const char *dir, struct err *e);

/* Keep a JWS.  The same one once more is no error.  ERR_OUTPUT, with what to do
 * where the folder is full. */
int spool_put(const char *dir, const char *jti, const char *jws, size_t len,
	struct err *e);

/*
 * Call fn for each that waits and whose signature is good; where it returns 0
 * the file is removed.  Says of each that fails why, goes on with the next
 * unless a signal came; -1 with the first failure (ERR_UPLOAD, ERR_OUTPUT).
 */
int spool_each(const char *dir,
	int (*fn)(void *arg, const struct send_receipt *r, struct err *e),
	void *arg, struct err *e);

#endif
