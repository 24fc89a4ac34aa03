#include "host/stack.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/below.h"
#include "host/stack_block.h"
#include "host/stack_loop.h"

/* One walk down: what the leaves were so far. */
struct walk {
	struct stack *s;
	const char *root;
	bool disk, memory, unknown;
	bool cached; /* the page cache may answer for the disk */
	uint64_t mount_id[STACK_LAYERS_MAX]; /* of each filesystem's layer */
};

static void walk_mount(struct walk *w, const struct mounts_entry *m, int depth);
static void walk_block(struct walk *w, struct stack_dev dev, int depth);

/*
 * Filesystems that do not lie on a block device of this machine.  All others
 * do, by the mount's device number or, where that is anonymous, its source.
 */
enum place {
	PLACE_MEMORY,
	PLACE_UPPER,  /* option upperdir */
	PLACE_SOURCE, /* the mount's source is a directory */
	PLACE_NETWORK,
	PLACE_PROGRAM,
	PLACE_HIDDEN /* /sys does not show its disks */
};

static const struct fs {
	const char *fstype;
	enum place place;
} filesystems[] = {
	{ "tmpfs", PLACE_MEMORY },
	{ "ramfs", PLACE_MEMORY },
	{ "rootfs", PLACE_MEMORY }, /* the initramfs */
	{ "devtmpfs", PLACE_MEMORY },
	{ "hugetlbfs", PLACE_MEMORY },
	{ "overlay", PLACE_UPPER },
	{ "overlayfs", PLACE_UPPER }, /* before Linux 3.18 */
	{ "ecryptfs", PLACE_SOURCE },
	{ "nfs", PLACE_NETWORK },
	{ "nfs4", PLACE_NETWORK },
	{ "cifs", PLACE_NETWORK },
	{ "smb3", PLACE_NETWORK },
	{ "ceph", PLACE_NETWORK },
	{ "afs", PLACE_NETWORK },
	{ "9p", PLACE_NETWORK },
	{ "virtiofs", PLACE_NETWORK },
	{ "vboxsf", PLACE_NETWORK },
	{ "lustre", PLACE_NETWORK },
	{ "gpfs", PLACE_NETWORK },
	{ "fuse", PLACE_PROGRAM },
	{ "aufs", PLACE_HIDDEN },
	{ "zfs", PLACE_HIDDEN },
};

static const struct fs *
fs_find(const char *fstype)
{
	size_t i;

	if (strncmp(fstype, "fuse.", 5) == 0)
		fstype = "fuse";
	for (i = 0; i < sizeof(filesystems) / sizeof(filesystems[0]); i++)
		if (strcmp(filesystems[i].fstype, fstype) == 0)
			return &filesystems[i];
	return NULL;
}

static const char *
fs_word(const struct mounts_entry *m)
{
	return m->fstype[0] ? m->fstype : "an unknown filesystem";
}

/* ---- results of the leaves ----------------------------------------------- */

