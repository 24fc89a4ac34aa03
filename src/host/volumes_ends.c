#include "host/volumes_ends.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int
read_at(int fd, unsigned char *out, uint64_t len, uint64_t at)
{
	uint64_t done = 0;
	ssize_t n;

	while (done < len) {
		n = pread(fd, out + done, len - done, (off_t)(at + done));
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		if (n == 0)
			return EIO; /* shorter than /sys says */
		done += (uint64_t)n;
	}
	return 0;
}

int
volumes_ends_read(struct volumes_ends *d, int fd, uint64_t size_bytes)
{
	int sys;

	memset(d, 0, sizeof(*d));
	d->fd = fd;
	d->size_bytes = size_bytes;
	d->len = size_bytes < VOLUMES_ENDS_BYTES ? size_bytes
						 : VOLUMES_ENDS_BYTES;
	d->back_at = size_bytes - d->len;
	d->memory = malloc(2 * d->len + 1);
	if (!d->memory)
		return ENOMEM;
	sys = read_at(fd, d->memory, d->len, 0);
	if (sys == 0)
		sys = read_at(fd, d->memory + d->len, d->len, d->back_at);
	return sys;
}

void
volumes_ends_free(struct volumes_ends *d)
{
	free(d->memory);
	d->memory = NULL;
}

const unsigned char *
volumes_ends_at(const struct volumes_ends *d, uint64_t offset, size_t n)
{
	if (n > d->len)
		return NULL;
	if (offset <= d->len - n)
		return d->memory + offset;
	if (offset >= d->back_at && offset - d->back_at <= d->len - n)
		return d->memory + d->len + (offset - d->back_at);
	return NULL;
}

bool
volumes_ends_blank(const struct volumes_ends *d)
{
	uint64_t i;

	for (i = 0; i < 2 * d->len; i++)
		if (d->memory[i])
			return false;
	return true;
}
