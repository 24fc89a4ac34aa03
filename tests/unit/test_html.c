#include "receipt/html.h"

#include "tap.h"

static const char *const rows[][2] = { { "plain", "plain" },
	{ "<a href=\"x\" id='y'>&amp;", "&lt;a href=&quot;x&quot; "
					"id=&#39;y&#39;&gt;&amp;amp;" },
	{ "a\nb\tc", "a b c" },
	{ "\x1b[31m\x07\x7f", "\xef\xbf\xbd[31m\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xe2\x80\xae"
	  "exe",
		"\xef\xbf\xbd"
		"exe" },
	{ "\xc3\xa9\xff\xc3", "\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd" },
	{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" }, { "", "" } };

int
main(void)
{
	struct buf b;

	buf_init(&b);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_reset(&b);
		html_text(&b, rows[i][0]);
		EQ_STR(buf_text(&b), rows[i][1], "escaped");
	}
	buf_reset(&b);
	html_text(&b, NULL);
	EQ_U64(b.len, 0, "nothing");
	html_element(&b, "p class=\"x\"", "a<b");
	EQ_STR(buf_text(&b), "<p class=\"x\">a&lt;b</p>\n", "an element");
	buf_reset(&b);
	html_lines(&b, "machine    one\n           two & more\nstorage    x\n");
	EQ_STR(buf_text(&b),
		"<dl>\n<dt>machine</dt><dd>one<br>two &amp; more</dd>\n"
		"<dt>storage</dt><dd>x</dd>\n</dl>\n",
		"lines with labels");
	buf_reset(&b);
	html_lines(&b, "");
	EQ_STR(buf_text(&b), "", "no lines");
	buf_reset(&b);
	html_begin(&b, "A title that goes on for so long that nobody can read "
		       "it in a tab, \xc3\xa9\xc3\xa9\xc3\xa9 ever");
	OK(strstr(buf_text(&b), "nobody can r...</title>") ||
			strstr(buf_text(&b), "...</title>"),
		"a long title is cut");
	OK(strstr(buf_text(&b), "default-src 'none'") != NULL,
		"and the page has its policy");
	buf_free(&b);
	return tap_done();
}
