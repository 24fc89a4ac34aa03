/*
 * scrub: sentences without the paths of a machine.
 *
 * A receipt says why something went wrong in the words that were on the
 * screen, and those name directories, which name people and customers.  In a
 * receipt the directory measured is "DIR" and what lies in it "DIR/...", any
 * other path is "PATH"; the kernel's own (/proc, /sys, /dev, but not
 * /dev/shm) stay.
 */
#ifndef RECEIPT_SCRUB_H
#define RECEIPT_SCRUB_H

#include "base/arena.h"

/*
 * A copy of text without paths.  dir: the directory measured, resolved, NULL
 * or "" where it is not known.  A path ends at a blank or at , ; : ) or a
 * quote.  NULL = out of memory.
 */
char *scrub_paths(const char *text, const char *dir, struct arena *a);

#endif
