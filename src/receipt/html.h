/*
 * html: pages that need nothing but themselves.
 *
 * A page has no script, loads nothing (its own policy forbids both), fits a
 * phone and paper, and is light or dark as its reader's screen is.  Threat: what
 * is shown came out of receipts.  Every text goes through html_text, which
 * escapes what means something to HTML, in quoted attributes too, and makes
 * controls, and marks that turn the direction of text, visible.
 */
#ifndef RECEIPT_HTML_H
#define RECEIPT_HTML_H

#include <stddef.h>

#include "base/buf.h"

/* Escaped; bytes that are no UTF-8 become U+FFFD. */
void html_text(struct buf *b, const char *s);

/* Everything up to the first element of the page; `title` is escaped. */
void html_begin(struct buf *b, const char *title);
void html_end(struct buf *b);

/* <tag>text</tag>; tag is ours and may carry attributes ("h2", "p class=x"). */
void html_element(struct buf *b, const char *tag, const char *text);

/*
 * Lines of the text renderings ("label      text") as a list of labels and what
 * they say; a line without a label goes on with the one above.
 */
void html_lines(struct buf *b, const char *lines);

/* Colours of lines in a plot: class "c0" to "c7". */
#define HTML_COLORS 8

#endif
