#include "base/utf8.h"

#include "tap.h"

/* Encode without judging, so that wrong forms can be made. */
static size_t
encode(uint32_t c, size_t n, char *out)
{
	static const unsigned lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t i;

	if (n == 1) {
		out[0] = (char)c;
		return 1;
	}
	for (i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(lead[n] | c);
	return n;
}

static size_t
length(uint32_t c)
{
	return c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
}

/* All code points there are, each also cut short and in a longer form. */
static void
test_every(void)
{
	int right = 1, surrogates = 1, cut = 1, overlong = 1;
	uint32_t c, got;
	size_t n, k;
	char s[8];

	for (c = 0; c <= 0x1fffff; c++) {
		n = encode(c, length(c), s);
		got = 0;
		k = utf8_next(s, n, &got);
		if ((c >= 0xd800 && c <= 0xdfff) || c > 0x10ffff) {
			surrogates &= k == 0;
			continue;
		}
		right &= k == n && got == c;
		cut &= utf8_next(s, n - 1, &got) == 0;
		for (k = n + 1; k <= 4; k++)
			overlong &= utf8_next(s, encode(c, k, s), &got) == 0;
	}
	OK(right, "every code point decodes to itself");
	OK(surrogates, "surrogates and what is above U+10FFFF do not");
	OK(cut, "nor a character that is cut short");
	OK(overlong, "nor an overlong form");
}

static void
test_bytes(void)
{
	uint32_t c;
	int i, ok = 1, tail = 1;
	char s[4] = "";

	for (i = 0x80; i < 0x100; i++) {
		s[0] = (char)i;
		ok &= utf8_next(s, 1, &c) == 0;
	}
	OK(ok, "no byte above 0x7f stands alone");
	for (i = 0; i < 0x100; i++) {
		s[0] = (char)0xe2;
		s[1] = (char)0x82;
		s[2] = (char)i;
		tail &= (utf8_next(s, 3, &c) == 3) == (i >= 0x80 && i < 0xc0);
	}
	OK(tail, "only 80 to bf continue");
	OK(utf8_next("", 0, &c) == 0, "nothing is no character");
	OK(utf8_next("\0", 1, &c) == 1 && c == 0, "NUL is one");
}

static void
test_control(void)
{
	static const uint32_t yes[] = { 0, 9, 10, 27, 31, 127, 0x80, 0x9b, 0x9f,
		0x2028, 0x202a, 0x202e, 0x2066, 0x2069 };
	static const uint32_t no[] = { 32, 126, 0xa0, 0x301, 0x200d, 0x2027,
		0x202f, 0x2065, 0x206a, 0x4e00, 0x10ffff };
	size_t i;

	for (i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		OK(utf8_is_control(yes[i]), "a control");
	for (i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		OK(!utf8_is_control(no[i]), "no control");
}

static void
test_clean(void)
{
	char s[16] = "a\0b\xc3\xa9\x1b\xff\xc2\x85z";
	char empty[1] = { 'x' };

	EQ_U64(utf8_clean(s, 10), 9, "the C1 control shrinks");
	EQ_STR(s, "a?b\xc3\xa9???z", "cleaned");
	EQ_U64(utf8_clean(empty, 0), 0, "nothing stays nothing");
	EQ_STR(empty, "", "and is ended");
}

static void
test_cut(void)
{
	const char *s = "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80";
	static const size_t want[] = { 0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10 };
	size_t i;

	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		EQ_U64(utf8_cut(s, 10, i), want[i], "cut between characters");
	EQ_U64(utf8_cut(s, 10, SIZE_MAX), 10, "no cut");
	EQ_U64(utf8_cut("\x80\x80", 2, 1), 0, "a text without a beginning");
}

int
main(void)
{
	test_every();
	test_bytes();
	test_control();
	test_clean();
	test_cut();
	return tap_done();
}
