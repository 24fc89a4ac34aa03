#include "host/volumes.h"
#include "machine.h"
#include "tap.h"

#define SIZE (2 * MIB)
#define ODD  (2 * MIB + 0xa200) /* no multiple of what ends are cut to */

/* What a signature at a place makes of a device of `size`. */
static const struct row {
	const char *what;
	enum volumes_kind kind;
	uint64_t at;
	const char *magic;
	size_t len;
	uint64_t size;
} rows[] = {
	{ "xfs", VOLUMES_XFS, 0, "XFSB", 4, SIZE },
	{ "btrfs", VOLUMES_BTRFS, 0x10040, "_BHRfS_M", 8, SIZE },
	{ "md 1.1", VOLUMES_MD, 0, "\xfc\x4e\x2b\xa9", 4, SIZE },
	{ "md 1.2", VOLUMES_MD, 4096, "\xfc\x4e\x2b\xa9", 4, SIZE },
	{ "md 1.0", VOLUMES_MD, SIZE - 8192, "\xfc\x4e\x2b\xa9", 4, SIZE },
	{ "md 1.0, odd size", VOLUMES_MD, 2 * MIB + 0xa000 - 8192,
		"\xfc\x4e\x2b\xa9", 4, ODD },
	{ "md 0.90", VOLUMES_MD, SIZE - 65536, "\xfc\x4e\x2b\xa9", 4, SIZE },
	{ "md 0.90, big endian", VOLUMES_MD, SIZE - 65536, "\xa9\x2b\x4e\xfc",
		4, SIZE },
	{ "md 0.90, odd size", VOLUMES_MD, 2 * MIB - 65536, "\xfc\x4e\x2b\xa9",
		4, ODD },
	{ "IMSM", VOLUMES_FAKERAID, SIZE - 1024, "Intel Raid ISM Cfg Sig. ", 24,
		SIZE },
	{ "DDF", VOLUMES_FAKERAID, SIZE - 512, "\xde\x11\xde\x11", 4, SIZE },
	{ "DRBD", VOLUMES_DRBD, SIZE - 4096 + 60, "\x83\x74\x02\x6d", 4, SIZE },
	{ "LVM", VOLUMES_LVM, 512, "LABELONE", 8, SIZE },
	{ "LVM in the fourth sector", VOLUMES_LVM, 1536, "LABELONE", 8, SIZE },
	{ "LUKS", VOLUMES_LUKS, 0, "LUKS\xba\xbe\x00\x01", 8, SIZE },
	{ "LUKS2 without its first header", VOLUMES_LUKS, 0x4000,
		"SKUL\xba\xbe", 6, SIZE },
	{ "BitLocker", VOLUMES_BITLOCKER, 3, "-FVE-FS-", 8, SIZE },
	{ "bcache", VOLUMES_BCACHE, 0x1018,
		"\xc6\x85\x73\xf6\x4e\x1a\x45\xca\x82\x65\xf5\x7f\x48\xba\x6d"
		"\x81",
		16, SIZE },
	{ "bcachefs", VOLUMES_BCACHEFS, 0x1018,
		"\xc6\x85\x73\xf6\x66\xce\x90\xa9\xd9\x6a\x60\xcf\x80\x3d\xf7"
		"\xef",
		16, SIZE },
	{ "ZFS, first label", VOLUMES_ZFS, 128 * 1024 + 7 * 1024,
		"\x0c\xb1\xba\0\0\0\0\0", 8, SIZE },
	{ "ZFS, last label, big endian", VOLUMES_ZFS,
		2 * MIB - 256 * 1024 + 128 * 1024 + 1024,
		"\0\0\0\0\0\xba\xb1\x0c", 8, ODD },
	{ "Ceph", VOLUMES_CEPH, 0, "bluestore block device", 22, SIZE },
	{ "swap", VOLUMES_SWAP, 4086, "SWAPSPACE2", 10, SIZE },
	{ "swap of pages of 64 KiB", VOLUMES_SWAP, 65526, "SWAPSPACE2", 10,
		SIZE },
	{ "hibernated", VOLUMES_HIBERNATED, 4086, "S1SUSPEND", 9, SIZE },
	{ "hibernated by uswsusp", VOLUMES_HIBERNATED, 4086, "LINHIB0001", 10,
		SIZE },
	{ "hibernated, ULSUSPEND", VOLUMES_HIBERNATED, 4086, "ULSUSPEND", 9,
		SIZE },
	{ "NTFS", VOLUMES_NTFS, 3, "NTFS    ", 8, SIZE },
	{ "exFAT", VOLUMES_EXFAT, 3, "EXFAT   ", 8, SIZE },
	{ "FAT16", VOLUMES_FAT, 0x36, "FAT16   ", 8, SIZE },
	{ "FAT32", VOLUMES_FAT, 0x52, "FAT32   ", 8, SIZE },
	{ "iso9660", VOLUMES_ISO9660, 0x8001, "CD001", 5, SIZE },
	{ "UDF", VOLUMES_UDF, 0x8001, "BEA01", 5, SIZE },
	{ "squashfs", VOLUMES_SQUASHFS, 0, "hsqs", 4, SIZE },
	{ "erofs", VOLUMES_EROFS, 1024, "\xe2\xe1\xf5\xe0", 4, SIZE },
	{ "f2fs", VOLUMES_F2FS, 1024, "\x10\x20\xf5\xf2", 4, SIZE },
	{ "reiserfs", VOLUMES_REISERFS, 0x10034, "ReIsEr2Fs", 9, SIZE },
	{ "jfs", VOLUMES_JFS, 0x8000, "JFS1", 4, SIZE },
	{ "ocfs2", VOLUMES_OCFS2, 8192, "OCFSV2", 6, SIZE },
	{ "gfs2", VOLUMES_GFS2, 0x10000, "\x01\x16\x19\x70", 4, SIZE },
	{ "APFS", VOLUMES_APFS, 32, "NXSB", 4, SIZE },
	{ "ext's magic among nonsense", VOLUMES_UNKNOWN, 0x438, "\x53\xef", 2,
		SIZE },
	{ "a byte in the last sector", VOLUMES_UNKNOWN, SIZE - 1, "x", 1,
		SIZE },
	{ "nothing", VOLUMES_BLANK, 0, "", 0, SIZE },
	{ "nothing, 1 KiB", VOLUMES_BLANK, 0, "", 0, 1024 },
	{ "an end cut off", VOLUMES_UNKNOWN, 1000, "LABELONE", 8, 1024 },
};

