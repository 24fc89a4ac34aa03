/*
 * mounts_id: the mount id of an open file, asked of the kernel by statx.  Its
 * own file because <linux/stat.h> and the libc's <sys/stat.h> both define
 * struct statx where the libc has one.
 */
#ifndef HOST_MOUNTS_ID_H
#define HOST_MOUNTS_ID_H

#include <stdint.h>

#define MOUNTS_ID_UNKNOWN UINT64_MAX

/* As in mountinfo's first column; MOUNTS_ID_UNKNOWN before Linux 5.8. */
uint64_t mounts_id_of_fd(int fd);

#endif
