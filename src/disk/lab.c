#include "disk/lab.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "disk/lab_content.h"
#include "disk/lab_marker.h"

/*
 * Another run that starts or ends at this moment holds the lock shortly, or
 * takes the directory away between two of our looks.
 */
#define LAB_TRIES    11
#define LAB_PAUSE_NS (10 * CLOCK_NS_PER_MS)

#define LAB_MODE 0700

/* What one attempt at the lab came to. */
enum lab_try { LAB_GOT, LAB_AGAIN, LAB_ABSENT, LAB_NO };

void
lab_init(struct lab *l)
{
	memset(l, 0, sizeof(*l));
	l->dir_fd = -1;
	l->fd = -1;
}

void
lab_abandon(struct lab *l)
{
	if (l->fd >= 0)
		close(l->fd);
	lab_init(l);
}

static enum lab_try
lab_no(struct err *e, int sys, const char *name, const char *why)
{
	err_set(e, ERR_REFUSED, sys, "%s %s", name, why);
	return LAB_NO;
}

/* "ioreceipt-lab", or our second name where that is another user's. */
static enum lab_try
lab_choose_name(struct lab *l, struct err *e)
{
	struct stat st;

	snprintf(l->name, sizeof(l->name), "%s", LAB_NAME);
	if (fstatat(l->dir_fd, l->name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT)
			return LAB_GOT;
		return lab_no(e, errno, l->name, "cannot be looked up");
	}
	if (S_ISDIR(st.st_mode) && st.st_uid != geteuid())
		snprintf(l->name, sizeof(l->name), "%s-%ju", LAB_NAME,
			(uintmax_t)geteuid());
	return LAB_GOT;
}

/* Nothing but a directory is ever opened: say what the name is instead. */
static enum lab_try
lab_look(struct lab *l, struct stat *st, struct err *e)
{
	if (fstatat(l->dir_fd, l->name, st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno == ENOENT)
			return LAB_ABSENT;
		return lab_no(e, errno, l->name, "cannot be looked up");
	}
	if (S_ISDIR(st->st_mode))
		return LAB_GOT;
	err_set(e, ERR_REFUSED, 0,
		"%s is %s, not a directory that a run made: nothing was "
		"touched; remove it or choose another --dir",
		l->name, lab_content_kind(st->st_mode));
	return LAB_NO;
}

static enum lab_try
lab_lock(struct lab *l, struct err *e)
{
	int rc;

	do
		rc = flock(l->fd, LOCK_EX | LOCK_NB);
	while (rc < 0 && errno == EINTR);
	if (rc == 0)
		return LAB_GOT;
	if (errno != EWOULDBLOCK)
		return lab_no(e, errno, l->name, "cannot be locked");
	err_set(e, ERR_REFUSED, 0,
		"%s is in use by another run: two at once would measure each "
		"other; wait for its end",
		l->name);
	return LAB_AGAIN;
}

/*
 * Open and lock whatever directory has the name, then make sure that it still
 * has it: the run before us removes its lab while it holds the lock.
 */
