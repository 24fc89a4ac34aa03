/*
 * compare: receipts side by side, like for like.
 *
 * Receipts are added one by one and fall into groups ("A" and "B" of two
 * files, one a label of a folder); the first group is what the others are
 * held against.  Nothing of a receipt is kept but its figures, so that a
 * group of 100,000 takes no more memory than one of 1,000: compare_sample.h.
 * What is chosen (compare_chosen) of metric_each is what is compared; of
 * windows that ran several times it is the ".median" of their runs.
 *
 * Like for like is one plan digest.  Others are put on the list `unlike`,
 * with the words of the plan in which they differ, and their figures are
 * left out unless `anyway`.  Withheld figures are never compared.
 *
 * A change is told from noise by compare_noise.h.  Renderers (compare_show.h)
 * hold no thresholds: they print what is here.  Everything that is text came
 * out of receipts and file names: it is to be cleaned on its way out.
 */
#ifndef RECEIPT_COMPARE_H
#define RECEIPT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "receipt/compare_facts.h"
#include "receipt/compare_sample.h"
#include "receipt/metric.h"
#include "receipt/receipt.h"

#define COMPARE_GROUPS_MAX  1024
#define COMPARE_METRICS_MAX 4096
#define COMPARE_CELLS_MAX   32768 /* groups times metrics: about 70 MiB */
#define COMPARE_NAMED_MAX   16	  /* unlike, left out: named; others counted */
#define COMPARE_TEXT_MAX    257	  /* bytes of a name that are kept, with NUL */

/* What is known of who signed a receipt. */
enum compare_signature {
	COMPARE_UNSIGNED, /* plain JSON */
	COMPARE_GOOD,	  /* by the key `kid`; whose that is nobody says */
	COMPARE_SIGNATURES
};

/* Where a receipt comes from; all borrowed for the one call. */
struct compare_source {
	const char *group; /* it falls into the group of this name */
	const char *name;  /* of the file */
	const char *kid;   /* NULL where it is not signed */
	enum compare_signature signature;
	bool stays; /* the receipt outlives the comparison */
};

enum compare_verdict {
	COMPARE_BASE,	    /* a figure of the first group */
	COMPARE_WITHIN,	    /* within the noise */
	COMPARE_CHANGED,    /* by more than the noise */
	COMPARE_CANNOT_SAY, /* the noise is not known */
	COMPARE_WITHHELD,   /* too few samples here or in the first group */
	COMPARE_ABSENT	    /* no such figure here or in the first group */
};

/* "within the noise", "changed", ...; "" for COMPARE_BASE. */
const char *compare_verdict_word(enum compare_verdict v);

/* One metric of one group.  NAN = not known, in every double here. */
struct compare_cell {
	struct compare_sample sample; /* one value a receipt */
	uint64_t withheld;	      /* receipts in which it is withheld */
	bool few;		      /* a percentile of few samples: "~" */
	double figure;		      /* median of the sample */
	double least, most; /* its range; of one receipt: of its runs */
	double noise_pct;   /* half of the 95 % interval of the figure alone */
	double change_pct;  /* against the first group */
	double allowed_pct; /* so much, up or down as it is, is noise */
	enum compare_verdict verdict;
	double own_noise; /* of one receipt, on the scale of logarithms */
	double deviation; /* of the logarithms; NAN for fewer than 2 values */
};

struct compare_metric {
	char name[METRIC_NAME_MAX];
	size_t window; /* bytes of it that name the window; then '.' */
	enum metric_unit unit;
	bool higher_is_better;
};

struct compare_group {
	char *name;
	uint64_t receipts, signatures[COMPARE_SIGNATURES];
	uint64_t runs; /* that a median is of, where it is one receipt */
	char jti[40];  /* of its earliest receipt, as the next four */
	char file[COMPARE_TEXT_MAX], label[COMPARE_TEXT_MAX];
	char started_utc[24], kid[64];
	struct compare_facts facts;    /* host and storage, what all agree on */
	const struct receipt *receipt; /* the only one, where it stays */
	struct compare_cell *cells;    /* one a metric, in their order */
	size_t cell_count;
};

/* A receipt that is not like the first, or that was left out. */
struct compare_odd {
	char name[COMPARE_TEXT_MAX];
	const char *why; /* "bs_bytes of qd1-randread is 8192, not 4096; ..." */
};

struct compare_odds {
	struct compare_odd list[COMPARE_NAMED_MAX];
	size_t named;	/* in list */
	uint64_t count; /* of all */
};

struct compare_options {
	const char *const *only; /* globs over names of metrics, NULL-ended;
	                            NULL = compare_usual */
	bool anyway;		 /* unlike ones too */
	bool incomplete;	 /* incomplete ones too */
	bool by_name;		 /* groups in the order of their names */
};

struct compare {
	struct compare_options options;
	struct arena arena;
	char digest[65], suite[64]; /* of the first receipt */
	struct compare_facts plan;  /* its words */
	struct compare_group **groups;
	size_t group_count;
	struct compare_metric *metrics;
	size_t metric_count;
	struct compare_odds unlike, left_out;
	uint64_t receipts; /* taken in */
	size_t next;	   /* metric that is expected next; a guess */
};

/* Names that are compared where nobody chose: rates, p50, p99, p99.9. */
extern const char *const compare_usual[];

void compare_init(struct compare *c, const struct compare_options *o);
void compare_free(struct compare *c);

/*
 * Take r in, or put it on one of the lists.  ERR_INPUT where there would be
 * more groups or cells than the limits above, ERR_INCOMPLETE without memory.
 */
int compare_add(struct compare *c, const struct receipt *r,
	const struct compare_source *s, struct err *e);

/*
 * After the last one: fill the cells' figures and verdicts.  sort: groups by
 * that metric, the best first (ERR_USAGE with the nearest name where there is
 * none), which then are held against the best; NULL = by name or as they came.
 */
int compare_finish(struct compare *c, const char *sort, struct err *e);

/* Would figures be of receipts that are not alike? */
static inline bool
compare_is_unlike(const struct compare *c)
{
	return c->unlike.count > 0;
}

/* The cell of metric m in g; NULL where the group does not have it. */
const struct compare_cell *compare_cell(
	const struct compare_group *g, size_t metric);

#endif
