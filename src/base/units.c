#include "base/units.h"

#include <stdio.h>
#include <string.h>

#define UNITS_S	  UINT64_C(1000000000)
#define UNITS_KIB UINT64_C(1024)

/* 64 bits times a unit, exact: fractions are cut only at the end. */
__extension__ typedef unsigned __int128 units_wide;

/* What a unit is called and what it counts. */
struct units_word {
	const char *word;
	uint64_t counts;
};

static const struct units_word units_times[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "usec", 1000 },
	{ "ms", 1000000 },
	{ "msec", 1000000 },
	{ "s", UNITS_S },
	{ "sec", UNITS_S },
	{ "m", 60 * UNITS_S },
	{ "h", 3600 * UNITS_S },
	{ "d", 86400 * UNITS_S },
	{ NULL, 0 },
};

/* Largest first: the writers take the first of which there is one. */
static const struct units_word units_sizes[] = {
	{ "EiB", UNITS_KIB << 50 },
	{ "PiB", UNITS_KIB << 40 },
	{ "TiB", UNITS_KIB << 30 },
	{ "GiB", UNITS_KIB << 20 },
	{ "MiB", UNITS_KIB << 10 },
	{ "KiB", UNITS_KIB },
	{ "B", 1 },
	{ NULL, 0 },
};

static const struct units_word units_spans[] = {
	{ "s", UNITS_S },
	{ "ms", 1000000 },
	{ "us", 1000 },
	{ "ns", 1 },
	{ NULL, 0 },
};

static bool
units_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char
units_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Add the digits at *s to *n; false where none are or they do not fit. */
static bool
units_digits(const char **s, uint64_t *n)
{
	const char *p = *s;

	while (units_digit(*p)) {
		unsigned d = (unsigned)(*p++ - '0');

		if (*n > (UINT64_MAX - d) / 10)
			return false;
		*n = *n * 10 + d;
	}
	if (p == *s)
		return false;
	*s = p;
	return true;
}

int
units_parse_u64(
	const char *s, uint64_t min, uint64_t max, uint64_t *out, struct err *e)
{
	const char *p = s;
	uint64_t n = 0;

	if (!units_digits(&p, &n) || *p || n < min || n > max)
		return err_set(e, ERR_USAGE, 0,
			"\"%.60s\" is not a whole number from %llu to %llu, "
			"such as %llu",
			s, (unsigned long long)min, (unsigned long long)max,
			(unsigned long long)(min       ? min
					     : max < 4 ? max
						       : 4));
	*out = n;
	return 0;
}

/* A number as typed: whole + part / scale; rest is the unit behind it. */
struct units_number {
	uint64_t whole;
	uint64_t part;
	uint64_t scale;
	const char *rest;
};

static bool
units_number(const char *s, struct units_number *n)
{
	const char *first;

	*n = (struct units_number){ .scale = 1, .rest = s };
	if (!units_digits(&n->rest, &n->whole))
		return false;
	if (*n->rest != '.')
		return true;
	first = ++n->rest;
	/* 19 digits and their power of ten fit 64 bits; more mean nothing. */
	if (!units_digits(&n->rest, &n->part) || n->rest - first > 19)
		return false;
	for (; first < n->rest; first++)
		n->scale *= 10;
	return true;
}

int
units_parse_number(const char *s, double *out, const char **rest, struct err *e)
{
	struct units_number n;

	if (!units_number(s, &n))
		return err_set(e, ERR_USAGE, 0,
			"\"%.60s\" does not begin with a number, such as 12 "
			"or 0.5",
			s);
	*out = (double)n.whole + (double)n.part / (double)n.scale;
	*rest = n.rest;
	return 0;
}

/* whole.part times unit, cut to a whole number; what becomes 0 was 0. */
static bool
units_times_unit(const struct units_number *n, uint64_t unit, uint64_t *out)
{
	units_wide v = (units_wide)n->whole * unit +
		       (units_wide)n->part * unit / n->scale;

	if (v > UINT64_MAX || (v == 0 && (n->whole || n->part)))
		return false;
	*out = (uint64_t)v;
	return true;
}

/* What the letters behind a size count; 0 where they are no unit. */
static uint64_t
units_size_unit(const char *s)
{
	static const char letters[] = "kmgtp";
	const char *power = *s ? strchr(letters, units_lower(*s)) : NULL;
	uint64_t unit = 1;

	if (power) {
		unit = UNITS_KIB << 10 * (power - letters);
		s++;
		if (units_lower(*s) == 'i')
			s++;
	}
	if (units_lower(*s) == 'b')
		s++;
	return *s ? 0 : unit;
}

int
units_parse_bytes(const char *s, uint64_t *out_bytes, struct err *e)
{
	struct units_number n;
	uint64_t unit;

	if (!units_number(s, &n))
		goto bad;
	unit = units_size_unit(n.rest);
	if (unit == 0 || !units_times_unit(&n, unit, out_bytes))
		goto bad;
	return 0;
bad:
	return err_set(e, ERR_USAGE, 0,
		"\"%.60s\" is not a size, such as 4096, 4k, 512M or 1.5G "
		"(k M G T P, 1024-based, below 16384P)",
		s);
}

int
units_parse_ns(const char *s, uint64_t default_unit_ns, uint64_t *out_ns,
	struct err *e)
{
	const struct units_word *unit;
	struct units_number n;
	uint64_t unit_ns = default_unit_ns;

