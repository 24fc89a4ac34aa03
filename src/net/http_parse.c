#include "net/http_parse.h"

#include <string.h>
#include <strings.h>

#include "base/units.h"
#include "net/wire.h"

#define LENGTH_MAX (UINT64_C(1) << 53)

void
http_parse_init(struct http_parse *p)
{
	memset(p, 0, sizeof(*p));
}

static int
wrong(struct err *e, const char *why)
{
	return wire_again(e, "its answer is no HTTP: %s", why);
}

/* ---- words for people ---------------------------------------------------------- */

/* Append a byte of the server's, as far as it is printable ASCII. */
static void
keep(char *out, size_t *len, size_t size, unsigned char c)
{
	if (c == '\t' || c == '\r' || c == '\n')
		c = ' ';
	if (c < ' ' || c > '~')
		c = '?';
	/* no rows of blanks, none at the start */
	if (c == ' ' && (*len == 0 || out[*len - 1] == ' '))
		return;
	if (*len + 1 < size)
		out[(*len)++] = (char)c;
	out[*len] = '\0';
}

static void
keep_text(char *out, size_t size, const char *text)
{
	size_t len = 0;

	out[0] = '\0';
	for (; *text; text++)
		keep(out, &len, size, (unsigned char)*text);
	while (len > 0 && out[len - 1] == ' ')
		out[--len] = '\0';
}

/* ---- lines ----------------------------------------------------------------------- */

/* "HTTP/1.1 200 OK" */
static int
take_status(struct http_parse *p, struct err *e)
{
	const char *s = p->line;
	int i, status = 0;

	if (strncmp(s, "HTTP/1.0 ", 9) != 0 && strncmp(s, "HTTP/1.1 ", 9) != 0)
		return wrong(e, "it does not begin with a status line");
	for (i = 9; i < 12; i++) {
		if (s[i] < '0' || s[i] > '9')
			return wrong(e, "its status is no number");
		status = status * 10 + s[i] - '0';
	}
	if ((s[12] != ' ' && s[12] != '\0') || status < 100 || status > 599)
		return wrong(e, "its status is no number from 100 to 599");
	if (status == 101)
		return wrong(e, "it wants another protocol (101)");
	p->reply.status = status;
	keep_text(p->reply.reason, sizeof(p->reply.reason), s + 12);
	p->chunked = p->has_length = false;
	p->left = 0;
	p->state = HTTP_HEADER;
	return 0;
}

static int
take_length(struct http_parse *p, const char *value, struct err *e)
{
	uint64_t n;

	if (units_parse_u64(value, 0, LENGTH_MAX, &n, NULL) < 0)
		return wrong(e, "its Content-Length is no number");
	if (p->has_length && n != p->left)
		return wrong(e, "it has two lengths");
	p->has_length = true;
	p->left = n;
	return 0;
}

static int
take_field(struct http_parse *p, const char *name, const char *value,
	struct err *e)
{
	uint64_t n;

	if (!strcasecmp(name, "Content-Length"))
		return take_length(p, value, e);
	if (!strcasecmp(name, "Transfer-Encoding")) {
		if (strcasecmp(value, "chunked") != 0 || p->chunked)
			return wrong(e, "its Transfer-Encoding is not known");
		p->chunked = true;
	} else if (!strcasecmp(name, "Retry-After")) {
		/* a date is of no use where the clock may be wrong */
		if (units_parse_u64(value, 0, UINT64_MAX - 1, &n, NULL) == 0) {
			p->reply.retry_told = true;
			p->reply.retry_s =
				n < HTTP_RETRY_MAX_S ? n : HTTP_RETRY_MAX_S;
		}
	} else if (!strcasecmp(name, "Location")) {
		keep_text(p->reply.location, sizeof(p->reply.location), value);
		p->reply.location[strcspn(p->reply.location, "?#")] = '\0';
	}
	return 0;
}

static int
take_header(struct http_parse *p, struct err *e)
{
	char *colon = strchr(p->line, ':'), *value, *end;

	/* a name, at once a colon; no line goes on in the next */
	if (!colon || colon == p->line ||
		strcspn(p->line, " \t") < (size_t)(colon - p->line))
		return wrong(e, "a line of its head is malformed");
	*colon = '\0';
	value = colon + 1 + strspn(colon + 1, " \t");
	end = value + strlen(value);
	while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return take_field(p, p->line, value, e);
}

/* The head is over: what follows? */
static int
end_head(struct http_parse *p, struct err *e)
{
	int status = p->reply.status;

	p->head_lines = 0;
	if (status < 200) {
		if (++p->interims > HTTP_INTERIM_MAX)
			return wrong(e, "it goes on without an answer (1xx)");
		p->state = HTTP_STATUS;
	} else if (status == 204 || status == 304) {
		p->state = HTTP_DONE;
	} else if (p->chunked) {
		p->state = HTTP_CHUNK_SIZE;
	} else if (p->has_length) {
		p->state = p->left ? HTTP_BODY_LENGTH : HTTP_DONE;
	} else {
		p->state = HTTP_BODY_END;
	}
	return 0;
}

