/*
 * tool: what this program is: version, libraries, the binary's own digest.
 */
#ifndef APP_TOOL_H
#define APP_TOOL_H

#include "crypto/digest.h"
#include "receipt/receipt.h"

struct tool {
	struct receipt_tool facts; /* points into this struct and constants */
	char sha256[DIGEST_HEX_SIZE];
};

/* When this version was released, seconds since 1970: no clock is right that
 * says less. 2026-11-30. */
#define TOOL_RELEASED_S INT64_C(1795996800)

/* Fill t.  Where /proc is not there the digest is absent. */
void tool_read(struct tool *t);

#endif
