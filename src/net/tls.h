/*
 * tls: a TLS 1.2 client, by BearSSL, on a descriptor that does not block.
 *
 * Six suites, all with ephemeral keys and authenticated encryption; SHA-2 only;
 * RSA keys of 2048 bits and more; no renegotiation, no older version, no switch
 * that leaves checking out.  (1.3 is not to be had with this library.)
 *
 * BearSSL's own loop gives up reading where writing fails, and so loses the
 * answer of a server that says 413 and shuts; this one reads on.
 */
#ifndef NET_TLS_H
#define NET_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net/trust.h"
#include "net/wire.h"

struct tls; /* 45 KiB, on the heap */

struct tls_peer {
	const char *host; /* the name that its certificate must be for */
	unsigned port;
	const struct trust *trust;
	int64_t now_s; /* for the dates in certificates */
};

/*
 * Shake hands on fd, which stays the caller's; w also bounds all that follows.
 * NULL: a sentence that names the cause in plain words, BearSSL's number in
 * brackets.
 */
struct tls *tls_open(
	const struct tls_peer *p, int fd, const struct wire *w, struct err *e);

/*
 * Send all of data.  1: the peer takes no more, but what it has said may still
 * be read.
 */
int tls_write(struct tls *t, const void *data, size_t len, struct err *e);

/*
 * Read at most size bytes.  0: the end; *whole tells whether the peer said so
 * (close_notify), or the connection was just cut.
 */
long tls_read(
	struct tls *t, void *out, size_t size, bool *whole, struct err *e);

/* Says farewell once, without waiting. */
void tls_close(struct tls *t);

#endif
