#include "host/stack_block.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/units.h"
#include "host/below.h"
#include "host/stack_dm.h"

#define SECTOR_BYTES  512 /* of /sys/.../size, whatever the device's */
#define MAPPER_MAX    256 /* that are looked through by name */
#define MAJOR_RAMDISK 1	  /* Documentation/admin-guide/devices.txt */
#define SYS_BLOCK     "/sys/dev/block/%u:%u"
#define DEV(x)	      (x).dev_major, (x).dev_minor

/* ---- which device -------------------------------------------------------- */

static int
dev_read(struct stack_dev *out, const char *root, const char *path)
{
	char line[32], *colon;
	uint64_t a, b;

	if (!below_line(root, line, sizeof(line), "%s", path))
		return -1;
	colon = strchr(line, ':');
	if (!colon)
		return -1;
	*colon = '\0';
	if (units_parse_u64(line, 0, UINT_MAX, &a, NULL) != 0 ||
		units_parse_u64(colon + 1, 0, UINT_MAX, &b, NULL) != 0)
		return -1;
	out->dev_major = (unsigned)a;
	out->dev_minor = (unsigned)b;
	return 0;
}

/* By the kernel's name: "vda1", "cciss/c0d0". */
static int
dev_by_name(const char *name, const char *root, struct stack_dev *out)
{
	char plain[64], path[128], *p;

	if (strlen(name) >= sizeof(plain))
		return -1;
	snprintf(plain, sizeof(plain), "%s", name);
	for (p = plain; *p; p++)
		if (*p == '/')
			*p = '!'; /* the way /sys writes it */
	snprintf(path, sizeof(path), "/sys/class/block/%s/dev", plain);
	return dev_read(out, root, path);
}

/* By device-mapper's name: the first of dm-0, dm-1, ... that has it. */
static int
dev_by_mapper(const char *name, const char *root, struct stack_dev *out)
{
	char path[64], have[256];
	unsigned i;

	for (i = 0; i < MAPPER_MAX; i++) {
		if (!below_line(root, have, sizeof(have),
			    "/sys/class/block/dm-%u/dm/name", i) ||
			strcmp(have, name) != 0)
			continue;
		snprintf(path, sizeof(path), "/sys/class/block/dm-%u/dev", i);
		return dev_read(out, root, path);
	}
	return -1;
}

int
stack_block_of_path(const char *path, const char *root, struct stack_dev *out)
{
	char full[PATH_MAX], link[256];
	const char *slash;
	struct stat st;

	/* "none" is a mount's source too: never a name in our directory */
	if (path[0] != '/' ||
		below_path(full, sizeof(full), root, "%s", path) != 0)
		return -1;
	if (stat(full, &st) == 0) {
		if (!S_ISBLK(st.st_mode))
			return -1;
		out->dev_major = major(st.st_rdev);
		out->dev_minor = minor(st.st_rdev);
		return 0;
	}
	if (strncmp(path, "/dev/", 5) != 0)
		return -1;
	if (below_link(root, link, sizeof(link), "%s", path)) {
		slash = strrchr(link, '/');
		return dev_by_name(slash ? slash + 1 : link, root, out);
	}
	if (strncmp(path, "/dev/mapper/", 12) == 0)
		return dev_by_mapper(path + 12, root, out);
	return dev_by_name(path + 5, root, out);
}

/* ---- what lies below ----------------------------------------------------- */

/* The devices that the entries of a directory are, by their file "dev". */
static void
lower_list(struct stack_lower *out, const char *root, const char *dir)
{
	struct below_names n;
	char path[PATH_MAX];
	unsigned i;

	memset(out, 0, sizeof(*out));
	below_names(&n, root, "%s", dir);
	out->more = n.more;
	for (i = 0; i < n.count; i++) {
		if (out->count == STACK_BLOCK_LOWER_MAX ||
			below_path(path, sizeof(path), "", "%s/%s/dev", dir,
				n.name[i]) != 0 ||
			dev_read(&out->dev[out->count], root, path) != 0)
			out->more = true;
		else
			out->count++;
	}
}

void
stack_block_lower(
	struct stack_lower *out, const struct stack_layer *l, const char *root)
{
	char path[128];

	if (l->kind == STACK_PARTITION) {
		memset(out, 0, sizeof(*out));
		snprintf(path, sizeof(path), SYS_BLOCK "/../dev", DEV(*l));
		out->count = dev_read(&out->dev[0], root, path) == 0;
		return;
	}
	snprintf(path, sizeof(path), SYS_BLOCK "/slaves", DEV(*l));
	lower_list(out, root, path);
}

