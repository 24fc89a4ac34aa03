#include <fcntl.h>

#include "base/buf.h"
#include "base/units.h"
#include "host/stack.h"
#include "tap.h"
#include "tree.h"

#define SSDA "sda (ata, 1 GiB, mq-deadline)"

/*
 * tree, directory; the whole sentence; backing; layer that is the single disk
 * (-1 none); what `why` must be.
 */
static const struct row {
	const char *tree, *dir, *sentence;
	enum stack_backing backing;
	int single;
	const char *why;
} rows[] = {
	{ "virtio", "/var/tmp", "ext4 on vda1 on vda (virtio, 252 GiB, none)",
		STACK_BACKING_DISK, 2, "" },
	{ "virtio", "/dev/shm", "tmpfs", STACK_BACKING_MEMORY, -1,
		"tmpfs is memory" },
	{ "nvme", "/srv", "xfs on nvme0n1p2 on nvme0n1 (nvme, 8 GiB, none)",
		STACK_BACKING_DISK, 2, "" },
	{ "dm", "/home",
		"ext4 on dm-1 (dm-linear) on dm-0 (dm-crypt) on sda3 on " SSDA,
		STACK_BACKING_DISK, 4, "" },
	{ "dm", "/thin",
		"xfs on dm-4 (dm-thin) on dm-3 (dm-thin-pool) on dm-2 "
		"(dm-linear) "
		"on dm-0 (dm-crypt) on sda3 on " SSDA,
		STACK_BACKING_DISK, 6, "" },
	{ "dm", "/raid",
		"ext4 on md0 (md-raid1) on sda3 on " SSDA
		" + sdb3 on sdb (ata, 1 GiB)",
		STACK_BACKING_DISK, -1, "" },
	{ "dm", "/named", "ext4 on md (md-raid5)", STACK_BACKING_UNKNOWN, -1,
		"/sys does not show what md (md-raid5) lies on" },
	{ "dm", "/multi",
		"xfs on dm-5 (dm-multipath) on " SSDA " + sdb (ata, 1 GiB)",
		STACK_BACKING_DISK, -1, "" },
	{ "dm", "/void", "ext4 on dm-6 (dm)", STACK_BACKING_UNKNOWN, -1,
		"/sys does not show what dm-6 (dm) lies on" },
	{ "dm", "/wide",
		"ext4 on dm-7 (dm-lvm) on sda3 on " SSDA
		" + sdb3 on sdb (ata, 1 GiB)",
		STACK_BACKING_DISK, -1, "" },
	{ "dm", "/butter", "btrfs on dm-0 (dm-crypt) on sda3 on " SSDA,
		STACK_BACKING_DISK, 3, "" },
	{ "loops", "/on-tmpfs", "ext4 on loop0 on tmpfs", STACK_BACKING_MEMORY,
		-1, "tmpfs is memory" },
	{ "loops", "/on-ext4",
		"ext4 on loop1 on ext4 on vda (virtio, 256 GiB, mq-deadline)",
		STACK_BACKING_DISK, 3, "" },
	{ "loops", "/on-deleted", "ext4 on loop2 on tmpfs",
		STACK_BACKING_MEMORY, -1, "tmpfs is memory" },
	{ "loops", "/on-hidden", "ext4 on loop3", STACK_BACKING_UNKNOWN, -1,
		"the file of loop3 is not visible here" },
	{ "loops", "/on-itself", "ext4 on loop4", STACK_BACKING_UNKNOWN, -1,
		"/sys leads to no disk" },
	{ "loops", "/on-loop-partition",
		"ext4 on loop5p1 on loop5 on "
		"vda (virtio, 256 GiB, mq-deadline)",
		STACK_BACKING_DISK, 3, "" },
	{ "loops", "/on-zram", "ext4 on zram0 (memory, 512 MiB)",
		STACK_BACKING_MEMORY, -1, "zram0 is a block device in memory" },
	{ "loops", "/on-brd", "ext2 on a block device (memory)",
		STACK_BACKING_MEMORY, -1,
		"the ramdisk is a block device in memory" },
	{ "loops", "/on-zram-file",
		"xfs on loop6 on ext4 on zram0 (memory, 512 MiB)",
		STACK_BACKING_MEMORY, -1, "zram0 is a block device in memory" },
	{ "loops", "/on-cached",
		"ext4 on loop8 on ext4 on vda (virtio, 256 GiB, mq-deadline)",
		STACK_BACKING_UNKNOWN, 3,
		"loop8 goes through the page cache (losetup --direct-io=on "
		"would not)" },
	{ "loops", "/cached-ram", "ext4 on loop9 on tmpfs",
		STACK_BACKING_MEMORY, -1, "tmpfs is memory" },
	{ "loops", "/two-ways",
		"ext4 on loop7 on ext4 on vda (virtio, 256 GiB, mq-deadline)",
		STACK_BACKING_DISK, 3, "" },
	{ "loops", "/over-ram", "overlay on tmpfs", STACK_BACKING_MEMORY, -1,
		"tmpfs is memory" },
	{ "loops", "/over-disk",
		"overlay on ext4 on vda (virtio, 256 GiB, mq-deadline)",
		STACK_BACKING_DISK, 2, "" },
	{ "loops", "/over-hidden", "overlay", STACK_BACKING_UNKNOWN, -1,
		"the directory that overlay writes to is not visible here" },
	{ "loops", "/over-over", "overlay on overlay on tmpfs",
		STACK_BACKING_MEMORY, -1, "tmpfs is memory" },
	{ "loops", "/over-none", "overlay", STACK_BACKING_UNKNOWN, -1,
		"overlay does not tell its upper directory" },
	{ "loops", "/over-itself", "overlay", STACK_BACKING_UNKNOWN, -1,
		"the directory that overlay writes to is not visible here" },
	{ "loops", "/crypt", "ecryptfs on tmpfs", STACK_BACKING_MEMORY, -1,
		"tmpfs is memory" },
	{ "loops", "/nfs", "nfs4", STACK_BACKING_UNKNOWN, -1,
		"nfs4 is served by another machine or the host" },
	{ "loops", "/sshfs", "fuse.sshfs", STACK_BACKING_UNKNOWN, -1,
		"fuse.sshfs is served by a program" },
	{ "loops", "/zfs", "zfs", STACK_BACKING_UNKNOWN, -1,
		"/sys does not show the disks of zfs" },
	{ "loops", "/odd", "od?d?fs", STACK_BACKING_UNKNOWN, -1,
		"od?d?fs does not tell which device it is on" },
	{ "loops", "/relative", "odd", STACK_BACKING_UNKNOWN, -1,
		"odd does not tell which device it is on" },
	{ "loops", "/no-sys", "ext4 on a block device", STACK_BACKING_UNKNOWN,
		-1, "/sys does not show block device 250:9" },
	{ "loops", "/nbd", "ext4 on nbd0 (nbd)", STACK_BACKING_UNKNOWN, -1,
		"/sys does not show what nbd0 (nbd) lies on" },
	{ "several", "/srv", "ext4 on xvda1 on xvda (xen, 8 GiB, none)",
		STACK_BACKING_DISK, 2, "" },
	{ "several", "/butter",
		"btrfs on sdb (virtio-scsi) + sdc (virtio-scsi)",
		STACK_BACKING_DISK, -1, "" },
	{ "several", "/bcachefs",
		"bcachefs on sdb (virtio-scsi) + sdc (virtio-scsi)",
		STACK_BACKING_DISK, -1, "" },
	{ "several", "/debug", "ext4 on sdd (memory, 8 MiB)",
		STACK_BACKING_MEMORY, -1, "sdd is a block device in memory" },
	{ "several", "/butter-alone", "btrfs", STACK_BACKING_UNKNOWN, -1,
		"btrfs does not tell which device it is on" },
	{ "several", "/strange", "ext4 on strange (block)",
		STACK_BACKING_UNKNOWN, -1,
		"/sys does not show what strange (block) lies on" },
	{ "several", "/card", "f2fs on mmcblk0p1 on mmcblk0 (mmc)",
		STACK_BACKING_DISK, 2, "" },
	{ "hyperv", "/var/tmp",
		"xfs on dm-0 (dm-linear) on sda2 on sda (vmbus, 30 GiB, none)",
		STACK_BACKING_DISK, 3, "" },
	{ "hyperv", "/mnt/resource", "ext4 on sdb1 on sdb (vmbus)",
		STACK_BACKING_DISK, 2, "" },
	{ "lxcfs", "/var/tmp", "zfs", STACK_BACKING_UNKNOWN, -1,
		"/sys does not show the disks of zfs" },
	{ "lxcfs", "/dev/shm", "tmpfs", STACK_BACKING_MEMORY, -1,
		"tmpfs is memory" },
	{ "docker", "/project", "overlay", STACK_BACKING_UNKNOWN, -1,
		"the directory that overlay writes to is not visible here" },
};

