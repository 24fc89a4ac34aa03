/*
 * mounts: which mount a file lies on (/proc/self/mountinfo).
 *
 * The mount is found by the mount id that the kernel gives for a descriptor
 * (statx STATX_MNT_ID, else /proc/self/fdinfo), not by comparing paths; where
 * neither is there, by device number and the longest mount point that is a
 * prefix of path.  The format: proc(5), "/proc/pid/mountinfo".
 *
 * Threat: mount points, sources and options are anybody's words (user mounts,
 * FUSE); nothing of them but mounts_public_options belongs into a receipt.
 */
#ifndef HOST_MOUNTS_H
#define HOST_MOUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct mounts_entry {
	uint64_t id;
	unsigned dev_major, dev_minor; /* of the filesystem */
	char root[256];	   /* what of the filesystem is mounted here */
	char point[256];   /* mount point, octal escapes undone */
	char fstype[32];   /* "ext4", "fuse.sshfs": letters, digits, ._+- */
	char source[256];  /* "/dev/vda1", "none", ... */
	char options[512]; /* mount and superblock options, comma between,
	                      escapes as they stand.  Lower directories of
	                      overlays are left out (they can be kilobytes),
	                      and so is an option that no longer fits. */
};

/*
 * Parse one line of mountinfo; -1 where it is malformed.  A root, point or
 * source that does not fit is cut.
 */
int mounts_parse(const char *line, struct mounts_entry *out);

/*
 * The mount on which the open directory dir_fd lies (path only for the
 * fall-back).  -1 with ERR_REFUSED where /proc is not there or has no entry.
 */
int mounts_of_fd(int dir_fd, const char *path, const char *root,
	struct mounts_entry *out, struct err *e);

/*
 * Without /proc: what the kernel says of the open dir_fd itself.  fstype by
 * fstatfs (mounts_fstype), device by fstat, options "ro" or "rw"; id,
 * point and source are not known (0 and "").  -1 where fstatfs fails.
 */
int mounts_guess_fd(int dir_fd, struct mounts_entry *out, struct err *e);

/*
 * The filesystem with this statfs f_type ("tmpfs"), "" for an unknown one.
 * ext2, ext3 and ext4 share one and are "ext4"; all of FUSE is "fuse".
 */
const char *mounts_fstype(uint64_t magic);

/*
 * The mount that covers an absolute path below root (a directory or a file
 * that exists there: upper directories of overlays, files of loop devices).
 * On the real root by opening it, so that links and what is mounted over it
 * count; elsewhere, and where it may not be opened, by the longest prefix.
 * -1 where it is not visible from here, as in a container.
 */
int mounts_of_path(const char *path, const char *root, struct mounts_entry *out,
	struct err *e);

/* A mount of the filesystem with this device number. -1: none is listed. */
int mounts_of_device(unsigned dev_major, unsigned dev_minor, const char *root,
	struct mounts_entry *out);

/*
 * An overlay answers statfs for the filesystem of its upper directory.  Is
 * `path` such a directory, as far as size and block size tell?  In a container
 * the path may be another directory of that name.  True where it cannot be
 * asked (saved trees).
 */
bool mounts_may_be_upper(
	const struct mounts_entry *m, const char *path, const char *root);

/*
 * Another mount, of a disk or of memory, whose statfs is that of m in every
 * figure, down to what is free: in a container, which does not see the upper
 * directory, other files of the same filesystem are often mounted
 * (/etc/hosts).  Real root only.  -1 where there is none.
 */
int mounts_same_filesystem(const struct mounts_entry *m, const char *root,
	struct mounts_entry *out);

/*
 * Value of option `key` ("upperdir") into out, escapes undone, "" where it
 * has none; false where it is not set or its value does not fit.
 */
bool mounts_option(const struct mounts_entry *m, const char *key, char *out,
	unsigned size);

/*
 * The options that a receipt may show: an allow-list of words (rw, relatime,
 * noatime, discard, data=..., compress=..., barrier, ...); paths, names and
 * unknown words are left out, each word once.  Comma between.  Of rw and ro
 * only the one that holds (ro, if the mount or the superblock is).
 */
void mounts_public_options(
	const struct mounts_entry *m, char *out, unsigned size);

#endif
