/*
 * reach: does a directory answer at all?
 *
 * On a disk that is dead, or a filesystem that is frozen, opening and making
 * files waits for ever, and no signal ends it.  So a child with a limit
 * (app/bounded.h) goes first.
 */
#ifndef APP_REACH_H
#define APP_REACH_H

#include <stdbool.h>

#include "base/err.h"

/*
 * 0 where dir answers in time, whatever it answers: those who come next have
 * better words for that.  -1, ERR_REFUSED: it does not.  With `write` its
 * filesystem is asked for a nameless file, which nobody sees.
 */
int reach_dir(const char *dir, bool write, struct err *e);

/* The same of the directory that path lies in. */
int reach_parent(const char *path, bool write, struct err *e);

#endif
