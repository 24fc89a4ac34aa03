#include "crypto/jws.h"

#include <stdint.h>
#include <string.h>

#include <bearssl_ec.h>
#include <bearssl_hash.h>

#include "crypto/base64.h"

#define COORDINATE  32
#define HEADER_MAX  512
#define SIGNATURE_C BASE64_CHARS(JWS_SIGNATURE_BYTES)

/* The header is these words with the values of x, y and kid between them. */
static const struct {
	const char *words;
	const char *differs; /* where the words are others */
} header[] = {
	{ "{\"alg\":\"ES256\"", "its algorithm (alg) is not ES256" },
	{ ",\"jwk\":{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"",
		"its header has no P-256 key (jwk)" },
	{ "\",\"y\":\"", "its header has no whole P-256 key (jwk)" },
	{ "\"},\"kid\":\"", "its header has no kid behind the key" },
	{ "\",\"typ\":\"ioreceipt+jwt\"}",
		"its type (typ) is not ioreceipt+jwt" },
};

#define PARTS (sizeof(header) / sizeof(header[0]))

static void
hash(const void *text, size_t len, unsigned char out[br_sha256_SIZE])
{
	br_sha256_context ctx;

	br_sha256_init(&ctx);
	br_sha256_update(&ctx, text, len);
	br_sha256_out(&ctx, out);
}

bool
jws_signature_holds(const struct key *k, const void *text, size_t len,
	const void *signature, size_t signature_len)
{
	unsigned char digest[br_sha256_SIZE], q[KEY_PUBLIC_BYTES];
	br_ec_public_key pk = { BR_EC_secp256r1, q, sizeof(q) };

	/* BearSSL takes shorter ones, too: then one could be written twice */
	if (signature_len != JWS_SIGNATURE_BYTES)
		return false;
	memcpy(q, k->q, sizeof(q));
	hash(text, len, digest);
	return br_ecdsa_i31_vrfy_raw(&br_ec_p256_m31, digest, sizeof(digest),
		       &pk, signature, signature_len) == 1;
}

/* ---- signing -------------------------------------------------------------- */

static void
write_header(const struct key *k, struct buf *out)
{
	char kid[KEY_KID_SIZE];
	struct buf text;

	buf_init(&text);
	key_kid(k, kid);
	buf_str(&text, header[0].words);
	buf_str(&text, ",\"jwk\":");
	key_write_jwk(k, &text);
	buf_printf(&text, ",\"kid\":\"%s\",\"typ\":\"ioreceipt+jwt\"}", kid);
	base64_encode(out, buf_text(&text), text.len);
	buf_free(&text);
}

int
jws_sign(const struct key *k, const void *payload, size_t len, struct buf *out,
	struct err *e)
{
	unsigned char digest[br_sha256_SIZE], raw[JWS_SIGNATURE_BYTES];
	unsigned char d[KEY_PRIVATE_BYTES];
	br_ec_private_key sk = { BR_EC_secp256r1, d, sizeof(d) };
	size_t start = out->len, n;

	write_header(k, out);
	buf_char(out, '.');
	base64_encode(out, payload, len);
	if (buf_failed(out))
		return err_set(
			e, ERR_INCOMPLETE, 0, "out of memory while signing");
	hash(out->data + start, out->len - start, digest);
	memcpy(d, k->d, sizeof(d));
	n = br_ecdsa_i31_sign_raw(
		&br_ec_p256_m31, &br_sha256_vtable, digest, &sk, raw);
	explicit_bzero(d, sizeof(d));
	if (n != sizeof(raw) || !jws_signature_holds(k, out->data + start,
					out->len - start, raw, sizeof(raw)))
		return err_set(e, ERR_INCOMPLETE, 0,
			"the signature that was made does not hold; nothing "
			"was signed");
	buf_char(out, '.');
	base64_encode(out, raw, sizeof(raw));
	if (buf_failed(out))
		return err_set(
			e, ERR_INCOMPLETE, 0, "out of memory while signing");
	return 0;
}

/* ---- checking ------------------------------------------------------------- */

void
jws_init(struct jws *j)
{
	memset(j, 0, sizeof(*j));
	buf_init(&j->payload);
}

void
jws_free(struct jws *j)
{
	buf_free(&j->payload);
}

