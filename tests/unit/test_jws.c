#include "crypto/jws.h"

#include <bearssl_ec.h>
#include <bearssl_hash.h>

#include "base/file.h"
#include "crypto/base64.h"
#include "tap.h"

/* RFC 6979 A.2.5, and the example key of RFC 7515 A.3. */
static const unsigned char rfc6979[] = { 0xc9, 0xaf, 0xa9, 0xd8, 0x45, 0xba,
	0x75, 0x16, 0x6b, 0x5c, 0x21, 0x57, 0x67, 0xb1, 0xd6, 0x93, 0x4e, 0x50,
	0xc3, 0xdb, 0x36, 0xe8, 0x9b, 0x12, 0x7b, 0x8a, 0x62, 0x2b, 0x12, 0x0f,
	0x67, 0x21 };
static const char rfc7515[] =
	"-----BEGIN EC PRIVATE KEY-----\n"
	"MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49\n"
	"AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b\n"
	"focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n"
	"-----END EC PRIVATE KEY-----\n";

static int
hex(char c)
{
	const char *d = c ? strchr("0123456789abcdef", c) : NULL;

	return d ? (int)(d - "0123456789abcdef") : -1;
}

/* Bytes of a hexadecimal text ("-" is none); returns how many. */
static size_t
unhex(const char *s, unsigned char *out)
{
	size_t n = 0;

	for (; hex(s[0]) >= 0 && hex(s[1]) >= 0; s += 2)
		out[n++] = (unsigned char)(hex(s[0]) * 16 + hex(s[1]));
	return n;
}

/* RFC 6979 A.2.5, P-256 and SHA-256: what is signed, r and s. */
static void
rfc_6979(void)
{
	static const struct {
		const char *text, *signature;
	} rows[] = {
		{ "sample",
			"efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0e"
			"a84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9af"
			"f4064dc4ab2f843acda8" },
		{ "test", "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f2"
			  "8d3b0b7d38367019f4113742a2b14bd25926b49c649155f267e"
			  "60d3814b4c0cc84250e46f0083" },
	};
	unsigned char d[32], want[64], got[64], digest[32];
	br_ec_private_key sk = { BR_EC_secp256r1, d, sizeof(d) };
	br_sha256_context ctx;

	memcpy(d, rfc6979, sizeof(d));
	for (int i = 0; i < 2; i++) {
		br_sha256_init(&ctx);
		br_sha256_update(&ctx, rows[i].text, strlen(rows[i].text));
		br_sha256_out(&ctx, digest);
		unhex(rows[i].signature, want);
		EQ_U64(br_ecdsa_i31_sign_raw(&br_ec_p256_m31, &br_sha256_vtable,
			       digest, &sk, got),
			64, rows[i].text);
		OK(!memcmp(got, want, 64), "as RFC 6979 has it");
	}
}

static struct key golden;

static void
deterministic(void)
{
	struct buf a, b;
	struct err e;

	buf_init(&a);
	buf_init(&b);
	OK(key_parse(&golden, rfc7515, strlen(rfc7515), false, &e) == 0, "key");
	OK(jws_sign(&golden, "{}\n", 3, &a, &e) == 0 &&
			jws_sign(&golden, "{}\n", 3, &b, &e) == 0,
		"signed twice");
	EQ_STR(buf_text(&a), buf_text(&b), "is the same text");
	printf("# %s\n", buf_text(&a));
	EQ_STR(buf_text(&a),
		"eyJhbGciOiJFUzI1NiIsImp3ayI6eyJjcnYiOiJQLTI1NiIsImt0eSI6IkVDIi"
		"wieCI6ImY4M09KM0QyeEYxQmc4dnViOXRMZTFnSE16Vjc2ZThUdXM5dVBIdlJW"
		"RVUiLCJ5IjoieF9GRXpSdTltMzZITE5fdHVlNjU5TE5wWFc2cEN5U3Rpa1lqS0"
		"lXSTVhMCJ9LCJraWQiOiJvS0l5d3ZHVXBUVlR5eE1RM2J3SUllUVV1ZGZyX0Nr"
		"TE1qQ0UxOUVDRC1VIiwidHlwIjoiaW9yZWNlaXB0K2p3dCJ9.e30K."
		"clF5wtKvRcMB-X2bZt0wuU8RCAxjOI4ksBUZKnVekxkckntjRkwUlv3mAPpc"
		"4raQUJXv_9V-H5qm0MEDG6nvZw",
		"the golden one");
	buf_free(&a);
	buf_free(&b);
}

