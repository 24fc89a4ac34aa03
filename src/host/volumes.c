#include "host/volumes.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/utf8.h"
#include "host/below.h"
#include "host/stack_block.h"

#define SYS	     "/sys/class/block/%s"
#define SECTOR_BYTES 512 /* of /sys/.../size and start, whatever the device's */

/* ---- words ----------------------------------------------------------------- */

/* The columns: class, word. */
static const struct kind {
	enum volumes_class class;
	const char *word;
} kinds[VOLUMES_KINDS] = {
	[VOLUMES_UNREAD] = { VOLUMES_NOTHING, "not looked at" },
	[VOLUMES_UNREADABLE] = { VOLUMES_NOTHING, "unreadable" },
	[VOLUMES_BLANK] = { VOLUMES_NOTHING, "blank" },
	[VOLUMES_UNKNOWN] = { VOLUMES_NOTHING, "unknown content" },
	[VOLUMES_PARTITIONED] = { VOLUMES_NOTHING, "partition table" },
	[VOLUMES_EXT] = { VOLUMES_MOUNTABLE, "ext" },
	[VOLUMES_XFS] = { VOLUMES_MOUNTABLE, "xfs" },
	[VOLUMES_BTRFS] = { VOLUMES_MOUNTABLE, "btrfs" },
	[VOLUMES_MD] = { VOLUMES_ARRAY, "md array member" },
	[VOLUMES_FAKERAID] = { VOLUMES_ARRAY, "firmware RAID member" },
	[VOLUMES_DRBD] = { VOLUMES_ARRAY, "DRBD member" },
	[VOLUMES_LVM] = { VOLUMES_MEMBER, "LVM physical volume" },
	[VOLUMES_LUKS] = { VOLUMES_MEMBER, "LUKS" },
	[VOLUMES_BITLOCKER] = { VOLUMES_MEMBER, "BitLocker" },
	[VOLUMES_BCACHE] = { VOLUMES_MEMBER, "bcache" },
	[VOLUMES_ZFS] = { VOLUMES_MEMBER, "ZFS pool member" },
	[VOLUMES_CEPH] = { VOLUMES_MEMBER, "Ceph store" },
	[VOLUMES_JOURNAL] = { VOLUMES_MEMBER, "ext journal" },
	[VOLUMES_SWAP] = { VOLUMES_MEMBER, "swap" },
	[VOLUMES_HIBERNATED] = { VOLUMES_MEMBER, "hibernation image" },
	[VOLUMES_NTFS] = { VOLUMES_FOREIGN, "NTFS" },
	[VOLUMES_FAT] = { VOLUMES_FOREIGN, "FAT" },
	[VOLUMES_EXFAT] = { VOLUMES_FOREIGN, "exFAT" },
	[VOLUMES_ISO9660] = { VOLUMES_FOREIGN, "iso9660" },
	[VOLUMES_UDF] = { VOLUMES_FOREIGN, "UDF" },
	[VOLUMES_SQUASHFS] = { VOLUMES_FOREIGN, "squashfs" },
	[VOLUMES_EROFS] = { VOLUMES_FOREIGN, "erofs" },
	[VOLUMES_F2FS] = { VOLUMES_FOREIGN, "f2fs" },
	[VOLUMES_BCACHEFS] = { VOLUMES_FOREIGN, "bcachefs" },
	[VOLUMES_REISERFS] = { VOLUMES_FOREIGN, "reiserfs" },
	[VOLUMES_JFS] = { VOLUMES_FOREIGN, "jfs" },
	[VOLUMES_OCFS2] = { VOLUMES_FOREIGN, "ocfs2" },
	[VOLUMES_GFS2] = { VOLUMES_FOREIGN, "gfs2" },
	[VOLUMES_APFS] = { VOLUMES_FOREIGN, "APFS" },
};

const char *
volumes_kind_word(enum volumes_kind kind)
{
	return kinds[kind].word;
}

const char *
volumes_word(const struct volumes_entry *x)
{
	return x->fs.type[0] ? x->fs.type : kinds[x->kind].word;
}

enum volumes_class
volumes_class_of(enum volumes_kind kind)
{
	return kinds[kind].class;
}

/* In /dev a '/' stands where /sys has a '!'. */
char *
volumes_node(const struct volumes_entry *x, char out[VOLUMES_NODE_SIZE])
{
	char *p;

	snprintf(out, VOLUMES_NODE_SIZE, "/dev/%s", x->name);
	for (p = out; *p; p++)
		if (*p == '!')
			*p = '/';
	return out;
}

int
volumes_of_dev(const struct volumes *v, unsigned dev_major, unsigned dev_minor)
{
	unsigned i;

	for (i = 0; i < v->count; i++)
		if (v->entry[i].dev_major == dev_major &&
			v->entry[i].dev_minor == dev_minor)
			return (int)i;
	return -1;
}

/* ---- the list -------------------------------------------------------------- */

/* Drives of media, and ramdisks: never what is looked for. */
static bool
is_left_out(const char *name)
{
	static const char *const prefixes[] = { "sr", "fd", "ram", "mtdblock" };
	size_t i, len;

	for (i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		len = strlen(prefixes[i]);
		if (strncmp(name, prefixes[i], len) == 0 && name[len] >= '0' &&
			name[len] <= '9')
			return true;
	}
	return false;
}

static uint64_t
sectors(const char *root, const char *name, const char *file)
{
	uint64_t n = below_number(root, SYS "/%s", name, file);

	return n > UINT64_MAX / SECTOR_BYTES ? 0 : n * SECTOR_BYTES;
}

