/*
 * trust: whose certificates count: the built-in authorities, or those of a file.
 *
 * The built-in ones are Mozilla's, out of Debian's package ca-certificates;
 * third_party/roots.c makes the table (see trust_read.h).  They are never the
 * ones of the machine that measures, nor of the one that builds.
 */
#ifndef NET_TRUST_H
#define NET_TRUST_H

#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct trust {
	struct buf table; /* of a file; "" for the built-in ones */
	void *anchors;	  /* br_x509_trust_anchor[count], points into a table */
	size_t count;
};

/* Of which the built-in table was made; third_party/roots.c writes it. */
struct trust_roots {
	const unsigned char *table;
	size_t len;
	unsigned count;
	const char *package; /* "ca-certificates 20250419" */
	const char *sha256;  /* of the table */
};
extern const struct trust_roots trust_roots;

void trust_init(struct trust *t);
void trust_free(struct trust *t);

/* The built-in ones; ERR_UPLOAD without memory. */
int trust_builtin(struct trust *t, struct err *e);

/*
 * Those of a PEM file instead, up to 1 MiB.  A certificate that may not sign
 * others is trusted itself.  now_s: those whose time is over are left out.
 * ERR_OPEN, ERR_INPUT: with what it holds instead.
 */
int trust_file(struct trust *t, const char *path, int64_t now_s, struct err *e);

#endif