/* "ext4 on vda1 on vda (virtio, 252 GiB, none)" */

/* What stands in brackets behind a name, a comma between. */
static void
detail_add(struct buf *b, const char *text)
{
	if (text[0])
		buf_printf(b, "%s%s", b->len ? ", " : "", text);
}

static void
details(struct buf *b, const struct stack_layer *l)
{
	char size[32];

	switch (l->kind) {
	case STACK_DISK:
	case STACK_MEMORY:
		detail_add(
			b, l->kind == STACK_MEMORY ? "memory" : l->transport);
		if (l->size_bytes != STACK_UNKNOWN)
			detail_add(b,
				units_bytes(l->size_bytes, size, sizeof(size)));
		detail_add(b, l->kind == STACK_DISK ? l->scheduler : "");
		break;
	case STACK_DM:
	case STACK_MD:
	case STACK_OTHER:
		if (l->name[0])
			detail_add(b, l->layer);
		break;
	case STACK_FILESYSTEM:
	case STACK_PARTITION:
	case STACK_LOOP:
	default:
		break;
	}
}

static void
sentence(const struct stack *s, char *out, unsigned size)
{
	const struct stack_layer *l;
	struct buf all, one;
	unsigned i;

	buf_init(&all);
	buf_init(&one);
	for (i = 0; i < s->count; i++) {
		l = &s->layers[i];
		/* no deeper than the one before: another branch */
		if (i)
			buf_str(&all, l->depth > s->layers[i - 1].depth
					      ? " on "
					      : " + ");
		buf_str(&all, l->name[0]		    ? l->name
			      : l->kind == STACK_FILESYSTEM ? l->layer
							    : "a block device");
		buf_reset(&one);
		details(&one, l);
		if (one.len)
			buf_printf(&all, " (%s)", buf_text(&one));
	}
	snprintf(out, size, "%s", buf_text(&all));
	if (all.len >= size && size > 4)
		memcpy(out + size - 4, "...", 4);
	buf_free(&one);
	buf_free(&all);
}

