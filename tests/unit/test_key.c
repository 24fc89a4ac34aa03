#include "crypto/key.h"

#include "tap.h"

/* RFC 7515 A.3's key, as `openssl ec` writes it in both forms. */
static const char sec1[] =
	"-----BEGIN EC PRIVATE KEY-----\n"
	"MHcCAQEEII6bEJ5xkJi/mASH3x9dd+nLKWBuvtImO19XwhPfhPSyoAoGCCqGSM49\n"
	"AwEHoUQDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEXH8UTNG72b\n"
	"focs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n"
	"-----END EC PRIVATE KEY-----\n";
static const char public_pem[] =
	"-----BEGIN PUBLIC KEY-----\n"
	"MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7\n"
	"6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==\n"
	"-----END PUBLIC KEY-----\n";
#define KID "oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U"

static void
reads(void)
{
	char kid[KEY_KID_SIZE], text[4096];
	struct key k, p;
	struct buf out;
	struct err e;

	buf_init(&out);
	OK(key_parse(&k, sec1, strlen(sec1), false, &e) == 0, "SEC1");
	key_kid(&k, kid);
	EQ_STR(kid, KID, "its thumbprint");
	OK(key_is_kid(kid) && !key_is_kid("x") && !key_is_kid(KID "A"),
		"is one, and others are none");
	key_write_private(&k, &out);
	EQ_STR(buf_text(&out), sec1, "written as it was read");
	buf_reset(&out);
	key_write_public(&k, &out);
	EQ_STR(buf_text(&out), public_pem, "its public half");
	OK(key_parse(&p, public_pem, strlen(public_pem), true, &e) == 0,
		"the public half, read");
	OK(!p.private && !memcmp(p.q, k.q, sizeof(p.q)), "is the same");
	OK(key_parse(&p, public_pem, strlen(public_pem), false, &e) < 0,
		"to sign it is of no use");
	OK(strstr(e.text, "public key") != NULL, "which is said");
	snprintf(text, sizeof(text), "Some words before.\n\n%s\nand behind\n",
		sec1);
	OK(key_parse(&k, text, strlen(text), false, &e) == 0,
		"text around it is skipped");
	buf_reset(&out);
	key_write_jwk(&k, &out);
	EQ_STR(buf_text(&out),
		"{\"crv\":\"P-256\",\"kty\":\"EC\","
		"\"x\":\"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU\","
		"\"y\":\"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0\"}",
		"as a JSON Web Key");
	buf_free(&out);
}

static void
refuses(void)
{
	static const struct {
		const char *text, *why;
	} rows[] = {
		{ "", "no key" },
		{ "hello\n", "no key" },
		{ "-----BEGIN CERTIFICATE-----\nAAAA\n"
		  "-----END CERTIFICATE-----\n",
			"no key" },
		{ "-----BEGIN EC PRIVATE KEY-----\nMHcCAQ", "broken" },
		{ "-----BEGIN EC PRIVATE KEY-----\n!!!!\n"
		  "-----END EC PRIVATE KEY-----\n",
			"broken" },
		{ "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n"
		  "-----END EC PRIVATE KEY-----\n",
			"malformed" },
		{ "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n"
		  "-----END ENCRYPTED PRIVATE KEY-----\n",
			"passphrase" },
		{ "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n"
		  "-----END RSA PRIVATE KEY-----\n",
			"RSA" },
		{ "-----BEGIN PUBLIC KEY-----\nAAAA\n"
		  "-----END PUBLIC KEY-----\n",
			"no public key of P-256" },
	};
	char text[20000];
	struct key k;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		OK(key_parse(&k, rows[i].text, strlen(rows[i].text), true, &e) <
				0,
			rows[i].text);
		EQ_I64(e.code, ERR_INPUT, "malformed input");
		if (!OK(strstr(e.text, rows[i].why) != NULL, rows[i].why))
			printf("# %s\n", e.text);
	}
	/* a public key off the curve */
	snprintf(text, sizeof(text), "%s", public_pem);
	text[100] = text[100] == 'A' ? 'B' : 'A';
	OK(key_parse(&k, text, strlen(text), true, &e) < 0, "off the curve");
	/* larger than the decoder of BearSSL 0.6 can bear */
	strcpy(text, "-----BEGIN PRIVATE KEY-----\n");
	for (int i = 0; i < 40; i++)
		strcat(text, "MIIGMIIGMIIGMIIGMIIGMIIGMIIGMIIGMIIGMIIGMIIGMIIG"
			     "MIIGMIIG\n");
	strcat(text, "-----END PRIVATE KEY-----\n");
	OK(key_parse(&k, text, strlen(text), false, &e) < 0, "1,680 bytes");
	OK(strstr(e.text, "larger") != NULL, "are refused before");
	memset(text, 'x', sizeof(text));
	OK(key_parse(&k, text, sizeof(text), false, &e) < 0, "20,000 bytes");
}

static void
makes(void)
{
	static const unsigned char none[KEY_PRIVATE_BYTES];
	struct key a, b;
	struct err e;

	OK(key_make(&a, &e) == 0 && key_make(&b, &e) == 0, "two new keys");
	OK(memcmp(a.d, b.d, sizeof(a.d)) != 0, "are not the same");
	OK(memcmp(a.d, none, sizeof(none)) != 0 && a.q[0] == 4, "nor empty");
	key_wipe(&a);
	OK(!memcmp(a.d, none, sizeof(none)) && !a.private, "wiped");
}

int
main(void)
{
	reads();
	refuses();
	makes();
	return tap_done();
}
