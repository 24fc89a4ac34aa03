/*
 * upload: a receipt to storage that exists, tried again where that may help.
 *
 * The same bytes to the same URL each time. Between tries: a random time up to
 * 1, 2, 4 ... 60 s ("full jitter": a fleet must not come back at once), at least
 * what the server asks for (Retry-After). Done are 200, 201, 202, 204, and the
 * status that --exists-status names.  Tried again: what passes (connections,
 * cut answers, 408 425 429 500 502 503 504), until retry_for_ns is over.
 */
#ifndef NET_UPLOAD_H
#define NET_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "net/http.h"

struct upload {
	const char *place; /* the URL; {id} {kid} {date} {time} are filled in */
	bool post;	   /* else PUT */
	bool json;	   /* the row instead of the JWS */
	struct buf headers; /* lines with CRLF; secret */
	struct trust trust;
	struct dial_hint hints[DIAL_HINTS_MAX];
	unsigned hint_count;
	unsigned exists_status; /* 0 = none */
	uint64_t timeout_ns;	/* of one try */
	uint64_t retry_for_ns;	/* of all */
	int64_t time_s;		/* the time, if the clock is wrong; 0 */
	int64_t released_s;	/* no clock is right that says less */
	bool (*stopped)(void);	/* a signal wants us to stop */
	void (*say)(void *, const char *); /* one line of progress */
	void *say_arg;
};

struct upload_item {
	const char *jti; /* a UUID */
	const char *kid;
	int64_t iat;
	const void *body;
	size_t len;
};

/*
 * The URL for an item.  ERR_USAGE.  An id that is no UUID is an error: it stands
 * in paths.
 */
int upload_url(const char *place, const struct upload_item *item, struct url *u,
	struct err *e);

/* 0, or -1 (ERR_UPLOAD; sys EINTR where we were asked to stop). */
int upload_send(
	const struct upload *u, const struct upload_item *item, struct err *e);

enum upload_verdict { UPLOAD_DONE, UPLOAD_AGAIN, UPLOAD_NEVER };

/*
 * What an answer means; e says it in plain words where it is not done.  host is
 * for the sentence.
 */
enum upload_verdict upload_judge(const struct upload *u, const char *host,
	const struct http_reply *r, struct err *e);

#endif
