#include "host/volumes_sign.h"

#include <string.h>

#define KIB UINT64_C(1024)

/* Where a signature's offset counts from. */
enum place {
	FRONT,
	BACK, /* backwards from the end, which is cut to a multiple of align */
	PAGE  /* backwards from the end of the first page, of any size */
};

/*
 * One signature.  The columns: kind; place, offset from it, and what BACK's
 * end is cut to; the bytes and how many.
 */
static const struct sign {
	enum volumes_kind kind;
	enum place place;
	uint32_t offset, align;
	const char *magic;
	uint32_t len;
} signs[] = {
	{ VOLUMES_EXT, FRONT, 0x438, 0, "\x53\xef", 2 },
	{ VOLUMES_XFS, FRONT, 0, 0, "XFSB", 4 },
	{ VOLUMES_BTRFS, FRONT, 0x10040, 0, "_BHRfS_M", 8 },
	/* md(4): version 1.1, 1.2, 1.0; 0.90 in the byte order of its maker */
	{ VOLUMES_MD, FRONT, 0, 0, "\xfc\x4e\x2b\xa9", 4 },
	{ VOLUMES_MD, FRONT, 4096, 0, "\xfc\x4e\x2b\xa9", 4 },
	{ VOLUMES_MD, BACK, 8192, 4096, "\xfc\x4e\x2b\xa9", 4 },
	{ VOLUMES_MD, BACK, 65536, 65536, "\xfc\x4e\x2b\xa9", 4 },
	{ VOLUMES_MD, BACK, 65536, 65536, "\xa9\x2b\x4e\xfc", 4 },
	{ VOLUMES_FAKERAID, BACK, 1024, 512, "Intel Raid ISM Cfg", 18 },
	{ VOLUMES_FAKERAID, BACK, 8192, 4096, "Intel Raid ISM Cfg", 18 },
	{ VOLUMES_FAKERAID, BACK, 512, 512, "\xde\x11\xde\x11", 4 },
	{ VOLUMES_FAKERAID, BACK, 4096, 4096, "\xde\x11\xde\x11", 4 },
	{ VOLUMES_DRBD, BACK, 4096 - 60, 4096, "\x83\x74\x02\x6b", 4 },
	{ VOLUMES_DRBD, BACK, 4096 - 60, 4096, "\x83\x74\x02\x6c", 4 },
	{ VOLUMES_DRBD, BACK, 4096 - 60, 4096, "\x83\x74\x02\x6d", 4 },
	/* the label may be in any of the first four sectors */
	{ VOLUMES_LVM, FRONT, 0, 0, "LABELONE", 8 },
	{ VOLUMES_LVM, FRONT, 512, 0, "LABELONE", 8 },
	{ VOLUMES_LVM, FRONT, 1024, 0, "LABELONE", 8 },
	{ VOLUMES_LVM, FRONT, 1536, 0, "LABELONE", 8 },
	{ VOLUMES_LUKS, FRONT, 0, 0, "LUKS\xba\xbe", 6 },
	/* LUKS2's second header, for where the first is destroyed */
	{ VOLUMES_LUKS, FRONT, 0x4000, 0, "SKUL\xba\xbe", 6 },
	{ VOLUMES_LUKS, FRONT, 0x8000, 0, "SKUL\xba\xbe", 6 },
	{ VOLUMES_LUKS, FRONT, 0x10000, 0, "SKUL\xba\xbe", 6 },
	{ VOLUMES_LUKS, FRONT, 0x20000, 0, "SKUL\xba\xbe", 6 },
	{ VOLUMES_LUKS, FRONT, 0x40000, 0, "SKUL\xba\xbe", 6 },
	{ VOLUMES_LUKS, FRONT, 0x80000, 0, "SKUL\xba\xbe", 6 },
	{ VOLUMES_BITLOCKER, FRONT, 3, 0, "-FVE-FS-", 8 },
	{ VOLUMES_BCACHE, FRONT, 0x1018, 0,
		"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d"
		"\x81",
		16 },
	{ VOLUMES_BCACHEFS, FRONT, 0x1018, 0,
		"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7"
		"\xef",
		16 },
	{ VOLUMES_CEPH, FRONT, 0, 0, "bluestore block device", 22 },
	{ VOLUMES_SWAP, PAGE, 10, 0, "SWAPSPACE2", 10 },
	{ VOLUMES_SWAP, PAGE, 10, 0, "SWAP-SPACE", 10 },
	{ VOLUMES_HIBERNATED, PAGE, 10, 0, "S1SUSPEND", 9 },
	{ VOLUMES_HIBERNATED, PAGE, 10, 0, "S2SUSPEND", 9 },
	{ VOLUMES_HIBERNATED, PAGE, 10, 0, "ULSUSPEND", 9 },
	{ VOLUMES_HIBERNATED, PAGE, 10, 0, "LINHIB0001", 10 },
	{ VOLUMES_HIBERNATED, PAGE, 10, 0, "\xed\xc3\x02\xe9\x98\x56\xe5\x0c",
		8 }, /* TuxOnIce */
	{ VOLUMES_NTFS, FRONT, 3, 0, "NTFS    ", 8 },
	{ VOLUMES_EXFAT, FRONT, 3, 0, "EXFAT   ", 8 },
	{ VOLUMES_FAT, FRONT, 0x36, 0, "FAT12   ", 8 },
	{ VOLUMES_FAT, FRONT, 0x36, 0, "FAT16   ", 8 },
	{ VOLUMES_FAT, FRONT, 0x52, 0, "FAT32   ", 8 },
	{ VOLUMES_ISO9660, FRONT, 0x8001, 0, "CD001", 5 },
	{ VOLUMES_UDF, FRONT, 0x8001, 0, "BEA01", 5 },
	{ VOLUMES_SQUASHFS, FRONT, 0, 0, "hsqs", 4 },
	{ VOLUMES_EROFS, FRONT, 1024, 0, "\xe2\xe1\xf5\xe0", 4 },
	{ VOLUMES_F2FS, FRONT, 1024, 0, "\x10\x20\xf5\xf2", 4 },
	{ VOLUMES_REISERFS, FRONT, 0x10034, 0, "ReIsEr", 6 },
	{ VOLUMES_JFS, FRONT, 0x8000, 0, "JFS1", 4 },
	{ VOLUMES_OCFS2, FRONT, 2048, 0, "OCFSV2", 6 },
	{ VOLUMES_OCFS2, FRONT, 4096, 0, "OCFSV2", 6 },
	{ VOLUMES_OCFS2, FRONT, 8192, 0, "OCFSV2", 6 },
	{ VOLUMES_GFS2, FRONT, 0x10000, 0, "\x01\x16\x19\x70", 4 },
	{ VOLUMES_APFS, FRONT, 32, 0, "NXSB", 4 },
};

