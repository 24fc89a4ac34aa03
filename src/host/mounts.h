/*
 * mounts: which mount a file lies on (/proc/self/mountinfo).
 *
 * The mount is found by the mount id that the kernel gives for a descriptor
 * (statx STATX_MNT_ID, else /proc/self/fdinfo), not by comparing paths; where
 * neither is there, by device number and the longest mount point that is a
 * prefix of path.
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
	char fstype[32];   /* "ext4", "fuse.sshfs" */
	char source[256];  /* "/dev/vda1", "none", ... */
	char options[512]; /* mount and superblock options, comma between */
};

/* Parse one line of mountinfo; -1 where it is malformed. */
int mounts_parse(const char *line, struct mounts_entry *out);

/*
 * The mount on which the open directory dir_fd lies (path only for the
 * fall-back).  -1 with ERR_REFUSED where /proc is not there or has no entry.
 */
int mounts_of_fd(int dir_fd, const char *path, const char *root,
	struct mounts_entry *out, struct err *e);

/* The mount that covers an absolute path (lower directories of overlays). */
int mounts_of_path(const char *path, const char *root, struct mounts_entry *out,
	struct err *e);

/* Value of option `key` ("upperdir") into out; false where it is not set. */
bool mounts_option(const struct mounts_entry *m, const char *key, char *out,
	unsigned size);

/*
 * The options that a receipt may show: an allow-list of words (rw, relatime,
 * noatime, discard, data=..., compress=..., barrier, ...); paths, names and
 * unknown words are left out.  Comma between.
 */
void mounts_public_options(
	const struct mounts_entry *m, char *out, unsigned size);

#endif