static void
test_row(const struct row *r, const struct tree *t)
{
	struct mounts_entry m;
	struct stack s;
	char out[256];

	printf("# %s %s\n", r->tree, r->dir);
	EQ_I64(mounts_of_path(r->dir, t->root, &m, NULL), 0, r->dir);
	stack_walk(&s, &m, t->root);
	sentence(&s, out, sizeof(out));
	EQ_STR(out, r->sentence, "sentence");
	EQ_STR(stack_backing_word(s.backing), stack_backing_word(r->backing),
		"backing");
	EQ_I64(stack_single_disk(&s), r->single, "single disk");
	EQ_STR(s.why, r->why, "why");
	EQ_I64(s.complete,
		r->backing != STACK_BACKING_UNKNOWN || r->single >= 0,
		"complete");
	OK(s.count > 0 && s.layers[0].depth == 0 &&
			s.layers[0].kind == STACK_FILESYSTEM,
		"begins with the filesystem");
}

static void
test_rows(void)
{
	struct tree t = { "" };
	const char *name = "";
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(name, rows[i].tree) != 0) {
			if (name[0])
				tree_free(&t);
			name = rows[i].tree;
			tree_load(&t, name);
		}
		test_row(&rows[i], &t);
	}
	tree_free(&t);
}

static void
walk_path(struct stack *s, const struct tree *t, const char *path)
{
	struct mounts_entry m;

	if (mounts_of_path(path, t->root, &m, NULL) != 0)
		tree_die("no mount of", path);
	stack_walk(s, &m, t->root);
}

