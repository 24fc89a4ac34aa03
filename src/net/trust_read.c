#include "net/trust_read.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include <bearssl_ec.h>
#include <bearssl_pem.h>
#include <bearssl_x509.h>

#define RSA_MAX_BYTES 512 /* BearSSL's own limit */
#define NAME_MAX_LEN  2048

static void
put16(struct buf *b, size_t n)
{
	buf_char(b, (char)(n >> 8));
	buf_char(b, (char)n);
}

/* ---- the date, which BearSSL's decoder does not give ----------------------- */

/* One DER element at *at: its tag, content in *body; moves behind it. */
static int
element(const unsigned char **at, const unsigned char *end,
	const unsigned char **body, size_t *body_len)
{
	const unsigned char *p = *at;
	size_t len, n;
	int tag;

	if (end - p < 2)
		return -1;
	tag = *p++;
	len = *p++;
	if (len >= 128) {
		n = len & 127;
		if (n == 0 || n > 3 || (size_t)(end - p) < n)
			return -1;
		for (len = 0; n > 0; n--)
			len = len << 8 | *p++;
	}
	if ((size_t)(end - p) < len)
		return -1;
	*body = p;
	*body_len = len;
	*at = p + len;
	return tag;
}

/* UTCTime (tag 23) or GeneralizedTime (24), RFC 5280 4.1.2.5; -1 = neither. */
static int64_t
read_time(int tag, const unsigned char *s, size_t len)
{
	size_t digits = tag == 23 ? 12 : 14, skip = tag == 23 ? 0 : 2, i;
	struct tm t = { 0 };
	int v[6] = { 0 };

	if ((tag != 23 && tag != 24) || len != digits + 1 || s[digits] != 'Z')
		return -1;
	for (i = 0; i < digits; i++)
		if (s[i] < '0' || s[i] > '9')
			return -1;
	for (i = 0; i + 1 < digits - skip; i += 2)
		v[i / 2] = (s[skip + i] - '0') * 10 + s[skip + i + 1] - '0';
	if (tag == 24)
		v[0] += ((s[0] - '0') * 10 + s[1] - '0') * 100;
	else
		v[0] += v[0] >= 50 ? 1900 : 2000;
	t.tm_year = v[0] - 1900;
	t.tm_mon = v[1] - 1;
	t.tm_mday = v[2];
	t.tm_hour = v[3];
	t.tm_min = v[4];
	t.tm_sec = v[5];
	return (int64_t)timegm(&t);
}

/* Certificate { tbs { [0] version, serial, algorithm, issuer, validity ... */
static int64_t
ends_at(const unsigned char *der, size_t len)
{
	const unsigned char *at = der, *end = der + len, *body = der;
	size_t n = 0;
	int i, tag;

	for (i = 0; i < 2; i++) {
		if (element(&at, end, &body, &n) != 0x30)
			return -1;
		at = body;
		end = body + n;
	}
	if (at < end && *at == 0xa0)
		element(&at, end, &body, &n);
	for (i = 0; i < 3; i++)
		if (element(&at, end, &body, &n) < 0)
			return -1;
	if (element(&at, end, &body, &n) != 0x30)
		return -1;
	at = body;
	end = body + n;
	if (element(&at, end, &body, &n) < 0)
		return -1;
	tag = element(&at, end, &body, &n);
	return tag < 0 ? -1 : read_time(tag, body, n);
}

/* ---- name and key ----------------------------------------------------------- */

static void
collect(void *to, const void *data, size_t len)
{
	buf_add(to, data, len);
}

static int
put_key(struct buf *b, const br_x509_pkey *k, struct err *e)
{
	if (k->key_type == BR_KEYTYPE_RSA) {
		if (k->key.rsa.nlen > RSA_MAX_BYTES || k->key.rsa.elen > 255)
			return err_set(e, ERR_INPUT, 0,
				"its RSA key is longer than 4096 bits");
		buf_char(b, 1);
		put16(b, k->key.rsa.nlen);
		buf_add(b, k->key.rsa.n, k->key.rsa.nlen);
		buf_char(b, (char)k->key.rsa.elen);
		buf_add(b, k->key.rsa.e, k->key.rsa.elen);
		return 0;
	}
	if (k->key.ec.qlen > 255 || k->key.ec.curve > 127)
		return err_set(e, ERR_INPUT, 0, "its curve is not known");
	buf_char(b, 2);
	buf_char(b, (char)k->key.ec.curve);
	buf_char(b, (char)k->key.ec.qlen);
	buf_add(b, k->key.ec.q, k->key.ec.qlen);
	return 0;
}

int
trust_read_certificate(struct buf *table, const unsigned char *der, size_t len,
	int64_t now_s, struct err *e)
{
	br_x509_decoder_context dec;
	const br_x509_pkey *key;
	size_t start = table->len;
	int64_t end_s = ends_at(der, len);
	struct buf name;
	int rc = 0;

	if (end_s < 0)
		return err_set(e, ERR_INPUT, 0, "a certificate is malformed");
	if (end_s < now_s)
		return 1;
	buf_init(&name);
	br_x509_decoder_init(&dec, collect, &name);
	br_x509_decoder_push(&dec, der, len);
	key = br_x509_decoder_get_pkey(&dec);
	if (!key || name.len > NAME_MAX_LEN) {
		rc = err_set(e, ERR_INPUT, 0,
			"a certificate is malformed, or its key is of a kind "
			"that is not used here");
	} else {
		put16(table, name.len);
		buf_add(table, name.data, name.len);
		buf_char(table, br_x509_decoder_isCA(&dec) ? 1 : 0);
		rc = put_key(table, key, e);
	}
	buf_free(&name);
	if (rc < 0)
		table->len = start;
	return rc;
}

/* ---- texts ------------------------------------------------------------------- */

static bool
is_certificate(const char *name)
{
	return !strcmp(name, "CERTIFICATE") ||
	       !strcmp(name, "X509 CERTIFICATE") ||
	       !strcmp(name, "TRUSTED CERTIFICATE");
}

static int
finish_object(struct buf *table, const struct buf *der, bool certificate,
	struct trust_read *r, struct err *e)
{
	int rc;

	if (!certificate) {
		r->others++;
		return 0;
	}
	rc = trust_read_certificate(table, (const unsigned char *)buf_text(der),
		der->len, r->now_s, e);
	r->taken += rc == 0;
	r->expired += rc == 1;
	return rc < 0 ? -1 : 0;
}

int
trust_read_pem(struct buf *table, const char *text, size_t len,
	struct trust_read *r, struct err *e)
{
	bool open = false, certificate = false;
	br_pem_decoder_context dec;
	struct buf der;
	int rc = 0;

	buf_init(&der);
	br_pem_decoder_init(&dec);
	while (len > 0 && rc == 0) {
		size_t used = br_pem_decoder_push(&dec, text, len);
		int event = br_pem_decoder_event(&dec);

		text += used;
		len -= used;
		if (event == BR_PEM_BEGIN_OBJ) {
			buf_reset(&der);
			open = true;
			certificate = is_certificate(br_pem_decoder_name(&dec));
			br_pem_decoder_setdest(&dec, collect, &der);
		} else if (event == BR_PEM_END_OBJ) {
			open = false;
			rc = finish_object(table, &der, certificate, r, e);
		} else if (event == BR_PEM_ERROR) {
			rc = err_set(e, ERR_INPUT, 0, "its PEM is broken");
		}
	}
	buf_free(&der);
	return rc == 0 && open
		       ? err_set(e, ERR_INPUT, 0, "it ends in mid-certificate")
		       : rc;
}
