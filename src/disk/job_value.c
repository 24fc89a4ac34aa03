#include "disk/job_value.h"

#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define NAME_SUFFIX    8 /* room for "-run-16" */
#define PERCENT_DIGITS 3

/* Engines of fio that people use, and why another one is wanted here. */
static const struct {
	const char *word, *why;
} other_engines[] = {
	{ "io_uring",
		"containers and hardened kernels forbid it; take libaio" },
	{ "io_uring_cmd", "no device is sent commands; take libaio" },
	{ "sync", "it moves a file position with a call of its own; take "
		  "psync" },
	{ "vsync", "take psync" },
	{ "pvsync", "take psync" },
	{ "pvsync2", "take psync" },
	{ "posixaio", "it is threads that call pread; take libaio" },
	{ "mmap", "it measures the page cache, not the disk; take libaio" },
	{ "null", "it does no I/O" },
	{ "sg", "no raw device is opened; take libaio" },
};

static int
set_name(struct job *j, const char *value, struct err *e)
{
	size_t i, len = strlen(value);

	if (!len || len >= JOB_NAME_MAX - NAME_SUFFIX)
		return err_set(e, ERR_USAGE, 0,
			"name=%.80s: a name has 1 to %d characters", value,
			JOB_NAME_MAX - NAME_SUFFIX - 1);
	if (!strcmp(value, "global"))
		return err_set(e, ERR_USAGE, 0,
			"name=global is fio's word for what all jobs share");
	for (i = 0; i < len; i++)
		j->name[i] = isalnum((unsigned char)value[i]) ||
					     strchr("._+-", value[i])
				     ? value[i]
				     : '_';
	j->name[len] = '\0';
	return 0;
}

/* The place of value among words; an error that names the nearest. */
static int
find_word(const char *key, const char *value, const char *const *words,
	struct err *e)
{
	const char *near;
	int i;

	for (i = 0; words[i]; i++)
		if (!strcmp(value, words[i]))
			return i;
	near = units_nearest(value, words);
	return err_set(e, ERR_USAGE, 0, "%s=%.60s is not known%s%s%s", key,
		value, near ? "; did you mean " : "", near ? near : "",
		near ? "?" : "");
}

static int
set_rw(struct job *j, const char *value, struct err *e)
{
	const char *words[JOB_RANDRW + 2];
	int i;

	if (!strcmp(value, "readwrite"))
		value = "rw";
	if (strstr(value, "trim"))
		return err_set(e, ERR_USAGE, 0,
			"rw=%.60s: trim gives blocks back, which no window "
			"here measures",
			value);
	if (strchr(value, ':'))
		return err_set(e, ERR_USAGE, 0,
			"rw=%.60s: offsets that follow each other in groups "
			"are another workload; leave out what follows the "
			"colon",
			value);
	for (i = 0; i <= JOB_RANDRW; i++)
		words[i] = job_rw_word((enum job_rw)i);
	words[i] = NULL;
	i = find_word("rw", value, words, e);
	if (i < 0)
		return -1;
	j->rw = (enum job_rw)i;
	return 0;
}

static int
set_engine(struct job *j, const char *value, struct err *e)
{
	const char *const words[] = { job_ioengine_word(JOB_LIBAIO),
		job_ioengine_word(JOB_PSYNC), NULL };
	size_t k;
	int i;

	for (k = 0; k < sizeof(other_engines) / sizeof(other_engines[0]); k++)
		if (!strcmp(value, other_engines[k].word))
			return err_set(e, ERR_USAGE, 0,
				"ioengine=%s is not measured here: %s", value,
				other_engines[k].why);
	i = find_word("ioengine", value, words, e);
	if (i < 0)
		return -1;
	j->ioengine = (enum job_ioengine)i;
	return 0;
}

/*
 * What fio takes for a size but reads as another one than the writer meant:
 * 4KiB is 4000 bytes to it, 1.5G an error or 0.
 */
static int
refuse_odd_bytes(const char *key, const char *value, struct err *e)
{
	const char *why = NULL;

	if (strchr(value, '%'))
		why = "the file is made by the run: give its size";
	else if (strpbrk(value, ",:-"))
		why = "one figure, for reads and writes alike";
	else if (strpbrk(value, "iI"))
		why = "fio reads KiB as 1000 bytes; write k, M or G, which are "
		      "1024-based";
	else if (strchr(value, '.'))
		why = "fio takes whole numbers; write 1536M for 1.5G";
	if (!why)
		return 0;
	return err_set(e, ERR_USAGE, 0, "%s=%.60s: %s", key, value, why);
}

static int
set_bytes(struct job *j, const struct job_words *w, const char *value,
	struct err *e)
{
	uint64_t bytes;
	char low[32], high[32];

	if (refuse_odd_bytes(w->key, value, e) < 0)
		return -1;
	if (units_parse_bytes(value, &bytes, e) < 0)
		return err_wrap(e, "%s=", w->key);
	if (bytes < w->min || bytes > w->max)
		return err_set(e, ERR_USAGE, 0, "%s=%.60s: from %s to %s",
			w->key, value, units_bytes(w->min, low, sizeof(low)),
			units_bytes(w->max, high, sizeof(high)));
	*(uint64_t *)(void *)((char *)j + w->offset) = bytes;
	return 0;
}

