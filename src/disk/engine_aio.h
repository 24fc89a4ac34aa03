/*
 * engine_aio: the loop of libaio jobs.  Private to disk/engine*.c; the only
 * file that knows libaio.
 *
 * io_submit of one, stamp, one event from the ring that the
 * kernel shares with us (else io_getevents of one), stamp, account, refill
 * the same slot at once.  The ring is read only where its header says what
 * we know (magic, no incompatible features, header of 32 bytes).  At the
 * start the queue is filled first, as fio does.
 *
 * fsync and fdatasync are called in line before the next I/O, while others
 * are in flight, as fio's libaio engine before 3.41 does.
 */
#ifndef DISK_ENGINE_AIO_H
#define DISK_ENGINE_AIO_H

#include "disk/engine_job.h"

/*
 * A context for up to depth I/Os in flight.  ERR_REFUSED: io_setup said no,
 * in words; `contexts` is how many are wanted in all, for the sentence.
 */
struct engine_aio *engine_aio_open(
	uint32_t depth, uint32_t contexts, const char *root, struct err *e);

/*
 * io_destroy (30 ms: the kernel waits for a grace period).  Not called
 * between windows, nor before _exit.
 */
void engine_aio_close(struct engine_aio *a);

/* All t->depth slots idle, everything touched. */
void engine_aio_ready(struct engine_aio *a, const struct engine_job *t);
void engine_aio_run(struct engine_job *t);

/* Does this context give its completions through the ring? */
bool engine_aio_has_ring(const struct engine_aio *a);

#endif
