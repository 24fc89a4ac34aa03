/*
 * plan_time: what `plan` says of the time that a run will take.
 */
#ifndef APP_PLAN_TIME_H
#define APP_PLAN_TIME_H

#include "base/buf.h"
#include "disk/guard.h"
#include "disk/plan.h"

/*
 * Append lines "time ...".  The disk below v is read for some seconds to see
 * what rate writing the target will have (disk/estimate.h), in a child that is
 * left behind where the disk does not answer; v NULL: it is left alone.  Where
 * no rate is known the line says so, and gives the time at two assumed ones.
 */
void plan_time_add(
	const struct plan *p, const struct guard_view *v, struct buf *out);

#endif
