#include "receipt/html.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "receipt/show_common.h"

#define TITLE_MAX 60 /* bytes */

/* Marks that turn or isolate text: what is read would not be what is there. */
static int
is_turning(uint32_t c)
{
	return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
	       c == 0x200e || c == 0x200f || c == 0x61c;
}

static void
put(struct buf *b, const char *s, size_t n, uint32_t point)
{
	if (point == '&')
		buf_str(b, "&amp;");
	else if (point == '<')
		buf_str(b, "&lt;");
	else if (point == '>')
		buf_str(b, "&gt;");
	else if (point == '"')
		buf_str(b, "&quot;");
	else if (point == '\'')
		buf_str(b, "&#39;");
	else if (point == '\n' || point == '\t')
		buf_char(b, ' ');
	else if (utf8_is_control(point) || is_turning(point))
		buf_str(b, "\xef\xbf\xbd");
	else
		buf_add(b, s, n);
}

void
html_text(struct buf *b, const char *s)
{
	size_t len = s ? strlen(s) : 0, i, n;
	uint32_t point = 0;

	for (i = 0; i < len; i += n) {
		n = utf8_next(s + i, len - i, &point);
		if (n > 0) {
			put(b, s + i, n, point);
			continue;
		}
		buf_str(b, "\xef\xbf\xbd");
		n = 1;
	}
}

/* Two palettes of the same names; figures stand in columns of one width. */
static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1a1f26;--dim:#5a6472;"
	"--line:#d5dae1;--card:#f5f7f9;--good:#116329;--warn:#8a4b00;"
	"--bad:#a40e26;--c0:#0b57b0;--c1:#b3420f;--c2:#1a7f37;--c3:#8250df;"
	"--c4:#bf3989;--c5:#0a7b83;--c6:#7a5c00;--c7:#57606a}"
	"@media(prefers-color-scheme:dark){:root{--bg:#0e1116;--fg:#e4e9ef;"
	"--dim:#98a3b0;--line:#2c343e;--card:#161b22;--good:#56d364;"
	"--warn:#e3b341;--bad:#ff8f8f;--c0:#6cb6ff;--c1:#ff9e64;--c2:#56d364;"
	"--c3:#c79bff;--c4:#ff8cc8;--c5:#4fd1d9;--c6:#e3c341;--c7:#adb7c2}}"
	"*{box-sizing:border-box}body{margin:0 "
	"auto;max-width:62rem;overflow-wrap:anywhere;"
	"padding:1.2rem 1rem 3rem;background:var(--bg);color:var(--fg);"
	"font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif}"
	"h1{font-size:1.35rem;margin:.2rem 0}h2{font-size:1.05rem;"
	"margin:2rem 0 .6rem;padding-bottom:.25rem;"
	"border-bottom:1px solid var(--line)}h3{font-size:.95rem;"
	"margin:1.2rem 0 .2rem}p{margin:.3rem 0}.dim{color:var(--dim)}"
	".good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}"
	".state{font-weight:700;letter-spacing:.04em}"
	"code{font:.92em ui-monospace,Menlo,Consolas,monospace;"
	"overflow-wrap:anywhere}dl{display:grid;"
	"grid-template-columns:minmax(7rem,max-content) 1fr;gap:.15rem "
	".8rem;margin:.3rem 0}"
	"dt{color:var(--dim)}dd{margin:0;min-width:0;overflow-wrap:anywhere}"
	"table{border-collapse:collapse;width:100%;"
	"font-variant-numeric:tabular-nums}caption{text-align:left;"
	"color:var(--dim);padding-bottom:.3rem}th,td{padding:.28rem .5rem;"
	"text-align:right;border-bottom:1px solid var(--line)}"
	"th:first-child,td:first-child{text-align:left;"
	"overflow-wrap:anywhere}thead th{color:var(--dim);font-weight:600}"
	"ul{padding-left:1.1rem;margin:.3rem 0}li{margin:.35rem 0;"
	"overflow-wrap:anywhere}figure{margin:.6rem 0 1.2rem}"
	"figcaption{color:var(--dim);font-size:.9rem}"
	"svg{width:100%;height:auto;display:block;background:var(--card);"
	"border:1px solid var(--line);border-radius:4px}"
	"svg text{fill:var(--dim);font-size:11px;"
	"font-family:system-ui,sans-serif}svg .g{stroke:var(--line)}"
	"svg path{fill:none;stroke-width:1.7;stroke-linejoin:round}"
	".c0{stroke:var(--c0);color:var(--c0)}.c1{stroke:var(--c1);"
	"color:var(--c1)}.c2{stroke:var(--c2);color:var(--c2)}"
	".c3{stroke:var(--c3);color:var(--c3)}.c4{stroke:var(--c4);"
	"color:var(--c4)}.c5{stroke:var(--c5);color:var(--c5)}"
	".c6{stroke:var(--c6);color:var(--c6)}.c7{stroke:var(--c7);"
	"color:var(--c7)}.late{stroke-dasharray:6 3}"
	".key{display:inline-block;margin-right:1rem;white-space:nowrap}"
	".key b{color:inherit}.spark{display:block;width:100%;height:2.2rem;"
	"border:0;background:none}"
	"@media(max-width:44rem){thead{position:absolute;clip-path:inset(50%);"
	"width:1px;height:1px;overflow:hidden}table,tbody{display:block}"
	"caption{display:block}td:empty{display:none}"
	"svg text{font-size:20px}"
	"tr{display:grid;grid-template-columns:repeat(4,1fr);"
	"border-bottom:1px solid var(--line);padding:.3rem 0}"
	"td{border:0;padding:.1rem .3rem;text-align:left}"
	"td:first-child{grid-column:1/-1;font-weight:600}"
	"td[data-h]::before{content:attr(data-h);display:block;"
	"color:var(--dim);font-size:.75rem}dl{grid-template-columns:1fr}"
	"dd{margin-bottom:.4rem}}"
	"@media print{body{max-width:none;padding:0;font-size:11px}"
	"h2{break-after:avoid}figure,tr{break-inside:avoid}}";

