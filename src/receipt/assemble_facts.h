/*
 * assemble_facts: the parts of a receipt that only say what is known: the
 * head, the clock, the plan, the host, the target.  Part of assemble; nobody
 * else includes it.
 */
#ifndef RECEIPT_ASSEMBLE_FACTS_H
#define RECEIPT_ASSEMBLE_FACTS_H

#include "base/arena.h"
#include "receipt/assemble.h"
#include "receipt/receipt.h"

/* Texts stay borrowed from in; the rest is in a.  -1 = out of memory. */
int assemble_facts(
	const struct assemble *in, struct receipt *out, struct arena *a);

/* A job in the receipt's words; memory as above. */
int assemble_facts_job(
	struct receipt_job *to, const struct job *from, struct arena *a);

#endif
