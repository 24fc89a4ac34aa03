/*
 * recheck: judge a receipt again and compare with what it says.
 *
 * Findings are made of the receipt alone, so anybody can: what differs was
 * changed by somebody, or judged by another version's rules.  What is
 * required is held again to the figures and to the findings made anew.
 */
#ifndef RECEIPT_RECHECK_H
#define RECEIPT_RECHECK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/text.h"
#include "receipt/receipt.h"

/*
 * Append what was found to out, a line for each finding and requirement of
 * the receipt and of the second judging.  Do they say the same?  1, 0, -1 out
 * of memory.  Memory from a; r's own findings and requirements stay.
 */
int recheck(const struct receipt *r, const struct text_style *style,
	struct buf *out, struct arena *a, struct err *e);

/*
 * Threat: a receipt is anybody's words, and a command in it asks to be pasted
 * into a shell.  Takes out of r's findings each command that judging r again
 * does not give.  -1 = out of memory.
 */
int recheck_commands(struct receipt *r, struct arena *a, struct err *e);

#endif
