/*
 * url: where a receipt is sent: https, a name, and what follows, byte for byte.
 *
 * Presigned URLs break when they are written anew: path and query are sent as
 * they came. Refused: other schemes, user names in it, fragments, characters
 * that no URL holds, and addresses instead of names (a certificate is for a
 * name; `--resolve` says where the name is).
 */
#ifndef NET_URL_H
#define NET_URL_H

#include "base/buf.h"
#include "base/err.h"

#define URL_HOST_SIZE	254
#define URL_TARGET_SIZE 8192

struct url {
	char host[URL_HOST_SIZE]; /* lower case, without a dot at its end */
	unsigned port;
	char target[URL_TARGET_SIZE]; /* "/path?query" */
};

/* ERR_USAGE; the sentence never holds what stands in path or query. */
int url_parse(struct url *u, const char *text, struct err *e);

/* For people: "https://host/path?..." - a query may be a secret. */
void url_show(const struct url *u, struct buf *out);

/* Is it four numbers with dots between, or an IPv6 address? */
int url_is_address(const char *host);

#endif
