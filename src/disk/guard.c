#include "disk/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/units.h"
#include "disk/engine.h"
#include "disk/guard_kind.h"
#include "disk/guard_space.h"
#include "host/host.h"

/* Flags of the directory with which nothing in it can be removed again. */
static const struct {
	unsigned flag;
	const char *word;
} guard_locked[] = {
	{ 0x10 /* FS_IMMUTABLE_FL */, "immutable (chattr +i)" },
	{ 0x20 /* FS_APPEND_FL */, "append-only (chattr +a)" },
};

/* ---- looking -------------------------------------------------------------- */

static int
guard_open(struct guard_view *v, const char *dir, struct err *e)
{
	struct stat st;
	int sys;

	v->dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* a directory that may be written but not listed serves as well */
	if (v->dir_fd < 0 && errno == EACCES)
		v->dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (v->dir_fd >= 0)
		return 0;
	sys = errno;
	if (sys == ENOTDIR && stat(dir, &st) == 0)
		return err_set(
			e, ERR_REFUSED, 0, "--dir %s is not a directory", dir);
	return err_set(e, ERR_REFUSED, sys, "--dir %s cannot be opened", dir);
}

/* The name for the screen; the descriptor is what counts. */
static void
guard_resolve(struct guard_view *v, const char *dir)
{
	char link[64];
	ssize_t n;
	char *name;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", v->dir_fd);
	n = readlink(link, v->dir, sizeof(v->dir) - 1);
	if (n > 0 && v->dir[0] == '/') {
		v->dir[n] = '\0';
		return;
	}
	name = realpath(dir, NULL);
	snprintf(v->dir, sizeof(v->dir), "%s", name ? name : dir);
	free(name);
}

static uint64_t
guard_blocks(uint64_t blocks, const struct statvfs *vfs)
{
	uint64_t size = vfs->f_frsize ? vfs->f_frsize : vfs->f_bsize;

	if (size != 0 && blocks > UINT64_MAX / size)
		return UINT64_MAX;
	return blocks * size;
}

static int
guard_space(struct guard_view *v, struct err *e)
{
	struct statvfs vfs;

	if (fstatvfs(v->dir_fd, &vfs) < 0)
		return err_set(e, ERR_REFUSED, errno, "statvfs %s", v->dir);
	v->total_bytes = guard_blocks(vfs.f_blocks, &vfs);
	v->available_bytes = guard_blocks(vfs.f_bavail, &vfs);
	v->read_only = (vfs.f_flag & ST_RDONLY) != 0;
	return 0;
}

/* Where the file's data will lie: of an overlay, what is right below it. */
static void
guard_store(struct guard_view *v)
{
	const struct stack_layer *below = &v->stack.layers[1];
	bool told = v->stack.count > 1 && below->kind == STACK_FILESYSTEM &&
		    below->depth == 1 && strncmp(v->fstype, "overlay", 7) == 0;

	snprintf(v->store, sizeof(v->store), "%s",
		told ? below->layer : v->fstype);
}

static int
guard_forbidden(const struct guard_view *v)
{
	if (faccessat(v->dir_fd, ".", W_OK | X_OK, AT_EACCESS) == 0)
		return 0;
	/*
	 * guard_judge has a better sentence for a read-only or a locked place.
	 * EPERM is also what older container profiles say to a call that they
	 * do not know: the lab will show.
	 */
	return errno == EROFS || errno == EPERM ? 0 : errno;
}

int
guard_look(
	struct guard_view *v, const char *dir, const char *root, struct err *e)
{
	struct mounts_entry guess;
	int flags = 0;

	memset(v, 0, sizeof(*v));
	v->dir_fd = -1;
	if (guard_open(v, dir, e) < 0)
		return -1;
	guard_resolve(v, dir);
	if (ioctl(v->dir_fd, FS_IOC_GETFLAGS, &flags) == 0)
		v->flags = (unsigned)flags;
	if (guard_space(v, e) < 0) {
		guard_close(v);
		return -1;
	}
	v->forbidden = guard_forbidden(v);
	v->mount_told =
		mounts_of_fd(v->dir_fd, v->dir, root, &v->mount, NULL) == 0;
	if (!v->mount_told)
		memset(&v->mount, 0, sizeof(v->mount));
	if (v->mount_told)
		memcpy(v->fstype, v->mount.fstype, sizeof(v->fstype));
	else if (mounts_guess_fd(v->dir_fd, &guess, NULL) == 0)
		memcpy(v->fstype, guess.fstype, sizeof(v->fstype));
	stack_walk_fd(
		&v->stack, v->dir_fd, v->mount_told ? &v->mount : NULL, root);
	guard_store(v);
	limits_read(&v->limits, root);
	v->memory_available_bytes = host_memory_available_bytes(root);
	return 0;
}

void
guard_close(struct guard_view *v)
{
	if (v->dir_fd >= 0)
		close(v->dir_fd);
	v->dir_fd = -1;
}

/* ---- judging -------------------------------------------------------------- */

/* What all checks look at. */
struct guard_case {
	const struct guard_view *v;
	const struct plan *p;
	struct plan_cost cost;
	bool allow_memory;
	const char *root;
};

static int
guard_judge_permission(const struct guard_case *c, struct err *e)
{
	if (!c->v->forbidden)
		return 0;
	return err_set(e, ERR_REFUSED, c->v->forbidden,
		"no right to make files in %s: use another --dir", c->v->dir);
}

static int
guard_judge_kind(const struct guard_case *c, struct err *e)
{
	return guard_kind_fit(c->v, e);
}

