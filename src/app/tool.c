#include <fcntl.h>
#include <stddef.h>
#include <unistd.h>

#include "app/tool.h"

void
tool_read(struct tool *t)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	t->facts = (struct receipt_tool){
		.name = "ioreceipt",
		.version = IORECEIPT_VERSION,
		.arch = IORECEIPT_ARCH,
		.musl = IORECEIPT_MUSL,
		.bearssl = IORECEIPT_BEARSSL,
		.libaio = IORECEIPT_LIBAIO,
		.jansson = IORECEIPT_JANSSON,
	};
	if (fd < 0)
		return;
	if (digest_fd(fd, t->sha256) == 0)
		t->facts.sha256 = t->sha256;
	close(fd);
}
