#include "receipt/show_flow.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SHOW_FLOW_MARK 1 /* columns kept free for the mark behind an item */

static const char show_flow_indent[SHOW_COMMON_LABEL + 1] = "           ";

/* An item that no line can hold: broken as a paragraph is. */
static void
show_flow_break(struct show_flow *f, const char *text)
{
	struct text_style narrow = *f->style;
	struct buf lines;
	const char *last;

	narrow.width -= SHOW_FLOW_MARK;
	buf_init(&lines);
	text_wrap(&lines, show_flow_indent, text, &narrow);
	if (lines.len > SHOW_COMMON_LABEL) {
		lines.data[--lines.len] = '\0';
		last = strrchr(lines.data, '\n');
		f->column = text_columns(last ? last + 1 : lines.data);
		buf_add(f->out, lines.data + SHOW_COMMON_LABEL,
			lines.len - SHOW_COMMON_LABEL);
	}
	f->out->failed |= buf_failed(&lines);
	buf_free(&lines);
}

static void
show_flow_place(struct show_flow *f, const char *mark, const char *text)
{
	size_t width = (size_t)f->style->width - SHOW_FLOW_MARK;
	size_t columns = text_columns(text);

	if (f->column > width)
		mark = ""; /* a broken item filled the line */

	if (f->column == 0) {
		text_colored(f->out,
			*f->label.word ? f->label.color : TEXT_PLAIN,
			f->label.word, f->style);
		buf_repeat(
			f->out, " ", SHOW_COMMON_LABEL - strlen(f->label.word));
		f->column = SHOW_COMMON_LABEL;
	} else {
		buf_str(f->out, mark);
		if (f->column + strlen(mark) + f->gap + columns > width) {
			buf_printf(f->out, "\n%s", show_flow_indent);
			f->column = SHOW_COMMON_LABEL;
		} else {
			buf_repeat(f->out, " ", f->gap);
			f->column += strlen(mark) + f->gap;
		}
	}
	if (f->column + columns > width) {
		show_flow_break(f, text);
		return;
	}
	buf_str(f->out, text);
	f->column += columns;
}

void
show_flow_item(struct show_flow *f, const char *mark, const char *fmt, ...)
{
	char text[5000]; /* longer than any text of a receipt */
	struct buf clean;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	if (!text[0])
		return;
	buf_init(&clean);
	text_clean(&clean, text, f->style->utf8);
	/* marks alone take no column: nothing would stand there */
	if (text_columns(buf_text(&clean)) > 0)
		show_flow_place(f, mark, buf_text(&clean));
	f->out->failed |= buf_failed(&clean);
	buf_free(&clean);
}

void
show_flow_end(struct show_flow *f)
{
	if (f->column > 0)
		buf_char(f->out, '\n');
	f->column = 0;
}
