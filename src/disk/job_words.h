/*
 * job_words: the table of fio's words: which are understood, which mean
 * nothing here, which would make another experiment, and why.
 */
#ifndef DISK_JOB_WORDS_H
#define DISK_JOB_WORDS_H

#include <stddef.h>
#include <stdint.h>

enum job_words_kind {
	JOB_WORDS_NAME,
	JOB_WORDS_RW,
	JOB_WORDS_ENGINE,
	JOB_WORDS_BYTES, /* 4k, 512M */
	JOB_WORDS_TIME,	 /* 12, 12s, 500ms */
	JOB_WORDS_U32,	 /* plain digits */
	JOB_WORDS_U64,	 /* plain digits */
	JOB_WORDS_MIX,	 /* rwmixwrite: 100 - rwmixread */
	JOB_WORDS_BOOL,	 /* =0 or =1, as fio wants it */
	JOB_WORDS_FLAG,	 /* the same, or alone */
	JOB_WORDS_LIST,	 /* percentiles */
	JOB_WORDS_ONLY,	 /* these values mean nothing, others are refused */
	JOB_WORDS_NOTED, /* accepted with any value */
	JOB_WORDS_BARE,	 /* accepted, alone or with any value */
	JOB_WORDS_REFUSED
};

/* One word.  The columns, in the order the table gives them: */
struct job_words {
	const char *key; /* a '*' at its end: every word that begins so */
	enum job_words_kind kind;
	const char *why;   /* ONLY, REFUSED: the sentence */
	const char *only;  /* ONLY: "1|none" */
	size_t offset;	   /* in struct job */
	uint64_t min, max; /* BYTES, U32, U64 */
};

/* The row of a word, NULL = unknown. */
const struct job_words *job_words_find(const char *key);
/* The nearest word that has a meaning here, NULL where none is near. */
const char *job_words_nearest(const char *key);
/* Rows 0 .., NULL at the end: for tests. */
const struct job_words *job_words_at(size_t index);

#endif
