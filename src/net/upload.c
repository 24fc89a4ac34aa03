#include "net/upload.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/rng.h"
#include "base/units.h"

#define PAUSE_MAX_S 60
#define PLACE_MAX   (2 * URL_TARGET_SIZE)

/* ---- the URL ---------------------------------------------------------------------- */

/* 36 characters, as a UUID has them. */
static bool
is_uuid(const char *s)
{
	size_t i;

	for (i = 0; i < 36; i++) {
		bool dash = i == 8 || i == 13 || i == 18 || i == 23;

		if (dash ? s[i] != '-'
			 : !((s[i] >= '0' && s[i] <= '9') ||
				   (s[i] >= 'a' && s[i] <= 'f')))
			return false;
	}
	return s[36] == '\0';
}

/* The word behind '{', or NULL where it is none of ours. */
static const char *
value_of(const char *at, const struct upload_item *item, char when[21])
{
	char utc[21];

	clock_utc(item->iat, utc);
	if (!strncmp(at, "{id}", 4))
		return item->jti;
	if (!strncmp(at, "{kid}", 5))
		return item->kid;
	if (!strncmp(at, "{date}", 6)) {
		memcpy(when, utc, 10);
		when[10] = '\0';
		return when;
	}
	if (!strncmp(at, "{time}", 6)) {
		clock_utc_compact(item->iat, when);
		return when;
	}
	return NULL;
}

int
upload_url(const char *place, const struct upload_item *item, struct url *u,
	struct err *e)
{
	char when[21];
	struct buf b;
	int rc = -1;

	if (!is_uuid(item->jti))
		return err_set(e, ERR_INPUT, 0,
			"the receipt's id (jti) is no UUID in lower case");
	if (strlen(place) > PLACE_MAX)
		return err_set(e, ERR_USAGE, 0, "the URL is too long");
	buf_init(&b);
	while (*place) {
		const char *value =
			*place == '{' ? value_of(place, item, when) : NULL;

		if (value) {
			buf_str(&b, value);
			place = strchr(place, '}') + 1;
		} else {
			buf_char(&b, *place++);
		}
	}
	if (buf_failed(&b))
		err_set(e, ERR_UPLOAD, 0, "out of memory");
	else
		rc = url_parse(u, buf_text(&b), e);
	buf_free(&b);
	return rc;
}

/* ---- answers ------------------------------------------------------------------------ */

/*
 * Statuses that have a meaning of their own, and what to do; the last row is for
 * all others of their hundred.  again: it may pass.
 */
static const struct {
	int status;
	bool again;
	const char *advice;
} answers[] = {
	{ 400, false,
		"the request is not what it expects there: is the URL "
		"right, --upload-method, --upload-body?" },
	{ 401, false,
		"it wants a token or other credentials (--token-file, "
		"--upload-header @FILE)" },
	{ 403, false,
		"these credentials are not accepted, or the time of the "
		"signed URL is over" },
	{ 404, false, "there is no such place; is the URL right?" },
	{ 405, false, "it does not take that method there (--upload-method)" },
	{ 408, true, "it waited too long for us" },
	{ 409, false,
		"it has such a receipt already, or the place above is "
		"missing (--exists-status 409 where it means the first)" },
	{ 411, false, "it wants another way to send a length" },
	{ 412, false,
		"it has such a receipt already, or a condition does not "
		"hold (--exists-status 412 where it means the first)" },
	{ 413, false,
		"the receipt is larger than it takes; its limit has to be "
		"raised" },
	{ 415, false, "it does not take that type (--upload-body)" },
	{ 425, true, "too early for it" },
	{ 429, true, "too many requests for it" },
	{ 500, true, "it has trouble of its own" },
	{ 502, true, "what is behind it has trouble" },
	{ 503, true, "it is busy" },
	{ 504, true, "what is behind it does not answer" },
	{ 507, false, "it has no space left" },
};

static enum upload_verdict
failed(const char *host, const struct http_reply *r, bool again,
	const char *advice, struct err *e)
{
	const char *quote = r->words[0] ? ": \"" : "";

	wire_never(e, "%s answered %d%s%s%s%s%s%s%s", host, r->status,
		r->reason[0] ? " " : "", r->reason, quote, r->words,
		quote[0] ? "\"" : "", advice[0] ? "; " : "", advice);
	if (e)
		e->sys = again ? EAGAIN : 0;
	return again ? UPLOAD_AGAIN : UPLOAD_NEVER;
}

enum upload_verdict
upload_judge(const struct upload *u, const char *host,
	const struct http_reply *r, struct err *e)
{
	size_t i;

	if (r->status == 200 || r->status == 201 || r->status == 202 ||
		r->status == 204)
		return UPLOAD_DONE;
	if (u->exists_status && r->status == (int)u->exists_status)
		return UPLOAD_DONE;
	if (r->status >= 300 && r->status < 400) {
		wire_never(e,
			"%s answered %d: it redirects to %s%s; give that "
			"URL (redirects are not followed)",
			host, r->status,
			r->location[0] ? r->location : "nowhere",
			r->location[0] ? "..." : "");
		return UPLOAD_NEVER;
	}
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++)
		if (answers[i].status == r->status)
			return failed(host, r, answers[i].again,
				answers[i].advice, e);
	return failed(host, r, false, "", e);
}