static void
test_facts(void)
{
	const struct stack_layer *l;
	struct stack s;
	struct tree t;

	tree_load(&t, "virtio");
	walk_path(&s, &t, "/var/tmp");
	EQ_U64(s.count, 3, "filesystem, partition, disk");
	l = &s.layers[0];
	OK(l->size_bytes == STACK_UNKNOWN && l->rotational == -1 &&
			l->nr_requests == STACK_UNKNOWN,
		"a filesystem has no facts of a disk");
	l = &s.layers[1];
	EQ_STR(l->layer, "partition", "partition");
	EQ_U64(l->size_bytes, UINT64_C(528218079) * 512, "its size");
	OK(l->rotational == -1 && !l->scheduler[0] &&
			l->logical_block_bytes == STACK_UNKNOWN,
		"a partition has no queue");
	l = &s.layers[2];
	EQ_STR(l->layer, "disk", "disk");
	EQ_U64(l->dev_major, 254, "major");
	EQ_U64(l->dev_minor, 0, "minor");
	EQ_STR(l->model, "", "virtio has no model");
	EQ_I64(l->rotational, 1, "rotational");
	EQ_STR(l->write_cache, "write back", "write cache");
	EQ_U64(l->logical_block_bytes, 512, "logical block");
	EQ_U64(l->physical_block_bytes, 512, "physical block");
	EQ_U64(l->discard_max_bytes, 2147483136, "discard");
	EQ_U64(l->nr_requests, 256, "requests");
	EQ_I64(l->depth, 2, "depth");
	tree_free(&t);

	tree_load(&t, "nvme");
	walk_path(&s, &t, "/srv");
	l = &s.layers[2];
	EQ_STR(l->model, "Amazon Elastic Block Store", "model, blanks removed");
	EQ_I64(l->rotational, 0, "not rotational");
	EQ_STR(l->write_cache, "write through", "write cache");
	OK(l->discard_max_bytes == STACK_UNKNOWN, "what is not told is absent");
	walk_path(&s, &t, "/scratch");
	EQ_STR(s.layers[1].transport, "nvme", "the head of several paths");
	EQ_STR(s.layers[1].model, "Samsung SSD", "its model");
	tree_text(&t,
		"/sys/devices/pci0000:00/0000:00:04.0/nvme/nvme0/transport",
		"tcp\n");
	walk_path(&s, &t, "/srv");
	EQ_STR(s.layers[2].transport, "nvme-tcp", "NVMe over a network");
	tree_free(&t);

	tree_load(&t, "several");
	walk_path(&s, &t, "/card");
	EQ_STR(s.layers[2].model, "SC64G", "a card's name");
	tree_free(&t);
}

/* A chain of device-mapper devices, each on the next. */
static void
test_deep(void)
{
	struct mounts_entry m;
	char path[128], target[64];
	struct stack s;
	struct tree t;
	char out[64];
	int i;

	tree_init(&t);
	for (i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "/sys/dev/block/253:%d", i);
		snprintf(target, sizeof(target),
			"../../devices/virtual/block/dm-%d", i);
		tree_link(&t, path, target);
		snprintf(path, sizeof(path),
			"/sys/devices/virtual/block/dm-%d/dm/name", i);
		tree_text(&t, path, "x\n");
		snprintf(path, sizeof(path),
			"/sys/devices/virtual/block/dm-%d/dev", i);
		snprintf(target, sizeof(target), "253:%d\n", i);
		tree_text(&t, path, target);
		snprintf(path, sizeof(path),
			"/sys/devices/virtual/block/dm-%d/slaves/below", i);
		snprintf(target, sizeof(target), "../../dm-%d", (i + 1) % 40);
		tree_link(&t, path, target);
	}
	EQ_I64(mounts_parse("1 0 253:0 / / rw - ext4 x rw", &m), 0, "a mount");
	stack_walk(&s, &m, t.root);
	EQ_U64(s.count, STACK_LAYERS_MAX, "as many layers as fit");
	OK(!s.complete, "is not complete");
	EQ_STR(s.why, "there are more than 24 layers", "and says so");
	EQ_STR(stack_backing_word(s.backing), "unknown", "unknown");
	sentence(&s, out, sizeof(out));
	EQ_U64(strlen(out), sizeof(out) - 1, "a sentence that does not fit");
	EQ_STR(out + sizeof(out) - 4, "...", "is cut visibly");
	tree_free(&t);

	/* the same ring, small enough to be walked round */
	m.dev_minor = 37;
	tree_init(&t);
	tree_link(&t, "/sys/dev/block/253:37", "../../devices/virtual/block/a");
	tree_text(&t, "/sys/devices/virtual/block/a/dev", "253:37\n");
	tree_link(&t, "/sys/devices/virtual/block/a/slaves/a", "../../a");
	stack_walk(&s, &m, t.root);
	EQ_U64(s.count, 2, "a device on itself ends");
	EQ_STR(s.why, "/sys leads to no disk", "and leads nowhere");
	EQ_I64(stack_single_disk(&s), -1, "no disk");
	tree_free(&t);
}

