#include "host/volumes_fs.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "host/volumes_xfslog.h"

/* ---- names ----------------------------------------------------------------- */

/* How a UUID is kept. */
enum form {
	FORM_NONE,
	FORM_BYTES, /* 16 of them */
	FORM_TEXT,  /* 40 characters, NUL behind */
	FORM_FAT,   /* 4 bytes, "1234-ABCD" */
	FORM_NTFS   /* 8 bytes, 16 digits */
};

/* Where names stand.  The columns: kind; UUID: form, offset; label: offset,
 * length, 0 = none. */
static const struct names {
	enum volumes_kind kind;
	enum form form;
	uint32_t uuid_at, label_at, label_len;
} names[] = {
	{ VOLUMES_EXT, FORM_BYTES, 0x468, 0x478, 16 },
	{ VOLUMES_JOURNAL, FORM_BYTES, 0x468, 0x478, 16 },
	{ VOLUMES_XFS, FORM_BYTES, 32, 108, 12 },
	{ VOLUMES_BTRFS, FORM_BYTES, 0x10020, 0x1012b, 255 },
	{ VOLUMES_SWAP, FORM_BYTES, 1036, 1052, 16 },
	{ VOLUMES_HIBERNATED, FORM_BYTES, 1036, 1052, 16 },
	{ VOLUMES_LUKS, FORM_TEXT, 168, 24, 48 },
	{ VOLUMES_F2FS, FORM_BYTES, 1024 + 108, 0, 0 },
	{ VOLUMES_NTFS, FORM_NTFS, 0x48, 0, 0 },
	{ VOLUMES_FAT, FORM_FAT, 0, 0, 0 },
	{ VOLUMES_ISO9660, FORM_NONE, 0, 0x8028, 32 },
};

static void
put_bytes(const unsigned char *p, char out[40])
{
	size_t len = 0;
	int i;

	for (i = 0; i < 16; i++)
		len += (size_t)snprintf(out + len, 40 - len, "%s%02x",
			i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", p[i]);
}

static void
put_fat(const struct volumes_ends *d, char out[40])
{
	const unsigned char *p = volumes_ends_at(d, 0x52, 5);
	uint64_t serial;

	/* FAT32 has a longer parameter block before it */
	p = volumes_ends_at(d, p && !memcmp(p, "FAT32", 5) ? 0x43 : 0x27, 4);
	if (!p)
		return;
	serial = volumes_ends_le(p, 4);
	snprintf(out, 40, "%04X-%04X", (unsigned)(serial >> 16),
		(unsigned)(serial & 0xffff));
}

static void
put_uuid(const struct names *n, const struct volumes_ends *d, char out[40])
{
	const unsigned char *p = volumes_ends_at(d, n->uuid_at, 40);

	if (n->form == FORM_FAT) {
		put_fat(d, out);
		return;
	}
	if (!p || n->form == FORM_NONE)
		return;
	if (n->form == FORM_BYTES)
		put_bytes(p, out);
	else if (n->form == FORM_NTFS)
		snprintf(out, 40, "%016llX",
			(unsigned long long)volumes_ends_le(p, 8));
	else
		snprintf(out, 40, "%.39s", (const char *)p);
	utf8_clean(out, strlen(out));
}

static void
put_label(const struct names *n, const struct volumes_ends *d,
	struct volumes_entry *x)
{
	const unsigned char *p = volumes_ends_at(d, n->label_at, n->label_len);
	const unsigned char *luks = volumes_ends_at(d, 6, 2);
	size_t len;

	/* LUKS1 has its cipher there */
	if (!p || n->label_len == 0 ||
		(n->kind == VOLUMES_LUKS && volumes_ends_be(luks, 2) < 2))
		return;
	memcpy(x->label, p, n->label_len);
	x->label[n->label_len] = '\0';
	for (len = strlen(x->label); len > 0 && x->label[len - 1] == ' '; len--)
		;
	utf8_clean(x->label, len);
}

static void
read_names(struct volumes_entry *x, const struct volumes_ends *d)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (names[i].kind != x->kind)
			continue;
		put_uuid(&names[i], d, x->uuid);
		put_label(&names[i], d, x);
	}
}

/* ---- ext2, ext3, ext4: fs/ext4/ext4.h, struct ext4_super_block ----------------- */

#define EXT_STATE_CLEAN	       0x1u
#define EXT_STATE_ERROR	       0x2u
#define EXT_HAS_JOURNAL	       0x4u  /* compatible */
#define EXT_RECOVER	       0x4u  /* incompatible */
#define EXT_JOURNAL_DEV	       0x8u  /* incompatible */
#define EXT3_INCOMPATIBLE      0x16u /* filetype, recover, meta_bg */
#define EXT3_READ_COMPATIBLE   0x7u  /* sparse_super, large_file, btree */
#define EXT_INCOMPATIBLE_64BIT 0x80u

