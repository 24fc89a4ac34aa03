/*
 * stack: from a directory down to the disks it lies on.
 *
 * file -> filesystem -> partition, device-mapper, md, loop, overlay, zram ...
 * -> disks, by /sys/dev/block, /sys/block/X/slaves, loop/backing_file and the
 * mount options of overlays.  Nested at most STACK_LAYERS_MAX layers; more is
 * cut and `complete` is false.  Device-mapper layers are named by their
 * target type ("dm-crypt", "dm-linear"; "dm-lvm" where only that much is
 * told), never by their name; an array that has one is "md".  A device that
 * several layers lead to is listed once.  No text here holds a path, a label
 * or a serial.
 */
#ifndef HOST_STACK_H
#define HOST_STACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "host/mounts.h"

#define STACK_LAYERS_MAX 24
#define STACK_UNKNOWN	 UINT64_MAX

enum stack_kind {
	STACK_FILESYSTEM, /* ext4, xfs, tmpfs, overlay, nfs ... */
	STACK_PARTITION,
	STACK_DM,
	STACK_MD,
	STACK_LOOP,
	STACK_MEMORY, /* zram, brd: a block device in RAM */
	STACK_DISK,
	STACK_OTHER /* nbd, drbd, bcache, ... */
};

enum stack_backing {
	STACK_BACKING_UNKNOWN,
	STACK_BACKING_DISK,
	STACK_BACKING_MEMORY
};

struct stack_layer {
	enum stack_kind kind;
	char layer[24];	      /* "ext4", "partition", "dm-crypt", "loop" */
	char name[32];	      /* kernel name "vda1"; "" for filesystems */
	char model[64];	      /* disks; "" where not told */
	char transport[16];   /* disks: "virtio", "nvme", "scsi", ..., "" */
	uint64_t size_bytes;  /* of block devices; STACK_UNKNOWN as below */
	int rotational;	      /* 1, 0, -1 not told */
	char scheduler[24];   /* the one in force */
	char write_cache[24]; /* "write back" / "write through" */
	uint64_t logical_block_bytes;
	uint64_t physical_block_bytes;
	uint64_t discard_max_bytes;
	uint64_t nr_requests;
	uint64_t pool_free_bytes; /* of a thin pool: not yet given out */
	unsigned dev_major, dev_minor;
	int depth; /* 0 = the filesystem of the directory */
};

struct stack {
	struct stack_layer layers[STACK_LAYERS_MAX]; /* top down */
	unsigned count;
	enum stack_backing backing;
	char why[160]; /* why memory or unknown, naming the layer */
	bool complete; /* walked down to the last layer */
};

/*
 * Walk from the mount m.  root as in host.h.  Memory-backed: tmpfs, ramfs,
 * zram, brd, an overlay whose upper directory is, a loop file on any of
 * them.  Unknown: network and FUSE filesystems, ZFS, bcachefs over several
 * devices that /sys does not show, containers that hide /sys; a loop device
 * that goes through the page cache, whose disk is known all the same.  Never
 * fails: what cannot be walked is `unknown` with the reason in why.
 */
void stack_walk(
	struct stack *s, const struct mounts_entry *m, const char *root);

/*
 * The same from an open directory.  m is its mount, or NULL where that cannot
 * be told (no /proc): then mounts_guess_fd has the word.  A filesystem that
 * fstatfs calls memory is memory whatever the table says.
 */
void stack_walk_fd(struct stack *s, int dir_fd, const struct mounts_entry *m,
	const char *root);

/*
 * The lowest single disk, whose counters show what reached the device: the
 * index of its layer, or -1 where there is none or more than one.
 */
int stack_single_disk(const struct stack *s);

/*
 * Space that the tightest thin pool below has left, STACK_UNKNOWN where there
 * is none or it does not tell (only root may ask).  What the filesystem
 * promises beyond it ends in ENOSPC.
 */
uint64_t stack_pool_free_bytes(const struct stack *s);

/* The word for receipts: "disk", "memory", "unknown". */
const char *stack_backing_word(enum stack_backing b);

#endif
