/*
 * send: the upload that a command line asks for.
 *
 * Everything is checked before anything is measured or sent: the URL, files of
 * headers and tokens, authorities.  What could not be sent may wait in a folder
 * (--spool), one file NAME.jws each; no URL and no token lies there.
 */
#ifndef APP_SEND_H
#define APP_SEND_H

#include <stdbool.h>

#include "app/option.h"
#include "base/err.h"
#include "net/upload.h"

struct send_options {
	const char *url, *method, *body, *token_file, *cacert, *time, *spool;
	struct option_texts headers, resolve;
	uint64_t timeout_ns, retry_for_ns, exists_status;
};

/* What the options are without being given. */
void send_options_default(struct send_options *o);

/* Rows of an option table; AT(m) is the offset of member m of send_options. */
#define SEND_ROWS(AT, URL)                                                     \
	{ URL, 0, OPTION_TEXT, AT(url), "URL|@FILE", NULL, 0, 0,               \
		"send the signed receipt there (https; {id} {kid} {date} "     \
		"{time} are filled in); @FILE: a file that holds the URL" },   \
		{ "upload-method", 0, OPTION_WORD, AT(method), "PUT|POST",     \
			"PUT|POST", 0, 0, "how (default PUT)" },               \
		{ "upload-body", 0, OPTION_WORD, AT(body), "jws|json",         \
			"jws|json", 0, 0,                                      \
			"the JWS (default), or the receipt as one line of "    \
			"JSON "                                                \
			"with the JWS in it: a row of a table" },              \
		{ "upload-header", 0, OPTION_TEXTS, AT(headers),               \
			"'N: V'|@FILE", NULL, 0, 0,                            \
			"another header; @FILE: a file of such lines, for "    \
			"secrets; may be repeated" },                          \
		{ "token-file", 0, OPTION_TEXT, AT(token_file), "FILE", NULL,  \
			0, 0,                                                  \
			"send the token in FILE (Authorization: Bearer "       \
			"...)" },                                              \
		{ "cacert", 0, OPTION_TEXT, AT(cacert), "FILE", NULL, 0, 0,    \
			"trust the authorities in FILE (PEM) and no others" }, \
		{ "resolve", 0, OPTION_TEXTS, AT(resolve), "HOST:PORT:ADDR",   \
			NULL, 0, 0,                                            \
			"where HOST is; no name server is asked; may be "      \
			"repeated" },                                          \
		{ "timeout", 0, OPTION_TIME, AT(timeout_ns), "TIME", NULL,     \
			UINT64_C(1000000000), UINT64_C(3600000000000),         \
			"of one try (default 30s)" },                          \
		{ "retry-for", 0, OPTION_TIME, AT(retry_for_ns), "TIME", NULL, \
			0, UINT64_C(86400000000000),                           \
			"try again for so long (default 2m; 0: once)" },       \
		{ "exists-status", 0, OPTION_COUNT, AT(exists_status), "N",    \
			NULL, 400, 499,                                        \
			"that answer means: it is there already, which is as " \
			"good (409, 412)" },                                   \
		{ "time", 0, OPTION_TEXT, AT(time), "UTC", NULL, 0, 0,         \
			"the time, where the clock is wrong: "                 \
			"2026-12-31T23:59:59Z" },                              \
	{                                                                      \
		"spool", 0, OPTION_TEXT, AT(spool), "DIR", NULL, 0, 0,         \
			"keep there what could not be sent (ioreceipt upload " \
			"--spool DIR sends it)"                                \
	}

struct send {
	bool on;	  /* a URL was given */
	struct buf place; /* of @FILE */
	struct upload how;
	const char *spool; /* NULL = none */
};

/* Check and read what o names.  ERR_USAGE, ERR_INPUT, ERR_OPEN, ERR_OUTPUT. */
int send_open(struct send *s, const struct send_options *o, struct err *e);
void send_close(struct send *s);

/* A receipt that is signed. */
struct send_receipt {
	const char *jti, *kid;
	int64_t iat;
	const struct buf *json; /* the exact bytes */
	const char *jws;	/* without its newline */
	size_t jws_len;
};

/*
 * Send it; where that fails and there is a spool, keep it there.  0 = it is
 * where it should be; -1: ERR_UPLOAD (or ERR_OUTPUT: not even kept), with the
 * sentence; sys EINTR where a signal ended it.
 */
int send_receipt(struct send *s, const struct send_receipt *r, struct err *e);

/* Send what waits in the spool, and remove what has arrived.  *sent counts. */
int send_spooled(struct send *s, unsigned *sent, struct err *e);

#endif
