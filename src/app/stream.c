#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/bounded.h"
#include "app/stop.h"
#include "app/stream.h"
#include "base/clock.h"

#define SLICE_MS	 100
#define CHUNK_BYTES	 4096 /* a pipe that can be written takes so much */
#define REGULAR_LEAST_NS CLOCK_NS_PER_S

struct stream {
	struct file f;
	const char *data;
	size_t len;
	uint64_t until_ns; /* STREAM_FOREVER = no limit */
	int stops;	   /* stop_count() at the beginning */
};

static int
refuses(const struct stream *s, struct err *e)
{
	if (stop_count() != s->stops)
		return err_set(e, ERR_SIGNAL + stop_signal(), 0,
			"a signal came while \"%s\" did not take what was "
			"written (%zu bytes are missing)",
			s->f.name, s->len);
	return err_set(e, ERR_OUTPUT, 0,
		"\"%s\" does not take what is written (%zu bytes are missing)",
		s->f.name, s->len);
}

/* 0: it takes something, or says why not; -1: not in time. */
static int
wait_ready(const struct stream *s)
{
	struct pollfd p = { .fd = s->f.fd, .events = POLLOUT };
	uint64_t now_ns;
	int ms, n;

	for (;;) {
		now_ns = clock_now_ns();
		ms = SLICE_MS;
		if (s->until_ns <= now_ns)
			ms = 0;
		else if (s->until_ns - now_ns < SLICE_MS * CLOCK_NS_PER_MS)
			ms = (int)((s->until_ns - now_ns) / CLOCK_NS_PER_MS);
		n = poll(&p, 1, ms);
		/* a poll that cannot be had tells nothing: write will */
		if (n > 0 || (n < 0 && errno != EINTR))
			return 0;
		if (stop_count() != s->stops || s->until_ns <= now_ns)
			return -1;
	}
}

static int
write_ready(struct stream *s, struct err *e)
{
	size_t part;
	ssize_t n;

	while (s->len > 0) {
		if (wait_ready(s) < 0)
			return refuses(s, e);
		part = s->len < CHUNK_BYTES ? s->len : CHUNK_BYTES;
		n = write(s->f.fd, s->data, part);
		if (n > 0) {
			s->data += n;
			s->len -= (size_t)n;
		} else if (n < 0 && errno == EINTR) {
			if (stop_count() != s->stops)
				return refuses(s, e);
		} else if (n == 0 || errno != EAGAIN) {
			return err_set(e, ERR_OUTPUT, n < 0 ? errno : EIO,
				"cannot write \"%s\" (%zu bytes are missing)",
				s->f.name, s->len);
		}
	}
	return 0;
}

static int
write_all(void *arg, struct err *e)
{
	struct stream *s = arg;

	return file_write_all(&s->f, s->data, s->len, e);
}

/* In a child, which lets go of the stream itself: it gets a copy. */
static int
write_regular(struct stream *s, uint64_t limit_ns, struct err *e)
{
	int fd = fcntl(s->f.fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	enum bounded_end end;

	if (fd < 0)
		return write_all(s, e);
	s->f.fd = fd;
	end = bounded_call(write_all, s, limit_ns, s->f.name, e);
	close(fd);
	return end == BOUNDED_OK ? 0 : -1;
}

bool
stream_is_regular(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

int
stream_write(const struct file *f, const void *data, size_t len,
	uint64_t patience_ns, struct err *e)
{
	struct stream s = { .f = *f,
		.data = data,
		.len = len,
		.until_ns = patience_ns,
		.stops = stop_count() };

	if (patience_ns != STREAM_FOREVER)
		s.until_ns = clock_now_ns() + patience_ns;
	if (!stream_is_regular(f->fd))
		return write_ready(&s, e);
	if (patience_ns == STREAM_FOREVER)
		return write_all(&s, e);
	if (patience_ns < REGULAR_LEAST_NS)
		patience_ns = REGULAR_LEAST_NS;
	return write_regular(&s, patience_ns, e);
}