/* A title is a line of a list of tabs: so much of it, whole characters. */
static void
put_title(struct buf *b, const char *title)
{
	size_t len = strlen(title), cut = len < TITLE_MAX ? len : TITLE_MAX;
	struct buf part;

	while (cut > 0 && cut < len &&
		((unsigned char)title[cut] & 0xc0) == 0x80)
		cut--;
	buf_init(&part);
	buf_add(&part, title, cut);
	html_text(b, buf_text(&part));
	if (cut < len)
		buf_str(b, "...");
	b->failed |= buf_failed(&part);
	buf_free(&part);
}

void
html_begin(struct buf *b, const char *title)
{
	buf_str(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
		   "<meta charset=\"utf-8\">\n"
		   "<meta http-equiv=\"Content-Security-Policy\" content=\""
		   "default-src 'none'; style-src 'unsafe-inline'; "
		   "base-uri 'none'; form-action 'none'\">\n"
		   "<meta name=\"viewport\" content=\"width=device-width, "
		   "initial-scale=1\">\n"
		   "<meta name=\"referrer\" content=\"no-referrer\">\n<title>");
	put_title(b, title);
	buf_str(b, "</title>\n<style>");
	buf_str(b, style);
	buf_str(b, "</style>\n</head>\n<body>\n");
}

void
html_end(struct buf *b)
{
	buf_str(b, "</body>\n</html>\n");
}

void
html_element(struct buf *b, const char *tag, const char *text)
{
	buf_printf(b, "<%s>", tag);
	html_text(b, text);
	buf_printf(b, "</%.*s>\n", (int)strcspn(tag, " "), tag);
}

/* A label is the first columns of a line, where they are not blank. */
static size_t
label_bytes(const char *line, size_t len)
{
	size_t n = len < SHOW_COMMON_LABEL ? len : SHOW_COMMON_LABEL;

	while (n > 0 && line[n - 1] == ' ')
		n--;
	return n;
}

static void
put_part(struct buf *b, const char *s, size_t len)
{
	struct buf part;

	while (len > 0 && *s == ' ') {
		s++;
		len--;
	}
	buf_init(&part);
	buf_add(&part, s, len);
	html_text(b, buf_text(&part));
	b->failed |= buf_failed(&part);
	buf_free(&part);
}

void
html_lines(struct buf *b, const char *lines)
{
	bool open = false;

	for (; *lines; lines += *lines == '\n') {
		size_t len = strcspn(lines, "\n"), label;

		label = label_bytes(lines, len);
		if (label > 0) {
			buf_str(b, open ? "</dd>\n<dt>" : "<dl>\n<dt>");
			put_part(b, lines, label);
			buf_str(b, "</dt><dd>");
			open = true;
		} else if (open && len > 0) {
			buf_str(b, "<br>");
		}
		if (len > SHOW_COMMON_LABEL && open)
			put_part(b, lines + SHOW_COMMON_LABEL,
				len - SHOW_COMMON_LABEL);
		lines += len;
	}
	if (open)
		buf_str(b, "</dd>\n</dl>\n");
}
