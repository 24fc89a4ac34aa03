#include "base/utf8.h"

#include <string.h>

size_t
utf8_next(const char *s, size_t len, uint32_t *point)
{
	/* By length: the smallest code point that needs so many bytes. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	uint32_t c;
	size_t n, i;

	if (len == 0)
		return 0;
	if (u[0] < 0x80) {
		*point = u[0];
		return 1;
	}
	if (u[0] >= 0xc2 && u[0] <= 0xdf)
		n = 2;
	else if (u[0] >= 0xe0 && u[0] <= 0xef)
		n = 3;
	else if (u[0] >= 0xf0 && u[0] <= 0xf4)
		n = 4;
	else
		return 0;
	if (n > len)
		return 0;
	c = u[0] & (0x7fu >> n);
	for (i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (u[i] & 0x3fu);
	}
	if (c < least[n] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*point = c;
	return n;
}

bool
utf8_is_control(uint32_t point)
{
	return point < 0x20 || (point >= 0x7f && point <= 0x9f) ||
	       (point >= 0x2028 && point <= 0x202e) ||
	       (point >= 0x2066 && point <= 0x2069);
}

size_t
utf8_clean(char *s, size_t len)
{
	size_t from = 0, to = 0, n;
	uint32_t c;

	while (from < len) {
		n = utf8_next(s + from, len - from, &c);
		if (n == 0 || utf8_is_control(c)) {
			s[to++] = '?';
			from += n ? n : 1;
			continue;
		}
		memmove(s + to, s + from, n);
		to += n;
		from += n;
	}
	s[to] = '\0';
	return to;
}

size_t
utf8_cut(const char *s, size_t len, size_t max)
{
	size_t n = max;

	if (len <= max)
		return len;
	/* Back to a byte that begins a code point; at most 3 steps if valid. */
	while (n > 0 && ((unsigned char)s[n] & 0xc0) == 0x80)
		n--;
	return n;
}
