#include "crypto/key.h"

#include <string.h>

#include <bearssl_ec.h>
#include <bearssl_hash.h>
#include <bearssl_pem.h>
#include <bearssl_rand.h>
#include <bearssl_x509.h>

#include "base/rng.h"
#include "crypto/base64.h"

/*
 * The private-key decoder of BearSSL 0.6 writes past its buffer on a hostile
 * key of more (fixed upstream in b715b43); a P-256 key has about 140 bytes.
 */
#define DER_MAX	    1200
#define SEED_BYTES  48
#define IMPL	    (&br_ec_p256_m31)
#define COORDINATE  32
#define SPKI_PUBLIC 26 /* bytes of a SubjectPublicKeyInfo before the point */

/* RFC 5480: SEQUENCE { SEQUENCE { ecPublicKey, prime256v1 }, BIT STRING } */
static const unsigned char spki[SPKI_PUBLIC] = { 0x30, 0x59, 0x30, 0x13, 0x06,
	0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86,
	0x48, 0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00 };

static br_ec_private_key
private_half(const struct key *k)
{
	union {
		const unsigned char *from;
		unsigned char *to;
	} d = { .from = k->d };

	return (br_ec_private_key){ BR_EC_secp256r1, d.to, KEY_PRIVATE_BYTES };
}

/* q from d; -1 where d is no private key of the curve. */
static int
complete(struct key *k)
{
	br_ec_private_key d = private_half(k);
	br_ec_public_key q;

	k->private = true;
	return br_ec_compute_pub(IMPL, &q, k->q, &d) == KEY_PUBLIC_BYTES ? 0
									 : -1;
}

int
key_make(struct key *k, struct err *e)
{
	unsigned char seed[SEED_BYTES], d[BR_EC_KBUF_PRIV_MAX_SIZE];
	br_hmac_drbg_context rng;
	br_ec_private_key sk;
	size_t len;
	int rc;

	memset(k, 0, sizeof(*k));
	if (rng_system(seed, sizeof(seed), e) < 0)
		return err_wrap(e, "making a key");
	br_hmac_drbg_init(&rng, &br_sha256_vtable, seed, sizeof(seed));
	len = br_ec_keygen(&rng.vtable, IMPL, &sk, d, BR_EC_secp256r1);
	if (len == KEY_PRIVATE_BYTES)
		memcpy(k->d, d, len);
	rc = len == KEY_PRIVATE_BYTES ? complete(k) : -1;
	explicit_bzero(seed, sizeof(seed));
	explicit_bzero(d, sizeof(d));
	explicit_bzero(&rng, sizeof(rng));
	if (rc < 0)
		return err_set(e, ERR_INCOMPLETE, 0, "making a key failed");
	return 0;
}

void
key_wipe(struct key *k)
{
	explicit_bzero(k, sizeof(*k));
}

/* ---- reading -------------------------------------------------------------- */

/* One PEM object. */
struct object {
	char name[80];
	unsigned char der[DER_MAX];
	size_t len;
	bool more; /* than there is room for */
};

static void
collect(void *to, const void *data, size_t len)
{
	struct object *o = to;

	if (len > sizeof(o->der) - o->len) {
		o->more = true;
		return;
	}
	memcpy(o->der + o->len, data, len);
	o->len += len;
}

/* The next object of the text; 0 = found, 1 = there is none, -1 = broken. */
static int
next_object(const char **pem, size_t *len, struct object *o)
{
	br_pem_decoder_context dec;
	size_t used;

	memset(o, 0, sizeof(*o));
	br_pem_decoder_init(&dec);
	while (*len > 0) {
		used = br_pem_decoder_push(&dec, *pem, *len);
		*pem += used;
		*len -= used;
		switch (br_pem_decoder_event(&dec)) {
		case BR_PEM_BEGIN_OBJ:
			strncpy(o->name, br_pem_decoder_name(&dec),
				sizeof(o->name) - 1);
			br_pem_decoder_setdest(&dec, collect, o);
			break;
		case BR_PEM_END_OBJ:
			return 0;
		case BR_PEM_ERROR:
			return -1;
		default:
			break;
		}
	}
	return o->name[0] ? -1 : 1;
}

static int
read_private(struct key *k, const struct object *o, struct err *e)
{
	br_skey_decoder_context dec;
	const br_ec_private_key *sk;
	int rc = 0;

	if (o->more)
		return err_set(e, ERR_INPUT, 0,
			"the key is larger than any P-256 key");
	br_skey_decoder_init(&dec);
	br_skey_decoder_push(&dec, o->der, o->len);
	sk = br_skey_decoder_get_ec(&dec);
	if (br_skey_decoder_last_error(&dec))
		rc = err_set(e, ERR_INPUT, 0, "the private key is malformed");
	else if (!sk)
		rc = err_set(e, ERR_INPUT, 0,
			"it is no elliptic curve key; P-256 is needed "
			"(ioreceipt keygen makes one)");
	else if (sk->curve != BR_EC_secp256r1)
		rc = err_set(e, ERR_INPUT, 0,
			"the key is of another curve; P-256 (prime256v1) is "
			"needed");
	else if (sk->xlen > KEY_PRIVATE_BYTES)
		rc = err_set(e, ERR_INPUT, 0, "the private key is too long");
	else
		memcpy(k->d + KEY_PRIVATE_BYTES - sk->xlen, sk->x, sk->xlen);
	if (rc == 0 && complete(k) < 0)
		rc = err_set(e, ERR_INPUT, 0,
			"the number in it is no private key of P-256");
	explicit_bzero(&dec, sizeof(dec));
	return rc;
}

