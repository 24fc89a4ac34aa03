/*
 * stack_dm: what a device-mapper device is.
 *
 * The driver tells, where we may ask it (root, /dev/mapper/control is there):
 * the types of a device's targets, and how full a thin pool is.  Asking
 * changes nothing.  Else the device's UUID tells which tool made it.
 * The interface: <linux/dm-ioctl.h>; a pool's status: Documentation/
 * admin-guide/device-mapper/thin-provisioning.rst.
 */
#ifndef HOST_STACK_DM_H
#define HOST_STACK_DM_H

#include <stddef.h>
#include <stdint.h>

#include "host/stack.h"

/* Layer ("dm-crypt") and pool_free_bytes of l, whose name and device are set. */
void stack_dm_fill(struct stack_layer *l, const char *root);

/*
 * One answer of the driver (struct dm_ioctl and what follows, size bytes at
 * least) into l: the type of its targets, "dm-several" where they differ.
 * -1 where it holds none or does not fit its own lengths.
 */
int stack_dm_answer(struct stack_layer *l, const void *answer, size_t size);

/*
 * Bytes free in a pool of `sectors` with this status text; STACK_UNKNOWN
 * where the text tells no figures ("Fail", "Error").
 */
uint64_t stack_dm_pool_free_bytes(uint64_t sectors, const char *status);

#endif