static void
check_rows(void)
{
	struct machine m;
	char name[16], what[96];
	size_t i, n = sizeof(rows) / sizeof(rows[0]);

	machine_init(&m);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "sd%c%c", 'a' + (char)(i / 26),
			'a' + (char)(i % 26));
		machine_disk(&m, name, rows[i].size);
		machine_put(&m, name, rows[i].at, rows[i].magic, rows[i].len);
	}
	machine_look(&m);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "sd%c%c", 'a' + (char)(i / 26),
			'a' + (char)(i % 26));
		snprintf(what, sizeof(what), "%s is \"%s\"", rows[i].what,
			volumes_kind_word(rows[i].kind));
		EQ_STR(volumes_word(machine_entry(&m, name))[0]
				? volumes_kind_word(
					  machine_entry(&m, name)->kind)
				: "",
			volumes_kind_word(rows[i].kind), what);
	}
	machine_free(&m);
}

static void
check_words(void)
{
	unsigned k;
	bool all = true;

	for (k = 0; k < VOLUMES_KINDS; k++)
		all = all && volumes_kind_word((enum volumes_kind)k);
	OK(all, "each kind has a word");
}

static void
check_list(void)
{
	struct machine m;

	machine_init(&m);
	machine_disk(&m, "sdb", SIZE);
	machine_part(&m, "sdb", "sdb10", MIB + MIB / 2, MIB / 2);
	machine_part(&m, "sdb", "sdb2", MIB, MIB / 2);
	machine_disk(&m, "sda", 4 * MIB);
	machine_disk(&m, "sr0", SIZE);
	machine_disk(&m, "ram0", SIZE);
	machine_disk(&m, "empty", 0);
	machine_disk(&m, "cciss!c0d0", 512);
	machine_fact(&m, "sdb", "removable", "1\n");
	machine_fact(&m, "sda", "ro", "1\n");
	machine_fact(&m, "sda", "serial", "S3R1AL\n");
	machine_look(&m);
	EQ_U64(m.v.count, 5, "no empty devices, drives, ramdisks");
	EQ_STR(m.v.entry[1].name, "sda", "by disk");
	EQ_STR(m.v.entry[3].name, "sdb2", "and number");
	EQ_STR(m.v.entry[4].name, "sdb10", "10 behind 2");
	EQ_U64(m.v.entry[4].disk, 2, "a partition knows its disk");
	EQ_U64(m.v.entry[2].partitions, 2, "and a disk how many it has");
	EQ_U64(m.v.entry[4].start_bytes, MIB + MIB / 2, "and where it begins");
	OK(m.v.entry[4].removable, "removable is the disk's word");
	OK(m.v.entry[1].read_only, "read-only");
	EQ_STR(m.v.entry[1].serial, "S3R1AL", "serial");
	EQ_STR(m.v.entry[1].label, "", "no label");
	OK(m.v.entry[1].family == STACK_DISK &&
			m.v.entry[3].family == STACK_PARTITION,
		"families");
	EQ_I64(volumes_of_dev(&m.v, 8, 0), 2, "by number");
	EQ_I64(volumes_of_dev(&m.v, 9, 0), -1, "no such number");
	OK(m.v.entry[2].kind == VOLUMES_PARTITIONED,
		"a disk with partitions is a table, whatever its front says");
	EQ_I64(m.v.entry[0].kind, VOLUMES_UNREADABLE, "no node: unreadable");
	EQ_I64(m.v.entry[0].sys, 2, "with its reason");
	machine_free(&m);
}

