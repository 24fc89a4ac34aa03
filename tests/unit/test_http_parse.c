#include "net/http_parse.h"

#include <errno.h>

#include "base/buf.h"
#include "tap.h"

#define OK_HEAD "HTTP/1.1 200 OK\r\n"

/* What comes; closed as (0 = stays open, 1 = cut, 2 = said so); the status, or
 * what the error names. */
static const struct {
	const char *text;
	int closed, status;
	const char *why;
} rows[] = {
	{ OK_HEAD "Content-Length: 2\r\n\r\nhi", 0, 200, NULL },
	{ "HTTP/1.1 201\r\nContent-Length: 0\r\n\r\n", 0, 201, NULL },
	{ "HTTP/1.0 200 OK\nContent-Length: 0\n\n", 0, 200, NULL },
	{ "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", 0, 204,
		NULL },
	{ "HTTP/1.1 304 x\r\n\r\n", 0, 304, NULL },
	{ "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nLink: "
	  "x\r\n\r\n" OK_HEAD "Content-Length: 0\r\n\r\n",
		0, 200, NULL },
	{ OK_HEAD "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\nA\r\n"
		  "0123456789\r\n0\r\nTrailer: x\r\n\r\n",
		0, 200, NULL },
	{ OK_HEAD "Transfer-Encoding: Chunked\r\nContent-Length: 3\r\n\r\n"
		  "0\r\n\r\n",
		0, 200, NULL },
	{ OK_HEAD "\r\nuntil the end", 2, 200, NULL },
	{ OK_HEAD "Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi", 0, 200,
		NULL },
	{ "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", 0,
		503, NULL },
	/* cut */
	{ "", 2, 0, "without an answer" },
	{ "", 1, 0, "without an answer" },
	{ "HTTP/1.1 200", 1, 0, "cut" },
	{ OK_HEAD "\r\nuntil", 1, 0, "cut" },
	{ OK_HEAD "Content-Length: 5\r\n\r\nhi", 2, 0, "cut" },
	{ OK_HEAD "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", 2, 0,
		"cut" },
	{ OK_HEAD "Transfer-Encoding: chunked\r\n\r\n0\r\n", 2, 0, "cut" },
	/* malformed */
	{ "SSH-2.0-x\r\n", 0, 0, "status line" },
	{ "HTTP/2 200\r\n", 0, 0, "status line" },
	{ "PRI * HTTP/2.0\r\n\r\n", 0, 0, "status line" },
	{ "HTTP/1.1 20 OK\r\n", 0, 0, "status is no number" },
	{ "HTTP/1.1 000 x\r\n", 0, 0, "100 to 599" },
	{ "HTTP/1.1 1000 x\r\n", 0, 0, "100 to 599" },
	{ "HTTP/1.1 999 x\r\n", 0, 0, "100 to 599" },
	{ "HTTP/1.1 101 x\r\n", 0, 0, "101" },
	{ OK_HEAD "Content-Length: -1\r\n", 0, 0, "no number" },
	{ OK_HEAD "Content-Length: +1\r\n", 0, 0, "no number" },
	{ OK_HEAD "Content-Length: 1, 1\r\n", 0, 0, "no number" },
	{ OK_HEAD "Content-Length: 99999999999999999999\r\n", 0, 0,
		"no number" },
	{ OK_HEAD "Content-Length: 1\r\nContent-Length: 2\r\n", 0, 0,
		"two lengths" },
	{ OK_HEAD "Transfer-Encoding: gzip\r\n", 0, 0, "not known" },
	{ OK_HEAD "Transfer-Encoding: chunked, chunked\r\n", 0, 0,
		"not known" },
	{ OK_HEAD "Transfer-Encoding: chunked\r\n\r\nx\r\n", 0, 0,
		"no number" },
	{ OK_HEAD "Transfer-Encoding: chunked\r\n\r\n-1\r\n", 0, 0,
		"no number" },
	{ OK_HEAD "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", 0,
		0, "too large" },
	{ OK_HEAD "Transfer-Encoding: chunked\r\n\r\n1\r\nhi\r\n", 0, 0,
		"longer than" },
	{ OK_HEAD "no colon\r\n", 0, 0, "malformed" },
	{ OK_HEAD ": x\r\n", 0, 0, "malformed" },
	{ OK_HEAD "Name : x\r\n", 0, 0, "malformed" },
	{ OK_HEAD "A: x\r\n folded: y\r\n", 0, 0, "malformed" },
	{ OK_HEAD "A: \x01\r\n", 0, 0, "control" },
	{ OK_HEAD "A: \x1b[31m\r\n", 0, 0, "control" },
	{ OK_HEAD "A: x\ry\r\n", 0, 0, "broken" },
};

