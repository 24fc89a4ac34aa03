#include "disk/jobfile.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/buf.h"
#include "base/units.h"
#include "base/utf8.h"
#include "disk/job_words.h"

#define GLOBAL "global"
#define RUN    "-run-"

enum section { NOWHERE, IN_GLOBAL, IN_JOB };

/* Reading one file. */
struct reader {
	struct jobfile *f;
	struct job shared; /* what [global] has said so far */
	struct job job;	   /* the section at hand */
	enum section section;
	bool prepare;	/* it is the one that lays out the file */
	bool merged;	/* the last of f->jobs had a number in its name */
	uint32_t begun; /* sections of jobs so far */
	unsigned line;	/* 1 for the first */
	unsigned head;	/* line of the section's head */
};

static int
check_text(const char *text, size_t len, struct err *e)
{
	unsigned line = 1;
	uint32_t point;
	size_t at, n;

	for (at = 0; at < len; at += n) {
		n = utf8_next(text + at, len - at, &point);
		if (!n || (utf8_is_control(point) && point != '\n' &&
				  point != '\r' && point != '\t'))
			return err_set(e, ERR_INPUT, 0,
				"line %u: %s; a job file is plain text", line,
				n ? "a control character" : "no UTF-8");
		line += point == '\n';
	}
	return 0;
}

/* ---- runs of one job ---------------------------------------------------- */

/* The number behind "-run-", the length of what stands before it in *stem. */
static uint64_t
run_of(const char *name, size_t *stem)
{
	const char *at = NULL, *next = name;
	struct err ignored;
	uint64_t run;

	while ((next = strstr(next, RUN)))
		at = next++;
	if (!at || at == name ||
		units_parse_u64(
			at + strlen(RUN), 1, JOB_RUNS_MAX, &run, &ignored) < 0)
		return 0;
	*stem = (size_t)(at - name);
	return run;
}

/* Do they say the same of the I/O, whatever they are called? */
static bool
same_work(const struct job *a, const struct job *b)
{
	struct job one = *a, other = *b;
	struct buf x, y;
	bool same;

	memcpy(one.name, other.name, sizeof(one.name));
	one.runs = other.runs = 1;
	buf_init(&x);
	buf_init(&y);
	job_canonical(&one, &x);
	job_canonical(&other, &y);
	same = !strcmp(buf_text(&x), buf_text(&y)) && !buf_failed(&x) &&
	       !buf_failed(&y);
	buf_free(&x);
	buf_free(&y);
	return same;
}

/* Is the section at hand the next run of the last job?  Then it is added. */
static bool
is_next_run(struct reader *r)
{
	struct job *last = &r->f->jobs[r->f->count - 1];
	size_t stem, last_stem = strlen(last->name);
	uint64_t run = run_of(r->job.name, &stem);

	if (run < 2 || r->job.runs != 1 || run != last->runs + 1)
		return false;
	if (!r->merged && run_of(last->name, &last_stem) != 1)
		return false;
	if (stem != last_stem || strncmp(last->name, r->job.name, stem) != 0 ||
		!same_work(last, &r->job))
		return false;
	last->name[stem] = '\0';
	last->runs = (uint32_t)run;
	r->merged = true;
	return true;
}

/* ---- sections ------------------------------------------------------------ */

static int
end_section(struct reader *r, struct err *e)
{
	struct jobfile *f = r->f;

	if (r->section == IN_GLOBAL)
		r->shared = r->job;
	if (r->section != IN_JOB || r->prepare)
		return 0;
	if (r->begun++ && !r->job.stonewall)
		f->together = true;
	if (f->count && is_next_run(r))
		return 0;
	if (f->count == PLAN_JOBS_MAX)
		return err_set(e, ERR_INPUT, 0,
			"line %u: more than %d jobs; a plan has no more",
			r->head, PLAN_JOBS_MAX);
	f->jobs[f->count++] = r->job;
	r->merged = false;
	return 0;
}

