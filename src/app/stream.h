/*
 * stream: writing to a stream of the caller's that may not take it.
 *
 * A terminal may be halted (Ctrl-S), a pipe may have a reader that does not
 * read, a regular file may lie on the very disk that hangs.  None of them may
 * hold up the supervision of a run, and a signal ends every wait.
 */
#ifndef APP_STREAM_H
#define APP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"

#define STREAM_FOREVER UINT64_MAX

/* Of those a write cannot be ended once it hangs. */
bool stream_is_regular(int fd);

/*
 * Write all of data to f.  Waits at most patience_ns for it to take more; a
 * regular file is written in a child (app/bounded.h) that has at least 1 s,
 * and here where the patience is without limit.  ERR_OUTPUT, or ERR_SIGNAL + n
 * where a signal that asks for an end (app/stop.h) came while nothing was
 * taken.
 */
int stream_write(const struct file *f, const void *data, size_t len,
	uint64_t patience_ns, struct err *e);

#endif