static void
check_ext(void)
{
	struct machine m;
	struct volumes_entry *x;

	machine_init(&m);
	machine_disk(&m, "sda", SIZE);
	machine_ext4(&m, "sda", SIZE, 0xab);
	machine_text(&m, "sda", 1024 + 0x78, "r\xc3\xb6ot\n");
	machine_disk(&m, "sdb", SIZE);
	machine_ext4(&m, "sdb", SIZE, 1);
	machine_le(&m, "sdb", 1024 + 0x60, 0x46, 4);
	machine_disk(&m, "sdc", SIZE);
	machine_ext4(&m, "sdc", SIZE, 2);
	machine_le(&m, "sdc", 1024 + 0x3a, 3, 2);
	machine_le(&m, "sdc", 1024 + 0xe0, 0, 4);
	machine_le(&m, "sdc", 1024 + 0x60, 2, 4);
	machine_disk(&m, "sdd", SIZE);
	machine_ext4(&m, "sdd", SIZE, 3);
	machine_le(&m, "sdd", 1024 + 0x5c, 0, 4);
	machine_le(&m, "sdd", 1024 + 0x60, 2, 4);
	machine_le(&m, "sdd", 1024 + 0x3a, 0, 2);
	machine_disk(&m, "sde", SIZE);
	machine_ext4(&m, "sde", SIZE, 4);
	machine_le(&m, "sde", 1024 + 0x60, 0xc2, 4); /* 64 bit */
	machine_le(&m, "sde", 1024 + 0x150, 1, 4);
	machine_disk(&m, "sdf", SIZE);
	machine_ext4(&m, "sdf", SIZE, 5);
	machine_le(&m, "sdf", 1024 + 0x60, 8, 4);
	machine_look(&m);
	x = machine_entry(&m, "sda");
	EQ_STR(volumes_word(x), "ext4", "ext4");
	EQ_STR(x->uuid, "abababab-abab-abab-abab-abababababab", "its UUID");
	EQ_STR(x->label, "r\xc3\xb6ot?", "its label, clean");
	EQ_U64(x->fs.size_bytes, SIZE, "its size");
	OK(x->fs.dirty == 0 && !x->fs.error && !x->fs.unclean && !x->fs.outside,
		"clean");
	OK(machine_entry(&m, "sdb")->fs.dirty == 1, "a journal to be replayed");
	x = machine_entry(&m, "sdc");
	EQ_STR(volumes_word(x), "ext3", "ext3");
	OK(x->fs.error && x->fs.outside, "an error; the journal elsewhere");
	x = machine_entry(&m, "sdd");
	EQ_STR(volumes_word(x), "ext2", "ext2");
	OK(x->fs.unclean, "not unmounted, without a journal");
	EQ_U64(machine_entry(&m, "sde")->fs.size_bytes,
		((UINT64_C(1) << 32) + SIZE / 1024) * 1024,
		"blocks beyond 32 bits");
	EQ_STR(volumes_word(machine_entry(&m, "sdf")), "ext journal",
		"a journal for another device");
	machine_free(&m);
}

