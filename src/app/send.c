#include "app/send.h"

#include <stdio.h>
#include <string.h>

#include "app/screen.h"
#include "app/spool.h"
#include "app/stop.h"
#include "app/tool.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/file_secret.h"
#include "base/units.h"

#define SECRET_MAX 16384
/* Any id and kid, to see whether a URL is one. */
#define SOME_JTI "00000000-0000-4000-8000-000000000000"
#define SOME_KID "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

void
send_options_default(struct send_options *o)
{
	memset(o, 0, sizeof(*o));
	o->method = "PUT";
	o->body = "jws";
	o->timeout_ns = 30 * CLOCK_NS_PER_S;
	o->retry_for_ns = 120 * CLOCK_NS_PER_S;
}

static void
say(void *arg, const char *text)
{
	(void)arg;
	screen_say("upload: %s", text);
}

static bool
stopped(void)
{
	return stop_signal() != 0;
}

/* ---- what the options name ------------------------------------------------- */

/* A file of one line: a URL, a token.  Blanks at its end are not part of it. */
static int
read_line(const char *path, struct buf *out, struct err *e)
{
	size_t len;

	if (file_read(path, SECRET_MAX, out, e) < 0)
		return -1;
	len = out->len;
	while (len > 0 && strchr(" \t\r\n", out->data[len - 1]))
		len--;
	if (len == 0 || memchr(out->data, '\n', len) ||
		memchr(out->data, '\0', len))
		return err_set(e, ERR_INPUT, 0,
			"%s: one line is expected in it", path);
	out->data[len] = '\0';
	out->len = len;
	return 0;
}

static int
check_place(struct send *s, const struct send_options *o, struct err *e)
{
	struct upload_item item = { SOME_JTI, SOME_KID, 0, "", 0 };
	struct url url;

	if (o->url[0] == '@') {
		if (read_line(o->url + 1, &s->place, e) < 0)
			return -1;
		s->how.place = buf_text(&s->place);
	} else {
		s->how.place = o->url;
	}
	return upload_url(s->how.place, &item, &url, e);
}

static int
add_header(struct send *s, const char *line, struct err *e)
{
	if (http_check_header(line, e) < 0)
		return -1;
	buf_str(&s->how.headers, line);
	buf_str(&s->how.headers, "\r\n");
	return 0;
}

/* A file of header lines. */
static int
add_header_file(struct send *s, const char *path, struct err *e)
{
	struct buf text;
	char *line, *end;
	int rc;

	buf_init(&text);
	rc = file_read(path, SECRET_MAX, &text, e);
	for (line = text.data; rc == 0 && line && *line; line = end) {
		size_t n = strcspn(line, "\r\n");

		end = line + n + strspn(line + n, "\r\n");
		line[n] = '\0';
		if (n > 0 && (rc = add_header(s, line, e)) < 0)
			err_wrap(e, "%s", path);
	}
	file_secret_wipe(&text);
	return rc;
}

static int
add_token(struct send *s, const char *path, struct err *e)
{
	struct buf token, line;
	int rc;

	buf_init(&token);
	buf_init(&line);
	rc = read_line(path, &token, e);
	if (rc == 0) {
		buf_printf(&line, "Authorization: Bearer %s", token.data);
		rc = add_header(s, buf_text(&line), e);
	}
	file_secret_wipe(&line);
	file_secret_wipe(&token);
	return rc;
}

static int
check_headers(struct send *s, const struct send_options *o, struct err *e)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < o->headers.n && rc == 0; i++)
		rc = o->headers.v[i][0] == '@'
			     ? add_header_file(s, o->headers.v[i] + 1, e)
			     : add_header(s, o->headers.v[i], e);
	if (rc == 0 && o->token_file)
		rc = add_token(s, o->token_file, e);
	if (rc == 0 && buf_failed(&s->how.headers))
		rc = err_set(e, ERR_USAGE, 0, "out of memory");
	return rc;
}

static int
check_hints(struct send *s, const struct send_options *o, struct err *e)
{
	size_t i;

	if (o->resolve.n > DIAL_HINTS_MAX)
		return err_set(e, ERR_USAGE, 0, "--resolve: more than %d times",
			DIAL_HINTS_MAX);
	for (i = 0; i < o->resolve.n; i++)
		if (dial_hint_parse(&s->how.hints[i], o->resolve.v[i], e) < 0)
			return -1;
	s->how.hint_count = (unsigned)o->resolve.n;
	return 0;
}