static bool
lower_has(const struct stack_lower *l, struct stack_dev dev)
{
	unsigned i;

	for (i = 0; i < l->count; i++)
		if (l->dev[i].dev_major == dev.dev_major &&
			l->dev[i].dev_minor == dev.dev_minor)
			return true;
	return false;
}

void
stack_block_btrfs(
	struct stack_lower *out, struct stack_dev dev, const char *root)
{
	struct below_names n;
	char path[128];
	unsigned i;

	below_names(&n, root, "/sys/fs/btrfs");
	for (i = 0; i < n.count; i++) {
		snprintf(path, sizeof(path), "/sys/fs/btrfs/%s/devices",
			n.name[i]);
		lower_list(out, root, path);
		if (lower_has(out, dev))
			return;
	}
	memset(out, 0, sizeof(*out));
}

/* ---- what it is ---------------------------------------------------------- */

/*
 * Devices that are told by their kernel name: the letters in front, then a
 * digit or a letter of its own.  `layer` is what the receipt calls it.
 */
static const struct family {
	const char *prefix;
	enum stack_kind kind;
	const char *layer;
} families[] = {
	{ "zram", STACK_MEMORY, "zram" },
	{ "ram", STACK_MEMORY, "brd" },
	{ "nullb", STACK_MEMORY, "null_blk" },
	{ "loop", STACK_LOOP, "loop" },
	{ "nbd", STACK_OTHER, "nbd" },
	{ "ublkb", STACK_OTHER, "ublk" },
	{ "drbd", STACK_OTHER, "drbd" },
	{ "bcache", STACK_OTHER, "bcache" },
	{ "pmem", STACK_OTHER, "pmem" },
	{ "zd", STACK_OTHER, "zvol" },
	{ "zloop", STACK_OTHER, "zloop" },
	{ "rbd", STACK_DISK, "disk" },
	{ "nvme", STACK_DISK, "disk" },
};

/* SCSI disks that are made of memory, by model. */
static const char *const memory_models[] = { "scsi_debug", "RAMDISK-MCP",
	NULL };

/*
 * Transport by a part of the device's path below /sys/devices, the first that
 * fits: the bus nearest to the disk stands first where paths hold several.
 */
static const struct bus {
	const char *part;
	const char *transport;
} buses[] = {
	{ "/nvme", "nvme" },
	{ "/session", "iscsi" },
	{ "/usb", "usb" },
	{ "/ata", "ata" },
	{ "/virtio", "virtio" },
	{ "/vbd-", "xen" },
	{ "/mmc_host/", "mmc" },
	{ "/VMBUS:", "vmbus" },
	{ "/vmbus_", "vmbus" },
	{ "/rbd/", "rbd" },
	{ "/ndbus", "nvdimm" },
	{ "/host", "scsi" },
};

static void
disk_transport(struct stack_layer *l, const char *sys, const char *root)
{
	char word[16];
	size_t i;

	for (i = 0; i < sizeof(buses) / sizeof(buses[0]); i++)
		if (strstr(sys, buses[i].part))
			break;
	if (i == sizeof(buses) / sizeof(buses[0]))
		return;
	snprintf(l->transport, sizeof(l->transport), "%s", buses[i].transport);
	if (strcmp(l->transport, "virtio") == 0 && strstr(sys, "/target"))
		snprintf(l->transport, sizeof(l->transport), "virtio-scsi");
	/* NVMe over fabrics says over which */
	if (strcmp(l->transport, "nvme") == 0 &&
		below_line(root, word, sizeof(word),
			SYS_BLOCK "/device/transport", DEV(*l)) &&
		strcmp(word, "pcie") != 0)
		snprintf(
			l->transport, sizeof(l->transport), "nvme-%.10s", word);
}

static void
disk_read(struct stack_layer *l, const char *sys, const char *root)
{
	size_t i;

	l->kind = STACK_DISK;
	snprintf(l->layer, sizeof(l->layer), "disk");
	disk_transport(l, sys, root);
	if (!below_line(root, l->model, sizeof(l->model),
		    SYS_BLOCK "/device/model", DEV(*l)) &&
		strcmp(l->transport, "mmc") == 0)
		below_line(root, l->model, sizeof(l->model),
			SYS_BLOCK "/device/name", DEV(*l));
	for (i = 0; memory_models[i]; i++) {
		if (strcmp(l->model, memory_models[i]) != 0)
			continue;
		l->kind = STACK_MEMORY;
		snprintf(l->layer, sizeof(l->layer), "ramdisk");
	}
}

