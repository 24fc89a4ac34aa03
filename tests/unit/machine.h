/*
 * machine.h: a machine of block devices for tests: a tree with /sys and sparse
 * files as /dev/NAME, into which superblocks are written byte by byte.
 */
#ifndef MACHINE_H
#define MACHINE_H
#include <fcntl.h>

#include "host/volumes.h"
#include "tree.h"

#define MIB (UINT64_C(1) << 20)

struct machine {
	struct tree tree;
	struct volumes v;
	unsigned next_minor;
};

static inline void
machine_init(struct machine *m)
{
	tree_init(&m->tree);
	m->next_minor = 0;
	tree_text(&m->tree, "/sys/class/block/.keep", "");
	tree_text(
		&m->tree, "/proc/swaps", "Filename Type Size Used Priority\n");
	tree_text(&m->tree, "/proc/self/mountinfo", "");
}

static inline void
machine_free(struct machine *m)
{
	tree_free(&m->tree);
}

/* One line of /sys/.../NAME. */
static inline void
machine_fact(
	struct machine *m, const char *name, const char *file, const char *text)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "/sys/class/block/%s/%s", name, file);
	tree_text(&m->tree, path, text);
}

static inline void
machine_device(
	struct machine *m, const char *name, const char *where, uint64_t size)
{
	char path[PATH_MAX], target[PATH_MAX], text[64];
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/%s/%s/size", where, name);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)size / 512);
	tree_text(&m->tree, path, text);
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	snprintf(target, sizeof(target), "../../devices/%s/%s", where, name);
	tree_link(&m->tree, path, target);
	snprintf(text, sizeof(text), "8:%u\n", m->next_minor);
	machine_fact(m, name, "dev", text);
	snprintf(path, sizeof(path), "/sys/dev/block/8:%u", m->next_minor++);
	tree_link(&m->tree, path, target);
	snprintf(path, sizeof(path), "/dev/%s", name);
	tree_text(&m->tree, path, "");
	snprintf(path, sizeof(path), "%s/dev/%s", m->tree.root, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || ftruncate(fd, (off_t)size) < 0 || close(fd) < 0)
		tree_die("make", path);
}

static inline void
machine_disk(struct machine *m, const char *name, uint64_t size)
{
	machine_device(m, name, "pci/host0/block", size);
}

static inline void
machine_part(struct machine *m, const char *disk, const char *name,
	uint64_t start, uint64_t size)
{
	char where[128], text[32];

	snprintf(where, sizeof(where), "pci/host0/block/%s", disk);
	machine_device(m, name, where, size);
	snprintf(text, sizeof(text), "%s\n", name + strcspn(name, "123456789"));
	machine_fact(m, name, "partition", text);
	snprintf(text, sizeof(text), "%llu\n", (unsigned long long)start / 512);
	machine_fact(m, name, "start", text);
}

static inline void
machine_put(struct machine *m, const char *name, uint64_t at, const void *data,
	size_t len)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/dev/%s", m->tree.root, name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || pwrite(fd, data, len, (off_t)at) != (ssize_t)len ||
		close(fd) < 0)
		tree_die("write", path);
}

static inline void
machine_text(struct machine *m, const char *name, uint64_t at, const char *text)
{
	machine_put(m, name, at, text, strlen(text));
}

static inline void
machine_le(struct machine *m, const char *name, uint64_t at, uint64_t v,
	unsigned bytes)
{
	unsigned char b[8];
	unsigned i;

	for (i = 0; i < bytes; i++)
		b[i] = (unsigned char)(v >> 8 * i);
	machine_put(m, name, at, b, bytes);
}

static inline void
machine_be(struct machine *m, const char *name, uint64_t at, uint64_t v,
	unsigned bytes)
{
	unsigned char b[8];
	unsigned i;

	for (i = 0; i < bytes; i++)
		b[bytes - 1 - i] = (unsigned char)(v >> 8 * i);
	machine_put(m, name, at, b, bytes);
}

/* A clean ext4 that fills the device; uuid is its first byte, repeated. */
static inline void
machine_ext4(struct machine *m, const char *name, uint64_t size, int uuid)
{
	unsigned char id[16];

	memset(id, uuid, sizeof(id));
	machine_le(m, name, 1024, 1000, 4);
	machine_le(m, name, 1024 + 4, size / 1024, 4);
	machine_le(m, name, 1024 + 0x38, 0xef53, 2);
	machine_le(m, name, 1024 + 0x3a, 1, 2);	   /* clean */
	machine_le(m, name, 1024 + 0x4c, 1, 4);	   /* revision */
	machine_le(m, name, 1024 + 0x5c, 0x4, 4);  /* has_journal */
	machine_le(m, name, 1024 + 0x60, 0x42, 4); /* filetype, extents */
	machine_put(m, name, 1024 + 0x68, id, sizeof(id));
	machine_le(m, name, 1024 + 0xe0, 8, 4); /* its inode */
}

/* List and probe all. */
static inline void
machine_look(struct machine *m)
{
	struct err e = { 0 };
	unsigned i;

	if (volumes_list(&m->v, m->tree.root, &e) < 0)
		printf("# %s\n", e.text);
	for (i = 0; i < m->v.count; i++)
		volumes_probe(&m->v, i, m->tree.root);
}

static inline struct volumes_entry *
machine_entry(struct machine *m, const char *name)
{
	unsigned i;

	for (i = 0; i < m->v.count; i++)
		if (strcmp(m->v.entry[i].name, name) == 0)
			return &m->v.entry[i];
	printf("Bail out! no device %s\n", name);
	exit(1);
}
#endif
