#include "app/sign.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file_secret.h"
#include "crypto/jws.h"

int
sign_read_key(const char *path, struct key *k, struct err *e)
{
	struct buf pem;
	int rc;

	buf_init(&pem);
	rc = file_secret_read(path, KEY_FILE_MAX, &pem, e);
	if (rc == 0 && key_parse(k, buf_text(&pem), pem.len, false, e) < 0)
		rc = err_wrap(e, "%s", path);
	file_secret_wipe(&pem);
	return rc;
}

int
sign_make_key(const char *path, struct key *k, struct err *e)
{
	struct buf pem;
	int rc;

	if (key_make(k, e) < 0)
		return -1;
	buf_init(&pem);
	key_write_private(k, &pem);
	rc = file_secret_make(path, pem.data, pem.len, e);
	file_secret_wipe(&pem);
	if (rc < 0)
		key_wipe(k);
	return rc;
}

int
sign_open(struct sign *s, const char *path, bool off, struct err *e)
{
	memset(s, 0, sizeof(*s));
	buf_init(&s->jws);
	s->off = off;
	if (off && path)
		return err_set(e, ERR_USAGE, 0,
			"--key and --no-sign exclude each other");
	if (off || !path)
		return 0;
	if (sign_read_key(path, &s->key, e) < 0) {
		if (!e || e->code != ERR_OPEN || e->sys != ENOENT)
			return -1;
		if (sign_make_key(path, &s->key, e) < 0)
			return -1;
	}
	s->ready = true;
	return 0;
}

int
sign_receipt(struct sign *s, const struct buf *json, struct err *e)
{
	if (!s->ready && key_make(&s->key, e) < 0)
		return -1;
	s->ready = true;
	if (jws_sign(&s->key, json->data, json->len, &s->jws, e) < 0) {
		buf_free(&s->jws);
		return -1;
	}
	buf_char(&s->jws, '\n');
	if (buf_failed(&s->jws)) {
		buf_free(&s->jws);
		return err_set(e, ERR_OUTPUT, 0, "out of memory");
	}
	key_kid(&s->key, s->kid);
	return 0;
}

void
sign_close(struct sign *s)
{
	key_wipe(&s->key);
	s->ready = false;
	buf_free(&s->jws);
}

int
sign_path(const char *receipt, char *out, size_t size)
{
	size_t len = strlen(receipt);
	int n;

	if (len > 5 && !strcmp(receipt + len - 5, ".json"))
		len -= 5;
	n = snprintf(out, size, "%.*s.jws", (int)len, receipt);
	return n < 0 || (size_t)n >= size ? -1 : 0;
}
