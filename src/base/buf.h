/*
 * buf: a growable string of bytes, always ended by a NUL that does not
 * count.  Growth that fails marks the buffer (buf_failed) and every later
 * call does nothing, so that a renderer checks once, at its end.  What is
 * added must not lie in the buffer itself.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#define BUF_MAX ((size_t)1 << 30) /* longer counts as out of memory */

struct buf {
	char *data; /* NULL while empty */
	size_t len; /* bytes, without the closing NUL */
	size_t size;
	bool failed;
};

void buf_init(struct buf *b);
void buf_free(struct buf *b);  /* leaves it as buf_init does */
void buf_reset(struct buf *b); /* len = 0, keeps memory and failure */

void buf_add(struct buf *b, const void *data, size_t len);
void buf_str(struct buf *b, const char *s);
void buf_char(struct buf *b, char c);
void buf_repeat(struct buf *b, const char *s, size_t times);
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The text, "" while empty; valid until the next call on b. */
const char *buf_text(const struct buf *b);
bool buf_failed(const struct buf *b);

#endif
