#include "base/units.h"

#include "tap.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define KIB	 UINT64_C(1024)
#define S	 UINT64_C(1000000000)

/* xorshift64, so that the properties are tried on the same numbers always. */
static uint64_t
next(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Numbers of all magnitudes, not only the huge ones. */
static uint64_t
spread(uint64_t *x)
{
	uint64_t n = next(x);

	return n >> (next(x) % 64);
}

/* No reader takes any of these. */
static const char *const never[] = { "", " ", "-1", "+1", " 1", "1 ", "1e3",
	"1E3", "0x10", "nan", "NaN", "inf", "k", "s", ".", "1.", ".5", "1..5",
	"1.5.5", "1,5", "1'000", "1_000", "18446744073709551616",
	"99999999999999999999999999", "1.00000000000000000000k", "1 k", "1.k",
	"1.-5k", "1\n", "1\xc2\xa0k", "\xd9\xa1\xd9\xa2", "-0", "1kk", "1sk" };

static void
refused(int rc, const struct err *e, const char *s)
{
	char quoted[100];

	snprintf(quoted, sizeof(quoted), "\"%.60s", s);
	OK(rc == -1, s);
	OK(e->code == ERR_USAGE && strstr(e->text, "such as"),
		"with an example");
	if (!strchr(s, '\n'))
		OK(strstr(e->text, quoted) != NULL, "naming the text");
}

static void
test_never(void)
{
	uint64_t out = 42;
	struct err e;
	size_t i;

	for (i = 0; i < COUNT(never); i++) {
		refused(units_parse_u64(never[i], 0, UINT64_MAX, &out, &e), &e,
			never[i]);
		refused(units_parse_bytes(never[i], &out, &e), &e, never[i]);
		refused(units_parse_ns(never[i], S, &out, &e), &e, never[i]);
	}
	EQ_U64(out, 42, "out is left alone");
}

static void
test_u64(void)
{
	uint64_t n = 0;
	struct err e;

	OK(!units_parse_u64("0", 0, 0, &n, &e) && n == 0, "0");
	OK(!units_parse_u64("007", 7, 7, &n, &e) && n == 7, "007");
	OK(!units_parse_u64("18446744073709551615", 0, UINT64_MAX, &n, NULL) &&
			n == UINT64_MAX,
		"the largest");
	OK(units_parse_u64("3", 4, 9, &n, &e) == -1, "one too few");
	OK(strstr(e.text, "from 4 to 9, such as 4") != NULL, "the range said");
	OK(!units_parse_u64("4", 4, 9, &n, &e) && n == 4, "the least");
	OK(!units_parse_u64("9", 4, 9, &n, &e) && n == 9, "the most");
	OK(units_parse_u64("10", 4, 9, &n, &e) == -1, "one too many");
	OK(units_parse_u64("4k", 0, 9000, &n, &e) == -1, "no units here");
	OK(units_parse_u64("1.0", 0, 9, &n, &e) == -1, "no fractions");
	OK(units_parse_u64("x", 0, 9, &n, NULL) == -1, "NULL err");
}

static void
test_bytes(void)
{
	static const struct {
		const char *s;
		uint64_t bytes;
	} rows[] = {
		{ "0", 0 },
		{ "0.0k", 0 },
		{ "4096", 4096 },
		{ "4096b", 4096 },
		{ "4k", 4096 },
		{ "4K", 4096 },
		{ "4kb", 4096 },
		{ "4kB", 4096 },
		{ "4KiB", 4096 },
		{ "4kib", 4096 },
		{ "4Ki", 4096 },
		{ "512M", 512 * KIB * KIB },
		{ "1.5G", 1536 * KIB * KIB },
		{ "2T", 2 * KIB * KIB * KIB * KIB },
		{ "1p", KIB * KIB * KIB * KIB * KIB },
		{ "0.3k", 307 },
		{ "0.001k", 1 },
		{ "1.9999999999999999999k", 2047 },
		{ "16383P", 16383 * KIB * KIB * KIB * KIB * KIB },
		{ "18446744073709551615", UINT64_MAX },
		{ "18014398509481983.9999999999k", UINT64_MAX },
	};
	static const char *const bad[] = { "4x", "4kx", "4bk", "4kbb", "4i",
		"4ib", "4iB", "4kiBs", "16384P", "18014398509481984k",
		"18446744073709551615k", "0.0009k", "0.5", "0.9b", "4E", "4s" };
	uint64_t n = 7;
	struct err e;
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		OK(!units_parse_bytes(rows[i].s, &n, &e), rows[i].s);
		EQ_U64(n, rows[i].bytes, rows[i].s);
	}
	for (i = 0; i < COUNT(bad); i++)
		refused(units_parse_bytes(bad[i], &n, &e), &e, bad[i]);
}

