/*
 * utf8: one code point at a time (RFC 3629), and text made safe in place.
 * Below err and text, so that both judge bytes alike.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decode the code point at s[0..len) into *point.  Returns its length in
 * bytes (1 to 4), 0 where s does not begin with a valid one (or len is 0):
 * surrogates, overlong forms and what is above U+10FFFF are not valid.
 */
size_t utf8_next(const char *s, size_t len, uint32_t *point);

/*
 * Must this never reach a terminal?  C0, DEL and C1 controls, the line and
 * paragraph separators, and the marks that turn the direction of what
 * follows (a text could be shown as another one).
 */
bool utf8_is_control(uint32_t point);

/*
 * Make s[0..len) valid and free of controls, each one (and each invalid
 * byte) becoming '?'; puts the NUL.  Never longer; returns the new length.
 */
size_t utf8_clean(char *s, size_t len);

/* The largest n <= max that does not cut a code point of s[0..len). */
size_t utf8_cut(const char *s, size_t len, size_t max);

#endif
