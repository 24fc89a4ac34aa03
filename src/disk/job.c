#include "disk/job.h"

#include <string.h>

#include "base/clock.h"
#include "base/units.h"
#include "disk/job_value.h"
#include "disk/job_words.h"
#include "disk/words.h"

#define SECTOR_BYTES  512
#define BLOCKS_MAX    UINT64_C(0xffffffff) /* fio's 32-bit generator */
#define DEFAULT_MIX   50
#define DEFAULT_BYTES 4096

static const char *const rw_words[] = {
	[JOB_READ] = "read",
	[JOB_WRITE] = "write",
	[JOB_RW] = "rw",
	[JOB_RANDREAD] = "randread",
	[JOB_RANDWRITE] = "randwrite",
	[JOB_RANDRW] = "randrw",
};

static const char *const engine_words[] = {
	[JOB_LIBAIO] = "libaio",
	[JOB_PSYNC] = "psync",
};

void
job_defaults(struct job *j)
{
	*j = (struct job){
		.rw = JOB_READ,
		.ioengine = JOB_LIBAIO,
		.bs_bytes = DEFAULT_BYTES,
		.iodepth = 1,
		.numjobs = 1,
		.rwmixread_pct = DEFAULT_MIX,
		.runs = 1,
		.randrepeat = true,
	};
}

const char *
job_rw_word(enum job_rw rw)
{
	return rw_words[rw];
}

const char *
job_ioengine_word(enum job_ioengine e)
{
	return engine_words[e];
}

bool
job_reads(const struct job *j)
{
	return j->rw != JOB_WRITE && j->rw != JOB_RANDWRITE;
}

bool
job_writes(const struct job *j)
{
	return j->rw != JOB_READ && j->rw != JOB_RANDREAD;
}

bool
job_random(const struct job *j)
{
	return j->rw == JOB_RANDREAD || j->rw == JOB_RANDWRITE ||
	       j->rw == JOB_RANDRW;
}

bool
job_syncs(const struct job *j)
{
	return job_writes(j) && (j->fsync_every || j->fdatasync_every);
}

static bool
may_be_bare(const struct job_words *w)
{
	return w->kind == JOB_WORDS_FLAG || w->kind == JOB_WORDS_BARE;
}

int
job_set(struct job *j, const char *key, const char *value, struct err *e)
{
	const struct job_words *w = job_words_find(key);
	const char *near;

	if (!w) {
		near = job_words_nearest(key);
		return err_set(e, ERR_USAGE, 0,
			"\"%.60s\" is no word of a job%s%s%s", key,
			near ? "; did you mean " : "", near ? near : "",
			near ? "?" : "");
	}
	if (w->kind == JOB_WORDS_REFUSED)
		return err_set(
			e, ERR_USAGE, 0, "%.60s is not taken: %s", key, w->why);
	if (!value && !may_be_bare(w))
		return err_set(
			e, ERR_USAGE, 0, "%s needs a value: %s=...", key, key);
	return job_value_set(j, w, value ? value : "1", e);
}

/* ---- do the values fit together? --------------------------------------- */

static int
check_size(const struct job *j, struct err *e)
{
	uint64_t span;

	if (j->bs_bytes % SECTOR_BYTES)
		return err_set(e, ERR_USAGE, 0,
			"bs=%llu: direct I/O wants a multiple of %d bytes",
			(unsigned long long)j->bs_bytes, SECTOR_BYTES);
	if (j->size_bytes && j->size_bytes < j->bs_bytes)
		return err_set(e, ERR_USAGE, 0,
			"size=%llu is smaller than one block, bs=%llu",
			(unsigned long long)j->size_bytes,
			(unsigned long long)j->bs_bytes);
	if (j->size_bytes / j->bs_bytes > BLOCKS_MAX)
		return err_set(e, ERR_USAGE, 0,
			"size=%llu has more than 2^32 blocks of %llu",
			(unsigned long long)j->size_bytes,
			(unsigned long long)j->bs_bytes);
	if (!j->offset_increment_bytes)
		return 0;
	if (!j->size_bytes)
		return err_set(e, ERR_USAGE, 0,
			"offset_increment needs size=, the region of each job");
	if (j->offset_increment_bytes % j->bs_bytes)
		return err_set(e, ERR_USAGE, 0,
			"offset_increment=%llu is no multiple of bs=%llu",
			(unsigned long long)j->offset_increment_bytes,
			(unsigned long long)j->bs_bytes);
	span = job_span_bytes(j);
	if (span > JOB_SIZE_MAX_BYTES)
		return err_set(e, ERR_USAGE, 0,
			"offset_increment=%llu with numjobs=%u: larger than "
			"any file",
			(unsigned long long)j->offset_increment_bytes,
			j->numjobs);
	return 0;
}

