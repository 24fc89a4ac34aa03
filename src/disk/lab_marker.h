/*
 * lab_marker: the file by which a lab is known as ours.
 *
 *	ioreceipt-lab-v1
 *	made-by=ioreceipt pid=4711 uid=0 at=2026-11-30T12:34:56Z
 *	target=target-0123456789abcdef
 *
 * The target is the only other name that a run may ever use in the lab, and
 * only where the filesystem has no nameless files.  Believed only if it is a
 * regular file of ours with one link and exactly these lines.
 */
#ifndef DISK_LAB_MARKER_H
#define DISK_LAB_MARKER_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

#define LAB_MARKER_MAX_BYTES 512

enum lab_marker_state {
	LAB_MARKER_NONE,  /* no such name */
	LAB_MARKER_EMPTY, /* ours, 0 bytes: killed before it was written */
	LAB_MARKER_GOOD
};

struct lab_marker {
	enum lab_marker_state state;
	char target[64]; /* of a good one */
	ino_t ino;
};

/* Read the marker in lab_fd.  ERR_REFUSED where it is not to be believed. */
int lab_marker_read(int lab_fd, struct lab_marker *m, struct err *e);

/*
 * Make a new one (O_EXCL) with a fresh target name, into m.  ERR_REFUSED, and
 * then nothing is left of it.
 */
int lab_marker_write(int lab_fd, struct lab_marker *m, struct err *e);

#endif
