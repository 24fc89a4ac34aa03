/*
 * mounts_parse: the text of mountinfo.  mounts_parse itself is declared in
 * mounts.h.
 */
#ifndef HOST_MOUNTS_PARSE_H
#define HOST_MOUNTS_PARSE_H

#include <stdbool.h>
#include <stddef.h>

/* mounts_option of mounts.h on a list of options. */
bool mounts_parse_option(
	const char *options, const char *key, char *out, size_t size);

/*
 * Length of the line's mount point if it is path or above it (0 for "/"),
 * else -1.  Read from the line, not from an entry: a mount point that was cut
 * would cover too much.
 */
long mounts_parse_covers(const char *line, const char *path);

#endif
