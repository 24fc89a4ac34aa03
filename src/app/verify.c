#include "app/verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/receipts.h"
#include "app/sign.h"

#define ROW_START "{\"jws\":\""

void
verify_init(struct verify *v)
{
	memset(v, 0, sizeof(*v));
	jws_init(&v->jws);
	buf_init(&v->text);
	buf_init(&v->other);
	arena_init(&v->arena);
}

void
verify_free(struct verify *v)
{
	jws_free(&v->jws);
	buf_free(&v->text);
	buf_free(&v->other);
	arena_free(&v->arena);
}

/* Check it, and remember where it lies. */
static int
judge_jws(struct verify *v, const char *text, size_t len, struct err *e)
{
	v->jws_text = text;
	v->jws_len = len > 0 && text[len - 1] == '\n' ? len - 1 : len;
	return jws_verify(&v->jws, text, len, e);
}

/* {"jws":"<JWS>",<the receipt without its first brace> */
static int
judge_row(struct verify *v, struct err *e)
{
	const char *at = v->text.data + strlen(ROW_START);
	const char *end = v->text.data + v->text.len;
	const char *quote = memchr(at, '"', (size_t)(end - at));
	const struct buf *payload = &v->jws.payload;
	size_t rest;

	if (!quote)
		return err_set(e, ERR_INPUT, 0,
			"not a signed receipt: its member jws is cut");
	if (judge_jws(v, at, (size_t)(quote - at), e) < 0)
		return -1;
	at = quote + 1;
	rest = (size_t)(end - at);
	/* one comma takes the place of the brace */
	if (payload->len < 2 || rest != payload->len || at[0] != ',' ||
		memcmp(at + 1, payload->data + 1, rest - 1) != 0)
		return err_set(e, ERR_DIFFERS, 0,
			"its plain members are not what key %s signed",
			v->jws.kid);
	return 0;
}

/* NAME.json, if there is one, must be what was signed. */
static int
judge_beside(struct verify *v, const char *path, struct err *e)
{
	char twin[4096];
	struct stat st;

	if (!receipts_is(path, ".jws") ||
		(size_t)snprintf(twin, sizeof(twin), "%.*s.json",
			(int)strlen(path) - 4, path) >= sizeof(twin) ||
		stat(twin, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	buf_reset(&v->other);
	if (receipts_read(twin, RECEIPT_MAX_BYTES, &v->other, e) < 0)
		return -1;
	if (v->other.len != v->jws.payload.len ||
		memcmp(buf_text(&v->other), buf_text(&v->jws.payload),
			v->other.len) != 0)
		return err_set(e, ERR_DIFFERS, 0,
			"%s beside it holds something else than what key %s "
			"signed",
			twin, v->jws.kid);
	return 0;
}

/* A receipt alone: what signs it lies beside it. */
static int
judge_plain(struct verify *v, const char *path, struct err *e)
{
	char twin[4096];

	if (sign_path(path, twin, sizeof(twin)) < 0)
		return err_set(e, ERR_OPEN, ENAMETOOLONG, "%s", path);
	buf_reset(&v->other);
	if (receipts_read(twin, JWS_MAX_BYTES, &v->other, e) < 0) {
		if (e && e->code == ERR_OPEN && e->sys == ENOENT)
			return err_set(e, ERR_DIFFERS, 0,
				"it is not signed, and there is no %s", twin);
		return -1;
	}
	if (judge_jws(v, buf_text(&v->other), v->other.len, e) < 0)
		return err_wrap(e, "%s", twin);
	if (v->text.len != v->jws.payload.len ||
		memcmp(v->text.data, v->jws.payload.data, v->text.len) != 0)
		return err_set(e, ERR_DIFFERS, 0,
			"it is not what key %s signed in %s", v->jws.kid, twin);
	return 0;
}

static int
judge(struct verify *v, const char *path, struct err *e)
{
	const char *text = buf_text(&v->text);

	if (!strncmp(text, ROW_START, strlen(ROW_START)))
		return judge_row(v, e);
	if (text[0] == '{')
		return judge_plain(v, path, e);
	if (judge_jws(v, text, v->text.len, e) < 0)
		return -1;
	return judge_beside(v, path, e);
}

int
verify_file(struct verify *v, const char *path, struct err *e)
{
	buf_reset(&v->text);
	arena_free(&v->arena);
	arena_init(&v->arena);
	if (receipts_read(path, VERIFY_MAX_BYTES, &v->text, e) < 0 ||
		judge(v, path, e) < 0)
		return -1;
	if (receipt_read_head(&v->receipt, buf_text(&v->jws.payload),
		    v->jws.payload.len, &v->arena, e) < 0)
		return err_wrap(
			e, "signed by key %s, but no receipt", v->jws.kid);
	return 0;
}
