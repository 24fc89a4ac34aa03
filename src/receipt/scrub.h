/*
 * scrub: sentences without the paths of a machine.
 *
 * A receipt says why something went wrong in the words that were on the
 * screen, and those name directories, which name people and customers.  In a
 * receipt the directory measured is "DIR" and what lies in it "DIR/...", any
 * other path is "PATH"; the kernel's own (/proc, /sys, and /dev/vda, but not
 * what is deeper in /dev) stay.
 */
#ifndef RECEIPT_SCRUB_H
#define RECEIPT_SCRUB_H

#include "base/arena.h"

/*
 * A copy of text without paths.  dirs: the names of the directory measured,
 * as resolved and as given, ended by NULL; those of one byte ("/", ".") are
 * no secret.  Directories above it become PATH whatever is in their names.
 * Any other path ends at a blank or at , ; : ) or a quote.
 * NULL = out of memory.
 */
char *scrub_paths(const char *text, const char *const *dirs, struct arena *a);

#endif
