/*
 * digest: SHA-256 (FIPS 180-4) in lower-case hex, by BearSSL.
 */
#ifndef CRYPTO_DIGEST_H
#define CRYPTO_DIGEST_H

#include <stddef.h>

#define DIGEST_HEX_SIZE 65 /* 64 digits and the NUL */

void digest_sha256(const void *data, size_t len, char hex[DIGEST_HEX_SIZE]);

/* Of an open file from its start; -1 where it cannot be read. */
int digest_fd(int fd, char hex[DIGEST_HEX_SIZE]);

#endif
