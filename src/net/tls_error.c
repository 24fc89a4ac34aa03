#include "net/tls_error.h"

#include <stdio.h>
#include <string.h>

#include <bearssl_ssl.h>

#include "base/clock.h"

/*
 * number: of BearSSL, or 256 + an alert that the peer sent; what it means, with
 * %s for the host.  (512 + an alert: we sent it, and the number before is lost.)
 */
static const struct {
	int number;
	const char *text;
} table[] = {
	{ BR_ERR_UNSUPPORTED_VERSION, "%s does not speak TLS on that port" },
	{ BR_ERR_BAD_VERSION, "%s does not speak TLS on that port" },
	{ BR_ERR_BAD_LENGTH, "%s sends TLS records that are too long" },
	{ BR_ERR_TOO_LARGE, "%s sends TLS records that are too long" },
	{ BR_ERR_UNKNOWN_TYPE, "%s does not speak TLS on that port" },
	{ BR_ERR_UNEXPECTED, "%s does not speak TLS as it should" },
	{ BR_ERR_BAD_MAC, "what %s sent was changed on its way" },
	{ BR_ERR_NO_RANDOM, "no random numbers for TLS with %s" },
	{ BR_ERR_BAD_CIPHER_SUITE, "%s and this program have no cipher in "
				   "common" },
	{ BR_ERR_BAD_SIGNATURE, "%s does not hold the key of its certificate" },
	{ BR_ERR_X509_BAD_SIGNATURE,
		"a certificate of %s is not signed by who it says" },
	{ BR_ERR_X509_UNSUPPORTED,
		"a certificate of %s is signed in a way that is not accepted "
		"(SHA-1, RSA-PSS)" },
	{ BR_ERR_X509_LIMIT_EXCEEDED,
		"a certificate of %s has a key longer than RSA 4096" },
	{ BR_ERR_X509_WRONG_KEY_TYPE,
		"the key in the certificate of %s is of a kind that is not "
		"accepted" },
	{ BR_ERR_X509_DN_MISMATCH,
		"the certificates of %s are in the wrong order, or one that "
		"does not belong there is between them: its operator has to "
		"mend that" },
	{ BR_ERR_X509_BAD_SERVER_NAME,
		"the certificate that %s shows is for another name" },
	{ BR_ERR_X509_CRITICAL_EXTENSION,
		"a certificate of %s has a critical extension that is not "
		"known here" },
	{ BR_ERR_X509_NOT_CA,
		"a certificate of %s is signed by one that may not sign "
		"others" },
	{ BR_ERR_X509_FORBIDDEN_KEY_USAGE,
		"the certificate of %s may not be used for this" },
	{ BR_ERR_X509_WEAK_PUBLIC_KEY,
		"a certificate of %s has too short a key (RSA below 2048 "
		"bits)" },
	{ BR_ERR_X509_NOT_TRUSTED,
		"no known authority vouches for the certificate of %s (it is "
		"self-signed, of a private authority, or the server leaves out "
		"its intermediate); --cacert FILE says whom to trust" },
	{ 256 + 40, "%s refused the TLS handshake: no common cipher or curve, "
		    "or it wants a client's certificate" },
	{ 256 + 70, "%s accepts only TLS 1.3, which this program cannot speak; "
		    "another endpoint, or one in front of it with TLS 1.2, is "
		    "needed" },
	{ 256 + 71, "%s wants stronger ciphers than there are in common" },
	{ 256 + 80, "%s has trouble of its own (TLS alert internal_error)" },
	{ 256 + 112, "%s does not know that name (TLS alert "
		     "unrecognized_name)" },
};

static int
expired(const struct tls_peer *p, struct err *e)
{
	char now[21];

	clock_utc(p->now_s, now);
	return wire_never(e,
		"a certificate of %s is expired, or not valid yet, at this "
		"machine's time, %s: look at the clock first (date -s, chronyd "
		"-q) [%d]",
		p->host, now, BR_ERR_X509_EXPIRED);
}

int
tls_error(const struct tls_peer *p, int number, struct err *e)
{
	char text[400];
	size_t i;

	if (number == BR_ERR_X509_EXPIRED)
		return expired(p, e);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *at = strstr(table[i].text, "%s");

		if (table[i].number != number)
			continue;
		snprintf(text, sizeof(text), "%.*s%s%s",
			(int)(at - table[i].text), table[i].text, p->host,
			at + 2);
		/* its own trouble may pass */
		return number == 256 + 80
			       ? wire_again(e, "%s [%d]", text, number)
			       : wire_never(e, "%s [%d]", text, number);
	}
	if (number >= 256 && number < 512)
		return wire_never(
			e, "%s ended TLS with alert %d", p->host, number - 256);
	if (number >= 32)
		return wire_never(e,
			"a certificate of %s is malformed or not accepted [%d]",
			p->host, number);
	return wire_never(e, "TLS with %s failed [%d]", p->host, number);
}