uint64_t
job_span_bytes(const struct job *j)
{
	return j->size_bytes + (j->numjobs - 1) * j->offset_increment_bytes;
}

int
job_check(const struct job *j, struct err *e)
{
	if (check_size(j, e) < 0)
		return -1;
	if (j->time_based && !j->runtime_ns)
		return err_set(e, ERR_USAGE, 0, "time_based needs a runtime=");
	if (j->time_based && j->number_ios)
		return err_set(e, ERR_USAGE, 0,
			"number_ios with time_based: fio would ignore "
			"number_ios; take one of them");
	if (j->ramp_ns && !j->runtime_ns)
		return err_set(e, ERR_USAGE, 0, "ramp_time needs a runtime=");
	if (j->ioengine == JOB_PSYNC && j->iodepth > 1)
		return err_set(e, ERR_USAGE, 0,
			"iodepth=%u with ioengine=psync: psync does one I/O at "
			"a time (fio would run it at depth 1); take iodepth=1 "
			"or ioengine=libaio",
			j->iodepth);
	if (j->fsync_every && j->fdatasync_every)
		return err_set(e, ERR_USAGE, 0,
			"fsync and fdatasync in one job: take one of them");
	if (j->allrandrepeat && !j->randrepeat)
		return err_set(e, ERR_USAGE, 0,
			"allrandrepeat=1 with randrepeat=0: take one of them");
	return 0;
}

/* ---- a command line ---------------------------------------------------- */

/* Reading one command line. */
struct line {
	struct words words;
	struct buf word, value;
	bool named, begun;
};

/* Is this word, as it stands, the beginning of an option? */
static bool
is_option(const char *word)
{
	return word[0] == '-' && word[1];
}

/*
 * "--rw=x", "--rw x", "rw=x", "--time_based": key and value into l->word and
 * l->value.  *has_value says whether there is one.
 */
static int
split_word(struct line *l, bool *has_value, struct err *e)
{
	char *equals = strchr(l->word.data, '=');
	const struct job_words *w;
	bool dashes = is_option(l->word.data);
	int got;

	buf_reset(&l->value);
	*has_value = equals != NULL;
	if (equals) {
		buf_str(&l->value, equals + 1);
		*equals = '\0';
		return 0;
	}
	w = job_words_find(l->word.data + strspn(l->word.data, "-"));
	if (!dashes || !w || may_be_bare(w) || w->kind == JOB_WORDS_REFUSED)
		return 0;
	got = words_next(&l->words, &l->value, e);
	*has_value = got > 0;
	return got < 0 ? -1 : 0;
}

/* A value with a variable of the shell in it can only be ignored. */
static int
check_variable(const struct line *l, const char *key, struct err *e)
{
	const struct job_words *w = job_words_find(key);

	if (!l->words.variable || !w || w->kind == JOB_WORDS_NAME ||
		w->kind == JOB_WORDS_NOTED || w->kind == JOB_WORDS_BARE)
		return 0;
	return err_set(e, ERR_USAGE, 0,
		"%s=%.60s: no shell has seen this; write the value itself", key,
		buf_text(&l->value));
}

static int
take_word(struct line *l, struct job *j, struct err *e)
{
	const char *key;
	bool has_value;

	if (!strcmp(buf_text(&l->word), "fio")) {
		if (!l->begun) {
			l->begun = true;
			return 0;
		}
		return err_set(e, ERR_USAGE, 0,
			"more than one fio command: give each job by itself");
	}
	l->begun = true;
	if (!l->word.len)
		return err_set(e, ERR_USAGE, 0, "an empty word");
	if (split_word(l, &has_value, e) < 0)
		return -1;
	key = l->word.data + strspn(l->word.data, "-");
	if (check_variable(l, key, e) < 0)
		return -1;
	if (!strcmp(key, "name") && l->named)
		return err_set(e, ERR_USAGE, 0,
			"a second name=: give each job by itself");
	if (!strcmp(key, "name"))
		l->named = true;
	return job_set(j, key, has_value ? buf_text(&l->value) : NULL, e);
}

int
job_parse(struct job *j, const char *words, struct err *e)
{
	struct line l = { .named = false };
	int got;

	words_init(&l.words, words);
	buf_init(&l.word);
	buf_init(&l.value);
	while ((got = words_next(&l.words, &l.word, e)) > 0) {
		if (take_word(&l, j, e) < 0) {
			got = -1;
			break;
		}
	}
	if (!got && !l.begun)
		got = err_set(e, ERR_USAGE, 0, "a job without words");
	buf_free(&l.word);
	buf_free(&l.value);
	return got;
}

/* ---- out again --------------------------------------------------------- */

