/*
 * base64: base64url without padding, as JWS has it (RFC 7515, appendix C).
 *
 * There is one text for each run of bytes: padding, other letters, white space
 * and bits that are left over are refused, so that nobody can write the same
 * signature in two ways.
 */
#ifndef CRYPTO_BASE64_H
#define CRYPTO_BASE64_H

#include <stddef.h>

#include "base/buf.h"

/* Characters for len bytes. */
#define BASE64_CHARS(len) (((len)*4 + 2) / 3)

/* Append. */
void base64_encode(struct buf *out, const void *data, size_t len);

/* Into out[BASE64_CHARS(len) + 1], with a NUL. */
void base64_text(const void *data, size_t len, char *out);

/* Append what s[0..len) stands for; -1 where it is no such text. */
int base64_decode(struct buf *out, const char *s, size_t len);

/* Exactly `size` bytes into out; -1 where it is not that. */
int base64_bytes(const char *s, size_t len, void *out, size_t size);

#endif
