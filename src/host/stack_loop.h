/*
 * stack_loop: where the file of a loop device is.
 *
 * /sys tells a path, which may be another mount namespace's; the device
 * itself, where we may open it (root, for reading), tells device and inode of
 * the file, which settles it.
 */
#ifndef HOST_STACK_LOOP_H
#define HOST_STACK_LOOP_H

#include <stdbool.h>

#include "host/mounts.h"
#include "host/stack.h"
#include "host/stack_block.h"

enum stack_loop_kind {
	STACK_LOOP_UNKNOWN, /* no file is told, or none that is visible here */
	STACK_LOOP_DEVICE,  /* a block device, or a filesystem on one */
	STACK_LOOP_MOUNT
};

struct stack_loop {
	enum stack_loop_kind kind;
	bool cached; /* its I/O is not direct: the page cache has the file */
	struct stack_dev dev;
	struct mounts_entry mount;
};

/*
 * l is the loop device's layer.  A file that was deleted is still written to:
 * it is where its directory is.
 */
void stack_loop_find(
	struct stack_loop *out, const struct stack_layer *l, const char *root);

#endif
