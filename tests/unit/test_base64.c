#include "crypto/base64.h"

#include "tap.h"

/* RFC 4648 section 10, without padding. */
static const char *const rows[][2] = { { "", "" }, { "f", "Zg" },
	{ "fo", "Zm8" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg" },
	{ "fooba", "Zm9vYmE" }, { "foobar", "Zm9vYmFy" },
	{ "\xfb\xff\xbf", "-_-_" } };

static const char *const bad[] = { "Z", "Zg=", "Zg==", "Zm9vY", "Zh", "Zm9",
	"Zm9vYmF", "+/+/", "Zm 9v", "Zm9v\n", "Zm9v.", "\xc3\xa9Zg" };

int
main(void)
{
	unsigned char big[5000], small[3];
	struct buf text, back;

	buf_init(&text);
	buf_init(&back);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char out[32];

		buf_reset(&text);
		buf_reset(&back);
		base64_encode(&text, rows[i][0], strlen(rows[i][0]));
		EQ_STR(buf_text(&text), rows[i][1], "encoded");
		base64_text(rows[i][0], strlen(rows[i][0]), out);
		EQ_STR(out, rows[i][1], "as text");
		EQ_U64(strlen(out), BASE64_CHARS(strlen(rows[i][0])),
			"as long as it says");
		OK(base64_decode(&back, rows[i][1], strlen(rows[i][1])) == 0,
			"decoded");
		EQ_STR(buf_text(&back), rows[i][0], "the same");
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		buf_reset(&back);
		OK(base64_decode(&back, bad[i], strlen(bad[i])) < 0, bad[i]);
	}
	OK(base64_bytes("Zm9v", 4, small, 3) == 0 && !memcmp(small, "foo", 3),
		"exactly so many");
	OK(base64_bytes("Zm8", 3, small, 3) < 0, "fewer are none");
	OK(base64_bytes("Zm9vYg", 6, small, 3) < 0, "nor are more");
	for (size_t i = 0; i < sizeof(big); i++)
		big[i] = (unsigned char)(i * 31 + i / 256);
	buf_reset(&text);
	buf_reset(&back);
	base64_encode(&text, big, sizeof(big));
	OK(base64_decode(&back, text.data, text.len) == 0 &&
			back.len == sizeof(big) &&
			!memcmp(back.data, big, sizeof(big)),
		"5,000 bytes and back");
	buf_free(&text);
	buf_free(&back);
	return tap_done();
}
