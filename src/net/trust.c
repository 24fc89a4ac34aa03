#include "net/trust.h"

#include <stdlib.h>
#include <string.h>

#include <bearssl_x509.h>

#include "base/file.h"
#include "net/trust_read.h"

#define FILE_MAX_BYTES ((size_t)1 << 20)

void
trust_init(struct trust *t)
{
	memset(t, 0, sizeof(*t));
	buf_init(&t->table);
}

void
trust_free(struct trust *t)
{
	free(t->anchors);
	buf_free(&t->table);
	trust_init(t);
}

/* ---- a table to anchors ----------------------------------------------------- */

/* BearSSL takes pointers to what it only reads. */
static unsigned char *
loose(const unsigned char *p)
{
	union {
		const unsigned char *from;
		unsigned char *to;
	} u = { .from = p };

	return u.to;
}

static const unsigned char *
load_key(br_x509_pkey *k, const unsigned char *p)
{
	if (*p++ == 1) {
		k->key_type = BR_KEYTYPE_RSA;
		k->key.rsa.nlen = (size_t)p[0] << 8 | p[1];
		k->key.rsa.n = loose(p + 2);
		p += 2 + k->key.rsa.nlen;
		k->key.rsa.elen = *p++;
		k->key.rsa.e = loose(p);
		return p + k->key.rsa.elen;
	}
	k->key_type = BR_KEYTYPE_EC;
	k->key.ec.curve = *p++;
	k->key.ec.qlen = *p++;
	k->key.ec.q = loose(p);
	return p + k->key.ec.qlen;
}

/* The table is our own work, so that its lengths hold. */
static const unsigned char *
load_anchor(br_x509_trust_anchor *a, const unsigned char *p)
{
	a->dn.len = (size_t)p[0] << 8 | p[1];
	a->dn.data = loose(p + 2);
	p += 2 + a->dn.len;
	a->flags = *p++ ? BR_X509_TA_CA : 0;
	return load_key(&a->pkey, p);
}

static int
load(struct trust *t, const unsigned char *table, size_t len, struct err *e)
{
	const unsigned char *p = table, *end = table + len;
	br_x509_trust_anchor one, *all;
	size_t i;

	for (t->count = 0; p < end; t->count++)
		p = load_anchor(&one, p);
	all = calloc(t->count ? t->count : 1, sizeof(*all));
	if (!all)
		return err_set(e, ERR_UPLOAD, 0, "out of memory");
	for (p = table, i = 0; i < t->count; i++)
		p = load_anchor(&all[i], p);
	t->anchors = all;
	return 0;
}

int
trust_builtin(struct trust *t, struct err *e)
{
	return load(t, trust_roots.table, trust_roots.len, e);
}

/* ---- a file ------------------------------------------------------------------ */

static int
nothing_in_it(const struct trust_read *r, struct err *e)
{
	if (r->expired)
		return err_set(e, ERR_INPUT, 0,
			"the time of all certificates in it is over (by this "
			"machine's clock)");
	return err_set(e, ERR_INPUT, 0,
		r->others ? "it holds no certificate, but something else"
			  : "it holds no certificate in PEM form");
}

int
trust_file(struct trust *t, const char *path, int64_t now_s, struct err *e)
{
	struct trust_read r = { .now_s = now_s };
	struct buf text;
	int rc = -1;

	buf_init(&text);
	if (file_read(path, FILE_MAX_BYTES, &text, e) == 0) {
		rc = trust_read_pem(
			&t->table, buf_text(&text), text.len, &r, e);
		if (rc == 0 && r.taken == 0)
			rc = nothing_in_it(&r, e);
		if (rc == 0 && buf_failed(&t->table))
			rc = err_set(e, ERR_INPUT, 0, "out of memory");
		if (rc < 0)
			err_wrap(e, "%s", path);
	}
	buf_free(&text);
	return rc < 0 ? -1
		      : load(t, (const unsigned char *)buf_text(&t->table),
				t->table.len, e);
}