/* ---- what is no JWS of ours --------------------------------------------------- */

/* header.payload signed by the golden key, whatever they say. */
static void
sign_text(struct buf *out, const char *header, const char *payload)
{
	struct buf whole;
	struct err e;
	const char *dot;

	/* ES256 over any header cannot be had of jws_sign: only its refusal */
	buf_init(&whole);
	base64_encode(out, header, strlen(header));
	buf_char(out, '.');
	base64_encode(out, payload, strlen(payload));
	jws_sign(&golden, payload, strlen(payload), &whole, &e);
	dot = strrchr(buf_text(&whole), '.');
	buf_str(out, dot);
	buf_free(&whole);
}

#define JWK                                                                    \
	"{\"crv\":\"P-256\",\"kty\":\"EC\","                                   \
	"\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","               \
	"\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}"
#define KID "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"

static void
refuses_headers(void)
{
	static const struct {
		const char *header, *why;
	} rows[] = {
		{ "{\"alg\":\"none\",\"jwk\":" JWK, "alg" },
		{ "{\"alg\":\"HS256\"}", "alg" },
		{ "{\"typ\":\"ioreceipt+jwt\",\"alg\":\"ES256\"}", "alg" },
		{ "{ \"alg\":\"ES256\",\"jwk\":" JWK, "alg" },
		{ "{\"alg\":\"ES256\",\"kid\":\"" KID "\"}", "jwk" },
		{ "{\"alg\":\"ES256\",\"jwk\":" JWK ",\"kid\":\"" KID
		  "\",\"typ\":\"JWT\"}",
			"typ" },
		{ "{\"alg\":\"ES256\",\"jwk\":" JWK ",\"kid\":\"" KID "\"}",
			"typ" },
		{ "{\"alg\":\"ES256\",\"jwk\":" JWK ",\"kid\":\"" KID
		  "\",\"typ\":\"ioreceipt+jwt\",\"crit\":[\"b64\"]}",
			"typ" },
		{ "{\"alg\":\"ES256\",\"jwk\":" JWK
		  ",\"kid\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\","
		  "\"typ\":\"ioreceipt+jwt\"}",
			"kid" },
		{ "{\"alg\":\"ES256\",\"jwk\":" JWK ",\"kid\":\"short", "cut" },
		{ "", "alg" },
	};
	struct buf text;
	struct jws j;
	struct err e;

	buf_init(&text);
	jws_init(&j);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_reset(&text);
		sign_text(&text, rows[i].header, "{}");
		OK(jws_verify(&j, text.data, text.len, &e) < 0, rows[i].header);
		EQ_I64(e.code, ERR_INPUT, "not ours");
		if (!OK(strstr(e.text, rows[i].why) != NULL, rows[i].why))
			printf("# %s\n", e.text);
	}
	jws_free(&j);
	buf_free(&text);
}

/* Every byte of a good one changed, every length: never good. */
static void
refuses_changes(void)
{
	struct buf good, text;
	struct jws j;
	struct err e;
	size_t bad = 0, wrong_code = 0;

	buf_init(&good);
	buf_init(&text);
	jws_init(&j);
	jws_sign(&golden, "{\"a\":1}\n", 8, &good, &e);
	OK(jws_verify(&j, good.data, good.len, &e) == 0, "a good one");
	EQ_STR(buf_text(&j.payload), "{\"a\":1}\n", "its payload");
	EQ_STR(j.kid, KID, "its key");
	buf_add(&text, good.data, good.len);
	buf_char(&text, '\n');
	OK(jws_verify(&j, text.data, text.len, &e) == 0, "with a newline");
	buf_char(&text, '\n');
	OK(jws_verify(&j, text.data, text.len, &e) < 0, "with two");
	for (size_t i = 0; i < good.len; i++) {
		char was = good.data[i];

		good.data[i] = was == 'A' ? 'B' : 'A';
		if (jws_verify(&j, good.data, good.len, &e) == 0)
			bad++;
		wrong_code += e.code != ERR_INPUT && e.code != ERR_DIFFERS;
		good.data[i] = was;
	}
	for (size_t len = 0; len < good.len; len++)
		bad += jws_verify(&j, good.data, len, &e) == 0;
	EQ_U64(bad, 0, "changed or cut anywhere it is not good");
	EQ_U64(wrong_code, 0, "and it is said which of two it is");
	buf_str(&good, "AA");
	OK(jws_verify(&j, good.data, good.len, &e) < 0, "bytes behind it");
	OK(jws_verify(&j, "..", 2, &e) < 0 && jws_verify(&j, "", 0, &e) < 0 &&
			jws_verify(&j, "a.b", 3, &e) < 0 &&
			jws_verify(&j, "a.b.c.d", 7, &e) < 0,
		"nothing of the kind");
	jws_free(&j);
	buf_free(&text);
	buf_free(&good);
}