bool
volumes_fs_is_journal(const struct volumes_ends *d)
{
	const unsigned char *p = volumes_ends_at(d, 1024, 1024);

	return p && (volumes_ends_le(p + 0x60, 4) & EXT_JOURNAL_DEV);
}

static void
read_ext(struct volumes_fs *fs, const unsigned char *p)
{
	uint64_t compat = volumes_ends_le(p + 0x5c, 4);
	uint64_t incompat = volumes_ends_le(p + 0x60, 4);
	uint64_t readable = volumes_ends_le(p + 0x64, 4);
	uint64_t state = volumes_ends_le(p + 0x3a, 2);
	uint64_t blocks = volumes_ends_le(p + 4, 4);
	bool journal = compat & EXT_HAS_JOURNAL;

	snprintf(fs->type, sizeof(fs->type), "%s",
		(incompat & ~(uint64_t)EXT3_INCOMPATIBLE) ||
				(readable & ~(uint64_t)EXT3_READ_COMPATIBLE)
			? "ext4"
		: journal ? "ext3"
			  : "ext2");
	if (incompat & EXT_INCOMPATIBLE_64BIT)
		blocks |= volumes_ends_le(p + 0x150, 4) << 32;
	fs->size_bytes = blocks << (10 + volumes_ends_le(p + 0x18, 4));
	fs->dirty = (incompat & EXT_RECOVER) != 0;
	fs->error = state & EXT_STATE_ERROR;
	fs->unclean = !journal && !(state & EXT_STATE_CLEAN);
	/* without an inode of its own the journal is on another device */
	fs->outside = journal && volumes_ends_le(p + 0xe0, 4) == 0;
	fs->devices = 1;
}

/* ---- xfs: fs/xfs/libxfs/xfs_format.h, struct xfs_dsb --------------------------- */

#define XFS_NEEDS_REPAIR 0x10u /* incompatible, of version 5 */

static void
read_xfs(struct volumes_fs *fs, const struct volumes_ends *d,
	const unsigned char *p)
{
	unsigned version = (unsigned)volumes_ends_be(p + 100, 2) & 0xf;

	snprintf(fs->type, sizeof(fs->type), "xfs");
	fs->size_bytes = volumes_ends_be(p + 8, 8) * volumes_ends_be(p + 4, 4);
	fs->repair = version == 5 &&
		     (volumes_ends_be(p + 216, 4) & XFS_NEEDS_REPAIR);
	/* a log that begins at 0, blocks of the realtime part */
	fs->outside = volumes_ends_be(p + 48, 8) == 0 ||
		      volumes_ends_be(p + 16, 8) > 0;
	fs->dirty = fs->outside ? -1 : volumes_xfslog_dirty(d, p);
	fs->devices = 1;
}

/* ---- btrfs: include/uapi/linux/btrfs_tree.h, struct btrfs_super_block ---------- */

#define BTRFS_AT   0x10000
#define BTRFS_SEED (UINT64_C(1) << 32)

static void
read_btrfs(struct volumes_fs *fs, const unsigned char *p)
{
	snprintf(fs->type, sizeof(fs->type), "btrfs");
	fs->seed = volumes_ends_le(p + 0x38, 8) & BTRFS_SEED;
	fs->dirty = volumes_ends_le(p + 0x60, 8) != 0; /* a log tree */
	fs->devices = volumes_ends_le(p + 0x88, 8);
	fs->devid = volumes_ends_le(p + 0xc9, 8);
	fs->size_bytes = volumes_ends_le(p + 0xd1, 8); /* of this device */
}

void
volumes_fs_read(struct volumes_entry *x, const struct volumes_ends *d)
{
	const unsigned char *ext = volumes_ends_at(d, 1024, 1024);
	const unsigned char *xfs = volumes_ends_at(d, 0, 512);
	const unsigned char *btrfs = volumes_ends_at(d, BTRFS_AT, 4096);

	memset(&x->fs, 0, sizeof(x->fs));
	x->fs.dirty = -1;
	if (x->kind == VOLUMES_EXT && ext)
		read_ext(&x->fs, ext);
	if (x->kind == VOLUMES_XFS && xfs)
		read_xfs(&x->fs, d, xfs);
	if (x->kind == VOLUMES_BTRFS && btrfs)
		read_btrfs(&x->fs, btrfs);
	read_names(x, d);
}
