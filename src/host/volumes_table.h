/* volumes_table: partition tables, for their identities. */
#ifndef HOST_VOLUMES_TABLE_H
#define HOST_VOLUMES_TABLE_H

#include "host/volumes.h"
#include "host/volumes_ends.h"

/* Is there a GPT, or an MBR with entries that make sense, on x? */
bool volumes_table_is(
	const struct volumes_entry *x, const struct volumes_ends *d);

/*
 * Fill partuuid of the partitions of disk i, as the kernel writes it: the
 * GPT's in lower case, of an MBR "01234567-02".
 */
void volumes_table_ids(
	struct volumes *v, unsigned i, const struct volumes_ends *d);

#endif
