/* stack_sentence of stack.h. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/units.h"
#include "host/stack.h"

/* What stands in brackets behind a name, a comma between. */
static void
detail_add(struct buf *b, const char *text)
{
	if (text[0])
		buf_printf(b, "%s%s", b->len ? ", " : "", text);
}

static void
details(struct buf *b, const struct stack_layer *l)
{
	char size[32];

	switch (l->kind) {
	case STACK_DISK:
	case STACK_MEMORY:
		detail_add(
			b, l->kind == STACK_MEMORY ? "memory" : l->transport);
		if (l->size_bytes != STACK_UNKNOWN)
			detail_add(b,
				units_bytes(l->size_bytes, size, sizeof(size)));
		detail_add(b, l->kind == STACK_DISK ? l->scheduler : "");
		break;
	case STACK_DM:
	case STACK_MD:
	case STACK_OTHER:
		if (l->name[0])
			detail_add(b, l->layer);
		break;
	case STACK_FILESYSTEM:
	case STACK_PARTITION:
	case STACK_LOOP:
	default:
		break;
	}
}

void
stack_sentence(const struct stack *s, char *out, unsigned size)
{
	const struct stack_layer *l;
	struct buf all, one;
	unsigned i;

	buf_init(&all);
	buf_init(&one);
	for (i = 0; i < s->count; i++) {
		l = &s->layers[i];
		/* no deeper than the one before: another branch */
		if (i)
			buf_str(&all, l->depth > s->layers[i - 1].depth
					      ? " on "
					      : " + ");
		buf_str(&all, l->name[0]		    ? l->name
			      : l->kind == STACK_FILESYSTEM ? l->layer
							    : "a block device");
		buf_reset(&one);
		details(&one, l);
		if (one.len)
			buf_printf(&all, " (%s)", buf_text(&one));
	}
	snprintf(out, size, "%s", buf_text(&all));
	if (all.len >= size && size > 4)
		memcpy(out + size - 4, "...", 4);
	buf_free(&one);
	buf_free(&all);
}