#define SIGNS (sizeof(signs) / sizeof(signs[0]))

static bool
is_at(const struct volumes_ends *d, const struct sign *s, uint64_t offset)
{
	const unsigned char *p = volumes_ends_at(d, offset, s->len);

	return p && memcmp(p, s->magic, s->len) == 0;
}

/* Where s would be at the end of d; false on a device too small for it. */
static bool
back_at(const struct volumes_ends *d, const struct sign *s, uint64_t *out)
{
	uint64_t end = d->size_bytes / s->align * s->align;

	if (end < s->offset)
		return false;
	*out = end - s->offset;
	return true;
}

/* Two bytes alone are found by chance: the fields around must make sense. */
static bool
is_ext(const struct volumes_ends *d)
{
	const unsigned char *p = volumes_ends_at(d, 1024, 1024);

	return p && volumes_ends_le(p, 4) > 0 &&
	       volumes_ends_le(p + 4, 4) > 0 &&
	       volumes_ends_le(p + 0x18, 4) <= 6 &&
	       volumes_ends_le(p + 0x4c, 4) <= 1;
}

static bool
is_page(const struct volumes_ends *d, const struct sign *s)
{
	uint64_t page;

	for (page = 4 * KIB; page <= 64 * KIB; page *= 2)
		if (is_at(d, s, page - s->offset))
			return true;
	return false;
}

static bool
is_here(const struct volumes_ends *d, const struct sign *s)
{
	uint64_t at;

	switch (s->place) {
	case BACK:
		return back_at(d, s, &at) && is_at(d, s, at);
	case PAGE:
		return is_page(d, s);
	case FRONT:
	default:
		return is_at(d, s, s->offset) &&
		       (s->kind != VOLUMES_EXT || is_ext(d));
	}
}

/* Uberblocks of ZFS, in the second half of each of its four labels. */
static bool
is_zfs(const struct volumes_ends *d)
{
	static const unsigned char magic[8] = { 0x0c, 0xb1, 0xba };
	static const unsigned char turned[8] = { 0, 0, 0, 0, 0, 0xba, 0xb1,
		0x0c };
	uint64_t label = 256 * KIB, end = d->size_bytes / label * label;
	uint64_t at[4] = { 0, label, end - 2 * label, end - label }, k;
	const unsigned char *p;
	int i;

	if (end < 4 * label)
		return false;
	for (i = 0; i < 4; i++)
		for (k = label / 2; k < label; k += KIB) {
			p = volumes_ends_at(d, at[i] + k, sizeof(magic));
			if (p &&
				(!memcmp(p, magic, 8) || !memcmp(p, turned, 8)))
				return true;
		}
	return false;
}

uint64_t
volumes_sign_scan(const struct volumes_ends *d)
{
	uint64_t found = 0;
	size_t i;

	for (i = 0; i < SIGNS; i++)
		if (is_here(d, &signs[i]))
			found |= UINT64_C(1) << signs[i].kind;
	if (is_zfs(d))
		found |= UINT64_C(1) << VOLUMES_ZFS;
	return found;
}

uint64_t
volumes_sign_array(const struct volumes_ends *d, uint64_t used_bytes)
{
	uint64_t found = 0, at;
	size_t i;

	for (i = 0; i < SIGNS; i++)
		if (signs[i].place == BACK && back_at(d, &signs[i], &at) &&
			at >= used_bytes && is_at(d, &signs[i], at))
			found |= UINT64_C(1) << signs[i].kind;
	return found;
}
