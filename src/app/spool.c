#include "app/spool.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "app/receipts.h"
#include "app/screen.h"
#include "app/verify.h"
#include "base/file_secret.h"

int
spool_open(const char *dir, struct err *e)
{
	return file_secret_dir(dir, e);
}

/* How many wait; -1 where that cannot be told. */
static int
waiting(const char *dir)
{
	struct dirent *entry;
	DIR *d = opendir(dir);
	int n = 0;

	if (!d)
		return -1;
	while ((entry = readdir(d)) != NULL)
		n += receipts_is(entry->d_name, ".jws");
	closedir(d);
	return n;
}

int
spool_put(const char *dir, const char *jti, const char *jws, size_t len,
	struct err *e)
{
	char path[4096];
	int n = waiting(dir), rc;

	if (n < 0)
		return err_set(e, ERR_OUTPUT, errno, "the spool %s", dir);
	if (n >= SPOOL_MAX)
		return err_set(e, ERR_OUTPUT, 0,
			"the spool %s is full (%d receipts wait); `ioreceipt "
			"upload --spool '%s' --upload URL` sends them",
			dir, n, dir);
	if ((size_t)snprintf(path, sizeof(path), "%s/%s.jws", dir, jti) >=
		sizeof(path))
		return err_set(
			e, ERR_OUTPUT, ENAMETOOLONG, "the spool %s", dir);
	rc = file_secret_make(path, jws, len, e);
	return rc < 0 && e && e->sys == EEXIST ? 0 : rc;
}

struct spool {
	int (*fn)(void *arg, const struct send_receipt *r, struct err *e);
	void *arg;
	struct verify files;
	struct err first;
};

/* Say it, keep the first; -1 where a signal ends it all. */
static int
failed(struct spool *s, const char *path, const struct err *e)
{
	screen_say("%s: %s", path, e->text);
	if (!s->first.code)
		s->first = *e;
	return e->sys == EINTR ? -1 : 0;
}

static int
one(void *arg, const char *path)
{
	struct spool *s = arg;
	struct verify *v = &s->files;
	struct err e = { 0 };

	if (!receipts_is(path, ".jws"))
		return 0;
	if (verify_file(v, path, &e) < 0) {
		e.code = ERR_UPLOAD;
		return failed(s, path, &e);
	}
	struct send_receipt r = { v->receipt.jti, v->jws.kid,
		(int64_t)v->receipt.iat, &v->jws.payload, v->jws_text,
		v->jws_len };
	if (s->fn(s->arg, &r, &e) < 0 || file_secret_remove(path, &e) < 0)
		return failed(s, path, &e);
	return 0;
}

/* One sender at a time; a descriptor that holds the lock, or -1. */
static int
lock(DIR *dir, const char *path, struct err *e)
{
	if (flock(dirfd(dir), LOCK_EX | LOCK_NB) == 0)
		return 0;
	if (errno == EWOULDBLOCK)
		return err_set(e, ERR_UPLOAD, 0,
			"another ioreceipt sends what is in %s just now", path);
	return err_set(e, ERR_OUTPUT, errno, "lock %s", path);
}

int
spool_each(const char *dir,
	int (*fn)(void *arg, const struct send_receipt *r, struct err *e),
	void *arg, struct err *e)
{
	struct spool s = { .fn = fn, .arg = arg };
	DIR *d = opendir(dir);
	int rc;

	if (!d)
		return err_set(e, ERR_OPEN, errno, "the spool %s", dir);
	rc = lock(d, dir, e);
	if (rc == 0 && waiting(dir) > 0) {
		verify_init(&s.files);
		rc = receipts_walk(dir, one, &s, e);
		verify_free(&s.files);
	}
	closedir(d);
	if (s.first.code && e)
		*e = s.first;
	return s.first.code ? -1 : rc;
}