static int
guard_judge_read_only(const struct guard_case *c, struct err *e)
{
	if (!c->v->read_only)
		return 0;
	return err_set(e, ERR_REFUSED, 0,
		"%s is on a filesystem that is mounted read-only (%s): use "
		"another --dir",
		c->v->dir, c->v->mount_told ? c->v->mount.point : "unknown");
}

static int
guard_judge_memory(const struct guard_case *c, struct err *e)
{
	if (c->v->stack.backing != STACK_BACKING_MEMORY || c->allow_memory)
		return 0;
	return err_set(e, ERR_REFUSED, 0,
		"%s is in memory, not on a disk (%s): use a --dir on a disk "
		"(--allow-memory-backed measures memory, and says so)",
		c->v->dir, c->v->stack.why);
}

static int
guard_judge_direct(const struct guard_case *c, struct err *e)
{
	return guard_kind_direct(c->v, c->p->keep_cow, c->root, e);
}

static int
guard_judge_flags(const struct guard_case *c, struct err *e)
{
	for (size_t i = 0; i < sizeof(guard_locked) / sizeof(guard_locked[0]);
		i++)
		if (c->v->flags & guard_locked[i].flag)
			return err_set(e, ERR_REFUSED, 0,
				"%s is %s: what a run makes there could not "
				"be removed; use another --dir",
				c->v->dir, guard_locked[i].word);
	return 0;
}

static int
guard_judge_file_size(const struct guard_case *c, struct err *e)
{
	char limit[32], size[32];

	if (c->v->limits.file_size_bytes >= c->p->size_bytes)
		return 0;
	units_bytes(c->v->limits.file_size_bytes, limit, sizeof(limit));
	units_bytes(c->p->size_bytes, size, sizeof(size));
	return err_set(e, ERR_REFUSED, 0,
		"files of this process may have %s (RLIMIT_FSIZE), the target "
		"has %s: raise it with `ulimit -f unlimited`, or use a smaller "
		"--size",
		limit, size);
}

static int
guard_judge_space(const struct guard_case *c, struct err *e)
{
	return guard_space_judge(c->v, c->p, e);
}

uint64_t
guard_memory_bytes(const struct guard_view *v)
{
	uint64_t machine = v->memory_available_bytes;
	uint64_t group = v->limits.memory_free_bytes;

	return machine < group ? machine : group;
}

static int
guard_judge_buffers(const struct guard_case *c, struct err *e)
{
	uint64_t memory = guard_memory_bytes(c->v);
	char want[32], have[32];

	if (memory == UINT64_MAX ||
		c->cost.buffers_bytes * 100 <= memory * GUARD_BUFFERS_PCT)
		return 0;
	units_bytes(c->cost.buffers_bytes, want, sizeof(want));
	units_bytes(memory, have, sizeof(have));
	return err_set(e, ERR_REFUSED, 0,
		"buffers of %s are more than %d %% of the %s of memory that "
		"%s: use a smaller bs, iodepth or numjobs",
		want, GUARD_BUFFERS_PCT, have,
		memory == c->v->memory_available_bytes
			? "are available"
			: "this cgroup may still use");
}

static int
guard_judge_aio(const struct guard_case *c, struct err *e)
{
	for (uint32_t i = 0; i < c->p->job_count; i++)
		if (c->p->jobs[i].ioengine == JOB_LIBAIO)
			return engine_probe(
				c->cost.iodepth, c->cost.threads, c->root, e);
	return 0;
}

/* In order: what no option can change comes before what one can. */
static int (*const guard_checks[])(const struct guard_case *, struct err *) = {
	guard_judge_permission,
	guard_judge_kind,
	guard_judge_read_only,
	guard_judge_memory,
	guard_judge_direct,
	guard_judge_flags,
	guard_judge_file_size,
	guard_judge_space,
	guard_judge_buffers,
	guard_judge_aio,
};

int
guard_judge(const struct guard_view *v, const struct plan *p, bool allow_memory,
	const char *root, struct err *e)
{
	struct guard_case c = {
		.v = v, .p = p, .allow_memory = allow_memory, .root = root
	};

	plan_cost(p, &c.cost);
	for (size_t i = 0; i < sizeof(guard_checks) / sizeof(guard_checks[0]);
		i++)
		if (guard_checks[i](&c, e) < 0)
			return -1;
	return 0;
}

bool
guard_copies_on_write(const char *fstype)
{
	const struct guard_kind *k;

	for (k = guard_kind_table(); k->fstype; k++)
		if (strcmp(k->fstype, fstype) == 0)
			return k->copies;
	return false;
}

/* The largest of all devices on the way down: each must be able to serve. */
static uint64_t
guard_logical_block(const struct stack *s)
{
	uint64_t most = 0, here;

	for (unsigned i = 0; i < s->count; i++) {
		here = s->layers[i].logical_block_bytes;
		if (s->layers[i].kind != STACK_FILESYSTEM &&
			here != STACK_UNKNOWN && here > most)
			most = here;
	}
	return most;
}

void
guard_wish(
	const struct guard_view *v, const struct plan *p, struct target_wish *w)
{
	uint64_t unit;

	memset(w, 0, sizeof(*w));
	w->size_bytes = p->size_bytes;
	w->fstype = v->store;
	w->keep_cow = p->keep_cow;
	w->memory_backed = v->stack.backing == STACK_BACKING_MEMORY;
	w->logical_block_bytes = guard_logical_block(&v->stack);
	for (uint32_t i = 0; i < p->job_count; i++) {
		/* its lowest bit: 6144 is a multiple of 2048, not of 4096 */
		unit = p->jobs[i].bs_bytes & -p->jobs[i].bs_bytes;
		if (w->bs_unit_bytes == 0 || unit < w->bs_unit_bytes)
			w->bs_unit_bytes = unit;
	}
}
