/*
 * engine_sync: the loop of psync jobs, one pread or pwrite after another.
 * Private to disk/engine*.c.
 *
 * clat = lat = the call itself.  After every n-th write comes fsync or
 * fdatasync: SYNC is that call alone, COMMIT runs from the write's start to
 * the sync's end.  As in fio the sync is a step of its own: none follows the
 * write at which the window ends (200 writes have 199 syncs), and iodepth
 * means nothing.
 */
#ifndef DISK_ENGINE_SYNC_H
#define DISK_ENGINE_SYNC_H

#include "disk/engine_job.h"

void engine_sync_run(struct engine_job *t);

#endif
