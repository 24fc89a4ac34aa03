/*
 * compare_facts: facts by name ("host.kernel", "target.stack[1].scheduler"),
 * so that they can be held against each other whatever they are.
 */
#ifndef RECEIPT_COMPARE_FACTS_H
#define RECEIPT_COMPARE_FACTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/buf.h"
#include "receipt/receipt.h"

#define COMPARE_FACTS_MAX 1024
/* The kinds of the layers in one fact; target.stack[i] are the layers'. */
#define COMPARE_FACTS_STACK "target.stack"
/* "finding.cap" is "warning" where the receipt has that observation. */
#define COMPARE_FACTS_FOUND "finding."

struct compare_fact {
	const char *name, *value; /* value NULL: not all receipts agree */
};

struct compare_facts {
	struct compare_fact *list;
	size_t count;
};

/* The words of a plan, without its digest; of each job by the job's name. */
int compare_facts_plan(
	struct compare_facts *f, const struct receipt_plan *p, struct arena *a);

/*
 * What of the machine, the storage and the tool may explain a difference:
 * not how much is free, which is never the same.
 */
int compare_facts_place(
	struct compare_facts *f, const struct receipt *r, struct arena *a);

/* Facts of f in which other differs have no value from now on. */
void compare_facts_agree(
	struct compare_facts *f, const struct compare_facts *other);

/* The value: NULL where f does not have it, "(varies)" where not all agree. */
const char *compare_facts_get(const struct compare_facts *f, const char *name);

/* Append "NAME is THIS, not THAT; ..." for each word of the two plans. */
void compare_facts_differ(const struct compare_facts *is,
	const struct compare_facts *wanted, struct buf *out);

#endif
