/*
 * arena: memory that is given back all at once.  What a receipt points to
 * lives in one arena, so that a receipt is freed in one call.
 * Not for threads.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *blocks;
	size_t used_bytes; /* of the newest block */
};

void arena_init(struct arena *a);
void arena_free(struct arena *a); /* leaves it as arena_init does */

#define ARENA_MAX ((size_t)1 << 30) /* one piece; more is out of memory */

/*
 * Zeroed, aligned to 16; NULL when out of memory or when n * size overflows.
 * Of 0 bytes too a pointer that is not NULL comes back.
 */
void *arena_alloc(struct arena *a, size_t n, size_t size);
/* A copy of s (NULL stays NULL); NULL when out of memory. */
char *arena_strdup(struct arena *a, const char *s);
/* A copy of s[0..len), cut at a NUL where there is one before. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif
