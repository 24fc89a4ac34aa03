/*
 * lowqd_class: the classes into which seed text 2 (VPS Disk Latency Bench)
 * sorts a p99.9 of completion latency at low depth.  They are that text's
 * thresholds and words, kept for whoever compares with its tables; nothing
 * here judges by them.
 */
#ifndef RECEIPT_LOWQD_CLASS_H
#define RECEIPT_LOWQD_CLASS_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define LOWQD_CLASS_SOURCE "VPS Disk Latency Bench"

/* One class.  The columns, in the order the table gives them: */
struct lowqd_class {
	uint64_t below_ns; /* UINT64_MAX for the last */
	const char *range; /* "< 0.3 ms" */
	const char *word;  /* the text's own */
	enum text_color color;
};

const struct lowqd_class *lowqd_class_of(uint64_t p99_9_ns);
/* From the best on, NULL at the end. */
const struct lowqd_class *lowqd_class_at(size_t index);

#endif