static int
take_head(struct reader *r, char *head, struct err *e)
{
	size_t len = strlen(head);

	if (head[len - 1] != ']' || len < 3)
		return err_set(e, ERR_INPUT, 0,
			"line %u: \"%.60s\" begins no section: [name]", r->line,
			head);
	if (end_section(r, e) < 0)
		return -1;
	head[len - 1] = '\0';
	head++;
	r->job = r->shared;
	r->head = r->line;
	r->prepare = false;
	r->section = IN_GLOBAL;
	if (!strncasecmp(head, GLOBAL, strlen(GLOBAL)))
		return 0;
	r->section = IN_JOB;
	if (job_set(&r->job, "name", head, e) < 0) {
		err_wrap(e, "line %u", r->line);
		return err_set(e, ERR_INPUT, 0, "%s", e->text);
	}
	return 0;
}

/* A '$' is fio's to expand (${VAR}, $ncpus), or ours to leave alone. */
static int
check_variable(const struct reader *r, const char *key, const char *value,
	struct err *e)
{
	const struct job_words *w = job_words_find(key);

	if (!value || !strchr(value, '$') || !w || w->kind == JOB_WORDS_NAME ||
		w->kind == JOB_WORDS_NOTED || w->kind == JOB_WORDS_BARE)
		return 0;
	return err_set(e, ERR_INPUT, 0,
		"line %u: %s=%.60s: nothing is expanded here; write the value "
		"itself",
		r->line, key, value);
}

static int
take_word(struct reader *r, char *word, struct err *e)
{
	char *value = strchr(word, '=');

	if (!strcmp(word, JOBFILE_PREPARE)) {
		r->prepare = true;
		return 0;
	}
	if (value && (value == word || strchr(" \t", value[-1]) ||
			     (value[1] && strchr(" \t", value[1]))))
		return err_set(e, ERR_INPUT, 0,
			"line %u: \"%.60s\": key=value, without blanks around "
			"the '=' (fio refuses them, too)",
			r->line, word);
	if (value)
		*value++ = '\0';
	else if (!strncmp(word, "include", 7) && strchr(" \t", word[7]))
		return err_set(e, ERR_INPUT, 0,
			"line %u: include: all jobs stand in one file here",
			r->line);
	if (check_variable(r, word, value, e) < 0)
		return -1;
	if (r->section == IN_GLOBAL && !strcmp(word, "name"))
		return err_set(e, ERR_INPUT, 0,
			"line %u: a name is one job's, not of all", r->line);
	if (job_set(&r->job, word, value, e) < 0) {
		err_wrap(e, "line %u", r->line);
		return err_set(e, ERR_INPUT, 0, "%s", e->text);
	}
	return 0;
}

/* One line, without its end; it is cut up where it stands. */
static int
take_line(struct reader *r, char *line, struct err *e)
{
	size_t len;

	line[strcspn(line, ";#")] = '\0';
	line += strspn(line, " \t\r");
	len = strlen(line);
	while (len && strchr(" \t\r", line[len - 1]))
		line[--len] = '\0';
	if (!len)
		return 0;
	if (line[0] == '[')
		return take_head(r, line, e);
	if (r->section == NOWHERE)
		return err_set(e, ERR_INPUT, 0,
			"line %u: \"%.60s\" stands before any [section]",
			r->line, line);
	return take_word(r, line, e);
}

static int
take_lines(struct reader *r, char *text, struct err *e)
{
	char *end;

	for (r->line = 1; text; r->line++) {
		end = strchr(text, '\n');
		if (end)
			*end++ = '\0';
		if (take_line(r, text, e) < 0)
			return -1;
		text = end;
	}
	if (end_section(r, e) < 0)
		return -1;
	if (!r->f->count)
		return err_set(e, ERR_INPUT, 0,
			"there is no job in it: a section [name] and its "
			"words");
	return 0;
}

int
jobfile_parse(struct jobfile *f, const char *text, size_t len, struct err *e)
{
	struct reader r = { .f = f, .section = NOWHERE };
	char *copy;
	int rc;

	f->count = 0;
	f->together = false;
	if (len > JOBFILE_MAX_BYTES)
		return err_set(e, ERR_INPUT, 0,
			"longer than %zu KiB: no job file",
			JOBFILE_MAX_BYTES >> 10);
	if (check_text(text, len, e) < 0)
		return -1;
	copy = malloc(len + 1);
	if (!copy)
		return err_set(e, ERR_INPUT, 0, "out of memory");
	memcpy(copy, text, len);
	copy[len] = '\0';
	job_defaults(&r.shared);
	rc = take_lines(&r, copy, e);
	free(copy);
	return rc;
}