/* Is it a point of the curve?  Multiplying by 1 asks BearSSL. */
static bool
on_curve(const unsigned char q[KEY_PUBLIC_BYTES])
{
	static const unsigned char one[1] = { 1 };
	unsigned char point[KEY_PUBLIC_BYTES];

	memcpy(point, q, sizeof(point));
	return q[0] == 4 && IMPL->mul(point, sizeof(point), one, sizeof(one),
				    BR_EC_secp256r1) == 1;
}

static int
read_public(struct key *k, const struct object *o, struct err *e)
{
	if (o->more || o->len != SPKI_PUBLIC + KEY_PUBLIC_BYTES ||
		memcmp(o->der, spki, SPKI_PUBLIC) != 0)
		return err_set(e, ERR_INPUT, 0,
			"it is no public key of P-256 (uncompressed)");
	memcpy(k->q, o->der + SPKI_PUBLIC, KEY_PUBLIC_BYTES);
	if (!on_curve(k->q))
		return err_set(e, ERR_INPUT, 0,
			"the public key is no point of the curve");
	return 0;
}

/* 1 = of no use, look at the next. */
static int
read_object(
	struct key *k, const struct object *o, bool public_too, struct err *e)
{
	if (!strcmp(o->name, "EC PRIVATE KEY") ||
		!strcmp(o->name, "PRIVATE KEY"))
		return read_private(k, o, e);
	if (!strcmp(o->name, "ENCRYPTED PRIVATE KEY"))
		return err_set(e, ERR_INPUT, 0,
			"the key is encrypted; nobody is here to ask for its "
			"passphrase: store it without one, mode 0600");
	if (!strcmp(o->name, "RSA PRIVATE KEY"))
		return err_set(e, ERR_INPUT, 0,
			"it is an RSA key; P-256 is needed (ioreceipt keygen "
			"makes one)");
	if (strcmp(o->name, "PUBLIC KEY") != 0)
		return 1;
	if (!public_too)
		return err_set(e, ERR_INPUT, 0,
			"it is a public key; signing needs the private half");
	return read_public(k, o, e);
}

int
key_parse(struct key *k, const char *pem, size_t len, bool public_too,
	struct err *e)
{
	struct object o;
	int found, rc = 1;

	memset(k, 0, sizeof(*k));
	if (len > KEY_FILE_MAX)
		return err_set(e, ERR_INPUT, 0, "it is larger than any key");
	while (rc > 0) {
		found = next_object(&pem, &len, &o);
		if (found != 0)
			break;
		rc = read_object(k, &o, public_too, e);
	}
	if (rc > 0)
		rc = err_set(e, ERR_INPUT, 0,
			found < 0 ? "the PEM text in it is broken"
				  : "there is no key in PEM form in it");
	explicit_bzero(&o, sizeof(o));
	if (rc < 0)
		key_wipe(k);
	return rc;
}

/* ---- writing -------------------------------------------------------------- */

static void
write_pem(struct buf *out, const void *der, size_t len, const char *name)
{
	char text[512];
	size_t n;

	n = br_pem_encode(NULL, NULL, len, name, BR_PEM_LINE64);
	if (n >= sizeof(text))
		return;
	br_pem_encode(text, der, len, name, BR_PEM_LINE64);
	buf_add(out, text, n);
	explicit_bzero(text, sizeof(text));
}

void
key_write_private(const struct key *k, struct buf *out)
{
	br_ec_private_key sk = private_half(k);
	unsigned char der[256], q[KEY_PUBLIC_BYTES];
	br_ec_public_key pk = { BR_EC_secp256r1, q, sizeof(q) };
	size_t len;

	memcpy(q, k->q, sizeof(q));
	len = br_encode_ec_raw_der(NULL, &sk, &pk);
	if (len > sizeof(der))
		return;
	br_encode_ec_raw_der(der, &sk, &pk);
	write_pem(out, der, len, BR_ENCODE_PEM_EC_RAW);
	explicit_bzero(der, sizeof(der));
}

void
key_write_public(const struct key *k, struct buf *out)
{
	unsigned char der[SPKI_PUBLIC + KEY_PUBLIC_BYTES];

	memcpy(der, spki, SPKI_PUBLIC);
	memcpy(der + SPKI_PUBLIC, k->q, KEY_PUBLIC_BYTES);
	write_pem(out, der, sizeof(der), "PUBLIC KEY");
}

void
key_write_jwk(const struct key *k, struct buf *out)
{
	buf_str(out, "{\"crv\":\"P-256\",\"kty\":\"EC\",\"x\":\"");
	base64_encode(out, k->q + 1, COORDINATE);
	buf_str(out, "\",\"y\":\"");
	base64_encode(out, k->q + 1 + COORDINATE, COORDINATE);
	buf_str(out, "\"}");
}

void
key_kid(const struct key *k, char kid[KEY_KID_SIZE])
{
	unsigned char digest[br_sha256_SIZE];
	br_sha256_context ctx;
	struct buf jwk;

	buf_init(&jwk);
	key_write_jwk(k, &jwk);
	br_sha256_init(&ctx);
	br_sha256_update(&ctx, buf_text(&jwk), jwk.len);
	br_sha256_out(&ctx, digest);
	base64_text(digest, sizeof(digest), kid);
	buf_free(&jwk);
}

bool
key_is_kid(const char *s)
{
	unsigned char digest[br_sha256_SIZE];

	return base64_bytes(s, strlen(s), digest, sizeof(digest)) == 0;
}
