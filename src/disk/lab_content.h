/* lab_content: what is inside a lab, and the removal of what is ours. */
#ifndef DISK_LAB_CONTENT_H
#define DISK_LAB_CONTENT_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/err.h"

struct lab_content {
	bool marker;	  /* something of the marker's name */
	bool target;	  /* something of the reserved name */
	unsigned foreign; /* everything else, counted to 1000 */
	char first[64];	  /* one foreign name, cut and cleaned */
};

/* List lab_fd.  target = the name that the marker reserves, "" = none. */
int lab_content_read(
	int lab_fd, const char *target, struct lab_content *c, struct err *e);

/*
 * Is `name` in lab_fd a regular file of ours with one link (and, with
 * ino != 0, that very file)?  ERR_REFUSED if not.
 */
int lab_content_check(int lab_fd, const char *name, ino_t ino, struct err *e);
/* Check it, then remove it. */
int lab_content_drop(int lab_fd, const char *name, ino_t ino, struct err *e);

/* "a symbolic link", "a block device", ... for messages. */
const char *lab_content_kind(mode_t mode);

#endif
