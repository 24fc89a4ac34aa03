/*
 * units: numbers with units, read and written in this one place.
 *
 * Inside the program there is one unit a quantity (ns, bytes, operations a
 * second); what a person types or reads is converted here.  The locale is
 * never consulted: the decimal point is a point.
 */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* Decimal digits only, no sign, no blanks; min <= value <= max. */
int units_parse_u64(const char *s, uint64_t min, uint64_t max, uint64_t *out,
	struct err *e);

/*
 * "4k", "512M", "1.5G", "4KiB", "2T", "4096": 1024-based whatever the case
 * or the "iB"/"B" behind; at least 0.  What fio calls kb_base=1024.
 */
int units_parse_bytes(const char *s, uint64_t *out_bytes, struct err *e);

/*
 * "12", "12s", "500ms", "0.5ms", "100us", "5m", "1h"; without a unit the
 * number counts default_unit_ns each.
 */
int units_parse_ns(const char *s, uint64_t default_unit_ns, uint64_t *out_ns,
	struct err *e);

/* Each writes at most size bytes with the NUL and returns out. */
/* "512 MiB", "1.5 GiB", "4 KiB", "100 B": for messages; exact when whole. */
char *units_bytes(uint64_t bytes, char *out, size_t size);
/* "512M", "4k", "1000": fio's way, exact always. */
char *units_bytes_short(uint64_t bytes, char *out, size_t size);
/* "12 s", "1.5 s", "250 ms", "73 us", "2 min 5 s": for messages. */
char *units_ns(uint64_t ns, char *out, size_t size);
/* Milliseconds with 3 decimals: 264192 -> "0.264". */
char *units_ms3(uint64_t ns, char *out, size_t size);
/* Grouped by thousands: 52649 -> "52,649". */
char *units_count(uint64_t n, char *out, size_t size);

/*
 * The nearest of `words` (ended by NULL) to s by edit distance, for "did you
 * mean"; NULL where none is near (distance > 1/2 of the length).
 */
const char *units_nearest(const char *s, const char *const *words);

#endif