/* In pieces of n bytes, as the network gives them. */
static int
feed(struct http_parse *p, const char *text, size_t len, size_t n,
	struct err *e)
{
	int rc = 0;

	http_parse_init(p);
	for (size_t at = 0; at < len && rc == 0; at += n)
		rc = http_parse_push(
			p, text + at, len - at < n ? len - at : n, e);
	return rc;
}

static void
test_rows(void)
{
	static const size_t pieces[] = { 1, 3, 100000 };
	static struct http_parse p;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t k = 0; k < 3; k++) {
			int rc = feed(&p, rows[i].text, strlen(rows[i].text),
				pieces[k], &e);

			if (rc == 0 && rows[i].closed)
				rc = http_parse_end(
					     &p, rows[i].closed == 2, &e) < 0
					     ? -1
					     : 1;
			if (!rows[i].why) {
				OK(rc == 1, rows[i].text);
				EQ_I64(p.reply.status, rows[i].status,
					"its status");
				continue;
			}
			OK(rc < 0, rows[i].text);
			EQ_I64(e.code, ERR_UPLOAD, "it failed");
			EQ_I64(e.sys, EAGAIN, "and may be tried again");
			if (!OK(strstr(e.text, rows[i].why) != NULL,
				    rows[i].why))
				printf("# %s\n", e.text);
		}
}

static void
test_words(void)
{
	static const char text[] =
		"HTTP/1.1 403 For\tbidden  now\r\nLocation: "
		"https://b.example/x?SECRET\r\nRetry-After: "
		"99999999999\r\nContent-Length: 32\r\n\r\n"
		"\x1b[31m no \r\n\r\n\r\nway\x00\xff\xc3\xbc, said he.";
	static struct http_parse p;
	struct err e;

	EQ_I64(feed(&p, text, sizeof(text) - 1, 7, &e), 1, "an answer");
	EQ_STR(p.reply.reason, "For bidden now", "its reason, on one line");
	EQ_STR(p.reply.words, "?[31m no way????, said he.",
		"its words, without what a terminal would do");
	EQ_STR(p.reply.location, "https://b.example/x",
		"where to, without a query");
	OK(p.reply.retry_told, "when");
	EQ_U64(p.reply.retry_s, HTTP_RETRY_MAX_S, "an hour at most");
}

static void
repeat(struct buf *b, const char *head, const char *s, size_t n)
{
	buf_reset(b);
	buf_str(b, head);
	buf_repeat(b, s, n);
}

static void
test_limits(void)
{
	static struct http_parse p;
	struct buf b;
	struct err e;

	buf_init(&b);
	repeat(&b, OK_HEAD, "A: b\r\n", 201);
	OK(feed(&p, b.data, b.len, 4096, &e) < 0, "201 lines");
	repeat(&b, OK_HEAD "A: ", "x", 9000);
	OK(feed(&p, b.data, b.len, 4096, &e) < 0, "a line of 9,000 bytes");
	repeat(&b, "", "HTTP/1.1 100 x\r\n\r\n", 11);
	OK(feed(&p, b.data, b.len, 4096, &e) < 0, "eleven times 100");
	repeat(&b, OK_HEAD "\r\n", "x", 70000);
	EQ_I64(feed(&p, b.data, b.len, 4096, &e), 1,
		"an endless body is not waited for");
	repeat(&b, OK_HEAD "Content-Length: 9007199254740992\r\n\r\n", "x",
		70000);
	EQ_I64(feed(&p, b.data, b.len, 4096, &e), 1, "nor a huge one");
	repeat(&b, OK_HEAD "Transfer-Encoding: chunked\r\n\r\n",
		"1;xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\nx\r\n", 5000);
	OK(feed(&p, b.data, b.len, 4096, &e) != 0,
		"nor one of endless small chunks");
	buf_free(&b);
}

int
main(void)
{
	test_rows();
	test_words();
	test_limits();
	return tap_done();
}
