/*
 * http_parse: the answer to one request, HTTP/1.1 (RFC 9112), as strictly as a
 * hostile server deserves.
 *
 * Of the answer are kept: the status, the server's words (reason and the first
 * line of a short text), Retry-After, Location.  Limits: HTTP_HEAD_MAX bytes and
 * HTTP_LINES_MAX lines of head, HTTP_INTERIM_MAX interim answers, HTTP_BODY_MAX
 * bytes of body (what is beyond is not waited for).
 */
#ifndef NET_HTTP_PARSE_H
#define NET_HTTP_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define HTTP_HEAD_MAX	 65536
#define HTTP_LINES_MAX	 200
#define HTTP_INTERIM_MAX 10
#define HTTP_BODY_MAX	 65536
#define HTTP_LINE_MAX	 8192
#define HTTP_WORDS_MAX	 200

#define HTTP_RETRY_MAX_S 3600 /* a longer Retry-After counts as this */

struct http_reply {
	int status;
	char words[HTTP_WORDS_MAX + 1]; /* of the body: printable, one line */
	char reason[64];		/* of the status line, the same */
	char location[HTTP_WORDS_MAX + 1]; /* without its query */
	bool retry_told;
	uint64_t retry_s;
};

enum http_state {
	HTTP_STATUS, /* a status line comes */
	HTTP_HEADER,
	HTTP_BODY_LENGTH, /* so many bytes */
	HTTP_BODY_END,	  /* until the connection's end */
	HTTP_CHUNK_SIZE,
	HTTP_CHUNK,
	HTTP_CHUNK_END, /* the line end behind a chunk */
	HTTP_TRAILER,
	HTTP_DONE
};

struct http_parse {
	enum http_state state;
	struct http_reply reply;
	char line[HTTP_LINE_MAX];
	size_t line_len;
	size_t head_bytes, head_lines;
	unsigned interims;
	bool chunked, has_length;
	uint64_t left; /* bytes of the body or the chunk */
	uint64_t body_bytes;
	size_t words_len;
};

void http_parse_init(struct http_parse *p);

/*
 * Take what came.  1: the answer is there; what is behind it does not count.
 * 0: more is wanted.  -1: it is no HTTP answer, and why (ERR_UPLOAD).
 */
int http_parse_push(
	struct http_parse *p, const void *data, size_t len, struct err *e);

/*
 * The peer sends no more; whole = it said so itself (close_notify).  0: the
 * answer is there; -1: it was cut.
 */
int http_parse_end(struct http_parse *p, bool whole, struct err *e);

#endif