	if (!units_number(s, &n))
		goto bad;
	if (*n.rest) {
		for (unit = units_times; unit->word; unit++)
			if (!strcmp(unit->word, n.rest))
				break;
		unit_ns = unit->counts;
	}
	if (unit_ns == 0 || !units_times_unit(&n, unit_ns, out_ns))
		goto bad;
	return 0;
bad:
	return err_set(e, ERR_USAGE, 0,
		"\"%.60s\" is not a time, such as 12s, 0.5ms, 100us or 5m "
		"(ns us ms s m h d, below 584 years)",
		s);
}

/* The rule of the header: 3 digits, cut, no decimals that say nothing. */
static char *
units_scaled(uint64_t n, const struct units_word *units, char *out, size_t size)
{
	const struct units_word *u = units;
	uint64_t whole, rest, tenths, hundredths;

	while (u[1].word && n < u->counts)
		u++;
	whole = n / u->counts;
	rest = n % u->counts;
	hundredths = (uint64_t)((units_wide)rest * 100 / u->counts);
	tenths = hundredths / 10;
	if (rest == 0 || whole >= 100)
		snprintf(out, size, "%llu %s", (unsigned long long)whole,
			u->word);
	else if (whole >= 10 ||
		 (units_wide)tenths * u->counts == (units_wide)rest * 10)
		snprintf(out, size, "%llu.%llu %s", (unsigned long long)whole,
			(unsigned long long)tenths, u->word);
	else
		snprintf(out, size, "%llu.%02llu %s", (unsigned long long)whole,
			(unsigned long long)hundredths, u->word);
	return out;
}

char *
units_bytes(uint64_t bytes, char *out, size_t size)
{
	return units_scaled(bytes, units_sizes, out, size);
}

char *
units_ns(uint64_t ns, char *out, size_t size)
{
	unsigned long long s = ns / UNITS_S;

	if (s < 60)
		return units_scaled(ns, units_spans, out, size);
	if (s >= 3600 && s % 3600 / 60)
		snprintf(out, size, "%llu h %llu min", s / 3600, s % 3600 / 60);
	else if (s >= 3600)
		snprintf(out, size, "%llu h", s / 3600);
	else if (s % 60)
		snprintf(out, size, "%llu min %llu s", s / 60, s % 60);
	else
		snprintf(out, size, "%llu min", s / 60);
	return out;
}

char *
units_bytes_short(uint64_t bytes, char *out, size_t size)
{
	static const char letters[] = "kMGTP";
	unsigned power = 0;

	while (bytes && bytes % UNITS_KIB == 0 && letters[power]) {
		bytes /= UNITS_KIB;
		power++;
	}
	snprintf(out, size, "%llu%.1s", (unsigned long long)bytes,
		power ? letters + power - 1 : "");
	return out;
}

char *
units_ms3(uint64_t ns, char *out, size_t size)
{
	uint64_t us = ns / 1000 + (ns % 1000 >= 500);

	snprintf(out, size, "%llu.%03llu", (unsigned long long)(us / 1000),
		(unsigned long long)(us % 1000));
	return out;
}

char *
units_count(uint64_t n, char *out, size_t size)
{
	char digits[24], grouped[UNITS_SIZE];
	int len, i, to = 0;

	len = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)n);
	for (i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0)
			grouped[to++] = ',';
		grouped[to++] = digits[i];
	}
	grouped[to] = '\0';
	snprintf(out, size, "%s", grouped);
	return out;
}

bool
units_is_word(const char *list, const char *s, size_t len)
{
	size_t n;

	for (;; list += n + 1) {
		n = strcspn(list, "|");
		if (len > 0 && n == len && !memcmp(list, s, n))
			return true;
		if (!list[n])
			return false;
	}
}

enum {
	UNITS_WORD = 64 /* longest word compared, with its NUL */
};

static unsigned
units_min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * The distance where each piece of text is edited once (optimal string
 * alignment): rows i-2, i-1 and i of its table are kept in turn.
 */
static unsigned
units_distance(const char *a, const char *b)
{
	unsigned row[3][UNITS_WORD], cost, best;
	unsigned n = (unsigned)strlen(a), m = (unsigned)strlen(b), i, j;

	for (j = 0; j <= m; j++)
		row[0][j] = j;
	for (i = 1; i <= n; i++) {
		unsigned *now = row[i % 3], *up = row[(i + 2) % 3];
		const unsigned *up2 = row[(i + 1) % 3];

		now[0] = i;
		for (j = 1; j <= m; j++) {
			char x = units_lower(a[i - 1]);
			char y = units_lower(b[j - 1]);

			cost = x != y;
			best = units_min(up[j] + 1, now[j - 1] + 1);
			best = units_min(best, up[j - 1] + cost);
			if (i > 1 && j > 1 && x == units_lower(b[j - 2]) &&
				y == units_lower(a[i - 2]))
				best = units_min(best, up2[j - 2] + 1);
			now[j] = best;
		}
	}
	return row[n % 3][m];
}

const char *
units_nearest(const char *s, const char *const *words)
{
	size_t len = strlen(s);
	unsigned best = UNITS_WORD, d;
	const char *nearest = NULL;

	if (len >= UNITS_WORD)
		return NULL;
	for (; *words; words++) {
		if (strlen(*words) >= UNITS_WORD)
			continue;
		d = units_distance(s, *words);
		if (d < best && d * 2 <= len) {
			best = d;
			nearest = *words;
		}
	}
	return nearest;
}
