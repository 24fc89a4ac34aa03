/*
 * engine_crew: the threads of a window that start together.  Private to
 * disk/engine*.c.
 */
#ifndef DISK_ENGINE_CREW_H
#define DISK_ENGINE_CREW_H

#include <pthread.h>
#include <semaphore.h>

#include "disk/engine_job.h"

/* What one thread of the crew is given; the crew owns it. */
struct engine_member {
	struct engine_crew *crew;
	struct engine_job *job;
	pthread_t id;
};

struct engine_crew {
	sem_t at_start, go, ended;
	struct engine_member members[JOB_NUMJOBS_MAX];
};

void engine_crew_init(struct engine_crew *c);
void engine_crew_free(struct engine_crew *c);

/* One job, in the calling thread. */
void engine_crew_run_here(struct engine_job *t);

/*
 * count jobs, a thread each, made before the common start and joined before
 * the return.  -1: a thread could not be made, nothing was issued.
 */
int engine_crew_run(struct engine_crew *c, struct engine_job *jobs,
	uint32_t count, struct err *e);

#endif