void
job_canonical(const struct job *j, struct buf *out)
{
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{ "bs", j->bs_bytes },
		{ "size", j->size_bytes },
		{ "offset_increment", j->offset_increment_bytes },
		{ "runtime_ns", j->runtime_ns },
		{ "time_based", j->time_based },
		{ "ramp_time_ns", j->ramp_ns },
		{ "number_ios", j->number_ios },
		{ "iodepth", j->iodepth },
		{ "numjobs", j->numjobs },
		{ "rwmixread", j->rwmixread_pct },
		{ "fsync", j->fsync_every },
		{ "fdatasync", j->fdatasync_every },
		{ "end_fsync", j->end_fsync },
		{ "norandommap", j->norandommap },
		{ "randrepeat", j->randrepeat },
		{ "allrandrepeat", j->allrandrepeat },
		{ "randseed", j->randseed },
		{ "runs", j->runs },
	};
	size_t i;

	buf_printf(out, "name=%s\nrw=%s\nioengine=%s\n", j->name,
		job_rw_word(j->rw), job_ioengine_word(j->ioengine));
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		buf_printf(out, "%s=%llu\n", rows[i].key,
			(unsigned long long)rows[i].value);
}

/* A time as fio reads it: whole seconds, else the unit that divides it. */
static void
put_time(struct buf *out, const char *key, uint64_t ns)
{
	if (!ns)
		return;
	if (ns % CLOCK_NS_PER_S == 0)
		buf_printf(out, "%s=%llu\n", key,
			(unsigned long long)(ns / CLOCK_NS_PER_S));
	else if (ns % CLOCK_NS_PER_MS == 0)
		buf_printf(out, "%s=%llums\n", key,
			(unsigned long long)(ns / CLOCK_NS_PER_MS));
	else
		buf_printf(out, "%s=%lluus\n", key,
			(unsigned long long)(ns / 1000));
}

static void
put_bytes(struct buf *out, const char *key, uint64_t bytes)
{
	char text[32];

	if (bytes)
		buf_printf(out, "%s=%s\n", key,
			units_bytes_short(bytes, text, sizeof(text)));
}

static void
put_number(struct buf *out, const char *key, uint64_t n)
{
	if (n)
		buf_printf(out, "%s=%llu\n", key, (unsigned long long)n);
}

/* ':' parts several files in fio; a line ends a value. */
static void
put_filename(struct buf *out, const char *filename)
{
	buf_str(out, "filename=");
	for (; *filename; filename++) {
		if (*filename == ':' || *filename == '\\')
			buf_char(out, '\\');
		buf_char(out, (unsigned char)*filename < ' ' ? '?' : *filename);
	}
	buf_char(out, '\n');
}

static void
put_percentiles(const struct job *j, struct buf *out)
{
	unsigned long long milli;
	uint32_t i;

	for (i = 0; i < j->percentile_count; i++) {
		milli = (unsigned long long)(j->percentiles[i] * 1000 + 0.5);
		buf_printf(out, "%s%llu",
			i ? ":" : "percentile_list=", milli / 1000);
		if (milli % 100)
			buf_printf(out, ".%03llu", milli % 1000);
		else if (milli % 1000)
			buf_printf(out, ".%llu", milli % 1000 / 100);
	}
	if (i)
		buf_char(out, '\n');
}

void
job_fio(const struct job *j, const char *filename, struct buf *out)
{
	buf_printf(out, "[%s]\n", j->name);
	buf_str(out, "stonewall\n");
	put_filename(out, filename);
	buf_printf(out, "rw=%s\n", job_rw_word(j->rw));
	if (job_reads(j) && job_writes(j))
		buf_printf(out, "rwmixread=%u\n", j->rwmixread_pct);
	put_bytes(out, "bs", j->bs_bytes);
	put_bytes(out, "size", j->size_bytes);
	put_bytes(out, "offset_increment", j->offset_increment_bytes);
	buf_printf(
		out, "ioengine=%s\ndirect=1\n", job_ioengine_word(j->ioengine));
	buf_printf(out, "iodepth=%u\nnumjobs=%u\ngroup_reporting=1\n",
		j->iodepth, j->numjobs);
	put_time(out, "runtime", j->runtime_ns);
	put_number(out, "time_based", j->time_based);
	put_time(out, "ramp_time", j->ramp_ns);
	put_number(out, "number_ios", j->number_ios);
	put_number(out, "fsync", j->fsync_every);
	put_number(out, "fdatasync", j->fdatasync_every);
	put_number(out, "end_fsync", j->end_fsync);
	put_number(out, "norandommap", j->norandommap);
	buf_printf(out, "randrepeat=%d\n", j->randrepeat);
	put_number(out, "allrandrepeat", j->allrandrepeat);
	put_number(out, "randseed", j->randseed);
	put_number(out, "lat_percentiles", j->lat_percentiles);
	put_percentiles(j, out);
}
