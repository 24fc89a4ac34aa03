/* volumes_sign: signatures by their places, as one table. */
#ifndef HOST_VOLUMES_SIGN_H
#define HOST_VOLUMES_SIGN_H

#include "host/volumes.h"
#include "host/volumes_ends.h"

/* Which kinds have a signature on d: a set, bit 1 << kind. */
uint64_t volumes_sign_scan(const struct volumes_ends *d);

/*
 * The same of a whole disk whose partitions the kernel sees: only arrays at its
 * end, beyond used_bytes, where its last partition ends (what lies below is
 * that partition's).
 */
uint64_t volumes_sign_array(const struct volumes_ends *d, uint64_t used_bytes);

#endif
