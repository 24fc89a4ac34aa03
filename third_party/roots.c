/*
 * roots PACKAGE RELEASED FILE...: print the table of built-in authorities as C
 * (net/trust.h, net/trust_read.h).
 *
 * The files are those of Debian's package ca-certificates, one authority each.
 * One whose time was over at RELEASED (seconds since 1970) is left out, and told
 * on stderr.  The same input gives the same output, whenever it is made.
 */
#include <stdio.h>
#include <stdlib.h>

#include <bearssl_hash.h>

#include "base/file.h"
#include "base/units.h"
#include "net/trust_read.h"

#define LEAST 100 /* fewer are not the list */

static void
die(const char *what, const char *why)
{
	fprintf(stderr, "roots: %s: %s\n", what, why);
	exit(1);
}

static void
take(struct buf *table, const char *path, struct trust_read *r)
{
	unsigned expired = r->expired;
	struct err e = { 0 };
	struct buf text;

	buf_init(&text);
	if (file_read(path, (size_t)1 << 20, &text, &e) < 0 ||
		trust_read_pem(table, buf_text(&text), text.len, r, &e) < 0)
		die(path, e.text);
	if (r->expired > expired)
		fprintf(stderr, "  ROOTS  left out, its time is over: %s\n",
			path);
	buf_free(&text);
}

static void
print(const struct buf *table, unsigned count, const char *package)
{
	unsigned char digest[br_sha256_SIZE];
	br_sha256_context ctx;
	size_t i;

	br_sha256_init(&ctx);
	br_sha256_update(&ctx, table->data, table->len);
	br_sha256_out(&ctx, digest);
	printf("/* made by third_party/roots.c */\n"
	       "#include \"net/trust.h\"\n\n"
	       "static const unsigned char table[%zu] = {",
		table->len);
	for (i = 0; i < table->len; i++)
		printf("%s%u,", i % 20 ? "" : "\n",
			(unsigned)(unsigned char)table->data[i]);
	printf("\n};\n\nconst struct trust_roots trust_roots = { table, "
	       "sizeof(table), %u,\n\t\"%s\",\n\t\"",
		count, package);
	for (i = 0; i < sizeof(digest); i++)
		printf("%02x", digest[i]);
	printf("\" };\n");
}

int
main(int argc, char **argv)
{
	struct trust_read r = { 0 };
	struct err e = { 0 };
	struct buf table;
	uint64_t released = 0;
	int i;

	if (argc < 4 ||
		units_parse_u64(argv[2], 0, INT64_MAX, &released, &e) < 0)
		die("usage", "roots PACKAGE RELEASED FILE...");
	r.now_s = (int64_t)released;
	buf_init(&table);
	for (i = 3; i < argc; i++)
		take(&table, argv[i], &r);
	if (r.taken < LEAST || buf_failed(&table))
		die(argv[1], "has too few authorities to be the list");
	print(&table, r.taken, argv[1]);
	fprintf(stderr, "  ROOTS  %u authorities, %zu bytes, of %s\n", r.taken,
		table.len, argv[1]);
	buf_free(&table);
	return fflush(stdout) ? 1 : 0;
}