/* Hexadecimal, then perhaps an extension, which is not looked at. */
static int
take_chunk_size(struct http_parse *p, struct err *e)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	const char *s = p->line, *d;
	uint64_t n = 0;

	for (; *s && (d = strchr(digits, *s)) != NULL; s++) {
		uint64_t digit = (uint64_t)(d - digits);

		if (n > LENGTH_MAX / 16)
			return wrong(e, "a chunk's size is too large");
		n = n * 16 + (digit > 15 ? digit - 6 : digit);
	}
	if (s == p->line || (*s && *s != ';' && *s != ' ' && *s != '\t'))
		return wrong(e, "a chunk's size is no number");
	p->left = n;
	p->state = n ? HTTP_CHUNK : HTTP_TRAILER;
	return 0;
}

static int
take_line(struct http_parse *p, struct err *e)
{
	switch (p->state) {
	case HTTP_STATUS:
		return take_status(p, e);
	case HTTP_HEADER:
		return p->line[0] ? take_header(p, e) : end_head(p, e);
	case HTTP_CHUNK_SIZE:
		return take_chunk_size(p, e);
	case HTTP_CHUNK_END:
		if (p->line[0])
			return wrong(e, "a chunk is longer than it says");
		p->state = HTTP_CHUNK_SIZE;
		return 0;
	case HTTP_TRAILER:
		if (!p->line[0])
			p->state = HTTP_DONE;
		return 0;
	case HTTP_BODY_LENGTH:
	case HTTP_BODY_END:
	case HTTP_CHUNK:
	case HTTP_DONE:
		break;
	}
	return 0;
}

/* One byte of a line; whole lines are taken. */
static int
push_line(struct http_parse *p, unsigned char c, struct err *e)
{
	if (++p->head_bytes > HTTP_HEAD_MAX)
		return wrong(e, "its head is longer than 64 KiB");
	if (c == '\n') {
		if (p->line_len > 0 && p->line[p->line_len - 1] == '\r')
			p->line_len--;
		p->line[p->line_len] = '\0';
		p->line_len = 0;
		if (++p->head_lines > HTTP_LINES_MAX)
			return wrong(e, "its head has more than 200 lines");
		return take_line(p, e);
	}
	if ((c < ' ' && c != '\t' && c != '\r') || c == 127)
		return wrong(e, "it has control characters in its head");
	if (p->line_len > 0 && p->line[p->line_len - 1] == '\r')
		return wrong(e, "a line of its head is broken");
	if (p->line_len + 1 >= sizeof(p->line))
		return wrong(e, "a line of its head is too long");
	p->line[p->line_len++] = (char)c;
	return 0;
}

/* ---- bodies ------------------------------------------------------------------------ */

/* As many bytes of the body as there are; returns how many were taken. */
static size_t
push_body(struct http_parse *p, const unsigned char *data, size_t len)
{
	size_t i;

	if (p->state != HTTP_BODY_END && len > p->left)
		len = (size_t)p->left;
	for (i = 0; i < len && p->words_len < HTTP_WORDS_MAX; i++)
		keep(p->reply.words, &p->words_len, sizeof(p->reply.words),
			data[i]);
	p->body_bytes += len;
	if (p->state == HTTP_BODY_END)
		return len;
	p->left -= len;
	if (p->left == 0)
		p->state = p->state == HTTP_CHUNK ? HTTP_CHUNK_END : HTTP_DONE;
	return len;
}

int
http_parse_push(
	struct http_parse *p, const void *data, size_t len, struct err *e)
{
	const unsigned char *at = data, *end = at + len;

	while (at < end && p->state != HTTP_DONE) {
		switch (p->state) {
		case HTTP_BODY_LENGTH:
		case HTTP_BODY_END:
		case HTTP_CHUNK:
			at += push_body(p, at, (size_t)(end - at));
			break;
		/* sizes of chunks are no head, but bounded like one */
		case HTTP_CHUNK_SIZE:
		case HTTP_CHUNK_END:
		case HTTP_STATUS:
		case HTTP_HEADER:
		case HTTP_TRAILER:
		case HTTP_DONE:
			if (push_line(p, *at++, e) < 0)
				return -1;
			break;
		}
		/* enough to know what was said */
		if (p->body_bytes > HTTP_BODY_MAX)
			p->state = HTTP_DONE;
	}
	return p->state == HTTP_DONE;
}

int
http_parse_end(struct http_parse *p, bool whole, struct err *e)
{
	if (p->state == HTTP_DONE || (p->state == HTTP_BODY_END && whole)) {
		p->state = HTTP_DONE;
		return 0;
	}
	if (p->state == HTTP_STATUS && p->line_len == 0)
		return wire_again(e, "it closed the connection without an "
				     "answer");
	return wire_again(e, "its answer was cut");
}
