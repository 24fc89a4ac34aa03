#include "net/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/clock.h"

static int __attribute__((format(printf, 3, 0)))
fill(struct err *e, int sys, const char *fmt, va_list args)
{
	char text[sizeof(e->text)];

	vsnprintf(text, sizeof(text), fmt, args);
	err_set(e, ERR_UPLOAD, 0, "%s", text);
	if (e)
		e->sys = sys;
	return -1;
}

int
wire_again(struct err *e, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fill(e, EAGAIN, fmt, args);
	va_end(args);
	return -1;
}

int
wire_never(struct err *e, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	fill(e, 0, fmt, args);
	va_end(args);
	return -1;
}

int
wire_wait(const struct wire *w, int fd, short events, const char *what,
	struct err *e)
{
	struct pollfd p = { .fd = fd, .events = events };
	uint64_t now, ms;
	int n;

	for (;;) {
		if (w->stopped && w->stopped()) {
			wire_never(e, "%s: stopped", what);
			if (e)
				e->sys = EINTR;
			return -1;
		}
		now = clock_now_ns();
		if (now >= w->deadline_ns)
			return wire_again(e, "%s: no answer in time", what);
		/* a signal that comes just before poll is met within a second */
		ms = (w->deadline_ns - now) / CLOCK_NS_PER_MS + 1;
		n = poll(&p, 1, ms < 1000 ? (int)ms : 1000);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return wire_never(e, "%s: poll failed", what);
	}
}