/* ---- vectors of others --------------------------------------------------------- */

static void
read_data(const char *name, struct buf *out)
{
	struct err e;

	if (file_read(name, (size_t)1 << 20, out, &e) < 0) {
		printf("Bail out! %s\n", e.text);
		exit(1);
	}
}

static char *
next(char **at, const char *ends)
{
	char *word = *at;
	size_t n = strcspn(word, ends);

	*at = word + n + (word[n] != '\0');
	word[n] = '\0';
	return word;
}

/* All 262 of Wycheproof's ECDSA cases. */
static void
wycheproof(void)
{
	unsigned char msg[2048], sig[2048];
	struct key k = { 0 };
	struct buf text;
	unsigned seen = 0, wrong = 0;
	char *at, *line, *word;

	buf_init(&text);
	read_data("tests/unit/data/ecdsa-p256.txt", &text);
	for (at = text.data; *at;) {
		line = next(&at, "\n");
		if (*line == '#')
			continue;
		word = next(&line, " ");
		if (!strcmp(word, "key")) {
			unhex(line, k.q);
			continue;
		}
		bool valid = !strcmp(next(&line, " "), "valid");
		size_t n = unhex(next(&line, " "), msg);

		seen++;
		if (jws_signature_holds(&k, msg, n, sig, unhex(line, sig)) !=
			valid) {
			wrong++;
			printf("# case %s is judged otherwise\n", word);
		}
	}
	buf_free(&text);
	EQ_U64(seen, 262, "cases of ECDSA by Wycheproof");
	EQ_U64(wrong, 0, "each judged as its authors do");
}

/* A compact JWS under a key that is known, whatever its header says. */
static bool
holds(const struct key *k, const char *jws)
{
	const char *dot = strchr(jws, '.');
	const char *last = dot ? strchr(dot + 1, '.') : NULL;
	bool good = false;
	struct buf raw;

	buf_init(&raw);
	if (last && !strchr(last + 1, '.') &&
		base64_decode(&raw, jws, (size_t)(dot - jws)) == 0 &&
		base64_decode(&raw, dot + 1, (size_t)(last - dot - 1)) == 0) {
		buf_reset(&raw);
		good = base64_decode(&raw, last + 1, strlen(last + 1)) == 0 &&
		       jws_signature_holds(k, jws, (size_t)(last - jws),
			       buf_text(&raw), raw.len);
	}
	buf_free(&raw);
	return good;
}

/*
 * Wycheproof's JWS cases by ES256, under the key that each names.  Two ask that
 * a key's "use" and "key_ops" be heeded: our keys carry neither, and a header
 * with them is not ours; nor is any of these headers.
 */
static void
wycheproof_jws(void)
{
	unsigned seen = 0, wrong = 0, ours = 0, policy = 0;
	struct key k = { 0 };
	struct buf text;
	struct jws j;
	struct err e;
	char *at, *line;

	buf_init(&text);
	jws_init(&j);
	read_data("tests/unit/data/jws-es256.txt", &text);
	for (at = text.data; *at;) {
		line = next(&at, "\n");
		if (*line == '#')
			continue;
		const char *number = next(&line, " ");
		bool valid = !strcmp(next(&line, " "), "valid");
		const char *x = next(&line, " "), *y = next(&line, " ");

		seen++;
		k.q[0] = 4;
		base64_bytes(x, strlen(x), k.q + 1, 32);
		base64_bytes(y, strlen(y), k.q + 33, 32);
		ours += jws_verify(&j, line, strlen(line), &e) == 0;
		if (!strcmp(number, "354") || !strcmp(number, "356")) {
			policy++;
			continue;
		}
		if (holds(&k, line) != valid) {
			wrong++;
			printf("# case %s is judged otherwise\n", number);
		}
	}
	jws_free(&j);
	buf_free(&text);
	OK(seen >= 35, "cases of JWS by Wycheproof");
	EQ_U64(wrong, 0, "each judged as its authors do");
	EQ_U64(policy, 2, "but two about use and key_ops");
	EQ_U64(ours, 0, "and none is a receipt of ours");
}

int
main(void)
{
	rfc_6979();
	deterministic();
	refuses_headers();
	refuses_changes();
	wycheproof();
	wycheproof_jws();
	return tap_done();
}
