#include "crypto/base64.h"

#include <stdint.h>
#include <string.h>

static const char letters[] =
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/* Up to 3 bytes to as many characters as they need; returns how many. */
static size_t
put(const unsigned char *at, size_t len, char out[4])
{
	uint32_t bits = (uint32_t)at[0] << 16;

	if (len > 1)
		bits |= (uint32_t)at[1] << 8;
	if (len > 2)
		bits |= at[2];
	for (int i = 0; i < 4; i++)
		out[i] = letters[bits >> (18 - 6 * i) & 63];
	return len > 2 ? 4 : len + 1;
}

void
base64_encode(struct buf *out, const void *data, size_t len)
{
	const unsigned char *at = data;
	char text[1024];
	size_t n = 0;

	for (; len > 0; at += 3, len = len > 3 ? len - 3 : 0) {
		n += put(at, len, text + n);
		if (n > sizeof(text) - 4) {
			buf_add(out, text, n);
			n = 0;
		}
	}
	buf_add(out, text, n);
}

void
base64_text(const void *data, size_t len, char *out)
{
	const unsigned char *at = data;
	char four[4];
	size_t n;

	for (; len > 0; at += 3, len = len > 3 ? len - 3 : 0) {
		n = put(at, len, four);
		memcpy(out, four, n);
		out += n;
	}
	*out = '\0';
}

/* -1 where it is no letter. */
static int
value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	if (c == '-')
		return 62;
	return c == '_' ? 63 : -1;
}

/* 2 to 4 characters to bytes; returns how many, -1 where they are none. */
static int
take(const char *s, size_t len, unsigned char out[3])
{
	uint32_t bits = 0;

	for (size_t i = 0; i < 4; i++) {
		int v = i < len ? value(s[i]) : 0;

		if (v < 0)
			return -1;
		bits = bits << 6 | (uint32_t)v;
	}
	for (int i = 0; i < 3; i++)
		out[i] = (unsigned char)(bits >> (16 - 8 * i));
	/* bits of the last character that stand for nothing are 0 */
	if ((len == 2 && bits & 0xffff) || (len == 3 && bits & 0xff))
		return -1;
	return (int)len - 1;
}

int
base64_decode(struct buf *out, const char *s, size_t len)
{
	unsigned char bytes[768];
	size_t n = 0;

	if (len % 4 == 1)
		return -1;
	while (len > 0) {
		size_t part = len < 4 ? len : 4;
		int got = take(s, part, bytes + n);

		if (got < 0)
			return -1;
		n += (size_t)got;
		s += part;
		len -= part;
		if (n > sizeof(bytes) - 3) {
			buf_add(out, bytes, n);
			n = 0;
		}
	}
	buf_add(out, bytes, n);
	return 0;
}

int
base64_bytes(const char *s, size_t len, void *out, size_t size)
{
	struct buf b;
	int rc = -1;

	if (len != BASE64_CHARS(size))
		return -1;
	buf_init(&b);
	if (base64_decode(&b, s, len) == 0 && !buf_failed(&b) &&
		b.len == size) {
		memcpy(out, b.data, size);
		rc = 0;
	}
	buf_free(&b);
	return rc;
}
