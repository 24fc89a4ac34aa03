/*
 * http: one request over TLS, and its answer.
 */
#ifndef NET_HTTP_H
#define NET_HTTP_H

#include "base/buf.h"
#include "net/dial.h"
#include "net/http_parse.h"
#include "net/tls.h"
#include "net/url.h"

struct http_request {
	const char *method; /* "PUT" */
	const struct url *url;
	const char *content_type;
	const char *headers; /* further lines, each ended by CRLF; "" = none */
	const void *body;
	size_t len;
	const struct trust *trust;
	int64_t now_s; /* for certificates */
	const struct dial_hint *hints;
	unsigned hint_count;
};

/*
 * Send it and read the answer.  0: r holds it, whatever its status.  -1: there
 * is none (wire.h says how to tell failures apart).  Nothing of the URL's query
 * and of the headers is in a sentence.
 */
int http_send(const struct http_request *q, const struct wire *w,
	struct http_reply *r, struct err *e);

/*
 * Is this one header line, "Name: value", that may be sent besides ours?
 * ERR_USAGE; the sentence does not hold the value.
 */
int http_check_header(const char *line, struct err *e);

#endif
