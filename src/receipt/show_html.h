/*
 * show_html: a receipt as one page (html.h): the state, the figures, the
 * distributions, every second, the stack, the findings, who signed it.
 */
#ifndef RECEIPT_SHOW_HTML_H
#define RECEIPT_SHOW_HTML_H

#include "base/buf.h"
#include "receipt/receipt.h"

/* What was found out of its signature; it is never called trusted. */
struct show_html_signature {
	const char *kid;   /* good, by that key */
	const char *fault; /* not good: a sentence; both NULL: not signed */
};

void show_html(const struct receipt *r, const struct show_html_signature *s,
	struct buf *out);

#endif
