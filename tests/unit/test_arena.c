#include "base/arena.h"

#include <stdint.h>

#include "tap.h"

static int
zeroed(const unsigned char *p, size_t n)
{
	while (n--)
		if (*p++)
			return 0;
	return 1;
}

/* Every size over two blocks' worth; each piece is filled and looked at. */
static void
test_sizes(void)
{
	enum { PIECES = 700 };
	unsigned char *piece[PIECES];
	struct arena a;
	size_t i, j;
	int ok = 1, alone = 1;

	arena_init(&a);
	for (i = 0; i < PIECES; i++) {
		piece[i] = arena_alloc(&a, i * 13, 1);
		ok &= piece[i] && (uintptr_t)piece[i] % 16 == 0;
		ok &= piece[i] && zeroed(piece[i], i * 13);
		if (piece[i])
			memset(piece[i], (int)(i % 255) + 1, i * 13);
	}
	OK(ok, "aligned and zeroed");
	for (i = 0; i < PIECES; i++)
		for (j = 0; j < i * 13; j++)
			alone &= piece[i][j] == i % 255 + 1;
	OK(alone, "no piece lies in another");
	arena_free(&a);
	OK(!a.blocks && a.used_bytes == 0, "freed");
	arena_free(&a);
	OK(arena_alloc(&a, 1, 1) != NULL, "usable after arena_free");
	arena_free(&a);
}

static void
test_limits(void)
{
	struct arena a;
	void *p, *q;
	size_t i;

	arena_init(&a);
	OK(!arena_alloc(&a, SIZE_MAX, 1), "SIZE_MAX");
	OK(!arena_alloc(&a, SIZE_MAX, SIZE_MAX), "a product that wraps to 1");
	OK(!arena_alloc(&a, SIZE_MAX / 16 + 1, 16), "and to 0");
	OK(!arena_alloc(&a, ARENA_MAX + 1, 1), "one too many");
	OK(!arena_alloc(&a, 1, ARENA_MAX + 1), "one too big");
	OK(!a.blocks, "nothing is held after refusals");
	p = arena_alloc(&a, 0, 8);
	q = arena_alloc(&a, 8, 0);
	OK(p && q && p != q, "nothing has an address");
	p = arena_alloc(&a, 16384, 1);
	q = arena_alloc(&a, 1, 1);
	OK(p && q, "a whole block, then one byte");
	arena_free(&a);
	p = arena_alloc(&a, 100000, 8);
	q = arena_alloc(&a, 1, 1);
	OK(p && zeroed(p, 800000) && q, "a big piece comes first");
	arena_free(&a);
	for (i = 0; i < 1024; i++)
		p = arena_alloc(&a, 1, 16);
	OK(p && a.used_bytes == 16384, "a block is filled to its last byte");
	q = arena_alloc(&a, 1, 16);
	OK(q && a.used_bytes == 16, "and then a new one begins");
	arena_free(&a);
}

static void
test_strings(void)
{
	struct arena a;
	char *s;

	arena_init(&a);
	OK(!arena_strdup(&a, NULL) && !arena_strndup(&a, NULL, 5),
		"NULL stays NULL");
	EQ_STR(arena_strdup(&a, ""), "", "empty");
	EQ_STR(arena_strdup(&a, "abc"), "abc", "a copy");
	EQ_STR(arena_strndup(&a, "abcdef", 3), "abc", "a part");
	EQ_STR(arena_strndup(&a, "abc", 0), "", "no part");
	EQ_STR(arena_strndup(&a, "abc", SIZE_MAX), "abc", "up to the NUL");
	EQ_STR(arena_printf(&a, "%d %s", 7, "x"), "7 x", "printf");
	s = arena_printf(&a, "%*s", 50000, "x");
	OK(s && strlen(s) == 50000 && s[49999] == 'x', "a long one");
	EQ_STR(arena_printf(&a, "%s", ""), "", "an empty one");
	arena_free(&a);
}

int
main(void)
{
	test_sizes();
	test_limits();
	test_strings();
	return tap_done();
}
