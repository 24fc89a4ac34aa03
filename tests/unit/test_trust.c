#include "net/trust.h"

#include <unistd.h>

#include "net/trust_read.h"
#include "tap.h"

/* A self-signed P-256 certificate, valid until 2049. */
#include "data/certificate.h"

#define IN_2030	   INT64_C(1893456000)
#define AFTER_2050 INT64_C(2524694400)

static void
builtin(void)
{
	struct trust t;
	struct err e;

	trust_init(&t);
	OK(trust_builtin(&t, &e) == 0, "the built-in ones");
	EQ_U64(t.count, trust_roots.count, "as many as they say");
	OK(t.count >= 100, "a hundred and more");
	EQ_U64(strlen(trust_roots.sha256), 64, "their digest");
	OK(!strncmp(trust_roots.package, "ca-certificates 20", 18),
		"of which package");
	trust_free(&t);
	trust_free(&t);
}

/* Texts that are no file of authorities, and what is said. */
static const struct {
	const char *text, *why;
} bad[] = { { "", "no certificate in PEM form" },
	{ "hello\n", "no certificate in PEM form" },
	{ "-----BEGIN EC PRIVATE KEY-----\nAAAA\n"
	  "-----END EC PRIVATE KEY-----\n",
		"something else" },
	{ "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
		"malformed" },
	{ "-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n",
		"broken" },
	{ "-----BEGIN CERTIFICATE-----\nMIIB", "mid-certificate" } };

static void
files(void)
{
	char path[] = "/tmp/ioreceipt-trust.XXXXXX";
	struct trust t;
	struct err e;
	int fd = mkstemp(path);
	size_t len = strlen(certificate), i;

	trust_init(&t);
	OK(write(fd, certificate, len) == (ssize_t)len, "a file");
	OK(trust_file(&t, path, IN_2030, &e) == 0, "is read");
	EQ_U64(t.count, 1, "one authority");
	trust_free(&t);
	OK(trust_file(&t, path, AFTER_2050, &e) < 0, "its time is over");
	OK(strstr(e.text, "time of all certificates in it is over") != NULL,
		"which is said");
	trust_free(&t);
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		len = strlen(bad[i].text);
		OK(ftruncate(fd, 0) == 0 &&
				pwrite(fd, bad[i].text, len, 0) == (ssize_t)len,
			bad[i].text);
		OK(trust_file(&t, path, IN_2030, &e) < 0, "is refused");
		EQ_I64(e.code, ERR_INPUT, "malformed input");
		if (!OK(strstr(e.text, bad[i].why) != NULL, bad[i].why))
			printf("# %s\n", e.text);
		trust_free(&t);
	}
	close(fd);
	unlink(path);
	OK(trust_file(&t, path, IN_2030, &e) < 0, "one that is not there");
	EQ_I64(e.code, ERR_OPEN, "cannot be opened");
	trust_free(&t);
}

/* Cut anywhere, changed anywhere: no read out of bounds (the sanitizers). */
static void
hostile(void)
{
	unsigned char der[1024], *cut;
	struct buf table, text;
	struct err e;
	size_t len = sizeof(certificate_der), i, taken = 0;

	buf_init(&table);
	buf_init(&text);
	memcpy(der, certificate_der, len);
	OK(trust_read_certificate(&table, der, len, IN_2030, &e) == 0, "whole");
	for (i = 0; i < len; i++) {
		cut = malloc(i ? i : 1);
		memcpy(cut, der, i);
		buf_reset(&table);
		taken += trust_read_certificate(&table, cut, i, IN_2030, &e) ==
			 0;
		free(cut);
	}
	EQ_U64(taken, 0, "cut anywhere it is none");
	for (i = 0; i < len; i++) {
		unsigned char was = der[i];

		der[i] ^= 0x81;
		buf_reset(&table);
		trust_read_certificate(&table, der, len, IN_2030, &e);
		der[i] = was;
	}
	OK(true, "changed anywhere: no crash");
	buf_free(&text);
	buf_free(&table);
}

int
main(void)
{
	builtin();
	files();
	hostile();
	return tap_done();
}
