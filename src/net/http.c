#include "net/http.h"

#include <string.h>
#include <strings.h>
#include <unistd.h>

#define AGENT "ioreceipt/" IORECEIPT_VERSION

/* Ours alone, since they say where the request ends and to whom it goes. */
static const char *const own[] = { "Host", "Content-Length",
	"Transfer-Encoding", "Connection", "Content-Type", "User-Agent",
	"Expect", "TE", "Trailer", "Upgrade", NULL };

int
http_check_header(const char *line, struct err *e)
{
	size_t name = strcspn(line, ":"), i;
	const char *c;

	for (i = 0; i < name; i++)
		if (!strchr("!#$%&'*+-.^_`|~0123456789", line[i]) &&
			((line[i] | 32) < 'a' || (line[i] | 32) > 'z'))
			break;
	if (line[name] != ':' || name == 0 || i < name)
		return err_set(e, ERR_USAGE, 0,
			"a header is not of the form \"Name: value\"");
	for (c = line + name; *c; c++)
		if (((unsigned char)*c < ' ' && *c != '\t') || *c == 127)
			return err_set(e, ERR_USAGE, 0,
				"the header %.*s has control characters",
				(int)(name < 60 ? name : 60), line);
	for (i = 0; own[i]; i++)
		if (strlen(own[i]) == name && !strncasecmp(own[i], line, name))
			return err_set(e, ERR_USAGE, 0,
				"the header %s is not yours to set", own[i]);
	return 0;
}

static void
write_head(const struct http_request *q, struct buf *b)
{
	buf_printf(b, "%s %s HTTP/1.1\r\nHost: %s", q->method, q->url->target,
		q->url->host);
	if (q->url->port != 443)
		buf_printf(b, ":%u", q->url->port);
	buf_printf(b,
		"\r\nUser-Agent: " AGENT "\r\nAccept: */*\r\n"
		"Connection: close\r\nContent-Type: %s\r\n"
		"Content-Length: %zu\r\n%s\r\n",
		q->content_type, q->len, q->headers);
}

/* An answer may come before all is sent: 413 and 401 do. */
static int
read_answer(struct tls *t, struct http_reply *r, struct err *e)
{
	struct http_parse p;
	char data[4096];
	bool whole = false;
	long n;
	int rc = 0;

	http_parse_init(&p);
	while (rc == 0) {
		n = tls_read(t, data, sizeof(data), &whole, e);
		if (n < 0)
			return -1;
		if (n == 0)
			rc = http_parse_end(&p, whole, e) < 0 ? -1 : 1;
		else
			rc = http_parse_push(&p, data, (size_t)n, e);
	}
	*r = p.reply;
	return rc < 0 ? -1 : 0;
}

static int
exchange(const struct http_request *q, struct tls *t, struct http_reply *r,
	struct err *e)
{
	struct buf head;
	int rc;

	buf_init(&head);
	write_head(q, &head);
	if (buf_failed(&head))
		rc = wire_never(e, "out of memory");
	else
		rc = tls_write(t, head.data, head.len, e);
	if (head.data)
		explicit_bzero(head.data, head.size);
	buf_free(&head);
	if (rc == 0)
		rc = tls_write(t, q->body, q->len, e);
	return rc < 0 ? -1 : read_answer(t, r, e);
}

int
http_send(const struct http_request *q, const struct wire *w,
	struct http_reply *r, struct err *e)
{
	struct dial_place place = { q->url->host, q->url->port, q->hints,
		q->hint_count };
	struct tls_peer peer = { q->url->host, q->url->port, q->trust,
		q->now_s };
	struct tls *t;
	int rc = -1, fd = dial(&place, w, e);

	memset(r, 0, sizeof(*r));
	if (fd < 0)
		return -1;
	t = tls_open(&peer, fd, w, e);
	if (t) {
		rc = exchange(q, t, r, e);
		tls_close(t);
		if (rc < 0)
			err_wrap(e, "%s", q->url->host);
	}
	close(fd);
	return rc;
}