static void found_memory(struct walk *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static void found_unknown(struct walk *w, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Memory outweighs what is unknown; the first of a kind keeps the word. */
static void
found_memory(struct walk *w, const char *fmt, ...)
{
	va_list ap;

	if (!w->memory) {
		va_start(ap, fmt);
		vsnprintf(w->s->why, sizeof(w->s->why), fmt, ap);
		va_end(ap);
	}
	w->memory = true;
}

static void
found_unknown(struct walk *w, const char *fmt, ...)
{
	va_list ap;

	if (!w->memory && !w->unknown && !w->cached) {
		va_start(ap, fmt);
		vsnprintf(w->s->why, sizeof(w->s->why), fmt, ap);
		va_end(ap);
	}
	w->unknown = true;
	w->s->complete = false;
}

/* The walk goes on: where the disk's counters are is still worth knowing. */
static void
found_cached(struct walk *w, const char *name)
{
	if (!w->memory && !w->unknown && !w->cached)
		snprintf(w->s->why, sizeof(w->s->why),
			"%s goes through the page cache (losetup "
			"--direct-io=on would not)",
			name);
	w->cached = true;
}

/* Everything absent; NULL, and the walk cut, where there is no room. */
static struct stack_layer *
layer_add(struct walk *w, int depth)
{
	struct stack_layer *l;

	if (w->s->count == STACK_LAYERS_MAX) {
		found_unknown(
			w, "there are more than %d layers", STACK_LAYERS_MAX);
		return NULL;
	}
	l = &w->s->layers[w->s->count++];
	memset(l, 0, sizeof(*l));
	l->depth = depth;
	l->rotational = -1;
	l->size_bytes = l->logical_block_bytes = l->physical_block_bytes =
		l->discard_max_bytes = l->nr_requests = l->pool_free_bytes =
			STACK_UNKNOWN;
	return l;
}

/* ---- block devices ------------------------------------------------------- */

static bool
listed(const struct stack *s, struct stack_dev dev)
{
	const struct stack_layer *l;
	unsigned i;

	for (i = 0; i < s->count; i++) {
		l = &s->layers[i];
		if (l->kind != STACK_FILESYSTEM &&
			l->dev_major == dev.dev_major &&
			l->dev_minor == dev.dev_minor)
			return true;
	}
	return false;
}

static void
walk_lower(struct walk *w, const struct stack_lower *lower, int depth)
{
	unsigned i;

	for (i = 0; i < lower->count; i++)
		walk_block(w, lower->dev[i], depth);
}

static void
walk_loop(struct walk *w, const struct stack_layer *l, int depth)
{
	struct stack_loop loop;

	stack_loop_find(&loop, l, w->root);
	if (loop.cached)
		found_cached(w, l->name);
	switch (loop.kind) {
	case STACK_LOOP_DEVICE:
		walk_block(w, loop.dev, depth);
		break;
	case STACK_LOOP_MOUNT:
		walk_mount(w, &loop.mount, depth);
		break;
	case STACK_LOOP_UNKNOWN:
	default:
		found_unknown(w, "the file of %s is not visible here", l->name);
	}
}

/* A device that nothing in /sys lies below: a disk, or the end of sight. */
static void
leaf(struct walk *w, const struct stack_layer *l)
{
	switch (l->kind) {
	case STACK_DISK:
		w->disk = true;
		break;
	case STACK_MEMORY:
		found_memory(w, "%s is a block device in memory",
			l->name[0] ? l->name : "the ramdisk");
		break;
	case STACK_FILESYSTEM:
	case STACK_PARTITION:
	case STACK_DM:
	case STACK_MD:
	case STACK_LOOP:
	case STACK_OTHER:
	default:
		found_unknown(w, "/sys does not show what %s (%s) lies on",
			l->name, l->layer);
	}
}

static void
walk_block(struct walk *w, struct stack_dev dev, int depth)
{
	struct stack_lower lower;
	struct stack_layer *l;

	/* seen already: two ways to one disk, or (a broken /sys) a circle */
	if (listed(w->s, dev))
		return;
	l = layer_add(w, depth);
	if (!l)
		return;
	if (stack_block_fill(l, dev, w->root) != 0 && l->kind != STACK_MEMORY) {
		found_unknown(w, "/sys does not show block device %u:%u",
			dev.dev_major, dev.dev_minor);
		return;
	}
	if (l->kind == STACK_LOOP) {
		walk_loop(w, l, depth + 1);
		return;
	}
	stack_block_lower(&lower, l, w->root);
	if (lower.count == 0 || l->kind == STACK_MEMORY)
		leaf(w, l);
	else
		walk_lower(w, &lower, depth + 1);
	if (lower.more)
		found_unknown(
			w, "/sys does not show all that %s lies on", l->name);
}

/* ---- filesystems --------------------------------------------------------- */

/* By the mount's source: "/dev/vda1", or several of bcachefs with colons. */
static void
walk_source(struct walk *w, const struct mounts_entry *m, int depth)
{
	char part[sizeof(m->source)];
	struct stack_dev dev;
	const char *p;
	size_t len;

	for (p = m->source; *p; p += len + (p[len] == ':')) {
		len = strcspn(p, ":");
		memcpy(part, p, len);
		part[len] = '\0';
		if (stack_block_of_path(part, w->root, &dev) != 0)
			found_unknown(w,
				"%s does not tell which device it is on",
				fs_word(m));
		else
			walk_block(w, dev, depth);
	}
	if (!m->source[0] || strlen(m->source) + 1 == sizeof(m->source))
		found_unknown(w, "%s does not tell which devices it is on",
			fs_word(m));
}

/* All devices of a btrfs; its source names one of them. */
static void
walk_btrfs(struct walk *w, const struct mounts_entry *m, int depth)
{
	struct stack_lower lower = { .count = 0 };
	struct stack_dev dev;

	if (stack_block_of_path(m->source, w->root, &dev) == 0)
		stack_block_btrfs(&lower, dev, w->root);
	if (lower.count == 0) {
		walk_source(w, m, depth);
		return;
	}
	walk_lower(w, &lower, depth);
	if (lower.more)
		found_unknown(w, "/sys does not show all devices of btrfs");
}

/* The filesystem that a directory of another filesystem is on. */
static void
walk_directory(struct walk *w, const struct mounts_entry *m, const char *path,
	int depth)
{
	struct mounts_entry below;

	if (mounts_of_path(path, w->root, &below, NULL) == 0 &&
		below.id != m->id && mounts_may_be_upper(m, path, w->root)) {
		walk_mount(w, &below, depth);
		return;
	}
	if (mounts_same_filesystem(m, w->root, &below) == 0) {
		walk_mount(w, &below, depth);
		return;
	}
	found_unknown(w, "the directory that %s writes to is not visible here",
		fs_word(m));
}

static void
walk_upper(struct walk *w, const struct mounts_entry *m, int depth)
{
	char path[sizeof(m->options)];

	if (mounts_option(m, "upperdir", path, sizeof(path)))
		walk_directory(w, m, path, depth);
	else
		found_unknown(
			w, "%s does not tell its upper directory", fs_word(m));
}

static void
walk_placed(struct walk *w, const struct mounts_entry *m, enum place place,
	int depth)
{
	const char *word = fs_word(m);

	switch (place) {
	case PLACE_MEMORY:
		found_memory(w, "%s is memory", word);
		break;
	case PLACE_UPPER:
		walk_upper(w, m, depth);
		break;
	case PLACE_SOURCE:
		walk_directory(w, m, m->source, depth);
		break;
	case PLACE_NETWORK:
		found_unknown(
			w, "%s is served by another machine or the host", word);
		break;
	case PLACE_PROGRAM:
		found_unknown(w, "%s is served by a program", word);
		break;
	case PLACE_HIDDEN:
	default:
		found_unknown(w, "/sys does not show the disks of %s", word);
	}
}

/* Seen already: two files of one filesystem, or a circle. */
static bool
mount_listed(const struct walk *w, const struct mounts_entry *m)
{
	unsigned i;

	for (i = 0; i < w->s->count; i++)
		if (w->s->layers[i].kind == STACK_FILESYSTEM && m->id != 0 &&
			w->mount_id[i] == m->id)
			return true;
	return false;
}

static void
walk_mount(struct walk *w, const struct mounts_entry *m, int depth)
{
	const struct fs *fs = fs_find(m->fstype);
	struct stack_layer *l;

	if (mount_listed(w, m))
		return;
	l = layer_add(w, depth);
	if (!l)
		return;
	w->mount_id[w->s->count - 1] = m->id;
	l->kind = STACK_FILESYSTEM;
	l->dev_major = m->dev_major;
	l->dev_minor = m->dev_minor;
	snprintf(l->layer, sizeof(l->layer), "%.23s",
		m->fstype[0] ? m->fstype : "unknown");
	if (fs)
		walk_placed(w, m, fs->place, depth + 1);
	else if (m->dev_major != 0)
		walk_block(w, (struct stack_dev){ m->dev_major, m->dev_minor },
			depth + 1);
	else if (strcmp(m->fstype, "btrfs") == 0)
		walk_btrfs(w, m, depth + 1);
	else
		walk_source(w, m, depth + 1);
}

static void
walk_begin(struct walk *w, struct stack *s, const char *root)
{
	memset(w, 0, sizeof(*w));
	memset(s, 0, sizeof(*s));
	w->s = s;
	w->root = root;
	s->complete = true;
}

static void
walk_end(struct walk *w)
{
	struct stack *s = w->s;

	if (!w->disk && !w->memory && !w->unknown)
		found_unknown(w, "/sys leads to no disk");
	s->backing = w->memory		       ? STACK_BACKING_MEMORY
		     : w->unknown || w->cached ? STACK_BACKING_UNKNOWN
					       : STACK_BACKING_DISK;
}

void
stack_walk(struct stack *s, const struct mounts_entry *m, const char *root)
{
	struct walk w;

	walk_begin(&w, s, root);
	walk_mount(&w, m, 0);
	walk_end(&w);
}

static bool
in_memory(const struct mounts_entry *m)
{
	const struct fs *fs = fs_find(m->fstype);

	return fs && fs->place == PLACE_MEMORY;
}

void
stack_walk_fd(struct stack *s, int dir_fd, const struct mounts_entry *m,
	const char *root)
{
	struct mounts_entry guess;
	struct walk w;

	walk_begin(&w, s, root);
	if (mounts_guess_fd(dir_fd, &guess, NULL) != 0)
		memset(&guess, 0, sizeof(guess));
	if (m && (!in_memory(&guess) || in_memory(m)))
		walk_mount(&w, m, 0);
	else
		walk_mount(&w, &guess, 0);
	walk_end(&w);
}

int
stack_single_disk(const struct stack *s)
{
	int found = -1;
	unsigned i;

	if (!s->complete || s->backing == STACK_BACKING_MEMORY)
		return -1;
	for (i = 0; i < s->count; i++) {
		if (s->layers[i].kind != STACK_DISK)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

uint64_t
stack_pool_free_bytes(const struct stack *s)
{
	uint64_t least = STACK_UNKNOWN;
	unsigned i;

	for (i = 0; i < s->count; i++)
		if (s->layers[i].pool_free_bytes < least)
			least = s->layers[i].pool_free_bytes;
	return least;
}

const char *
stack_backing_word(enum stack_backing b)
{
	switch (b) {
	case STACK_BACKING_DISK:
		return "disk";
	case STACK_BACKING_MEMORY:
		return "memory";
	case STACK_BACKING_UNKNOWN:
	default:
		return "unknown";
	}
}
