#include <stddef.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/screen.h"
#include "app/tool.h"
#include "base/buf.h"
#include "net/trust.h"

const struct option_row cmd_version_rows[] = {
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

int
cmd_version(int argc, char **argv)
{
	struct tool t = { 0 };
	struct err e = { 0 };
	struct buf out;
	int operands = 1,
	    rc = command_scan("version", argc, argv, NULL, &operands);

	if (rc >= 0)
		return rc;
	tool_read(&t);
	buf_init(&out);
	buf_printf(&out, "ioreceipt %s %s\n", t.facts.version, t.facts.arch);
	if (t.facts.sha256)
		buf_printf(&out, "sha256 %s\n", t.facts.sha256);
	buf_printf(&out, "musl %s\nbearssl %s\nlibaio %s\njansson %s\n",
		t.facts.musl, t.facts.bearssl, t.facts.libaio, t.facts.jansson);
	buf_printf(&out, "roots %s, %u authorities, sha256 %s\n",
		trust_roots.package, trust_roots.count, trust_roots.sha256);
	rc = screen_out(buf_text(&out), out.len, &e);
	buf_free(&out);
	return rc < 0 ? command_fail(&e) : 0;
}
