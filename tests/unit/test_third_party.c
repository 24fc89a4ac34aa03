/*
 * test_third_party.c: the libraries as our flags built them give the answers
 * that their standards print.  BearSSL is known to compute wrong digests under
 * some optimisations, so its digests are checked from the archive that ships.
 */
#include <errno.h>

#include <bearssl.h>
#include <jansson.h>
#include <libaio.h>

#include "tap.h"

static void
hex(const unsigned char *in, size_t len, char *out)
{
	for (size_t i = 0; i < len; i++)
		sprintf(out + 2 * i, "%02x", in[i]);
}

static void
digests(void)
{
	unsigned char out[64];
	char text[129];

	/* FIPS 180-2, appendix B.1: one block */
	br_sha256_context sha;
	br_sha256_init(&sha);
	br_sha256_update(&sha, "abc", 3);
	br_sha256_out(&sha, out);
	hex(out, 32, text);
	EQ_STR(text,
		"ba7816bf8f01cfea414140de5dae2223"
		"b00361a396177a9cb410ff61f20015ad",
		"SHA-256 of abc");

	/* FIPS 180-2, appendix B.3: a million times a, in odd pieces */
	static const char a[] = "aaaaaaaaaaaaaaaaaaaaaaaaa";
	br_sha256_init(&sha);
	for (int i = 0; i < 1000000 / 25; i++)
		br_sha256_update(&sha, a, 25);
	br_sha256_out(&sha, out);
	hex(out, 32, text);
	EQ_STR(text,
		"cdc76e5c9914fb9281a1c7e284d73e67"
		"f1809a48a497200e046d39ccc7112cd0",
		"SHA-256 of a million a");

	/* RFC 4231, test case 2 */
	br_hmac_key_context key;
	br_hmac_context mac;
	br_hmac_key_init(&key, &br_sha256_vtable, "Jefe", 4);
	br_hmac_init(&mac, &key, 0);
	br_hmac_update(&mac, "what do ya want for nothing?", 28);
	br_hmac_out(&mac, out);
	hex(out, 32, text);
	EQ_STR(text,
		"5bdcc146bf60754e6a042426089575c7"
		"5a003f089d2739839dec58b964ec3843",
		"HMAC-SHA-256");
}

static void
json(void)
{
	json_error_t e;
	json_t *j = json_loads(
		"{\"a\":[1,2.5,\"\\u00e4\"]}", JSON_REJECT_DUPLICATES, &e);
	OK(j, "jansson reads");
	char *s = json_dumps(j, JSON_COMPACT | JSON_ENSURE_ASCII);
	EQ_STR(s, "{\"a\":[1,2.5,\"\\u00E4\"]}", "jansson writes");
	free(s);
	json_decref(j);

	j = json_loads("{\"a\":1,\"a\":2}", JSON_REJECT_DUPLICATES, &e);
	OK(!j, "jansson refuses a name that comes twice");
	json_decref(j);

	char deep[201];
	memset(deep, '[', 100);
	memset(deep + 100, ']', 100);
	deep[200] = 0;
	j = json_loads(deep, 0, &e);
	OK(!j, "jansson refuses a document nested 100 deep");
	json_decref(j);
}

/* Not whether this kernel lets us: only that the call goes the right way. */
static void
aio(void)
{
	io_context_t ctx = NULL;

	EQ_U64(-io_setup(0, &ctx) == EINVAL || -io_setup(0, &ctx) == ENOSYS ||
			-io_setup(0, &ctx) == EPERM,
		1, "libaio returns the error as a negative number");
	OK(!ctx, "and makes no context");
}

int
main(void)
{
	digests();
	json();
	aio();
	return tap_done();
}