/* What is at the end decides; what contradicts is told. */
static void
check_several(void)
{
	struct machine m;
	struct volumes_entry *x;

	machine_init(&m);
	machine_disk(&m, "sda", SIZE);
	machine_ext4(&m, "sda", SIZE, 1);
	machine_text(&m, "sda", SIZE - 8192, "\xfc\x4e\x2b\xa9");
	machine_disk(&m, "sdb", SIZE);
	machine_ext4(&m, "sdb", SIZE, 2);
	machine_put(&m, "sdb", 128 * 1024, "\x0c\xb1\xba\0\0\0\0\0", 8);
	/* a firmware RAID's leg, with a table in front */
	machine_disk(&m, "sdc", SIZE);
	machine_part(&m, "sdc", "sdc1", MIB / 2, MIB);
	machine_text(&m, "sdc", SIZE - 1024, "Intel Raid ISM Cfg Sig. ");
	/* the last partition's own array, which the disk's end shows, too */
	machine_disk(&m, "sdd", SIZE);
	machine_part(&m, "sdd", "sdd1", MIB, MIB);
	machine_text(&m, "sdd", SIZE - 65536, "\xfc\x4e\x2b\xa9");
	machine_text(&m, "sdd1", MIB - 65536, "\xfc\x4e\x2b\xa9");
	machine_look(&m);
	x = machine_entry(&m, "sda");
	OK(x->kind == VOLUMES_MD && x->second == VOLUMES_UNREAD,
		"ext4 in front, md at the end: md");
	x = machine_entry(&m, "sdb");
	OK(x->kind == VOLUMES_ZFS && x->second == VOLUMES_EXT,
		"ext4 and ZFS: both are told");
	OK(machine_entry(&m, "sdc")->kind == VOLUMES_FAKERAID,
		"a table inside of a firmware RAID");
	OK(machine_entry(&m, "sdd")->kind == VOLUMES_PARTITIONED &&
			machine_entry(&m, "sdd1")->kind == VOLUMES_MD,
		"an array of the last partition is not the disk's");
	machine_free(&m);
}

static void
check_tables(void)
{
	static const unsigned char guid[16] = { 0x28, 0x73, 0x2a, 0xc1, 0x1f,
		0xf8, 0xd2, 0x11, 0xba, 0x4b, 0x00, 0xa0, 0xc9, 0x3e, 0xc9,
		0x3b };
	struct machine m;

	machine_init(&m);
	machine_disk(&m, "sda", SIZE);
	machine_part(&m, "sda", "sda3", MIB, MIB);
	machine_text(&m, "sda", 512, "EFI PART");
	machine_le(&m, "sda", 512 + 72, 2, 8);
	machine_le(&m, "sda", 512 + 80, 128, 4);
	machine_le(&m, "sda", 512 + 84, 128, 4);
	machine_put(&m, "sda", 1024 + 2 * 128 + 16, guid, sizeof(guid));
	machine_disk(&m, "sdb", SIZE);
	machine_part(&m, "sdb", "sdb5", MIB, MIB);
	machine_le(&m, "sdb", 0x1b8, 0x12345678, 4);
	machine_le(&m, "sdb", 0x1be + 4, 0x83, 1);
	machine_le(&m, "sdb", 0x1be + 8, 2048, 4);
	machine_le(&m, "sdb", 0x1be + 12, 2048, 4);
	machine_put(&m, "sdb", 510, "\x55\xaa", 2);
	/* a table that the kernel has not read, with a file system besides */
	machine_disk(&m, "sdc", SIZE);
	machine_ext4(&m, "sdc", SIZE, 9);
	machine_le(&m, "sdc", 0x1be + 4, 0x83, 1);
	machine_le(&m, "sdc", 0x1be + 8, 2048, 4);
	machine_le(&m, "sdc", 0x1be + 12, 2048, 4);
	machine_put(&m, "sdc", 510, "\x55\xaa", 2);
	/* sectors of 4096 bytes */
	machine_disk(&m, "sdd", SIZE);
	machine_fact(&m, "sdd", "queue/logical_block_size", "4096\n");
	machine_part(&m, "sdd", "sdd1", MIB, MIB);
	machine_text(&m, "sdd", 4096, "EFI PART");
	machine_le(&m, "sdd", 4096 + 72, 2, 8);
	machine_le(&m, "sdd", 4096 + 80, 128, 4);
	machine_le(&m, "sdd", 4096 + 84, 128, 4);
	machine_put(&m, "sdd", 8192 + 16, guid, sizeof(guid));
	/* one that points out of the disk */
	machine_disk(&m, "sde", SIZE);
	machine_part(&m, "sde", "sde1", MIB, MIB);
	machine_text(&m, "sde", 512, "EFI PART");
	machine_le(&m, "sde", 512 + 72, UINT64_MAX, 8);
	machine_le(&m, "sde", 512 + 80, UINT32_MAX, 4);
	machine_le(&m, "sde", 512 + 84, UINT32_MAX, 4);
	machine_look(&m);
	EQ_STR(machine_entry(&m, "sda3")->partuuid,
		"c12a7328-f81f-11d2-ba4b-00a0c93ec93b", "PARTUUID of a GPT");
	EQ_STR(machine_entry(&m, "sdb5")->partuuid, "12345678-05",
		"PARTUUID of an MBR");
	OK(machine_entry(&m, "sdc")->kind == VOLUMES_EXT &&
			machine_entry(&m, "sdc")->second == VOLUMES_PARTITIONED,
		"a table beside a filesystem is told");
	EQ_STR(machine_entry(&m, "sdd1")->partuuid,
		"c12a7328-f81f-11d2-ba4b-00a0c93ec93b",
		"PARTUUID with sectors of 4096 bytes");
	EQ_STR(machine_entry(&m, "sde1")->partuuid, "", "a table of nonsense");
	machine_free(&m);
}

