/*
 * show_flow: a labelled line of items, none of them torn: one that does not
 * fit begins the next line, below the first.  Only an item that is longer than
 * a line is broken inside.  Items are cleaned on their way.
 */
#ifndef RECEIPT_SHOW_FLOW_H
#define RECEIPT_SHOW_FLOW_H

#include <stddef.h>

#include "base/buf.h"
#include "base/text.h"
#include "receipt/show_common.h"

struct show_flow {
	struct buf *out;
	const struct text_style *style;
	struct show_common_label label; /* written before the first item */
	size_t gap;			/* blanks between items of a line */
	size_t column;			/* 0: there is no item yet */
};

/*
 * Add an item; `mark` ("," or "") stands behind the item before it.  An empty
 * item is none.
 */
void show_flow_item(struct show_flow *f, const char *mark, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* End the line, where there is one.  The next item would begin another. */
void show_flow_end(struct show_flow *f);

#endif
