/*
 * mounts_parse: lines of mountinfo; mounts_parse and mounts_option of
 * mounts.h live beside what is declared here.
 */
#ifndef HOST_MOUNTS_PARSE_H
#define HOST_MOUNTS_PARSE_H

/*
 * Length of the line's mount point if it is path or above it (0 for "/"),
 * else -1.  Read from the line, not from an entry: a mount point that was cut
 * would cover too much.
 */
long mounts_line_covers(const char *line, const char *path);

#endif