static int
not_ours(struct err *e, const char *why)
{
	return err_set(e, ERR_INPUT, 0, "not a signed receipt: %s", why);
}

/* The values between the words, each of 43 characters. */
static int
match_header(const char *text, size_t len, const char *values[PARTS - 1],
	struct err *e)
{
	const char *end = text + len;

	for (size_t i = 0; i < PARTS; i++) {
		size_t n = strlen(header[i].words);

		if ((size_t)(end - text) < n ||
			memcmp(text, header[i].words, n) != 0)
			return not_ours(e, header[i].differs);
		text += n;
		/* after the algorithm and after the type stands nothing */
		if (i == 0 || i == PARTS - 1)
			continue;
		values[i - 1] = text;
		if ((size_t)(end - text) < KEY_KID_SIZE - 1)
			return not_ours(e, "its header is cut");
		text += KEY_KID_SIZE - 1;
	}
	return text == end ? 0 : not_ours(e, "its header has more members");
}

static int
read_header(struct jws *j, const char *text, size_t len, struct err *e)
{
	const char *values[PARTS - 1];
	char kid[KEY_KID_SIZE];
	size_t c = KEY_KID_SIZE - 1;
	struct key *k = &j->key;

	if (match_header(text, len, values, e) < 0)
		return -1;
	memset(k, 0, sizeof(*k));
	k->q[0] = 4;
	if (base64_bytes(values[0], c, k->q + 1, COORDINATE) < 0 ||
		base64_bytes(values[1], c, k->q + 1 + COORDINATE, COORDINATE) <
			0)
		return not_ours(e, "the key in its header is malformed");
	memcpy(kid, values[2], c);
	kid[c] = '\0';
	key_kid(k, j->kid);
	if (strcmp(kid, j->kid) != 0)
		return not_ours(e, "its kid is not that of its key");
	return 0;
}

/* Where the three parts end; they are separated by exactly two dots. */
struct parts {
	const char *header, *payload, *signature;
	size_t header_len, payload_len, signature_len;
};

static int
split(struct parts *p, const char *text, size_t len, struct err *e)
{
	const char *end = text + len, *dot;

	if (len > 0 && end[-1] == '\n')
		end--;
	dot = memchr(text, '.', (size_t)(end - text));
	if (!dot)
		return not_ours(e, "it has no three parts between dots");
	p->header = text;
	p->header_len = (size_t)(dot - text);
	p->payload = dot + 1;
	dot = memchr(p->payload, '.', (size_t)(end - p->payload));
	if (!dot)
		return not_ours(e, "it has no three parts between dots");
	p->payload_len = (size_t)(dot - p->payload);
	p->signature = dot + 1;
	p->signature_len = (size_t)(end - p->signature);
	if (p->header_len > BASE64_CHARS(HEADER_MAX))
		return not_ours(e, "its header is longer than ours");
	return 0;
}

int
jws_verify(struct jws *j, const char *text, size_t len, struct err *e)
{
	unsigned char raw[JWS_SIGNATURE_BYTES];
	struct parts p = { 0 };
	int rc;

	buf_reset(&j->payload);
	if (len > JWS_MAX_BYTES)
		return not_ours(e, "it is larger than any receipt");
	if (split(&p, text, len, e) < 0)
		return -1;
	if (base64_decode(&j->payload, p.header, p.header_len) < 0)
		return not_ours(e, "its header is no base64url");
	rc = read_header(j, buf_text(&j->payload), j->payload.len, e);
	buf_reset(&j->payload);
	if (rc < 0)
		return -1;
	if (p.signature_len != SIGNATURE_C ||
		base64_bytes(p.signature, p.signature_len, raw, sizeof(raw)) <
			0)
		return not_ours(
			e, "its signature is not 64 bytes in base64url");
	if (base64_decode(&j->payload, p.payload, p.payload_len) < 0)
		return not_ours(e, "its payload is no base64url");
	if (buf_failed(&j->payload))
		return err_set(e, ERR_INPUT, 0, "out of memory");
	if (!jws_signature_holds(&j->key, text,
		    p.header_len + 1 + p.payload_len, raw, sizeof(raw)))
		return err_set(e, ERR_DIFFERS, 0,
			"the signature is not good: these bytes are not what "
			"key %s signed",
			j->kid);
	return 0;
}
