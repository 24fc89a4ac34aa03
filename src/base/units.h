/*
 * units: numbers with units, read and written in this one place; and words,
 * told apart and guessed.
 *
 * Inside the program there is one unit a quantity (ns, bytes, operations a
 * second); what a person types or reads is converted here.  The locale is
 * never consulted: the decimal point is a point.
 *
 * What is read is digits, or digits with a point and more digits, and a
 * unit with nothing between them.  Refused everywhere: an empty text, signs,
 * blanks, exponents ("1e3"), hexadecimal, a point without digits on both
 * sides, what does not fit 64 bits.  Errors are ERR_USAGE (a reader of files
 * replaces the code), name the text and an example of what is accepted.
 * out is left alone on an error.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Decimal digits only, no sign, no blanks; min <= value <= max. */
int units_parse_u64(const char *s, uint64_t min, uint64_t max, uint64_t *out,
	struct err *e);

/*
 * "4k", "512M", "1.5G", "4KiB", "2T", "4096": k M G T P, 1024-based whatever
 * the case or the "iB"/"i"/"B" behind: "4kb" is 4096, as for fio, whose
 * default is kb_base=1024.  (Only "4KiB" differs: fio reads it as 4000 there,
 * against the standard's meaning; here it is 4096.)
 * Fractions (fio has none) are exact to the byte, cut below it ("0.3k" is 307);
 * what is not 0 but less than 1 byte is refused.
 */
int units_parse_bytes(const char *s, uint64_t *out_bytes, struct err *e);

/*
 * "12", "12s", "500ms", "0.5ms", "100us", "5m", "1h": ns us ms s m h d and
 * fio's usec msec sec, in lower case; without a unit the number counts
 * default_unit_ns each.  Cut below 1 ns; what is not 0 but less is refused.
 */
int units_parse_ns(const char *s, uint64_t default_unit_ns, uint64_t *out_ns,
	struct err *e);

/*
 * "12", "0.5": a number, and in *rest what stands behind it (a unit that the
 * caller knows, or nothing).
 */
int units_parse_number(
	const char *s, double *out, const char **rest, struct err *e);

enum {
	UNITS_SIZE = 32 /* holds what any of the following write */
};

/*
 * Each writes at most size bytes with the NUL and returns out.
 *
 * "512 MiB", "1.5 GiB", "4 KiB", "100 B" and "12 s", "250 ms", "73 us" are
 * for messages: the largest unit of which there is one, exact when a whole
 * number of it or exact in as many decimals as shown; else cut (never
 * rounded up: "1023 KiB", "59.9 s") to 3 digits, with all of their decimals
 * ("1.50 GiB" is a little more than "1.5 GiB").  From 60 s on: "2 min 5 s",
 * from an hour "1 h 15 min", cut as well.
 */
char *units_bytes(uint64_t bytes, char *out, size_t size);
char *units_ns(uint64_t ns, char *out, size_t size);
/* "512M", "4k", "1000": fio's way, exact always. */
char *units_bytes_short(uint64_t bytes, char *out, size_t size);
/* Milliseconds with 3 decimals, rounded half up: 264192 -> "0.264". */
char *units_ms3(uint64_t ns, char *out, size_t size);
/* Grouped by thousands: 52649 -> "52,649". */
char *units_count(uint64_t n, char *out, size_t size);

/* Is s[0..len) one of the words of list, "a|b|c"?  An empty s is none. */
bool units_is_word(const char *list, const char *s, size_t len);

/*
 * The nearest of `words` (ended by NULL) to s by edit distance (letters put
 * in, left out, replaced, or two neighbours swapped; case does not matter),
 * for "did you mean"; the first of several as near; NULL where none is near
 * (distance > 1/2 of the length of s) or s is longer than 63 bytes.
 */
const char *units_nearest(const char *s, const char *const *words);

#endif
