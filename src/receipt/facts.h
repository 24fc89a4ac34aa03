/*
 * facts: the machine and the storage stack below a directory, as a receipt
 * would have them, without a run: struct receipt_facts of receipt.h.
 */
#ifndef RECEIPT_FACTS_H
#define RECEIPT_FACTS_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"
#include "host/pressure.h"
#include "receipt/assemble.h"
#include "receipt/receipt.h"

/* What the facts are made of; all of it borrowed. */
struct facts_source {
	/* tool, host, view (NULL = the directory cannot be looked at), dir,
	   started_s, clock_state, clock_read_cost_ns */
	struct assemble known;
	const struct pressure_sample *sample; /* one, just taken */
	bool runqueue_told;
	const struct plan *plan; /* of the run that was judged */
	const char *refused;	 /* the guard's sentence, NULL = none */
};

/* Memory from a; texts without the paths of the machine.  -1 with e. */
int facts_make(struct receipt_facts *out, const struct facts_source *from,
	struct arena *a, struct err *e);

/* One line of JSON and an LF appended to out. */
int facts_write(const struct receipt_facts *f, struct buf *out, struct err *e);

/* The JSON Schema, for src/receipt/facts.schema.json. */
int facts_schema(struct buf *out, struct err *e);

/*
 * A table of labelled lines, as the upper part of a receipt's.  What the
 * machine does not tell is named in a line of its own.
 */
void facts_show(const struct receipt_facts *f, const struct text_style *style,
	struct buf *out);

#endif