static void
check_others(void)
{
	struct machine m;
	struct volumes_entry *x;

	machine_init(&m);
	machine_disk(&m, "sda", SIZE);
	machine_text(&m, "sda", 0x10040, "_BHRfS_M");
	machine_le(&m, "sda", 0x10088, 2, 8);
	machine_le(&m, "sda", 0x100c9, 1, 8);
	machine_le(&m, "sda", 0x10060, 4096, 8);
	machine_text(&m, "sda", 0x1012b, "data");
	machine_disk(&m, "sdb", SIZE);
	machine_text(&m, "sdb", 0, "XFSB");
	machine_be(&m, "sdb", 4, 4096, 4);
	machine_be(&m, "sdb", 8, 512, 8);
	machine_be(&m, "sdb", 100, 5, 2);
	machine_be(&m, "sdb", 216, 0x10, 4);
	machine_disk(&m, "sdc", SIZE);
	machine_put(&m, "sdc", 0, "LUKS\xba\xbe\x00\x02", 8);
	machine_text(&m, "sdc", 168, "0f3c1e3e-70a6-4d1c-a2f6-5c1f3f2d1a11");
	machine_text(&m, "sdc", 24, "crypt");
	machine_disk(&m, "sdd", SIZE);
	machine_text(&m, "sdd", 0x52, "FAT32   ");
	machine_le(&m, "sdd", 0x43, 0xcafe1234, 4);
	machine_look(&m);
	x = machine_entry(&m, "sda");
	OK(x->fs.devices == 2 && x->fs.devid == 1 && x->fs.dirty == 1,
		"btrfs: devices, which of them, a log");
	EQ_STR(x->label, "data", "btrfs: label");
	x = machine_entry(&m, "sdb");
	OK(x->fs.repair && x->fs.outside && x->fs.dirty == -1,
		"xfs: to be repaired, log elsewhere");
	EQ_U64(x->fs.size_bytes, SIZE, "xfs: size");
	x = machine_entry(&m, "sdc");
	EQ_STR(x->uuid, "0f3c1e3e-70a6-4d1c-a2f6-5c1f3f2d1a11", "LUKS: UUID");
	EQ_STR(x->label, "crypt", "LUKS2: label");
	EQ_STR(machine_entry(&m, "sdd")->uuid, "CAFE-1234", "FAT: UUID");
	machine_free(&m);
}

/* Any bytes at all: no fault (the sanitizers look), and an answer. */
static void
check_noise(void)
{
	struct machine m;
	unsigned char noise[4096];
	uint64_t state = 88172645463325252u;
	unsigned round, i;
	bool answered = true;

	machine_init(&m);
	machine_disk(&m, "sda", SIZE);
	machine_part(&m, "sda", "sda1", MIB, MIB);
	machine_disk(&m, "sdb", SIZE);
	for (round = 0; round < 60; round++) {
		for (i = 0; i < sizeof(noise); i++) {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			noise[i] = (unsigned char)state;
		}
		machine_put(&m, "sda", 0, noise, sizeof(noise));
		machine_put(&m, "sdb", 0, noise, sizeof(noise));
		machine_put(&m, "sdb", 0x10000, noise, sizeof(noise));
		if (round % 4 == 0)
			machine_text(&m, "sdb", 0, "XFSB");
		if (round % 4 == 1)
			machine_le(&m, "sdb", 0x438, 0xef53, 2);
		if (round % 4 == 2)
			machine_text(&m, "sdb", 0x10040, "_BHRfS_M");
		machine_text(&m, "sda", 512, "EFI PART");
		machine_look(&m);
		for (i = 0; i < m.v.count; i++)
			answered =
				answered && m.v.entry[i].kind != VOLUMES_UNREAD;
	}
	OK(answered, "noise is told from nothing, without a fault");
	machine_free(&m);
}

int
main(void)
{
	check_words();
	check_rows();
	check_list();
	check_ext();
	check_several();
	check_tables();
	check_others();
	check_noise();
	return tap_done();
}
