#include "disk/engine_sync.h"

#include <errno.h>
#include <unistd.h>

/* Bytes moved, or -errno; EINTR only when the parent has said stop. */
static int64_t
engine_sync_transfer(struct engine_job *t, const struct engine_io *io)
{
	int64_t n;

	do {
		t->submits++;
		if (io->write)
			n = pwrite(t->common->fd, t->buffers, t->job->bs_bytes,
				(off_t)io->offset_bytes);
		else
			n = pread(t->common->fd, t->buffers, t->job->bs_bytes,
				(off_t)io->offset_bytes);
	} while (n < 0 && errno == EINTR && !engine_job_stopped(t));
	return n < 0 ? -errno : n;
}

void
engine_sync_run(struct engine_job *t)
{
	bool syncs = job_writes(t->job) && job_syncs(t->job);
	uint64_t now = t->began_ns;
	struct engine_io io;
	int64_t n;

	while (engine_job_may_issue(t, now)) {
		engine_job_next(t, &io, t->buffers);
		io.start_ns = t->common->dear_clock ? now : clock_now_ns();
		io.issue_ns = io.start_ns;
		engine_job_outstanding(t, 0, io.start_ns);
		n = engine_sync_transfer(t, &io);
		now = clock_now_ns();
		if (n == -EINTR)
			break;
		if (n != (int64_t)t->job->bs_bytes) {
			engine_job_fail(t, &io, n);
			break;
		}
		engine_job_account(t, &io, now);
		engine_job_outstanding(t, 0, 0);
		if (!io.write || !syncs)
			continue;
		t->sync_due = engine_job_due(t);
		if (!t->sync_due || !engine_job_may_issue(t, now))
			continue;
		if (engine_job_sync(t, 0, io.start_ns, &now) < 0)
			break;
	}
	engine_job_outstanding(t, 0, 0);
	engine_job_end_issue(t, now);
}