static int
set_time(struct job *j, const struct job_words *w, const char *value,
	struct err *e)
{
	uint64_t ns;

	if (strchr(value, '.'))
		return err_set(e, ERR_USAGE, 0,
			"%s=%.60s: fio takes whole numbers and reads 0.7 as 0; "
			"write 700ms",
			w->key, value);
	if (units_parse_ns(value, CLOCK_NS_PER_S, &ns, e) < 0)
		return err_wrap(e, "%s=", w->key);
	if (ns > JOB_TIME_MAX_NS)
		return err_set(e, ERR_USAGE, 0, "%s=%.60s: a week at most",
			w->key, value);
	*(uint64_t *)(void *)((char *)j + w->offset) = ns;
	return 0;
}

static int
set_number(struct job *j, const struct job_words *w, const char *value,
	struct err *e)
{
	char *at = (char *)j + w->offset;
	uint64_t n;

	if (units_parse_u64(value, w->min, w->max, &n, e) < 0)
		return err_wrap(e, "%s=", w->key);
	if (w->kind == JOB_WORDS_U64)
		*(uint64_t *)(void *)at = n;
	else if (w->kind == JOB_WORDS_MIX)
		*(uint32_t *)(void *)at = (uint32_t)(100 - n);
	else
		*(uint32_t *)(void *)at = (uint32_t)n;
	return 0;
}

static int
set_bool(struct job *j, const struct job_words *w, const char *value,
	struct err *e)
{
	uint64_t n;

	if (units_parse_u64(value, 0, 1, &n, e) < 0)
		return err_wrap(e, "%s=", w->key);
	*(bool *)(void *)((char *)j + w->offset) = n != 0;
	return 0;
}

/* "99.9": above 0 to 100, three decimals at most.  Where it ended, or NULL. */
static const char *
read_percent(const char *s, double *out)
{
	uint64_t milli = 0;
	int digits = 0, decimals = -1;

	for (; isdigit((unsigned char)*s) || (*s == '.' && decimals < 0); s++) {
		if (*s == '.') {
			decimals = 0;
			continue;
		}
		if (decimals >= 0 && ++decimals > PERCENT_DIGITS)
			return NULL;
		if (++digits > 6)
			return NULL;
		milli = milli * 10 + (uint64_t)(*s - '0');
	}
	for (decimals = decimals < 0 ? 0 : decimals; decimals < PERCENT_DIGITS;
		decimals++)
		milli *= 10;
	*out = (double)milli / 1000.0;
	return digits && milli && milli <= 100000 ? s : NULL;
}

static int
set_percentiles(struct job *j, const char *value, struct err *e)
{
	double list[JOB_PERCENTILES_MAX];
	const char *at = value;
	uint32_t n = 0;

	for (;;) {
		if (n == JOB_PERCENTILES_MAX)
			return err_set(e, ERR_USAGE, 0,
				"percentile_list=%.80s: %d at most", value,
				JOB_PERCENTILES_MAX);
		at = read_percent(at, &list[n]);
		if (!at || (*at && *at != ':'))
			return err_set(e, ERR_USAGE, 0,
				"percentile_list=%.80s: numbers above 0 to "
				"100, three decimals at most, as in "
				"50:99:99.9",
				value);
		if (n && list[n] <= list[n - 1])
			return err_set(e, ERR_USAGE, 0,
				"percentile_list=%.80s: rising, please", value);
		n++;
		if (!*at++)
			break;
	}
	memcpy(j->percentiles, list, n * sizeof(list[0]));
	j->percentile_count = n;
	return 0;
}

int
job_value_set(struct job *j, const struct job_words *w, const char *value,
	struct err *e)
{
	switch (w->kind) {
	case JOB_WORDS_NAME:
		return set_name(j, value, e);
	case JOB_WORDS_RW:
		return set_rw(j, value, e);
	case JOB_WORDS_ENGINE:
		return set_engine(j, value, e);
	case JOB_WORDS_BYTES:
		return set_bytes(j, w, value, e);
	case JOB_WORDS_TIME:
		return set_time(j, w, value, e);
	case JOB_WORDS_U32:
	case JOB_WORDS_U64:
	case JOB_WORDS_MIX:
		return set_number(j, w, value, e);
	case JOB_WORDS_BOOL:
	case JOB_WORDS_FLAG:
		return set_bool(j, w, value, e);
	case JOB_WORDS_LIST:
		return set_percentiles(j, value, e);
	case JOB_WORDS_ONLY:
		if (units_is_word(w->only, value, strlen(value)))
			return 0;
		break;
	case JOB_WORDS_NOTED:
	case JOB_WORDS_BARE:
		return 0;
	case JOB_WORDS_REFUSED:
		break;
	}
	return err_set(e, ERR_USAGE, 0, "%.60s=%.60s is not taken: %s", w->key,
		value, w->why);
}
