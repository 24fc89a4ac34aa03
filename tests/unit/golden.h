/*
 * golden: the fixed receipts of tests/golden, and what each is rendered to,
 * one file beside each.  "test_x --golden" writes those files anew: git shows
 * the difference.
 */
#ifndef GOLDEN_H
#define GOLDEN_H

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/file.h"
#include "receipt/receipt.h"
#include "tap.h"

#define GOLDEN_DIR "tests/golden"

/*
 * baseline	whole and quiet
 * judged	whole, with findings and requirements, on a mirror
 * partial	an I/O error in the middle
 * capped	few samples, a failed check, something left behind
 * refused	nothing was measured
 * hostile	all that the reader lets through
 */
static const char *const golden_names[] = { "baseline", "judged", "partial",
	"capped", "refused", "hostile", NULL };

static inline int
golden_load(const char *name, struct receipt *r, struct arena *a)
{
	struct buf json;
	struct err e;
	char path[128];
	int rc;

	buf_init(&json);
	snprintf(path, sizeof(path), GOLDEN_DIR "/%s.json", name);
	rc = file_read(path, RECEIPT_MAX_BYTES, &json, &e);
	if (rc == 0)
		rc = receipt_read(r, buf_text(&json), json.len, a, &e);
	if (!OK(rc == 0, path))
		printf("# %s\n", e.text);
	buf_free(&json);
	return rc;
}

/* Is text what the file holds?  With `write` it is written instead. */
static inline void
golden_compare(const char *name, const char *ending, const struct buf *text,
	bool write)
{
	struct buf want;
	struct err e;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), GOLDEN_DIR "/%s.%s", name, ending);
	if (write) {
		file = fopen(path, "w");
		OK(file && fwrite(buf_text(text), 1, text->len, file) ==
					text->len,
			path);
		if (file)
			fclose(file);
		return;
	}
	buf_init(&want);
	if (!OK(file_read(path, RECEIPT_MAX_BYTES, &want, &e) == 0 &&
			    !strcmp(buf_text(&want), buf_text(text)),
		    path))
		printf("# differs: make golden, then look at git diff\n");
	buf_free(&want);
}
#endif