static int
check_time(struct send *s, const struct send_options *o, struct err *e)
{
	s->how.released_s = TOOL_RELEASED_S;
	if (!o->time || clock_parse_utc(o->time, &s->how.time_s) == 0)
		return 0;
	return err_set(e, ERR_USAGE, 0,
		"--time: \"%.40s\" is no time such as 2026-12-31T23:59:59Z",
		o->time);
}

static int
read_trust(struct send *s, const struct send_options *o, struct err *e)
{
	int64_t now = s->how.time_s ? s->how.time_s : clock_wall_s();

	if (o->cacert)
		return trust_file(&s->how.trust, o->cacert, now, e);
	return trust_builtin(&s->how.trust, e);
}

/* Options that mean nothing without a URL were a mistake. */
static int
without_url(const struct send_options *o, struct err *e)
{
	struct send_options plain;

	send_options_default(&plain);
	plain.spool = o->spool;
	if (o->headers.n || o->resolve.n || o->token_file || o->cacert ||
		o->exists_status || o->time ||
		o->timeout_ns != plain.timeout_ns ||
		o->retry_for_ns != plain.retry_for_ns ||
		strcmp(o->method, plain.method) != 0 ||
		strcmp(o->body, plain.body) != 0 || o->spool)
		return err_set(e, ERR_USAGE, 0,
			"options of an upload without --upload URL");
	return 0;
}

int
send_open(struct send *s, const struct send_options *o, struct err *e)
{
	memset(s, 0, sizeof(*s));
	buf_init(&s->place);
	buf_init(&s->how.headers);
	trust_init(&s->how.trust);
	if (!o->url)
		return without_url(o, e);
	s->on = true;
	s->spool = o->spool;
	s->how.post = strcmp(o->method, "POST") == 0;
	s->how.json = strcmp(o->body, "json") == 0;
	s->how.exists_status = (unsigned)o->exists_status;
	s->how.timeout_ns = o->timeout_ns;
	s->how.retry_for_ns = o->retry_for_ns;
	s->how.say = say;
	s->how.stopped = stopped;
	if (check_place(s, o, e) == 0 && check_headers(s, o, e) == 0 &&
		check_hints(s, o, e) == 0 && check_time(s, o, e) == 0 &&
		read_trust(s, o, e) == 0 &&
		(!s->spool || spool_open(s->spool, e) == 0))
		return 0;
	send_close(s);
	return -1;
}

void
send_close(struct send *s)
{
	file_secret_wipe(&s->place);
	file_secret_wipe(&s->how.headers);
	trust_free(&s->how.trust);
	s->on = false;
}

/* ---- sending ----------------------------------------------------------------- */

/* {"jws":"...", in the place of the receipt's first brace. */
static void
make_row(const struct send_receipt *r, struct buf *row)
{
	buf_str(row, "{\"jws\":\"");
	buf_add(row, r->jws, r->jws_len);
	buf_str(row, "\",");
	buf_add(row, r->json->data + 1, r->json->len - 1);
}

static int
deliver(struct send *s, const struct send_receipt *r, struct err *e)
{
	struct upload_item item = { r->jti, r->kid, r->iat, r->jws,
		r->jws_len };
	struct buf body;
	int rc;

	buf_init(&body);
	if (s->how.json) {
		make_row(r, &body);
		item.body = buf_text(&body);
		item.len = body.len;
	}
	rc = buf_failed(&body) ? err_set(e, ERR_UPLOAD, 0, "out of memory")
			       : upload_send(&s->how, &item, e);
	buf_free(&body);
	return rc;
}

int
send_receipt(struct send *s, const struct send_receipt *r, struct err *e)
{
	struct err kept = { 0 };

	if (deliver(s, r, e) == 0)
		return 0;
	if (!s->spool)
		return -1;
	if (spool_put(s->spool, r->jti, r->jws, r->jws_len, &kept) < 0) {
		screen_say("%s", kept.text);
		return -1;
	}
	screen_say("kept in %s; `ioreceipt upload --spool '%s' --upload ...` "
		   "sends it",
		s->spool, s->spool);
	return -1;
}

struct sending {
	struct send *s;
	unsigned sent;
	struct err first;
};

static int
send_one(void *arg, const struct send_receipt *r, struct err *e)
{
	struct sending *x = arg;

	if (deliver(x->s, r, e) < 0)
		return -1;
	x->sent++;
	return 0;
}

int
send_spooled(struct send *s, unsigned *sent, struct err *e)
{
	struct sending x = { .s = s };
	int rc = spool_each(s->spool, send_one, &x, e);

	*sent = x.sent;
	return rc;
}
