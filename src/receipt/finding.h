/*
 * finding: what the figures of a receipt say together.
 *
 * An observation, never a grade: what was seen, the figures, the rule that
 * raised it and where the rule comes from.  Rules are rows of one table, and
 * each threshold stands once, in its row.  They look at the receipt alone,
 * so whoever has it can judge again and compare (receipt/recheck.h).
 *
 * Windows whose checks do not hold, and figures that are withheld, are not
 * judged.  Rules over seconds take the window's series without its first and
 * its last second and want ten of them: of fewer they say nothing.  A rule
 * that holds in several windows is one finding, about the window where it is
 * clearest; its figure "windows" counts them.
 */
#ifndef RECEIPT_FINDING_H
#define RECEIPT_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "receipt/receipt.h"

#define FINDING_LIMITS_MAX 8

struct finding_case;

/* A threshold: what its rule calls it, unit included, and its value. */
struct finding_limit {
	const char *name;
	double value;
};

/*
 * One rule.  The columns, in the order the table gives them; a row whose
 * judge is NULL has limits that several rules share, and raises nothing.
 */
struct finding_rule {
	const char *code;
	void (*judge)(struct finding_case *c);
	/* ended by a NULL name */
	struct finding_limit limits[FINDING_LIMITS_MAX];
	/* In words; {cv_pct} stands for the limit of that name. */
	const char *rule;
	const char *source; /* who says so, or what was measured */
};

#define FINDING_COMMON "common" /* code of the row of shared limits */
#define FINDING_RULES  64	/* rows that a table may have, with its end */

/* The table, ended by a code of NULL. */
const struct finding_rule *finding_rules(void);

/* The row of that code among those that raise something; NULL: none. */
const struct finding_rule *finding_rule(const char *code);

/*
 * Judge r by the table and set r->findings, memory from a; none found leaves
 * an empty list.  Deterministic: the same receipt gives the same findings.
 * The rates of r are those that will be read again (shape_tidy sees to it).
 * -1 = out of memory.
 */
int finding_judge(struct receipt *r, struct arena *a);

/* The same by other rows (tests move one threshold at a time). */
int finding_judge_by(
	const struct finding_rule *rules, struct receipt *r, struct arena *a);

/* Is there a finding of that code (NULL: any) and level (NULL: any)? */
bool finding_has(const struct receipt *r, const char *code, const char *level);

/* The rule's words with its limits put in, memory from a; NULL = no memory. */
char *finding_rule_text(const struct finding_rule *rule, struct arena *a);

#endif
