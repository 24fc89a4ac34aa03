/* guard_space: room for the target, and memory for its buffers. */
#ifndef DISK_GUARD_SPACE_H
#define DISK_GUARD_SPACE_H

#include "disk/guard.h"

/* ERR_REFUSED with both figures and the mount that was judged. */
int guard_space_judge(
	const struct guard_view *v, const struct plan *p, struct err *e);

#endif