static void
test_ns(void)
{
	static const struct {
		const char *s;
		uint64_t unit, ns;
	} rows[] = {
		{ "12", S, 12 * S },
		{ "12", 1000000, 12000000 },
		{ "12s", 1000000, 12 * S },
		{ "0", S, 0 },
		{ "0ms", S, 0 },
		{ "500ms", S, 500000000 },
		{ "0.5ms", S, 500000 },
		{ "0.5", S, 500000000 },
		{ "100us", S, 100000 },
		{ "100usec", S, 100000 },
		{ "7msec", S, 7000000 },
		{ "7sec", S, 7 * S },
		{ "1ns", S, 1 },
		{ "5m", S, 300 * S },
		{ "1h", S, 3600 * S },
		{ "1.5h", S, 5400 * S },
		{ "2d", S, 172800 * S },
		{ "0.0000000019s", S, 1 },
		{ "18446744073s", S, 18446744073 * S },
		{ "18446744073709551615ns", S, UINT64_MAX },
		{ "18446744073.709551615", S, UINT64_MAX },
	};
	static const char *const bad[] = { "5S", "5M", "5min", "5mss", "5 s",
		"5k", "18446744074s", "18446744073.709551616s",
		"18446744073709551615s", "0.5ns", "0.0000000009s" };
	uint64_t n = 7;
	struct err e;
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		OK(!units_parse_ns(rows[i].s, rows[i].unit, &n, &e), rows[i].s);
		EQ_U64(n, rows[i].ns, rows[i].s);
	}
	for (i = 0; i < COUNT(bad); i++)
		refused(units_parse_ns(bad[i], S, &n, &e), &e, bad[i]);
}

static void
test_number(void)
{
	static const char *const bad[] = { "", "k", "-1", "+1", " 1", ".5",
		"1.", "1.k", "99999999999999999999" };
	const char *rest = "";
	struct err e;
	double v = 0;
	size_t i;

	OK(!units_parse_number("12", &v, &rest, &e) && v == 12 && !*rest, "12");
	OK(!units_parse_number("0.25 ms", &v, &rest, &e) && v == 0.25, "0.25");
	EQ_STR(rest, " ms", "what is behind is the caller's");
	OK(!units_parse_number("1e3", &v, &rest, &e) && v == 1, "no exponents");
	EQ_STR(rest, "e3", "they are what is behind");
	for (i = 0; i < COUNT(bad); i++)
		refused(units_parse_number(bad[i], &v, &rest, &e), &e, bad[i]);
	OK(v == 1, "out is left alone");
}

static void
test_write(void)
{
	static const struct {
		char *(*write)(uint64_t n, char *out, size_t size);
		uint64_t n;
		const char *text;
	} rows[] = {
		{ units_bytes, 0, "0 B" },
		{ units_bytes, 100, "100 B" },
		{ units_bytes, 1023, "1023 B" },
		{ units_bytes, 1024, "1 KiB" },
		{ units_bytes, 1025, "1.00 KiB" },
		{ units_bytes, 4096, "4 KiB" },
		{ units_bytes, 1536, "1.5 KiB" },
		{ units_bytes, 1280, "1.25 KiB" },
		{ units_bytes, 512 * KIB * KIB, "512 MiB" },
		{ units_bytes, 1536 * KIB * KIB, "1.5 GiB" },
		{ units_bytes, 1536 * KIB * KIB + 1, "1.50 GiB" },
		{ units_bytes, 2 * KIB * KIB * KIB - 1, "1.99 GiB" },
		{ units_bytes, KIB * KIB - 1, "1023 KiB" },
		{ units_bytes, 10 * KIB + 1, "10.0 KiB" },
		{ units_bytes, 100 * KIB - 1, "99.9 KiB" },
		{ units_bytes, 100 * KIB + 1, "100 KiB" },
		{ units_bytes, UINT64_MAX, "15.9 EiB" },
		{ units_bytes_short, 0, "0" },
		{ units_bytes_short, 1000, "1000" },
		{ units_bytes_short, 1024, "1k" },
		{ units_bytes_short, 1536, "1536" },
		{ units_bytes_short, 8192, "8k" },
		{ units_bytes_short, 512 * KIB * KIB, "512M" },
		{ units_bytes_short, 1536 * KIB * KIB, "1536M" },
		{ units_bytes_short, UINT64_C(1) << 60, "1024P" },
		{ units_bytes_short, UINT64_MAX, "18446744073709551615" },
		{ units_ns, 0, "0 ns" },
		{ units_ns, 999, "999 ns" },
		{ units_ns, 73000, "73 us" },
		{ units_ns, 1234, "1.23 us" },
		{ units_ns, 250000000, "250 ms" },
		{ units_ns, 1500000000, "1.5 s" },
		{ units_ns, 12 * S, "12 s" },
		{ units_ns, 60 * S - 1, "59.9 s" },
		{ units_ns, 60 * S, "1 min" },
		{ units_ns, 125 * S + 7, "2 min 5 s" },
		{ units_ns, 3600 * S - 1, "59 min 59 s" },
		{ units_ns, 3600 * S, "1 h" },
		{ units_ns, 4500 * S, "1 h 15 min" },
		{ units_ns, UINT64_MAX, "5124095 h 34 min" },
		{ units_ms3, 0, "0.000" },
		{ units_ms3, 499, "0.000" },
		{ units_ms3, 500, "0.001" },
		{ units_ms3, 264192, "0.264" },
		{ units_ms3, 999500, "1.000" },
		{ units_ms3, 12345678, "12.346" },
		{ units_ms3, UINT64_MAX, "18446744073709.552" },
		{ units_count, 0, "0" },
		{ units_count, 999, "999" },
		{ units_count, 1000, "1,000" },
		{ units_count, 52649, "52,649" },
		{ units_count, 100000, "100,000" },
		{ units_count, UINT64_MAX, "18,446,744,073,709,551,615" },
	};
	char out[UNITS_SIZE], cut[4] = "zzz";
	size_t i;

	for (i = 0; i < COUNT(rows); i++)
		EQ_STR(rows[i].write(rows[i].n, out, sizeof(out)), rows[i].text,
			rows[i].text);
	for (i = 0; i < COUNT(rows); i++) {
		rows[i].write(rows[i].n, cut, 3);
		OK(!strncmp(cut, rows[i].text, 2) && strlen(cut) <= 2,
			"at most size bytes");
		rows[i].write(rows[i].n, cut, 0);
	}
	OK(cut[3] == '\0', "and none behind them");
}

