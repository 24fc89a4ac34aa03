#include "host/volumes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "host/below.h"
#include "host/volumes_ends.h"
#include "host/volumes_fs.h"
#include "host/volumes_sign.h"
#include "host/volumes_table.h"

#define BIT(kind) (UINT64_C(1) << (kind))

/* Their boot sectors end as an MBR does. */
#define LIKE_MBR                                                               \
	(BIT(VOLUMES_NTFS) | BIT(VOLUMES_FAT) | BIT(VOLUMES_EXFAT) |           \
		BIT(VOLUMES_BITLOCKER))

/* What weighs more stands first: a leg of a mirror looks like its content. */
static const enum volumes_class weights[] = { VOLUMES_ARRAY, VOLUMES_MEMBER,
	VOLUMES_FOREIGN, VOLUMES_MOUNTABLE, VOLUMES_NOTHING };

/* Take the weightiest kind out of the set; UNREAD where it is empty. */
static enum volumes_kind
take(uint64_t *set)
{
	unsigned kind;
	size_t i;

	for (i = 0; i < sizeof(weights) / sizeof(weights[0]); i++)
		for (kind = 0; kind < VOLUMES_KINDS; kind++) {
			if (!(*set & BIT(kind)) ||
				volumes_class_of(kind) != weights[i])
				continue;
			*set &= ~BIT(kind);
			return (enum volumes_kind)kind;
		}
	return VOLUMES_UNREAD;
}

/* Where the last partition of disk i ends. */
static uint64_t
used_bytes(const struct volumes *v, unsigned i)
{
	uint64_t most = 0, end;
	unsigned k;

	for (k = 0; k < v->count; k++) {
		end = v->entry[k].start_bytes + v->entry[k].size_bytes;
		if (v->entry[k].disk == i && v->entry[k].part && end > most)
			most = end;
	}
	return most;
}

static void
judge(struct volumes *v, unsigned i, const struct volumes_ends *d)
{
	struct volumes_entry *x = &v->entry[i];
	uint64_t set;

	if (x->partitions > 0) {
		set = volumes_sign_array(d, used_bytes(v, i));
		set |= BIT(VOLUMES_PARTITIONED);
	} else {
		set = volumes_sign_scan(d);
		if ((set & BIT(VOLUMES_EXT)) && volumes_fs_is_journal(d))
			set ^= BIT(VOLUMES_EXT) | BIT(VOLUMES_JOURNAL);
		/* a boot loader in a partition may look like a table */
		if (!(set & LIKE_MBR) && (set == 0 || x->part == 0) &&
			volumes_table_is(x, d))
			set |= BIT(VOLUMES_PARTITIONED);
	}
	x->kind = take(&set);
	x->second = take(&set);
	/* of an array it is known that it holds something else */
	if (volumes_class_of(x->kind) == VOLUMES_ARRAY)
		x->second = VOLUMES_UNREAD;
	if (x->kind == VOLUMES_UNREAD)
		x->kind =
			volumes_ends_blank(d) ? VOLUMES_BLANK : VOLUMES_UNKNOWN;
	volumes_fs_read(x, d);
	if (x->part == 0)
		volumes_table_ids(v, i, d);
}

/* O_NONBLOCK: a drive without a medium must not wait for one. */
static int
open_node(const struct volumes_entry *x, const char *root)
{
	char node[VOLUMES_NODE_SIZE], path[PATH_MAX];
	struct stat st;
	int fd;

	if (below_path(path, sizeof(path), root, "%s", volumes_node(x, node)) !=
		0)
		return -1;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return fd;
	if (S_ISBLK(st.st_mode) && major(st.st_rdev) == x->dev_major &&
		minor(st.st_rdev) == x->dev_minor)
		return fd;
	if (root[0] && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	errno = ENXIO;
	return -1;
}

void
volumes_probe(struct volumes *v, unsigned i, const char *root)
{
	struct volumes_entry *x = &v->entry[i];
	struct volumes_ends d;
	int fd;

	x->kind = VOLUMES_UNREADABLE;
	x->second = VOLUMES_UNREAD;
	x->sys = 0;
	x->uuid[0] = x->label[0] = '\0';
	memset(&x->fs, 0, sizeof(x->fs));
	fd = open_node(x, root);
	if (fd < 0) {
		x->sys = errno;
		return;
	}
	x->sys = volumes_ends_read(&d, fd, x->size_bytes);
	if (x->sys == 0)
		judge(v, i, &d);
	volumes_ends_free(&d);
	close(fd);
}