/* ---- tries ---------------------------------------------------------------------------- */

struct tries {
	const struct upload *u;
	struct http_request request;
	struct url url;
	struct buf headers;
	uint64_t began_ns;
	unsigned count;
	struct rng rng;
};

static int64_t
time_now(const struct tries *t)
{
	if (t->u->time_s)
		return t->u->time_s + (int64_t)((clock_now_ns() - t->began_ns) /
						CLOCK_NS_PER_S);
	return clock_wall_s();
}

/* A clock that is years behind makes every certificate "not valid yet". */
static int
check_clock(const struct tries *t, struct err *e)
{
	char now[21];

	if (time_now(t) >= t->u->released_s)
		return 0;
	clock_utc(time_now(t), now);
	return wire_never(e,
		"this machine's clock says %s, which is before this program "
		"was made: no certificate could be judged. Set the clock (date "
		"-s, chronyd -q), or give the time with --time",
		now);
}

/* One try: 0 = done. */
static int
try_once(struct tries *t, uint64_t *pause_s, struct err *e)
{
	uint64_t now = clock_now_ns();
	struct wire w = { now + t->u->timeout_ns, t->u->stopped };
	struct http_reply r;

	*pause_s = 0;
	t->request.now_s = time_now(t);
	if (http_send(&t->request, &w, &r, e) < 0)
		return -1;
	if (upload_judge(t->u, t->url.host, &r, e) == UPLOAD_DONE)
		return 0;
	*pause_s = r.retry_told ? r.retry_s : 0;
	return -1;
}

/* Sleep in small pieces, so that a signal ends it. */
static bool
pause_for(const struct tries *t, uint64_t ns)
{
	uint64_t end = clock_now_ns() + ns, now;

	while ((now = clock_now_ns()) < end) {
		if (t->u->stopped && t->u->stopped())
			return false;
		clock_sleep_ns(end - now < 200 * CLOCK_NS_PER_MS
				       ? end - now
				       : 200 * CLOCK_NS_PER_MS);
	}
	return true;
}

/* After a failure: wait for the next try; false = there is none. */
static bool
try_later(struct tries *t, uint64_t least_s, const struct err *e)
{
	uint64_t spent = clock_now_ns() - t->began_ns, most, ns;
	char text[sizeof(e->text) + 80], wait[UNITS_SIZE];

	if (e->sys != EAGAIN)
		return false;
	most = t->count < 7 ? UINT64_C(1) << (t->count - 1) : PAUSE_MAX_S;
	if (most > PAUSE_MAX_S)
		most = PAUSE_MAX_S;
	ns = rng_next(&t->rng) % (most * CLOCK_NS_PER_S);
	if (ns < least_s * CLOCK_NS_PER_S)
		ns = least_s * CLOCK_NS_PER_S;
	if (spent + ns >= t->u->retry_for_ns)
		return false;
	if (t->u->say) {
		snprintf(text, sizeof(text), "%s; again in %s", e->text,
			units_ns(ns / CLOCK_NS_PER_MS * CLOCK_NS_PER_MS, wait,
				sizeof(wait)));
		t->u->say(t->u->say_arg, text);
	}
	return pause_for(t, ns);
}

static void
prepare(struct tries *t, const struct upload *u, const struct upload_item *item)
{
	buf_add(&t->headers, buf_text(&u->headers), u->headers.len);
	if (u->post)
		buf_printf(
			&t->headers, "Idempotency-Key: \"%s\"\r\n", item->jti);
	t->request = (struct http_request){
		.method = u->post ? "POST" : "PUT",
		.url = &t->url,
		.content_type =
			u->json ? "application/json" : "application/jwt",
		.headers = buf_text(&t->headers),
		.body = item->body,
		.len = item->len,
		.trust = &u->trust,
		.hints = u->hints,
		.hint_count = u->hint_count,
	};
}

int
upload_send(
	const struct upload *u, const struct upload_item *item, struct err *e)
{
	struct tries t = { .u = u, .began_ns = clock_now_ns() };
	struct err one = { 0 };
	uint64_t least_s = 0;
	int rc = -1;

	buf_init(&t.headers);
	if (upload_url(u->place, item, &t.url, &one) == 0 &&
		rng_init(&t.rng, &one) == 0 && check_clock(&t, &one) == 0) {
		prepare(&t, u, item);
		do {
			t.count++;
			memset(&one, 0, sizeof(one));
			rc = buf_failed(&t.headers)
				     ? wire_never(&one, "out of memory")
				     : try_once(&t, &least_s, &one);
		} while (rc < 0 && try_later(&t, least_s, &one));
	}
	if (t.headers.data)
		explicit_bzero(t.headers.data, t.headers.size);
	buf_free(&t.headers);
	if (rc < 0 && u->stopped && u->stopped())
		one.sys = EINTR;
	if (rc < 0 && e)
		*e = one;
	return rc;
}