/* Slaves that cannot be read: what is seen is a disk, but not all is seen. */
static void
test_partly(void)
{
	struct stack s;
	struct tree t;

	tree_load(&t, "dm");
	tree_link(&t, "/sys/devices/virtual/block/md0/slaves/sdc3",
		"../../../../nowhere");
	walk_path(&s, &t, "/raid");
	EQ_STR(stack_backing_word(s.backing), "unknown", "a slave is hidden");
	EQ_STR(s.why, "/sys does not show all that md0 lies on", "why");
	EQ_I64(stack_single_disk(&s), -1, "no single disk");
	tree_free(&t);
}

/* Memory in one leg is memory, whatever the other legs are. */
static void
test_mixed(void)
{
	struct stack s;
	struct tree t;

	tree_load(&t, "dm");
	tree_link(&t, "/sys/dev/block/252:0",
		"../../devices/virtual/block/zram0");
	tree_text(&t, "/sys/devices/virtual/block/zram0/dev", "252:0\n");
	tree_link(&t, "/sys/devices/virtual/block/md0/slaves/zram0",
		"../../zram0");
	tree_link(&t, "/sys/devices/virtual/block/md0/slaves/aaa",
		"../../../../nowhere");
	walk_path(&s, &t, "/raid");
	EQ_STR(stack_backing_word(s.backing), "memory", "a leg in memory");
	EQ_STR(s.why, "zram0 is a block device in memory", "why");
	tree_free(&t);
}

/* By an open directory, with and without the mount table. */
static void
test_fd(void)
{
	struct mounts_entry m;
	struct stack s;
	struct tree t;
	int fd;

	tree_init(&t); /* an empty root: neither /proc nor /sys */
	fd = open(t.root, O_RDONLY | O_DIRECTORY);
	stack_walk_fd(&s, fd, NULL, t.root);
	OK(s.count >= 1, "an empty root yields at least a layer");
	OK(s.backing != STACK_BACKING_DISK, "and never a disk");
	close(fd);
	stack_walk_fd(&s, -1, NULL, t.root);
	EQ_STR(s.layers[0].layer, "unknown", "no descriptor");
	EQ_STR(stack_backing_word(s.backing), "unknown", "is unknown");
	tree_free(&t);

	fd = open("/dev/shm", O_RDONLY | O_DIRECTORY);
	if (fd < 0 || mounts_guess_fd(fd, &m, NULL) != 0 ||
		strcmp(m.fstype, "tmpfs") != 0) {
		SKIP("/dev/shm is no tmpfs here");
	} else {
		stack_walk_fd(&s, fd, NULL, "");
		EQ_STR(s.why, "tmpfs is memory", "tmpfs without the table");
		snprintf(m.fstype, sizeof(m.fstype), "ext4");
		m.dev_major = 254;
		stack_walk_fd(&s, fd, &m, "");
		EQ_STR(stack_backing_word(s.backing), "memory",
			"fstatfs outweighs the table");
	}
	close(fd);
}

static void
test_words(void)
{
	struct stack s = { .count = 0 };
	char out[8];

	EQ_STR(stack_backing_word(STACK_BACKING_DISK), "disk", "word");
	EQ_STR(stack_backing_word(STACK_BACKING_MEMORY), "memory", "word");
	EQ_STR(stack_backing_word(STACK_BACKING_UNKNOWN), "unknown", "word");
	sentence(&s, out, sizeof(out));
	EQ_STR(out, "", "no layers, no sentence");
	EQ_I64(stack_single_disk(&s), -1, "no layers, no disk");
}

int
main(void)
{
	test_rows();
	test_facts();
	test_deep();
	test_partly();
	test_mixed();
	test_fd();
	test_words();
	return tap_done();
}
