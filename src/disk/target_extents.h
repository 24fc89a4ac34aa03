/* target_extents: is every byte of a file backed by written blocks? */
#ifndef DISK_TARGET_EXTENTS_H
#define DISK_TARGET_EXTENTS_H

#include <stdint.h>

/*
 * By FIEMAP (Documentation/filesystems/fiemap.rst), after an fsync.  1: yes;
 * 0: a hole, an unwritten or a not yet allocated extent, and *at_bytes says
 * where; -1: the filesystem does not tell.
 */
int target_extents_written(int fd, uint64_t size_bytes, uint64_t *at_bytes);

#endif
