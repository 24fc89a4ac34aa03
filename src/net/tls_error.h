/*
 * tls_error: BearSSL's numbers and the alerts of RFC 5246, as a person is told.
 */
#ifndef NET_TLS_ERROR_H
#define NET_TLS_ERROR_H

#include <stdint.h>

#include "base/err.h"
#include "net/tls.h"

/* Fill e for the engine's error number; returns -1.  Trying again helps where
 * the peer itself was in trouble (alert 80). */
int tls_error(const struct tls_peer *p, int number, struct err *e);

#endif
