/*
 * volumes: the block devices of a machine and what lies on each.
 *
 * For places where nothing is mounted: rescue systems and process 1.  The list
 * comes from /sys/class/block below a root directory; the content from reading
 * both ends of each device (superblocks of arrays lie at the end, where the
 * front looks like a plain filesystem).  Devices are opened O_RDONLY only, and
 * below a root that is not "" regular files serve as devices.
 *
 * Formats: the kernel's Documentation/filesystems, include/uapi and
 * fs/NAME; UEFI specification 2.10 chapter 5 (GPT); cryptsetup's LUKS2
 * on-disk format; mdadm's md(4).
 *
 * Threat: whatever lies on a disk.  Nothing read from it is trusted beyond
 * its place; labels are made clean text.  UUIDs, labels and serials are for
 * choosing and for the screen, never for a receipt.
 */
#ifndef HOST_VOLUMES_H
#define HOST_VOLUMES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "host/stack.h"

#define VOLUMES_MAX	  256
#define VOLUMES_NODE_SIZE 64

/* What lies on a device.  volumes_word has the words. */
enum volumes_kind {
	VOLUMES_UNREAD,	    /* not looked at */
	VOLUMES_UNREADABLE, /* could not be read: see sys */
	VOLUMES_BLANK,	    /* first and last MiB are zero */
	VOLUMES_UNKNOWN,
	VOLUMES_PARTITIONED,
	/* filesystems that this program mounts */
	VOLUMES_EXT, /* ext2, ext3, ext4: see type */
	VOLUMES_XFS,
	VOLUMES_BTRFS,
	/* parts of something that is put together of several */
	VOLUMES_MD,
	VOLUMES_FAKERAID, /* of a firmware: IMSM, DDF */
	VOLUMES_DRBD,
	VOLUMES_LVM,
	VOLUMES_LUKS,
	VOLUMES_BITLOCKER,
	VOLUMES_BCACHE,
	VOLUMES_ZFS,
	VOLUMES_CEPH,
	VOLUMES_JOURNAL, /* an ext journal for another device */
	VOLUMES_SWAP,
	VOLUMES_HIBERNATED, /* swap that holds a sleeping system */
	/* filesystems that it does not mount */
	VOLUMES_NTFS,
	VOLUMES_FAT,
	VOLUMES_EXFAT,
	VOLUMES_ISO9660,
	VOLUMES_UDF,
	VOLUMES_SQUASHFS,
	VOLUMES_EROFS,
	VOLUMES_F2FS,
	VOLUMES_BCACHEFS,
	VOLUMES_REISERFS,
	VOLUMES_JFS,
	VOLUMES_OCFS2,
	VOLUMES_GFS2,
	VOLUMES_APFS,
	VOLUMES_KINDS
};

/* What a kind is good for. */
enum volumes_class {
	VOLUMES_NOTHING, /* no content, or none that is known */
	VOLUMES_MOUNTABLE,
	VOLUMES_ARRAY,	/* a leg: what is on it is on others, too */
	VOLUMES_MEMBER, /* what is on it shows elsewhere, or sleeps */
	VOLUMES_FOREIGN /* a filesystem that is not mounted */
};

/* What the superblock of a mountable filesystem tells. */
struct volumes_fs {
	char type[8];	     /* "ext4", "ext2", "xfs", "btrfs" */
	int dirty;	     /* 1: a journal waits for its replay, 0: none does,
	                        -1: not told */
	bool error;	     /* flagged: the kernel has found an error in it */
	bool unclean;	     /* not unmounted, and there is no journal */
	bool repair;	     /* xfs: flagged for xfs_repair */
	bool outside;	     /* its journal or part of its data is elsewhere */
	bool seed;	     /* btrfs: a read-only seed for others */
	uint64_t size_bytes; /* as it says of itself, on this device */
	uint64_t devices;    /* that it lies on, as it says */
	uint64_t devid;	     /* btrfs: which of them this one is */
};

struct volumes_entry {
	char name[32]; /* the kernel's: "vda1", "cciss!c0d0p1" */
	unsigned disk; /* index of the whole disk; its own if it is one */
	unsigned part; /* number of the partition, 0: a whole disk */
	unsigned dev_major, dev_minor;
	enum stack_kind family; /* DISK, PARTITION, DM, MD, LOOP, MEMORY ... */
	uint64_t start_bytes, size_bytes, logical_block_bytes;
	bool removable, read_only; /* as /sys says */
	unsigned partitions;	   /* of a whole disk, that the kernel sees */
	char serial[64];	   /* of a whole disk, "" = not told */
	/* from here on by volumes_probe */
	enum volumes_kind kind;
	enum volumes_kind second; /* a signature that contradicts, or UNREAD */
	int sys;		  /* UNREADABLE: errno */
	struct volumes_fs fs;
	char uuid[40];	   /* of the content, in lower case but FAT's; "" */
	char label[256];   /* of the content */
	char partuuid[40]; /* filled when the whole disk is probed */
};

struct volumes {
	struct volumes_entry entry[VOLUMES_MAX];
	unsigned count;
	bool more; /* some did not fit */
};

/*
 * All block devices that have a size, disks before their partitions; ramdisks
 * of major 1, floppies and optical drives are left out.  Nothing is opened.
 * -1 (ERR_REFUSED) where /sys/class/block cannot be read.
 */
int volumes_list(struct volumes *v, const char *root, struct err *e);

/*
 * Read both ends of entry i and fill the rest of it; of a whole disk also
 * partuuid of its partitions.  May block for as long as the disk does not
 * answer, and needs 2 MiB while it looks.  A node that is missing or is
 * another device leaves UNREADABLE.
 */
void volumes_probe(struct volumes *v, unsigned i, const char *root);

/* "/dev/vda1"; returns out. */
char *volumes_node(const struct volumes_entry *x, char out[VOLUMES_NODE_SIZE]);

/* The entry with this number, -1 = none. */
int volumes_of_dev(
	const struct volumes *v, unsigned dev_major, unsigned dev_minor);

/* "ext4", "LVM physical volume", "blank", ... */
const char *volumes_word(const struct volumes_entry *x);
const char *volumes_kind_word(enum volumes_kind kind);
enum volumes_class volumes_class_of(enum volumes_kind kind);

#endif
