/* volumes_xfslog: does the log of an xfs wait for its replay? */
#ifndef HOST_VOLUMES_XFSLOG_H
#define HOST_VOLUMES_XFSLOG_H

#include "host/volumes_ends.h"

/*
 * sb: the first 512 bytes of the filesystem on d.  1: the log does not end with
 * the record of an unmount, so mounting replays it; 0: it does; -1: it cannot
 * be told.  Reads some 20 blocks of the log from d's descriptor.
 */
int volumes_xfslog_dirty(const struct volumes_ends *d, const unsigned char *sb);

#endif
