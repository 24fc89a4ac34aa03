#include <errno.h>
#include <sys/types.h>
#include <unistd.h>

#include <bearssl_hash.h>

#include "crypto/digest.h"

static void
to_hex(const unsigned char digest[br_sha256_SIZE], char hex[DIGEST_HEX_SIZE])
{
	static const char digits[] = "0123456789abcdef";
	size_t i;

	for (i = 0; i < br_sha256_SIZE; i++) {
		hex[2 * i] = digits[digest[i] >> 4];
		hex[2 * i + 1] = digits[digest[i] & 15];
	}
	hex[2 * br_sha256_SIZE] = '\0';
}

void
digest_sha256(const void *data, size_t len, char hex[DIGEST_HEX_SIZE])
{
	br_sha256_context ctx;
	unsigned char digest[br_sha256_SIZE];

	br_sha256_init(&ctx);
	br_sha256_update(&ctx, data, len);
	br_sha256_out(&ctx, digest);
	to_hex(digest, hex);
}

int
digest_fd(int fd, char hex[DIGEST_HEX_SIZE])
{
	br_sha256_context ctx;
	unsigned char digest[br_sha256_SIZE], chunk[16384];
	off_t at = 0;
	ssize_t n;

	br_sha256_init(&ctx);
	for (;;) {
		n = pread(fd, chunk, sizeof(chunk), at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		br_sha256_update(&ctx, chunk, (size_t)n);
		at += n;
	}
	br_sha256_out(&ctx, digest);
	to_hex(digest, hex);
	return 0;
}