static int
read_dev(struct volumes_entry *x, const char *root)
{
	struct stack_dev dev;
	char node[VOLUMES_NODE_SIZE], line[32], *colon;
	uint64_t a, b;

	volumes_node(x, node);
	if (!below_line(root, line, sizeof(line), SYS "/dev", x->name) ||
		!(colon = strchr(line, ':')))
		return -1;
	*colon = '\0';
	if (units_parse_u64(line, 0, UINT_MAX, &a, NULL) != 0 ||
		units_parse_u64(colon + 1, 0, UINT_MAX, &b, NULL) != 0)
		return -1;
	dev = (struct stack_dev){ (unsigned)a, (unsigned)b };
	x->dev_major = dev.dev_major;
	x->dev_minor = dev.dev_minor;
	return 0;
}

/* Of a SCSI disk it is page 0x80 of its inquiry: 4 bytes, then the text. */
static void
read_serial(struct volumes_entry *x, const char *root)
{
	struct buf page;
	size_t from = 4, len;

	if (below_line(root, x->serial, sizeof(x->serial), SYS "/serial",
		    x->name) ||
		below_line(root, x->serial, sizeof(x->serial),
			SYS "/device/serial", x->name))
		return;
	buf_init(&page);
	if (below_text(root, &page, SYS "/device/vpd_pg80", x->name) == 0 &&
		page.len > from) {
		while (from < page.len && page.data[from] == ' ')
			from++;
		len = page.len - from;
		if (len >= sizeof(x->serial))
			len = sizeof(x->serial) - 1;
		memcpy(x->serial, page.data + from, len);
		while (len > 0 &&
			(x->serial[len - 1] == ' ' || !x->serial[len - 1]))
			len--;
		utf8_clean(x->serial, len);
	}
	buf_free(&page);
}

/* False: it is no device that could be looked at. */
static bool
read_entry(struct volumes_entry *x, const char *name, const char *root)
{
	struct stack_layer layer;
	uint64_t part;

	memset(x, 0, sizeof(*x));
	if (is_left_out(name) || strlen(name) >= sizeof(x->name))
		return false;
	snprintf(x->name, sizeof(x->name), "%.31s", name);
	x->size_bytes = sectors(root, name, "size");
	if (x->size_bytes == 0 || read_dev(x, root) != 0)
		return false;
	stack_block_fill(
		&layer, (struct stack_dev){ x->dev_major, x->dev_minor }, root);
	x->family = layer.kind;
	part = below_number(root, SYS "/partition", name);
	x->part = part == BELOW_UNKNOWN ? 0 : (unsigned)part;
	if (x->part > 0)
		x->start_bytes = sectors(root, name, "start");
	else
		read_serial(x, root);
	x->read_only = below_number(root, SYS "/ro", name) == 1;
	x->removable = below_number(root, SYS "/removable", name) == 1;
	x->logical_block_bytes =
		below_number(root, SYS "/queue/logical_block_size", name);
	if (x->logical_block_bytes < 512 || x->logical_block_bytes > 65536)
		x->logical_block_bytes = 512;
	return true;
}

/* The disk's name into label: a partition's directory lies in its disk's. */
static void
name_disk(struct volumes_entry *x, const char *root)
{
	char link[PATH_MAX], *at;

	memcpy(x->label, x->name, sizeof(x->name));
	if (x->part == 0 || !below_link(root, link, sizeof(link), SYS, x->name))
		return;
	at = strrchr(link, '/');
	if (!at)
		return;
	*at = '\0';
	at = strrchr(link, '/');
	snprintf(x->label, sizeof(x->label), "%.255s", at ? at + 1 : link);
}

/* By disk and number; a disk before its partitions. */
static int
order(const void *a, const void *b)
{
	const struct volumes_entry *x = a, *y = b;
	int by_name = strverscmp(x->label, y->label);

	if (by_name)
		return by_name;
	return x->part < y->part ? -1 : x->part > y->part;
}

/* Labels hold the names of the disks until all is sorted. */
static void
link_disks(struct volumes *v)
{
	struct volumes_entry *x;
	unsigned i, disk = 0;

	qsort(v->entry, v->count, sizeof(v->entry[0]), order);
	for (i = 0; i < v->count; i++) {
		x = &v->entry[i];
		if (x->part == 0 || strcmp(v->entry[disk].name, x->label) != 0)
			disk = i;
		x->disk = disk;
		if (disk != i) {
			v->entry[disk].partitions++;
			x->removable = v->entry[disk].removable;
			x->logical_block_bytes =
				v->entry[disk].logical_block_bytes;
		}
	}
	for (i = 0; i < v->count; i++)
		v->entry[i].label[0] = '\0';
}

int
volumes_list(struct volumes *v, const char *root, struct err *e)
{
	struct volumes_entry *x;
	char path[PATH_MAX];
	struct dirent *d;
	DIR *dir;

	v->count = 0;
	v->more = false;
	if (below_path(path, sizeof(path), root, "/sys/class/block") != 0)
		return err_set(e, ERR_REFUSED, 0, "a path is too long");
	dir = opendir(path);
	if (!dir)
		return err_set(e, ERR_REFUSED, errno,
			"/sys/class/block cannot be read, so the disks of this "
			"machine are not known: mount sysfs at /sys");
	while ((d = readdir(dir))) {
		if (v->count == VOLUMES_MAX) {
			v->more = true;
			break;
		}
		x = &v->entry[v->count];
		if (d->d_name[0] != '.' && read_entry(x, d->d_name, root)) {
			name_disk(x, root);
			v->count++;
		}
	}
	closedir(dir);
	link_disks(v);
	return 0;
}
