/*
 * trust_read: certificates of authorities, boiled down to what a TLS client
 * needs of them: name and public key.
 *
 * A table of them is bytes, one entry behind the other:
 *
 *	2	length of the name, big-endian
 *	n	the name (DER of the subject)
 *	1	1 = it may sign certificates, 0 = only this very one is trusted
 *	1	1 = RSA: 2 length, modulus, 1 length, exponent
 *		2 = EC: 1 curve (BearSSL's number), 1 length, point
 */
#ifndef NET_TRUST_READ_H
#define NET_TRUST_READ_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Append the entry of one certificate (DER).  One whose time is over at now_s
 * (seconds since 1970) is none: 1 is returned.  -1: ERR_INPUT, it is malformed
 * or of a kind that is not used here (RSA over 4096 bits, other curves).
 */
int trust_read_certificate(struct buf *table, const unsigned char *der,
	size_t len, int64_t now_s, struct err *e);

struct trust_read {
	int64_t now_s;			 /* as above */
	unsigned taken, expired, others; /* others: PEM of another kind */
};

/* The same for each certificate of a PEM text; counts in r.  ERR_INPUT. */
int trust_read_pem(struct buf *table, const char *text, size_t len,
	struct trust_read *r, struct err *e);

#endif
