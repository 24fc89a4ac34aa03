#include "base/buf.h"

#include "tap.h"

static void
test_empty(void)
{
	struct buf b;

	buf_init(&b);
	EQ_STR(buf_text(&b), "", "empty");
	OK(!b.data && b.len == 0 && !buf_failed(&b), "nothing is held");
	buf_add(&b, NULL, 0);
	buf_str(&b, "");
	buf_repeat(&b, "", SIZE_MAX);
	buf_repeat(&b, "ab", 0);
	buf_reset(&b);
	OK(!b.data && !buf_failed(&b), "adding nothing holds nothing");
	buf_printf(&b, "%s", "");
	EQ_STR(buf_text(&b), "", "an empty printf");
	buf_free(&b);
	buf_free(&b);
	OK(!b.data && b.size == 0, "freed twice");
}

static void
test_add(void)
{
	struct buf b;

	buf_init(&b);
	buf_str(&b, "one");
	buf_char(&b, ' ');
	buf_add(&b, "two\0three", 9);
	OK(b.len == 13 && !memcmp(b.data, "one two\0three", 14),
		"NULs are bytes");
	buf_reset(&b);
	EQ_STR(buf_text(&b), "", "reset");
	OK(b.data != NULL, "keeps the memory");
	buf_repeat(&b, "ab", 3);
	buf_printf(&b, "%d-%s", 42, "x");
	EQ_STR(buf_text(&b), "ababab42-x", "repeat and printf");
	buf_free(&b);
	buf_char(&b, 'q');
	EQ_STR(buf_text(&b), "q", "usable after buf_free");
	buf_free(&b);
}

/* Each length over the first doublings, by each way of adding. */
static void
test_growth(void)
{
	struct buf a, p, r;
	size_t n;
	int ok = 1;

	buf_init(&a);
	buf_init(&p);
	buf_init(&r);
	for (n = 1; n <= 1100; n++) {
		buf_char(&a, 'x');
		buf_reset(&p);
		buf_printf(&p, "%*s", (int)n, "x");
		ok &= a.len == n && strlen(a.data) == n && a.size > n;
		ok &= p.len == n && strlen(p.data) == n && p.size > n;
		buf_free(&r);
		buf_repeat(&r, "x", n);
		ok &= r.len == n && strlen(r.data) == n && r.size > n &&
		      !memcmp(r.data, a.data, n + 1);
	}
	OK(ok, "length, NUL and size agree at every length");
	buf_free(&a);
	buf_free(&p);
	buf_free(&r);
}

static void
test_failure(void)
{
	struct buf b;

	buf_init(&b);
	buf_str(&b, "kept");
	buf_add(&b, "x", SIZE_MAX);
	OK(buf_failed(&b), "SIZE_MAX fails");
	buf_str(&b, "more");
	buf_char(&b, 'c');
	buf_printf(&b, "%d", 1);
	buf_repeat(&b, "x", 2);
	EQ_STR(buf_text(&b), "kept", "nothing after a failure");
	buf_reset(&b);
	OK(buf_failed(&b), "a reset does not hide it");
	buf_free(&b);
	OK(!buf_failed(&b), "freed is new");
	buf_add(&b, "x", BUF_MAX + 1);
	OK(buf_failed(&b) && !b.data, "one too many");
	buf_free(&b);
	buf_repeat(&b, "ab", SIZE_MAX / 2 + 2);
	OK(buf_failed(&b), "times * length may not wrap");
	buf_free(&b);
	buf_repeat(&b, "abc", BUF_MAX / 3 + 1);
	OK(buf_failed(&b) && b.len == 0, "a repeat is all or nothing");
	buf_free(&b);
	buf_char(&b, 'x');
	buf_add(&b, "x", BUF_MAX);
	OK(buf_failed(&b), "the limit counts what is there");
	buf_free(&b);
}

int
main(void)
{
	test_empty();
	test_add();
	test_growth();
	test_failure();
	return tap_done();
}
