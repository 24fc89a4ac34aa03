#include "base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
buf_init(struct buf *b)
{
	*b = (struct buf){ 0 };
}

void
buf_free(struct buf *b)
{
	free(b->data);
	buf_init(b);
}

void
buf_reset(struct buf *b)
{
	b->len = 0;
	if (b->data)
		b->data[0] = '\0';
}

/* Room for `more` bytes and the NUL; false and failed where there is none. */
static bool
buf_grow(struct buf *b, size_t more)
{
	size_t size = b->size ? b->size : 128;
	char *data;

	if (b->failed)
		return false;
	if (more > BUF_MAX - b->len) {
		b->failed = true;
		return false;
	}
	if (b->data && b->len + more < b->size)
		return true;
	while (size <= b->len + more)
		size *= 2;
	data = realloc(b->data, size);
	if (!data) {
		b->failed = true;
		return false;
	}
	b->data = data;
	b->size = size;
	b->data[b->len] = '\0';
	return true;
}

void
buf_add(struct buf *b, const void *data, size_t len)
{
	if (len == 0 || !buf_grow(b, len))
		return;
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void
buf_str(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_char(struct buf *b, char c)
{
	buf_add(b, &c, 1);
}

void
buf_repeat(struct buf *b, const char *s, size_t times)
{
	size_t n = strlen(s);

	if (n == 0 || times == 0)
		return;
	/* All or nothing, so that a failed buffer does not end half-way. */
	if (times > BUF_MAX / n) {
		b->failed = true;
		return;
	}
	if (!buf_grow(b, n * times))
		return;
	while (times--) {
		memcpy(b->data + b->len, s, n);
		b->len += n;
	}
	b->data[b->len] = '\0';
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list args;
	int n;

	if (b->failed)
		return;
	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n < 0) {
		b->failed = true;
		return;
	}
	if (!buf_grow(b, (size_t)n))
		return;
	va_start(args, fmt);
	vsnprintf(b->data + b->len, (size_t)n + 1, fmt, args);
	va_end(args);
	b->len += (size_t)n;
}

const char *
buf_text(const struct buf *b)
{
	return b->data ? b->data : "";
}

bool
buf_failed(const struct buf *b)
{
	return b->failed;
}
