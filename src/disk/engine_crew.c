#include "disk/engine_crew.h"

#include <errno.h>
#include <signal.h>

#include "disk/engine.h"
#include "disk/touch.h"
#include "host/pressure.h"

#define ENGINE_CREW_STACK_BYTES (128 << 10)

void
engine_crew_init(struct engine_crew *c)
{
	sem_init(&c->at_start, 0, 0);
	sem_init(&c->go, 0, 0);
	sem_init(&c->ended, 0, 0);
}

void
engine_crew_free(struct engine_crew *c)
{
	sem_destroy(&c->at_start);
	sem_destroy(&c->go);
	sem_destroy(&c->ended);
}

static void
engine_crew_wait(sem_t *s)
{
	while (sem_wait(s) < 0 && errno == EINTR)
		;
}

/* Around the measured part, which reads nothing from /proc. */
static void
engine_crew_measure(struct engine_job *t)
{
	uint64_t after;

	engine_job_run(t);
	after = engine_job_runqueue(t);
	if (t->runqueue_from_ns != PRESSURE_UNKNOWN &&
		after != PRESSURE_UNKNOWN && after >= t->runqueue_from_ns)
		t->runqueue_wait_ns = after - t->runqueue_from_ns;
}

void
engine_crew_run_here(struct engine_job *t)
{
	t->runqueue_from_ns = engine_job_runqueue(t);
	engine_crew_measure(t);
}

static void *
engine_crew_main(void *arg)
{
	struct engine_member *m = arg;

	touch_stack();
	m->job->runqueue_from_ns = engine_job_runqueue(m->job);
	sem_post(&m->crew->at_start);
	engine_crew_wait(&m->crew->go);
	engine_crew_measure(m->job);
	sem_post(&m->crew->ended);
	return NULL;
}

/*
 * The main thread is the one that a signal to the process finds: it wakes
 * the others, each of which may wait in the kernel for its own I/O.
 */
static void
engine_crew_wait_ended(
	struct engine_crew *c, const struct record *r, uint32_t count)
{
	uint32_t i, ended = 0;

	while (ended < count) {
		if (!sem_wait(&c->ended)) {
			ended++;
			continue;
		}
		if (errno != EINTR || !atomic_load(&r->stop))
			continue;
		/* Not joined yet, so that every id is still good. */
		for (i = 0; i < count; i++)
			pthread_kill(c->members[i].id, ENGINE_WAKE);
	}
}

/* 0, or why thread *made + 1 could not be had. */
static int
engine_crew_hire(struct engine_crew *c, struct engine_job *jobs, uint32_t count,
	uint32_t *made)
{
	pthread_attr_t attr;
	uint32_t i;
	int error = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, ENGINE_CREW_STACK_BYTES);
	for (i = 0; i < count && !error; i++) {
		c->members[i].crew = c;
		c->members[i].job = &jobs[i];
		error = pthread_create(&c->members[i].id, &attr,
			engine_crew_main, &c->members[i]);
	}
	pthread_attr_destroy(&attr);
	*made = error ? i - 1 : i;
	return error;
}

int
engine_crew_run(struct engine_crew *c, struct engine_job *jobs, uint32_t count,
	struct err *e)
{
	uint32_t i, made;
	int error = engine_crew_hire(c, jobs, count, &made);
	uint64_t now;

	/* Those that were made run all the same, and issue nothing. */
	if (error)
		atomic_store(&jobs->common->halt, 1);
	for (i = 0; i < made; i++)
		engine_crew_wait(&c->at_start);
	now = clock_now_ns();
	for (i = 0; i < made; i++)
		jobs[i].began_ns = now;
	for (i = 0; i < made; i++)
		sem_post(&c->go);
	engine_crew_wait_ended(c, jobs->common->record, made);
	for (i = 0; i < made; i++)
		pthread_join(c->members[i].id, NULL);
	if (error)
		return err_set(e, ERR_INCOMPLETE, error,
			"cannot start thread %u of %u", made + 1, count);
	return 0;
}
