#include "net/upload.h"

#include <errno.h>

#include "tap.h"

#define JTI "0b6f6d0e-6a57-4b0e-9d0e-3f1f2a7c9e11"
#define KID "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"

static const struct upload_item item = { JTI, KID, 1796066400, "", 0 };

static void
places(void)
{
	static const struct {
		const char *place, *target; /* NULL: refused */
	} rows[] = {
		{ "https://a.example/{id}", "/" JTI },
		{ "https://a.example/{kid}/{date}/{id}.jws?t={time}",
			"/" KID "/2026-11-30/" JTI ".jws?t=20261130-192000" },
		{ "https://a.example/{id}{id}", "/" JTI JTI },
		{ "https://a.example/%7Bid%7D", "/%7Bid%7D" },
		{ "https://a.example/{name}", NULL },
		{ "https://a.example/{id", NULL },
		{ "https://a.example/id}", NULL },
		{ "http://a.example/{id}", NULL },
	};
	static const char *const ids[] = { "", "../../etc/passwd",
		"0B6F6D0E-6A57-4B0E-9D0E-3F1F2A7C9E11",
		"0b6f6d0e-6a57-4b0e-9d0e-3f1f2a7c9e1", JTI "x",
		"0b6f6d0e-6a57-4b0e-9d0e-3f1f2a7c9e1\"" };
	struct upload_item other = item;
	struct url u;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int rc = upload_url(rows[i].place, &item, &u, &e);

		OK((rc == 0) == (rows[i].target != NULL), rows[i].place);
		if (rc == 0)
			EQ_STR(u.target, rows[i].target, "filled in");
	}
	for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
		other.jti = ids[i];
		OK(upload_url(rows[0].place, &other, &u, &e) < 0,
			"an id that is none stands in no path");
	}
}

static void
answers(void)
{
	static const struct {
		int status;
		unsigned exists;
		enum upload_verdict verdict;
		const char *said;
	} rows[] = { { 200, 0, UPLOAD_DONE, NULL },
		{ 201, 0, UPLOAD_DONE, NULL }, { 202, 0, UPLOAD_DONE, NULL },
		{ 204, 0, UPLOAD_DONE, NULL }, { 409, 409, UPLOAD_DONE, NULL },
		{ 412, 412, UPLOAD_DONE, NULL },
		{ 203, 0, UPLOAD_NEVER, "answered 203" },
		{ 206, 0, UPLOAD_NEVER, "answered 206" },
		{ 301, 0, UPLOAD_NEVER, "redirects to https://b.example/x" },
		{ 400, 0, UPLOAD_NEVER, "not what it expects" },
		{ 401, 0, UPLOAD_NEVER, "--token-file" },
		{ 403, 0, UPLOAD_NEVER, "signed URL is over" },
		{ 404, 0, UPLOAD_NEVER, "no such place" },
		{ 405, 0, UPLOAD_NEVER, "--upload-method" },
		{ 409, 412, UPLOAD_NEVER, "--exists-status 409" },
		{ 413, 0, UPLOAD_NEVER, "larger than it takes" },
		{ 418, 0, UPLOAD_NEVER, "answered 418 Reason: \"words\"" },
		{ 501, 0, UPLOAD_NEVER, "answered 501" },
		{ 507, 0, UPLOAD_NEVER, "no space" },
		{ 408, 0, UPLOAD_AGAIN, "waited" },
		{ 425, 0, UPLOAD_AGAIN, "early" },
		{ 429, 0, UPLOAD_AGAIN, "too many" },
		{ 500, 0, UPLOAD_AGAIN, "trouble" },
		{ 502, 0, UPLOAD_AGAIN, "behind it" },
		{ 503, 0, UPLOAD_AGAIN, "busy" },
		{ 504, 0, UPLOAD_AGAIN, "behind it" } };
	struct http_reply r = { .words = "words",
		.reason = "Reason",
		.location = "https://b.example/x" };
	struct upload u = { 0 };
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r.status = rows[i].status;
		u.exists_status = rows[i].exists;
		EQ_I64(upload_judge(&u, "a.example", &r, &e), rows[i].verdict,
			"an answer");
		if (!rows[i].said)
			continue;
		if (!OK(strstr(e.text, rows[i].said) != NULL, rows[i].said))
			printf("# %s\n", e.text);
		EQ_I64(e.code, ERR_UPLOAD, "the upload has failed");
		EQ_I64(e.sys, rows[i].verdict == UPLOAD_AGAIN ? EAGAIN : 0,
			"and whether it is tried again");
	}
}

int
main(void)
{
	places();
	answers();
	return tap_done();
}