static enum lab_try
lab_open(struct lab *l, struct stat *st, struct err *e)
{
	enum lab_try got = lab_look(l, st, e);
	struct stat named;

	if (got != LAB_GOT)
		return got;
	if (st->st_uid != geteuid()) {
		lab_no(e, 0, l->name, "belongs to another user");
		return LAB_AGAIN;
	}
	l->fd = openat(l->dir_fd, l->name,
		O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (l->fd < 0) {
		lab_no(e, errno, l->name, "cannot be opened");
		return errno == ENOENT || errno == ELOOP || errno == ENOTDIR
			       ? LAB_AGAIN
			       : LAB_NO;
	}
	got = lab_lock(l, e);
	if (got != LAB_GOT)
		return got;
	if (fstat(l->fd, st) < 0)
		return lab_no(e, errno, l->name, "cannot be looked at");
	if (st->st_nlink == 0 ||
		fstatat(l->dir_fd, l->name, &named, AT_SYMLINK_NOFOLLOW) < 0 ||
		named.st_dev != st->st_dev || named.st_ino != st->st_ino) {
		lab_no(e, 0, l->name, "was exchanged while it was locked");
		return LAB_AGAIN;
	}
	l->dev = st->st_dev;
	l->ino = st->st_ino;
	return LAB_GOT;
}

/* Ours, 0700, on the filesystem that the guard judged? */
static enum lab_try
lab_judge(struct lab *l, struct stat *st, struct err *e)
{
	struct stat dir;
	unsigned mode;

	if (st->st_uid != geteuid())
		return lab_no(e, 0, l->name, "belongs to another user");
	if (fstat(l->dir_fd, &dir) < 0)
		return lab_no(e, errno, "the directory", "cannot be looked at");
	if (dir.st_dev != st->st_dev)
		return lab_no(e, 0, l->name,
			"is another filesystem than its directory (something "
			"is mounted on it)");
	/* A setgid parent hands its bit down, which gives nobody access. */
	if ((st->st_mode & 07777) == (LAB_MODE | S_ISGID) &&
		(fchmod(l->fd, LAB_MODE) < 0 || fstat(l->fd, st) < 0))
		return lab_no(e, errno, l->name, "cannot be made mode 0700");
	mode = st->st_mode & 07777;
	if (mode == LAB_MODE)
		return LAB_GOT;
	err_set(e, ERR_REFUSED, 0,
		"%s has mode %04o, not 0700: others may have put something "
		"into it, or this filesystem keeps no modes; look at it and "
		"remove it, or choose another --dir",
		l->name, mode);
	return LAB_NO;
}

/* Nothing inside but what a killed run of ours can have left? */
static enum lab_try
lab_inspect(struct lab *l, struct lab_marker *m, struct lab_content *c,
	struct err *e)
{
	if (lab_marker_read(l->fd, m, e) < 0 ||
		lab_content_read(l->fd, m->target, c, e) < 0) {
		err_wrap(e, "%s", l->name);
		return LAB_NO;
	}
	if (c->foreign > 0) {
		err_set(e, ERR_REFUSED, 0,
			"%s holds \"%s\"%s, which no run of ours made: nothing "
			"was touched; move it away",
			l->name, c->first, c->foreign > 1 ? " and more" : "");
		return LAB_NO;
	}
	if (c->target && lab_content_check(l->fd, m->target, 0, e) < 0) {
		err_wrap(e, "%s", l->name);
		return LAB_NO;
	}
	return LAB_GOT;
}

/* Away with target and marker of a killed run; the directory stays. */
static int
lab_empty(struct lab *l, const struct lab_marker *m,
	const struct lab_content *c, struct err *e)
{
	if (c->target && lab_content_drop(l->fd, m->target, 0, e) < 0)
		return err_wrap(e, "%s", l->name);
	if (m->state != LAB_MARKER_NONE &&
		lab_content_drop(l->fd, LAB_MARKER, m->ino, e) < 0)
		return err_wrap(e, "%s", l->name);
	return 0;
}

/*
 * Undo our mkdir; goes only while it is empty and, if we had opened it, the
 * same.  Where it was exchanged before we could: whoever can do that can
 * remove an empty directory there as well.
 */
static void
lab_unmake(struct lab *l)
{
	struct stat st, named;

	if (fstatat(l->dir_fd, l->name, &named, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	if (l->fd < 0 || (fstat(l->fd, &st) == 0 && st.st_dev == named.st_dev &&
				 st.st_ino == named.st_ino))
		unlinkat(l->dir_fd, l->name, AT_REMOVEDIR);
}

/* The locked directory becomes this run's lab. */
static enum lab_try
lab_settle(struct lab *l, struct err *e)
{
	struct lab_content content;
	struct lab_marker marker;
	enum lab_try got = lab_inspect(l, &marker, &content, e);

	if (got != LAB_GOT)
		return got;
	if (lab_empty(l, &marker, &content, e) < 0)
		return LAB_NO;
	if (lab_marker_write(l->fd, &marker, e) < 0) {
		err_wrap(e, "%s", l->name);
		lab_unmake(l);
		return LAB_NO;
	}
	memcpy(l->target, marker.target, sizeof(l->target));
	l->marker_ino = marker.ino;
	return LAB_GOT;
}

static enum lab_try
lab_try_enter(struct lab *l, struct err *e)
{
	enum lab_try got = lab_choose_name(l, e);
	struct stat st;
	bool made;

	if (got != LAB_GOT)
		return got;
	made = mkdirat(l->dir_fd, l->name, LAB_MODE) == 0;
	if (!made && errno != EEXIST)
		return lab_no(e, errno, l->name, "cannot be made");
	if (made)
		l->took_over = false;
	got = lab_open(l, &st, e);
	if (got == LAB_AGAIN && made && l->fd < 0 && st.st_uid != geteuid())
		got = lab_no(e, 0, l->name,
			"belongs to another user as soon as it is made: this "
			"filesystem does not keep owners");
	if (got == LAB_GOT)
		got = lab_judge(l, &st, e);
	if (got == LAB_GOT)
		got = lab_settle(l, e);
	if (made && got == LAB_NO)
		lab_unmake(l);
	return got == LAB_ABSENT ? LAB_AGAIN : got;
}

/* One attempt failed: nothing of it stays open. */
static void
lab_drop_fd(struct lab *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

int
lab_enter(struct lab *l, int dir_fd, struct err *e)
{
	enum lab_try got = LAB_AGAIN;
	mode_t mask = umask(077);

	lab_init(l);
	l->dir_fd = dir_fd;
	l->took_over = true; /* unless one of the attempts makes it */
	for (int i = 0; i < LAB_TRIES && got == LAB_AGAIN; i++) {
		if (i > 0)
			clock_sleep_ns(LAB_PAUSE_NS);
		got = lab_try_enter(l, e);
		if (got != LAB_GOT)
			lab_drop_fd(l);
	}
	umask(mask);
	return got == LAB_GOT ? 0 : -1;
}

/* Did somebody else remove it?  Then nothing is left of it. */
static bool
lab_is_gone(const struct lab *l)
{
	struct stat st;

	return fstat(l->fd, &st) == 0 && st.st_nlink == 0;
}

/* Is the lab still where we made it, and as we made it? */
static int
lab_check_place(const struct lab *l, struct err *e)
{
	struct stat st;

	if (fstatat(l->dir_fd, l->name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_set(e, ERR_CLEANUP, errno,
			"the lab %s is no longer at its place, nothing was "
			"removed",
			l->name);
	if (st.st_dev == l->dev && st.st_ino == l->ino && S_ISDIR(st.st_mode))
		return 0;
	return err_set(e, ERR_CLEANUP, 0,
		"%s is no longer the lab that this run made, nothing was "
		"removed",
		l->name);
}

static int
lab_check_inside(const struct lab *l, struct lab_marker *m,
	struct lab_content *c, struct err *e)
{
	if (lab_marker_read(l->fd, m, e) < 0 ||
		lab_content_read(l->fd, l->target, c, e) < 0) {
		err_wrap(e, "the lab %s stays", l->name);
		goto cleanup;
	}
	if (c->foreign > 0)
		return err_set(e, ERR_CLEANUP, 0,
			"the lab %s stays: it holds \"%s\"%s, which this run "
			"did not make; move it away and run `ioreceipt clean`",
			l->name, c->first, c->foreign > 1 ? " and more" : "");
	/* A marker that is gone takes nothing with it. */
	if (m->state == LAB_MARKER_NONE ||
		(m->state == LAB_MARKER_GOOD && m->ino == l->marker_ino &&
			strcmp(m->target, l->target) == 0))
		return 0;
	err_set(e, ERR_CLEANUP, 0,
		"the lab %s stays: its marker is not the one that this run "
		"wrote",
		l->name);
cleanup:
	if (e)
		e->code = ERR_CLEANUP;
	return -1;
}

static int
lab_remove(struct lab *l, struct lab_marker *m, struct lab_content *c,
	struct err *e)
{
	if (lab_empty(l, m, c, e) < 0) {
		if (e)
			e->code = ERR_CLEANUP;
		return -1;
	}
	if (unlinkat(l->dir_fd, l->name, AT_REMOVEDIR) < 0)
		return err_set(e, ERR_CLEANUP, errno,
			"the empty directory %s cannot be removed", l->name);
	return 0;
}

int
lab_leave(struct lab *l, struct err *e)
{
	struct lab_content content;
	struct lab_marker marker;
	int rc = 0;

	if (l->fd < 0)
		return 0;
	if (!lab_is_gone(l) &&
		(lab_check_place(l, e) < 0 ||
			lab_check_inside(l, &marker, &content, e) < 0 ||
			lab_remove(l, &marker, &content, e) < 0))
		rc = -1;
	lab_abandon(l);
	return rc;
}

static enum lab_try
lab_try_clean(struct lab *l, struct err *e)
{
	struct lab_content content;
	struct lab_marker marker;
	struct stat st;
	enum lab_try got = lab_look(l, &st, e);

	if (got == LAB_GOT && st.st_uid != geteuid())
		return LAB_ABSENT;
	if (got == LAB_GOT)
		got = lab_open(l, &st, e);
	if (got == LAB_GOT)
		got = lab_judge(l, &st, e);
	if (got == LAB_GOT)
		got = lab_inspect(l, &marker, &content, e);
	if (got == LAB_GOT && lab_remove(l, &marker, &content, e) < 0)
		got = LAB_NO;
	return got;
}

int
lab_clean(int dir_fd, bool *found, struct err *e)
{
	enum lab_try got;
	struct lab lab;

	*found = false;
	for (int second = 0; second < 2; second++) {
		lab_init(&lab);
		lab.dir_fd = dir_fd;
		snprintf(lab.name, sizeof(lab.name), "%s", LAB_NAME);
		if (second)
			snprintf(lab.name, sizeof(lab.name), "%s-%ju", LAB_NAME,
				(uintmax_t)geteuid());
		got = LAB_AGAIN;
		for (int i = 0; i < LAB_TRIES && got == LAB_AGAIN; i++) {
			if (i > 0)
				clock_sleep_ns(LAB_PAUSE_NS);
			got = lab_try_clean(&lab, e);
			lab_drop_fd(&lab);
		}
		if (got != LAB_ABSENT)
			*found = true;
		if (got == LAB_NO || got == LAB_AGAIN)
			return -1;
	}
	return 0;
}
