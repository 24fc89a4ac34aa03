/*
 * lab: the run's own directory, DIR/ioreceipt-lab.
 *
 * Mode 0700, marked by a file .ioreceipt-lab, locked (flock on the directory)
 * as long as the run or its worker lives, never a symlink.  Where the name is
 * another user's the lab is ioreceipt-lab-<uid>.  Everything is done by
 * descriptor, O_NOFOLLOW, looked up once.  These are, with target.c, the only
 * functions that create or remove anything on the measured filesystem.
 *
 * Threat: another user who may write in DIR (it is often /var/tmp), and
 * another run of ours.  Inside the lab (0700) only our own user and root can
 * act; between a look at a name there and its removal they could put another
 * file of that name, which POSIX gives no means to prevent.
 *
 * The lock is flock's, thus of this machine alone where DIR is on a network.
 */
#ifndef DISK_LAB_H
#define DISK_LAB_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

#define LAB_NAME	"ioreceipt-lab"
#define LAB_MARKER	".ioreceipt-lab"
#define LAB_MARKER_TEXT "ioreceipt-lab-v1"

struct lab {
	int dir_fd;	 /* of DIR; borrowed from the guard's view */
	int fd;		 /* of the lab itself, -1 = not entered */
	char name[48];	 /* "ioreceipt-lab" or "ioreceipt-lab-1000" */
	char target[64]; /* name that the marker reserves for a named target */
	dev_t dev;
	ino_t ino;
	ino_t marker_ino;
	bool took_over; /* an abandoned lab of ours was there */
};

void lab_init(struct lab *l);

/*
 * Make, or take over, the lab below dir_fd and lock it.  ERR_REFUSED with
 * the reason: in use by another run (waited for 100 ms), a foreign file in
 * it, not ours, mode not 0700, marker edited or with several links, another
 * filesystem mounted on it, a symlink or file of that name.  Taking over
 * removes the one target that the marker names; a marker of 0 bytes in an
 * otherwise empty lab (killed or unplugged while it was made) counts as none.
 * The caller's umask does not matter; not for a process with threads.
 */
int lab_enter(struct lab *l, int dir_fd, struct err *e);

/*
 * Remove marker and directory, each looked at again before it goes, and
 * unlock.  A foreign file keeps the lab and its marker, so that the next run
 * says the same: ERR_CLEANUP, naming it.  A lab that somebody else removed is
 * gone, as it should be.  Safe when not entered; afterwards
 * l is as lab_init leaves it, whatever the outcome.
 */
int lab_leave(struct lab *l, struct err *e);

/* Close descriptors, touch nothing: for a filesystem that does not answer. */
void lab_abandon(struct lab *l);

/*
 * `ioreceipt clean`: remove the abandoned labs below dir_fd, under both of
 * its names.  *found = was there one of ours (left alone, if -1).  Same checks
 * and refusals as lab_enter; a removal that fails is ERR_CLEANUP.
 */
int lab_clean(int dir_fd, bool *found, struct err *e);

#endif
