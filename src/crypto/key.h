/*
 * key: a P-256 key pair, its text, its name.
 *
 * The name of a key (kid) is its thumbprint: SHA-256 over the public half as a
 * JSON Web Key with the members that RFC 7638 says, in base64url.
 *
 * Files: PEM, "EC PRIVATE KEY" (SEC1) or "PRIVATE KEY" (PKCS#8) are read, SEC1
 * is written; of public halves "PUBLIC KEY" is read and written.  A private
 * half is wiped by whoever holds it.
 */
#ifndef CRYPTO_KEY_H
#define CRYPTO_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"

#define KEY_PUBLIC_BYTES  65 /* 04, x, y */
#define KEY_PRIVATE_BYTES 32
#define KEY_KID_SIZE	  44 /* 43 characters and the NUL */
#define KEY_FILE_MAX	  16384

struct key {
	bool private; /* d is there */
	unsigned char d[KEY_PRIVATE_BYTES];
	unsigned char q[KEY_PUBLIC_BYTES];
};

/* A new one, from the kernel's random numbers (base/rng.h). */
int key_make(struct key *k, struct err *e);

/* Forget it, so that no copy stays in memory. */
void key_wipe(struct key *k);

/*
 * Read a PEM text of at most KEY_FILE_MAX bytes: a private key, or with
 * public_too also a public one.  Text around it is skipped.  ERR_INPUT, with
 * what it is instead (another curve, RSA, an encrypted key, a certificate).
 */
int key_parse(struct key *k, const char *pem, size_t len, bool public_too,
	struct err *e);

/* Append the private or the public half as PEM. */
void key_write_private(const struct key *k, struct buf *out);
void key_write_public(const struct key *k, struct buf *out);

/* {"crv":"P-256","kty":"EC","x":"...","y":"..."}, nothing else. */
void key_write_jwk(const struct key *k, struct buf *out);
void key_kid(const struct key *k, char kid[KEY_KID_SIZE]);

/* 43 characters of base64url? */
bool key_is_kid(const char *s);

#endif
