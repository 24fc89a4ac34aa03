#include "disk/lab_marker.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/rng.h"
#include "disk/lab.h"

#define LAB_TARGET_PREFIX "target-"
#define LAB_TARGET_DIGITS 16

static bool
lab_marker_is_target(const char *name, size_t len)
{
	const size_t prefix = sizeof(LAB_TARGET_PREFIX) - 1;

	if (len != prefix + LAB_TARGET_DIGITS ||
		memcmp(name, LAB_TARGET_PREFIX, prefix) != 0)
		return false;
	return strspn(name + prefix, "0123456789abcdef") >= LAB_TARGET_DIGITS;
}

/* The line at *at without its LF, its length in *len; NULL if it has none. */
static const char *
lab_marker_line(const char **at, size_t *len)
{
	const char *line = *at, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*len = (size_t)(end - line);
	*at = end + 1;
	return line;
}

/* Exactly our three lines? */
static bool
lab_marker_parse(const char *text, struct lab_marker *m)
{
	static const char made_by[] = "made-by=ioreceipt ", key[] = "target=";
	const char *line, *name;
	size_t len;

	line = lab_marker_line(&text, &len);
	if (!line || len != sizeof(LAB_MARKER_TEXT) - 1 ||
		memcmp(line, LAB_MARKER_TEXT, len) != 0)
		return false;
	line = lab_marker_line(&text, &len);
	if (!line || strncmp(line, made_by, sizeof(made_by) - 1) != 0)
		return false;
	line = lab_marker_line(&text, &len);
	if (!line || *text || strncmp(line, key, sizeof(key) - 1) != 0)
		return false;
	name = line + sizeof(key) - 1;
	len -= sizeof(key) - 1;
	if (!lab_marker_is_target(name, len))
		return false;
	memcpy(m->target, name, len);
	m->target[len] = '\0';
	return true;
}

static int
lab_marker_refuse(const char *why, struct err *e)
{
	return err_set(e, ERR_REFUSED, 0,
		"the marker %s %s: not taken for ours, nothing was touched; "
		"look at the lab and remove it by hand",
		LAB_MARKER, why);
}

static int
lab_marker_read_fd(int fd, struct lab_marker *m, struct err *e)
{
	char text[LAB_MARKER_MAX_BYTES + 1];
	struct stat st;
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return err_set(e, ERR_REFUSED, errno, "stat %s", LAB_MARKER);
	if (!S_ISREG(st.st_mode))
		return lab_marker_refuse("is not a regular file", e);
	if (st.st_uid != geteuid())
		return lab_marker_refuse("belongs to another user", e);
	if (st.st_nlink != 1)
		return lab_marker_refuse("has several links", e);
	if (st.st_size > LAB_MARKER_MAX_BYTES)
		return lab_marker_refuse("is too long", e);
	m->ino = st.st_ino;
	do
		n = read(fd, text, sizeof(text) - 1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_set(e, ERR_REFUSED, errno, "read %s", LAB_MARKER);
	if (n != st.st_size)
		return lab_marker_refuse("changes while it is read", e);
	m->state = LAB_MARKER_EMPTY;
	if (n == 0)
		return 0;
	text[n] = '\0';
	if (strlen(text) != (size_t)n || !lab_marker_parse(text, m))
		return lab_marker_refuse("was edited", e);
	m->state = LAB_MARKER_GOOD;
	return 0;
}

int
lab_marker_read(int lab_fd, struct lab_marker *m, struct err *e)
{
	struct stat st;
	int fd, rc;

	memset(m, 0, sizeof(*m));
	/* Looked at first: opening a device can do something. */
	if (fstatat(lab_fd, LAB_MARKER, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT)
			return 0;
		return err_set(e, ERR_REFUSED, errno, "stat %s", LAB_MARKER);
	}
	if (!S_ISREG(st.st_mode))
		return lab_marker_refuse("is not a regular file", e);
	fd = openat(lab_fd, LAB_MARKER,
		O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return err_set(e, ERR_REFUSED, errno, "open %s", LAB_MARKER);
	rc = lab_marker_read_fd(fd, m, e);
	close(fd);
	return rc;
}

/* Who, when, and the reserved name, into text; its length. */
static size_t
lab_marker_compose(struct lab_marker *m, uint64_t random, char *text)
{
	char utc[21];
	int n;

	snprintf(m->target, sizeof(m->target), "%s%016" PRIx64,
		LAB_TARGET_PREFIX, random);
	clock_utc(clock_wall_s(), utc);
	n = snprintf(text, LAB_MARKER_MAX_BYTES,
		"%s\nmade-by=ioreceipt pid=%jd uid=%ju at=%s\ntarget=%s\n",
		LAB_MARKER_TEXT, (intmax_t)getpid(), (uintmax_t)geteuid(), utc,
		m->target);
	return (size_t)n;
}

int
lab_marker_write(int lab_fd, struct lab_marker *m, struct err *e)
{
	struct file f = { -1, LAB_MARKER };
	char text[LAB_MARKER_MAX_BYTES];
	struct rng rng;
	struct stat st;
	size_t len;

	memset(m, 0, sizeof(*m));
	if (rng_init(&rng, e) < 0) {
		if (e)
			e->code = ERR_REFUSED;
		return -1;
	}
	len = lab_marker_compose(m, rng_next(&rng), text);
	f.fd = openat(lab_fd, LAB_MARKER,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (f.fd < 0)
		return err_set(e, ERR_REFUSED, errno, "make %s", LAB_MARKER);
	if (file_write_all(&f, text, len, e) < 0)
		goto undo;
	if (fstat(f.fd, &st) < 0) {
		err_set(e, ERR_REFUSED, errno, "stat %s", LAB_MARKER);
		goto undo;
	}
	m->ino = st.st_ino;
	m->state = LAB_MARKER_GOOD;
	close(f.fd);
	return 0;
undo:
	if (e)
		e->code = ERR_REFUSED;
	unlinkat(lab_fd, LAB_MARKER, 0);
	close(f.fd);
	return -1;
}
