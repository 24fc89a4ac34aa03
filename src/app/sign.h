/*
 * sign: the signature of a run's receipt.
 *
 * The key is the one of --key, read (or, the first time, made) before anything
 * is measured; without it one is made for this run alone, after the measuring,
 * and forgotten.
 */
#ifndef APP_SIGN_H
#define APP_SIGN_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "crypto/key.h"

struct sign {
	bool off;   /* --no-sign */
	bool ready; /* key is there */
	struct key key;
	char kid[KEY_KID_SIZE]; /* "" before sign_receipt */
	struct buf jws;		/* of the receipt, "" before */
};

/* Read the key at path: private, mode 0600, P-256.  ERR_INPUT, ERR_OPEN. */
int sign_read_key(const char *path, struct key *k, struct err *e);

/* Make a key and its file, which must not be there yet.  ERR_OUTPUT (sys
 * EEXIST). */
int sign_make_key(const char *path, struct key *k, struct err *e);

/*
 * path: of --key, NULL = a key for this run.  A file that is not there is made,
 * with a new key.  ERR_INPUT, ERR_OPEN, ERR_OUTPUT.
 */
int sign_open(struct sign *s, const char *path, bool off, struct err *e);

/* Sign the bytes of json.  ERR_OUTPUT; s->jws stays empty then. */
int sign_receipt(struct sign *s, const struct buf *json, struct err *e);

/* Wipes the key. */
void sign_close(struct sign *s);

/* "x.json" -> "x.jws", else ".jws" behind the name; -1 where out is too small. */
int sign_path(const char *receipt, char *out, size_t size);

#endif
