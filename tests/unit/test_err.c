#include "base/err.h"

#include <errno.h>

#include "base/utf8.h"
#include "tap.h"

static int
clean(const char *s)
{
	size_t i, n, len = strlen(s);
	uint32_t c;

	for (i = 0; i < len; i += n) {
		n = utf8_next(s + i, len - i, &c);
		if (n == 0 || utf8_is_control(c))
			return 0;
	}
	return 1;
}

static void
test_set(void)
{
	struct err e;
	char want[200];

	OK(err_set(NULL, ERR_INPUT, EIO, "no one listens") == -1,
		"a NULL err is fine");
	OK(err_set(&e, ERR_OPEN, 0, "cannot open %s", "x") == -1,
		"err_set returns -1");
	EQ_STR(e.text, "cannot open x", "text");
	OK(e.code == ERR_OPEN && e.sys == 0, "code and sys");
	err_set(&e, ERR_OPEN, ENOENT, "cannot open %s", "y");
	snprintf(want, sizeof(want), "cannot open y: %s", strerror(ENOENT));
	EQ_STR(e.text, want, "errno's sentence behind");
	OK(e.sys == ENOENT, "errno is kept");
	err_set(&e, ERR_CLEANUP, 0, "then: %s", e.text);
	OK(!strncmp(e.text, "then: cannot open y: ", 21),
		"the text may come from itself");
	OK(e.code == ERR_CLEANUP && e.sys == 0, "and the rest is new");
}

static void
test_wrap(void)
{
	struct err e;
	char want[200];

	OK(err_wrap(NULL, "x") == -1, "wrapping nothing is fine");
	err_set(&e, ERR_INPUT, EIO, "bad");
	OK(err_wrap(&e, "file %d", 7) == -1, "err_wrap returns -1");
	snprintf(want, sizeof(want), "file 7: bad: %s", strerror(EIO));
	EQ_STR(e.text, want, "in front");
	OK(e.code == ERR_INPUT && e.sys == EIO, "code and sys stay");
}

/* Every length around the limit, with and without errno. */
static void
test_lengths(void)
{
	const size_t max = sizeof(((struct err *)0)->text) - 1;
	const char *why = strerror(EIO);
	size_t n, len, w = strlen(why);
	char s[600];
	struct err e;
	int ok = 1, tail = 1, dots = 1;

	for (n = 0; n < sizeof(s) - 1; n++) {
		memset(s, 'a', n);
		s[n] = '\0';
		err_set(&e, 1, 0, "%s", s);
		len = strlen(e.text);
		ok &= len == (n < max ? n : max);
		dots &= (strstr(e.text, "...") != NULL) == (n > max);
		err_set(&e, 1, EIO, "%s", s);
		len = strlen(e.text);
		ok &= len <= max && len > w;
		tail &= !strcmp(e.text + len - w, why);
		err_wrap(&e, "%s", s);
		ok &= strlen(e.text) <= max;
	}
	OK(ok, "never longer than its field, cut only where it must be");
	OK(dots, "a cut is marked");
	OK(tail, "errno's sentence survives a cut");
	for (ok = 1, n = 440; n < 520; n++) {
		memset(s, 'a', n);
		memcpy(s + n, "\xe2\x82\xac\xe2\x82\xac", 7);
		err_set(&e, 1, 0, "%s", s);
		ok &= clean(e.text);
		err_wrap(&e, "%s", "\xf0\x9f\x98\x80");
		ok &= clean(e.text);
	}
	OK(ok, "no cut inside of a character");
}

static void
test_clean(void)
{
	static const char *const bad[][2] = {
		{ "a\nb", "a?b" },
		{ "a\x1b[31mz", "a?[31mz" },
		{ "a\xffz", "a?z" },
		{ "a\xc2\x9bz", "a?z" },
		{ "a\xe2\x80\xaez", "a?z" },
		{ "\xc3\xa9\t", "\xc3\xa9?" },
		{ "\xe2\x82", "??" },
	};
	struct err e;
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err_set(&e, 1, 0, "%s", bad[i][0]);
		EQ_STR(e.text, bad[i][1], "cleaned");
		err_set(&e, 1, 0, "x");
		err_wrap(&e, "%s", bad[i][0]);
		OK(clean(e.text), "cleaned in front, too");
	}
}

static void
test_exits(void)
{
	static const int order[] = { 64, 65, 66, 2, 128, 5, 3, 6, 1, 4, 0 };
	const struct err_exit *row = err_exits();
	const int n = sizeof(order) / sizeof(order[0]);
	int i, j;

	for (i = 0; i < n && row[i].name; i++) {
		EQ_U64((uint64_t)row[i].code, (uint64_t)order[i],
			"the table stands in the order of weight");
		OK(*row[i].name && *row[i].meaning, "name and meaning");
		for (j = 0; j < i; j++)
			OK(strcmp(row[i].name, row[j].name), "names differ");
	}
	OK(i == n && !row[i].name, "as many rows as codes");
	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			OK(err_worse(order[i], order[j]) ==
					order[i < j ? i : j],
				"err_worse takes the earlier of two");
	OK(err_worse(130, 143) == 130 && err_worse(143, 130) == 143,
		"of two signals the first");
	OK(err_worse(130, 2) == 2 && err_worse(5, 130) == 130 &&
			err_worse(0, 129) == 129,
		"a signal stands between 2 and 5");
	OK(err_worse(77, 0) == 77 && err_worse(77, 6) == 77 &&
			err_worse(77, 5) == 5 && err_worse(3, 77) == 3,
		"an unknown code weighs as 3");
}

int
main(void)
{
	test_set();
	test_wrap();
	test_lengths();
	test_clean();
	test_exits();
	return tap_done();
}
