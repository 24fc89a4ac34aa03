/*
 * shape: structs that are JSON objects.
 *
 * One table a struct says which member is which key; the same table writes,
 * reads, checks and documents (as JSON Schema).  JSON itself is jansson's
 * work, which no other file sees.
 *
 * Absent and withheld: a fact that the machine did not tell is absent from
 * the JSON, a percentile that the samples do not carry is `null`.  Inside,
 *   numbers    SHAPE_ABSENT / SHAPE_WITHHELD (the two largest uint64_t),
 *   rates      NAN absent (rates are never withheld),
 *   flags      an int8_t: 1, 0, or -1 for absent,
 *   strings    NULL or "" for absent, objects NULL,
 *   lists      a count of 0 with a NULL pointer is absent, with a pointer
 *              that is not NULL it is [].
 * A zeroed struct thus has numbers of 0: shape_clear sets everything absent.
 */
#ifndef BASE_SHAPE_H
#define BASE_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

#define SHAPE_ABSENT   UINT64_MAX
#define SHAPE_WITHHELD (UINT64_MAX - 1)
#define SHAPE_MAX      ((UINT64_C(1) << 53) - 1) /* largest exact count */

/* Is v a number (neither absent nor withheld)? */
static inline bool
shape_has(uint64_t v)
{
	return v < SHAPE_WITHHELD;
}

enum shape_kind {
	SHAPE_COUNT,  /* uint64_t, an integer 0 .. 2^53-1 */
	SHAPE_RATE,   /* double 0 .. 2^53, rounded to 3 decimals in JSON */
	SHAPE_FLAG,   /* int8_t: true / false / -1 absent */
	SHAPE_TEXT,   /* const char *: UTF-8, none of utf8_is_control but \n */
	SHAPE_OBJECT, /* struct *, described by sub */
	SHAPE_LIST,   /* struct array: pointer + count, elements by sub */
	SHAPE_COUNTS, /* uint64_t array: pointer + count */
	SHAPE_RATES,  /* double array: pointer + count */
	SHAPE_TEXTS,  /* const char * array: pointer + count */
	SHAPE_FIGURES /* struct shape_figure array: an object of free keys */
};

/*
 * One entry of an object whose keys are not fixed (findings' figures); any
 * sign, within +-2^53, rounded as rates are.  Keys are TEXT of 1 to 64 bytes.
 */
struct shape_figure {
	const char *key;
	double value;
};

enum {
	SHAPE_REQUIRED = 1, /* must be there */
	SHAPE_NULLABLE = 2  /* a COUNT that may be null (withheld) */
};

struct shape;

#define SHAPE_MAX_DEFAULT 4096 /* bytes or elements where a row has 0 */
#define SHAPE_MAX_DEPTH	  32   /* of nesting, when reading */
/* Objects and lists, and values of any kind, of one text that is read. */
#define SHAPE_MAX_CONTAINERS ((size_t)1 << 16)
#define SHAPE_MAX_VALUES     ((size_t)1 << 19)

/* One member.  The columns, in the order the tables give them: */
struct shape_field {
	const char *key; /* JSON key; carries its unit */
	enum shape_kind kind;
	unsigned flags;		 /* SHAPE_REQUIRED | SHAPE_NULLABLE */
	size_t offset;		 /* of the member */
	size_t count_offset;	 /* of its size_t count (lists), else 0 */
	const struct shape *sub; /* OBJECT and LIST */
	const char *words;	 /* TEXT: allowed words "a|b|c"; else NULL */
	size_t max;		 /* TEXT: bytes; lists: elements; 0: default */
	const char *doc;	 /* one sentence for the schema */
};

struct shape {
	const char *name; /* "window": names the definition in the schema */
	size_t size;	  /* sizeof the struct */
	const struct shape_field *fields; /* ended by key == NULL */
	const char *doc;
};

/*
 * v as it is written and read again: 3 decimals, whole from 10^12 on.  Who
 * judges figures before they are written judges these, so that a reader who
 * judges again comes to the same.  Within +-2^53; NAN stays NAN.
 */
double shape_round(double v);

/* Everything absent: numbers SHAPE_ABSENT, rates NAN, flags -1, NULLs. */
void shape_clear(const struct shape *s, void *object);

/*
 * Make an object that was filled from outside fit to be written, with what
 * lies below it: each text becomes a copy in arena, cut to its row's max,
 * controls and what is no UTF-8 as '?' (words stay as they are: they are
 * ours); counts above 2^53 - 1 and rates that are none become absent,
 * rates what shape_round makes of them.  -1 = out of memory.
 */
int shape_tidy(const struct shape *s, void *object, struct arena *arena);

/*
 * Append the object as compact JSON on one line (no LF), keys in table
 * order.  Fails (ERR_INCOMPLETE, naming the key's path) when a required
 * member is absent or a value breaks its row: a wrong receipt is not
 * written.
 */
int shape_write(const struct shape *s, const void *object, struct buf *out,
	struct err *e);

/* A document that somebody else wrote. */
struct shape_json {
	const char *text;
	size_t len;
	bool lenient; /* accept keys that the tables do not know */
};

/*
 * Parse json into object; strings and arrays come from arena.
 * Strict: duplicate keys, wrong types, numbers out of range (a COUNT has no
 * decimals, a RATE may do without), text that is empty, no UTF-8 or has
 * controls, missing required keys and trailing bytes are errors (ERR_INPUT,
 * with the path "windows[3].read.ios" or the line and column).  Keys that the
 * table does not know are accepted only where `lenient` (a newer schema).
 * Lists longer than the row's max and texts beyond SHAPE_MAX_DEPTH,
 * _CONTAINERS, _VALUES are errors: time and memory are bounded whatever the
 * text is (about 40 MiB at the worst).  On error the object is unspecified.
 */
int shape_read(const struct shape *s, const struct shape_json *json,
	void *object, struct arena *arena, struct err *e);

/*
 * Append a JSON Schema (draft 2020-12) of s, definitions for each sub,
 * indented by 2, LF at the end.  id goes into the schema as "$id", the name
 * of s as its title.
 */
int shape_schema(
	const struct shape *s, const char *id, struct buf *out, struct err *e);

#endif
