/*
 * reading: receipts as commands that look into them want them, signed or not.
 *
 * A file is read as `verify` reads it (app/verify.h): where there is a
 * signature, in the file or beside it, it has to be good.  A receipt without
 * any is taken as it is.  A receipt that was read before into the same set
 * (its id) is told apart, so that a copy does not count twice; that takes up to 32
 * bytes a receipt.
 */
#ifndef APP_READING_H
#define APP_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/verify.h"

struct reading {
	struct verify files;
	const struct receipt *receipt; /* in files' arena */
	bool is_signed;
	const char *kid; /* "" where it is not */
	uint64_t *seen;	 /* a table of hashes, 0 = free */
	size_t seen_count, seen_room;
};

void reading_init(struct reading *r);
void reading_free(struct reading *r);

/* Read path, "-" = stdin.  The sentence names the file. */
int reading_file(struct reading *r, const char *path, struct err *e);

/*
 * Is the receipt new to set?  1, 0, -1 without memory.  Ids are told apart by
 * 64 bits of a hash: of 100,000 two are taken for one in 1 of 10^9 cases.
 */
int reading_is_new(struct reading *r, const char *set, struct err *e);

#endif