static const struct family *
family_of(const char *name)
{
	size_t i, len;

	for (i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		len = strlen(families[i].prefix);
		if (strncmp(name, families[i].prefix, len) == 0 &&
			name[len] >= '0' && name[len] <= '9')
			return &families[i];
	}
	return NULL;
}

/* Kind and layer; sys is where /sys/dev/block/M:m points to. */
static void
kind_read(struct stack_layer *l, const char *sys, const char *root)
{
	const struct family *f = family_of(l->name);
	char level[16];

	if (below_exists(root, SYS_BLOCK "/partition", DEV(*l))) {
		l->kind = STACK_PARTITION;
		snprintf(l->layer, sizeof(l->layer), "partition");
	} else if (below_exists(root, SYS_BLOCK "/dm", DEV(*l))) {
		l->kind = STACK_DM;
		stack_dm_fill(l, root);
	} else if (below_exists(root, SYS_BLOCK "/md", DEV(*l))) {
		l->kind = STACK_MD;
		below_line(root, level, sizeof(level), SYS_BLOCK "/md/level",
			DEV(*l));
		snprintf(l->layer, sizeof(l->layer), "md%s%s",
			level[0] ? "-" : "", level);
		/* named arrays ("md_home") have words of their owner's */
		if (strncmp(l->name, "md_", 3) == 0)
			snprintf(l->name, sizeof(l->name), "md");
	} else if (f && f->kind != STACK_DISK) {
		l->kind = f->kind;
		snprintf(l->layer, sizeof(l->layer), "%s", f->layer);
	} else if (!f && strstr(sys, "/devices/virtual/")) {
		l->kind = STACK_OTHER; /* no hardware behind it that we know */
		snprintf(l->layer, sizeof(l->layer), "block");
	} else {
		disk_read(l, sys, root);
	}
}

/* The word in brackets, or the only one: "none [mq-deadline] kyber". */
static void
scheduler_read(struct stack_layer *l, const char *root)
{
	char line[128], *open, *close;

	if (!below_line(root, line, sizeof(line), SYS_BLOCK "/queue/scheduler",
		    DEV(*l)))
		return;
	open = strchr(line, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close) {
		*close = '\0';
		snprintf(l->scheduler, sizeof(l->scheduler), "%.23s", open + 1);
	} else if (!strchr(line, ' ')) {
		snprintf(l->scheduler, sizeof(l->scheduler), "%.23s", line);
	}
}

/* Partitions have no queue of their own: there all of it stays absent. */
static void
queue_read(struct stack_layer *l, const char *root)
{
	uint64_t rotational;

	rotational = below_number(root, SYS_BLOCK "/queue/rotational", DEV(*l));
	l->rotational = rotational <= 1 ? (int)rotational : -1;
	scheduler_read(l, root);
	below_line(root, l->write_cache, sizeof(l->write_cache),
		SYS_BLOCK "/queue/write_cache", DEV(*l));
	l->logical_block_bytes = below_number(
		root, SYS_BLOCK "/queue/logical_block_size", DEV(*l));
	l->physical_block_bytes = below_number(
		root, SYS_BLOCK "/queue/physical_block_size", DEV(*l));
	l->discard_max_bytes = below_number(
		root, SYS_BLOCK "/queue/discard_max_bytes", DEV(*l));
	l->nr_requests =
		below_number(root, SYS_BLOCK "/queue/nr_requests", DEV(*l));
}

int
stack_block_fill(struct stack_layer *l, struct stack_dev dev, const char *root)
{
	char sys[PATH_MAX];
	const char *slash;

	l->dev_major = dev.dev_major;
	l->dev_minor = dev.dev_minor;
	if (!below_link(root, sys, sizeof(sys), SYS_BLOCK, DEV(dev))) {
		l->kind = dev.dev_major == MAJOR_RAMDISK ? STACK_MEMORY
							 : STACK_OTHER;
		snprintf(l->layer, sizeof(l->layer), "block");
		return -1;
	}
	slash = strrchr(sys, '/');
	snprintf(l->name, sizeof(l->name), "%.31s", slash ? slash + 1 : sys);
	l->size_bytes = below_number(root, SYS_BLOCK "/size", DEV(dev));
	if (l->size_bytes < STACK_UNKNOWN / SECTOR_BYTES)
		l->size_bytes *= SECTOR_BYTES;
	queue_read(l, root);
	kind_read(l, sys, root);
	return 0;
}
