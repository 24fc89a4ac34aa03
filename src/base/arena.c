#include "base/arena.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_ALIGN	  ((size_t)16)
#define ARENA_BLOCK_BYTES ((size_t)16384)

struct arena_block {
	struct arena_block *next;
	size_t size_bytes;
	alignas(16) unsigned char data[];
};

void
arena_init(struct arena *a)
{
	*a = (struct arena){ 0 };
}

void
arena_free(struct arena *a)
{
	struct arena_block *b = a->blocks, *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
	arena_init(a);
}

static struct arena_block *
arena_block_new(size_t size_bytes)
{
	struct arena_block *b = calloc(1, sizeof(*b) + size_bytes);

	if (b)
		b->size_bytes = size_bytes;
	return b;
}

/* A piece too big for sharing lies behind the newest block, which stays. */
static void *
arena_alloc_big(struct arena *a, size_t bytes)
{
	struct arena_block *b = arena_block_new(bytes);

	if (!b)
		return NULL;
	if (a->blocks) {
		b->next = a->blocks->next;
		a->blocks->next = b;
	} else {
		a->blocks = b;
		a->used_bytes = bytes;
	}
	return b->data;
}

void *
arena_alloc(struct arena *a, size_t n, size_t size)
{
	struct arena_block *b;
	size_t bytes;
	void *p;

	if (size > 0 && n > ARENA_MAX / size)
		return NULL;
	bytes = n * size;
	if (bytes == 0)
		bytes = 1;
	bytes = (bytes + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);
	if (bytes > ARENA_BLOCK_BYTES / 4)
		return arena_alloc_big(a, bytes);
	if (!a->blocks || a->blocks->size_bytes - a->used_bytes < bytes) {
		b = arena_block_new(ARENA_BLOCK_BYTES);
		if (!b)
			return NULL;
		b->next = a->blocks;
		a->blocks = b;
		a->used_bytes = 0;
	}
	p = a->blocks->data + a->used_bytes;
	a->used_bytes += bytes;
	return p;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return s ? arena_strndup(a, s, strlen(s)) : NULL;
}

char *
arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p;

	if (!s)
		return NULL;
	len = strnlen(s, len);
	p = len < ARENA_MAX ? arena_alloc(a, len + 1, 1) : NULL;
	if (p)
		memcpy(p, s, len);
	return p;
}

char *
arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list args;
	char *p;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	p = n >= 0 ? arena_alloc(a, (size_t)n + 1, 1) : NULL;
	if (!p)
		return NULL;
	va_start(args, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, args);
	va_end(args);
	return p;
}
