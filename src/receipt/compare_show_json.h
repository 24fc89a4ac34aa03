/*
 * compare_show_json: the document that compare_show_json writes, as plain
 * structs and their field tables (base/shape.h); compare_show_json_shape.c
 * has the tables.  What a figure of a cell means stands in compare.h.
 */
#ifndef RECEIPT_COMPARE_SHOW_JSON_H
#define RECEIPT_COMPARE_SHOW_JSON_H

#include <stddef.h>
#include <stdint.h>

#include "base/shape.h"

struct compare_document_odd {
	const char *name, *why;
};

struct compare_document_group {
	const char *name;
	uint64_t receipts, good, not_signed, median_of;
	const char *jti, *file, *label, *started_utc, *kid;
};

struct compare_document_fact {
	const char *name, **values;
	size_t value_count;
};

struct compare_document_cell {
	const char *group;
	uint64_t n, withheld;
	int8_t few;
	struct shape_figure *figures;
	size_t figure_count;
	const char *verdict;
};

struct compare_document_metric {
	const char *name, *unit;
	int8_t higher_is_better;
	struct compare_document_cell *cells;
	size_t cell_count;
};

struct compare_document {
	const char *schema, *suite, *digest;
	uint64_t receipts, unlike_total, left_out_total;
	int8_t alike;
	struct compare_document_odd *unlike, *left_out;
	size_t unlike_count, left_out_count;
	struct compare_document_group *groups;
	size_t group_count;
	struct compare_document_fact *facts;
	size_t fact_count;
	struct compare_document_metric *metrics;
	size_t metric_count;
};

extern const struct shape compare_show_json_shape;

#endif
