#include "receipt/compare.h"
#include "receipt/compare_show_json.h"

/*
 * The rows; shape.h explains their columns.  STRUCT is the struct of the
 * table at hand.
 */
#define AT(m) offsetof(struct STRUCT, m)
/* clang-format off */
#define ROW(m, kind, flags, count, sub, words, max, doc)                       \
	{ #m, kind, flags, AT(m), count, sub, words, max, doc }
/* clang-format on */
#define COUNT(m, doc) ROW(m, SHAPE_COUNT, 0, 0, NULL, NULL, 0, doc)
#define FLAG(m, doc)  ROW(m, SHAPE_FLAG, 0, 0, NULL, NULL, 0, doc)
#define TEXT(m, doc)  ROW(m, SHAPE_TEXT, 0, 0, NULL, NULL, 0, doc)
#define LIST(m, c, sub, max, doc)                                              \
	ROW(m, SHAPE_LIST, 0, AT(c), &sub, NULL, max, doc)

#define STRUCT compare_document_odd
static const struct shape_field odd_rows[] = {
	TEXT(name, "file"),
	TEXT(why, "in what it differs, or why it was left out"),
	{ 0 },
};
static const struct shape odd_shape = { "odd", sizeof(struct STRUCT), odd_rows,
	"A receipt that is not like the others." };
#undef STRUCT

#define STRUCT compare_document_group
static const struct shape_field group_rows[] = {
	TEXT(name, "of the group"),
	COUNT(receipts, "in it"),
	COUNT(good, "with a signature that was checked"),
	COUNT(not_signed, "without one"),
	COUNT(median_of, "receipts, where it is one median"),
	TEXT(jti, "of its earliest receipt, as what follows"),
	TEXT(file, "where it was read"),
	TEXT(label, "its own words"),
	TEXT(started_utc, "when its run began"),
	TEXT(kid, "key that signed it"),
	{ 0 },
};
static const struct shape group_shape = { "group", sizeof(struct STRUCT),
	group_rows, "Receipts that are taken together." };
#undef STRUCT

#define STRUCT compare_document_fact
static const struct shape_field fact_rows[] = {
	TEXT(name, "path in the receipt"),
	ROW(values, SHAPE_TEXTS, 0, AT(value_count), NULL, NULL,
		COMPARE_GROUPS_MAX, "one a group"),
	{ 0 },
};
static const struct shape fact_shape = { "fact", sizeof(struct STRUCT),
	fact_rows, "A fact that is not the same in all groups." };
#undef STRUCT

#define STRUCT compare_document_cell
static const struct shape_field cell_rows[] = {
	TEXT(group, "name"),
	COUNT(n, "values"),
	COUNT(withheld, "receipts in which it is withheld"),
	FLAG(few, "fewer than ten samples lie beyond it"),
	ROW(figures, SHAPE_FIGURES, 0, AT(figure_count), NULL, NULL, 16,
		"median, range, noise and change"),
	TEXT(verdict, "of the change against the first group"),
	{ 0 },
};
static const struct shape cell_shape = { "cell", sizeof(struct STRUCT),
	cell_rows, "A figure of a group." };
#undef STRUCT

#define STRUCT compare_document_metric
static const struct shape_field metric_rows[] = {
	TEXT(name, "of the metric"),
	TEXT(unit, "of its figures"),
	FLAG(higher_is_better, "what the larger figure means"),
	LIST(cells, cell_count, cell_shape, COMPARE_GROUPS_MAX, "one a group"),
	{ 0 },
};
static const struct shape metric_shape = { "metric", sizeof(struct STRUCT),
	metric_rows, "A figure in all groups." };
#undef STRUCT

#define STRUCT compare_document
static const struct shape_field document_rows[] = {
	TEXT(schema, "ioreceipt-compare/1"),
	TEXT(suite, "of the first receipt"),
	TEXT(digest, "of the first receipt's plan"),
	COUNT(receipts, "compared"),
	FLAG(alike, "all have that digest"),
	COUNT(unlike_total, "those that have not"),
	COUNT(left_out_total, "those that are not complete"),
	LIST(unlike, unlike_count, odd_shape, COMPARE_NAMED_MAX,
		"the first of them"),
	LIST(left_out, left_out_count, odd_shape, COMPARE_NAMED_MAX,
		"the first of them"),
	LIST(groups, group_count, group_shape, COMPARE_GROUPS_MAX,
		"the first is what others are held against"),
	LIST(facts, fact_count, fact_shape, COMPARE_FACTS_MAX,
		"of machine and storage, where groups differ"),
	LIST(metrics, metric_count, metric_shape, COMPARE_METRICS_MAX,
		"in the order of the windows"),
	{ 0 },
};
const struct shape compare_show_json_shape = { "compare", sizeof(struct STRUCT),
	document_rows, "Receipts side by side." };
#undef STRUCT
