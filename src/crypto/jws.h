/*
 * jws: a receipt with its signature: JWS compact (RFC 7515), ES256 (RFC 7518).
 *
 *   BASE64URL(header) . BASE64URL(payload) . BASE64URL(r || s)
 *
 * The payload is the exact bytes of the receipt.  The header is exactly
 *
 *   {"alg":"ES256","jwk":{"crv":"P-256","kty":"EC","x":"...","y":"..."},
 *    "kid":"<RFC 7638 thumbprint>","typ":"ioreceipt+jwt"}
 *
 * without white space, members in this order; anything else is not ours and
 * is refused: there is no algorithm to choose and nothing to parse.  r and s
 * have 32 bytes each.  Signatures are deterministic (RFC 6979).
 *
 * What it proves: the holder of the private half of key `kid` signed these
 * bytes.  Not: that the figures were measured, where, or when.
 */
#ifndef CRYPTO_JWS_H
#define CRYPTO_JWS_H

#include <stddef.h>

#include "base/buf.h"
#include "base/err.h"
#include "crypto/key.h"

#define JWS_SIGNATURE_BYTES 64

/* The longest that is read: a receipt of 4 MiB has 5.4. */
#define JWS_MAX_BYTES ((size_t)6 << 20)

/*
 * Append the JWS of payload, without a newline.  The signature is checked with
 * the public half before it is given: -1 (ERR_INCOMPLETE) where it does not
 * hold, or without memory.
 */
int jws_sign(const struct key *k, const void *payload, size_t len,
	struct buf *out, struct err *e);

/* What a JWS says, once its signature holds. */
struct jws {
	struct key key; /* its public half */
	char kid[KEY_KID_SIZE];
	struct buf payload;
};

void jws_init(struct jws *j);
void jws_free(struct jws *j);

/*
 * Check text[0..len), which may end in one newline.  0: the signature is good,
 * j is filled (j->payload is begun anew, its memory kept).  -1: ERR_INPUT = it
 * is not a JWS of ours, and why; ERR_DIFFERS = it is, but the signature is not
 * that of this text by the key that it names.
 */
int jws_verify(struct jws *j, const char *text, size_t len, struct err *e);

/* The raw check: is signature (r || s, 64 bytes) good for text by q? */
bool jws_signature_holds(const struct key *k, const void *text, size_t len,
	const void *signature, size_t signature_len);

#endif