static void
test_properties(void)
{
	uint64_t x = 88172645463325252, i, n, back;
	char s[UNITS_SIZE], t[UNITS_SIZE], *p, *q;
	int bytes = 1, ns = 1, shown = 1, count = 1, u64 = 1;

	for (i = 0; i < 200000; i++) {
		/* Multiples of units now and then, or all end in no unit. */
		n = spread(&x);
		if (i % 3 == 0)
			n = n % 10000 << 10 * (i % 5);
		units_bytes_short(n, s, sizeof(s));
		bytes &= !units_parse_bytes(s, &back, NULL) && back == n;

		snprintf(s, sizeof(s), "%" PRIu64 ".%09" PRIu64 "s", n / S,
			n % S);
		ns &= !units_parse_ns(s, 1, &back, NULL) && back == n;

		/* "1.5 GiB" without its blank is what is read; cut, so <=. */
		units_bytes(n, s, sizeof(s));
		p = strchr(s, ' ');
		memmove(p, p + 1, strlen(p));
		if (!strstr(s, "EiB"))
			shown &= !units_parse_bytes(s, &back, NULL) &&
				 back <= n && n - back <= n / 100 + 1;

		units_count(n, s, sizeof(s));
		for (p = q = s; *p; p++)
			if (*p != ',')
				*q++ = *p;
		*q = '\0';
		snprintf(t, sizeof(t), "%" PRIu64, n);
		count &= !strcmp(s, t);
		u64 &= !units_parse_u64(t, n, n, &back, NULL) && back == n;
	}
	OK(bytes, "units_bytes_short is read back exactly");
	OK(ns, "seconds with 9 decimals are read exactly");
	OK(shown, "units_bytes is cut, by less than 1 %");
	OK(count, "units_count only adds commas");
	OK(u64, "units_parse_u64 reads every number");
}

static void
test_nearest(void)
{
	static const char *const words[] = { "rw", "bs", "iodepth", "runtime",
		"rwmixread", "norandommap", "size", NULL };
	static const struct {
		const char *s, *want;
	} rows[] = {
		{ "iodepht", "iodepth" },
		{ "iodept", "iodepth" },
		{ "IODEPTH", "iodepth" },
		{ "run_time", "runtime" },
		{ "norandomap", "norandommap" },
		{ "wr", "rw" },
		{ "sb", "bs" },
		{ "siez", "size" },
		{ "seize", "size" },
		{ "rt", "rw" },
		{ "r", NULL },
		{ "", NULL },
		{ "zzzzzzz", NULL },
	};
	static const char *const none[] = { NULL };
	char longest[65];
	const char *one[] = { longest, NULL };
	const char *got;
	size_t i;

	for (i = 0; i < COUNT(rows); i++) {
		got = units_nearest(rows[i].s, words);
		EQ_STR(got ? got : "-", rows[i].want ? rows[i].want : "-",
			rows[i].s);
	}
	OK(!units_nearest("rw", none), "no words");
	memset(longest, 'a', 64);
	longest[64] = '\0';
	OK(!units_nearest(longest, one), "64 bytes are too long");
	longest[63] = '\0';
	OK(units_nearest(longest, one) == longest, "63 are not");
}

static void
test_is_word(void)
{
	static const char list[] = "auto|always|never";

	OK(units_is_word(list, "auto", 4) && units_is_word(list, "always", 6) &&
			units_is_word(list, "never", 5),
		"each word of a list");
	OK(!units_is_word(list, "aut", 3) && !units_is_word(list, "auto|", 5) &&
			!units_is_word(list, "neverx", 6) &&
			!units_is_word(list, "AUTO", 4),
		"no part of one, no two, no other letters");
	OK(units_is_word("one", "one", 3) && !units_is_word("one", "", 0) &&
			!units_is_word("", "one", 3) &&
			!units_is_word("a||b", "", 0),
		"a list of one; nothing is no word");
}

int
main(void)
{
	test_is_word();
	test_never();
	test_u64();
	test_bytes();
	test_ns();
	test_number();
	test_write();
	test_properties();
	test_nearest();
	return tap_done();
}
