/*
 * jobfile: fio's job files (its HOWTO, "Job file format"), the words of
 * disk/job.h.
 *
 * [name] begins a job, [global] (any name that begins so, as fio reads it)
 * holds what the jobs below it share; "key=value" or a bare "key" a line,
 * without blanks around '='; ';' and '#' begin a comment wherever they stand.
 * Jobs that differ only in their names NAME-run-1, NAME-run-2 ... and follow
 * each other are the runs of one job NAME, as `plan --fio` writes them.  A
 * section with JOBFILE_PREPARE lays out the file for fio, and is left out:
 * every run here prepares its own.
 *
 * fio starts jobs without stonewall together; here windows never overlap.
 */
#ifndef DISK_JOBFILE_H
#define DISK_JOBFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "disk/job.h"
#include "disk/plan.h"

#define JOBFILE_MAX_BYTES ((size_t)256 << 10)
#define JOBFILE_PREPARE	  "description=ioreceipt prepare"

struct jobfile {
	struct job jobs[PLAN_JOBS_MAX];
	uint32_t count;
	bool together; /* fio would have run some of them at one time */
};

/*
 * Read text[0..len) into f.  ERR_INPUT with the line: no UTF-8, controls, a
 * word that a job does not have (the nearest known one is named) or a value
 * that it cannot take, words outside of a section, no job at all, too many.
 * Nothing is expanded: a value with a '$' in it is refused where it counts.
 */
int jobfile_parse(
	struct jobfile *f, const char *text, size_t len, struct err *e);

#endif
