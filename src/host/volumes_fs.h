/* volumes_fs: what superblocks tell beside their signature. */
#ifndef HOST_VOLUMES_FS_H
#define HOST_VOLUMES_FS_H

#include "host/volumes.h"
#include "host/volumes_ends.h"

/* Is the ext superblock on d that of a journal for another device? */
bool volumes_fs_is_journal(const struct volumes_ends *d);

/* Fill fs, uuid and label of x, whose kind is known. */
void volumes_fs_read(struct volumes_entry *x, const struct volumes_ends *d);

#endif
