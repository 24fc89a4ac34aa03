/*
 * stack_block: one block device, as /sys/dev/block/M:m describes it below a
 * root directory.
 */
#ifndef HOST_STACK_BLOCK_H
#define HOST_STACK_BLOCK_H

#include <stdbool.h>

#include "host/stack.h"

#define STACK_BLOCK_LOWER_MAX STACK_LAYERS_MAX

struct stack_dev {
	unsigned dev_major, dev_minor;
};

/* The devices that one lies on. */
struct stack_lower {
	struct stack_dev dev[STACK_BLOCK_LOWER_MAX];
	unsigned count;
	bool more; /* some did not fit or could not be read */
};

/*
 * The device that a path like "/dev/mapper/x" names: the node itself, else
 * (no node here, as in containers and saved trees) the kernel's or
 * device-mapper's name.  -1 where it is none.
 */
int stack_block_of_path(
	const char *path, const char *root, struct stack_dev *out);

/*
 * Fill everything of l but depth.  Where /sys does not show the device, l is
 * STACK_OTHER (STACK_MEMORY for major 1, which is always a ramdisk) with
 * layer "block" and no facts: -1.
 */
int stack_block_fill(
	struct stack_layer *l, struct stack_dev dev, const char *root);

/* What l lies on: the disk of a partition, the slaves of the others. */
void stack_block_lower(
	struct stack_lower *out, const struct stack_layer *l, const char *root);

/* The devices of a btrfs that has dev among its own; count 0: not told. */
void stack_block_btrfs(
	struct stack_lower *out, struct stack_dev dev, const char *root);

#endif
