/*
 * sequence_dump GENERATION THREAD COUNT WORDS...
 *
 * Prints the first COUNT I/Os of one thread (0-based) of a job in fio's words,
 * "read 4096" or "write 8192" a line: what the engine would issue.  GENERATION
 * is fio3.34 or fio3.35.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "disk/sequence.h"

static int
dump(const struct job *j, const struct sequence_origin *from, uint64_t count)
{
	struct sequence s;
	struct err e;
	uint64_t offset;
	bool write;

	if (sequence_init(&s, j, from, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	while (count--) {
		sequence_next(&s, &offset, &write);
		printf("%s %llu\n", write ? "write" : "read",
			(unsigned long long)offset);
	}
	sequence_free(&s);
	return ferror(stdout) != 0;
}

int
main(int argc, char **argv)
{
	struct sequence_origin from = { .entropy = 0 };
	struct job j;
	struct err e;
	int i;

	if (argc < 5) {
		fputs("sequence_dump GENERATION THREAD COUNT WORDS...\n",
			stderr);
		return 2;
	}
	from.thread = (uint32_t)atoi(argv[2]);
	from.generation =
		strcmp(argv[1], "fio3.34") ? PLAN_FIO_335 : PLAN_FIO_334;
	job_defaults(&j);
	for (i = 4; i < argc; i++) {
		if (job_parse(&j, argv[i], &e) < 0) {
			fprintf(stderr, "%s\n", e.text);
			return 2;
		}
	}
	if (job_check(&j, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		return 2;
	}
	return dump(&j, &from, strtoull(argv[3], NULL, 10));
}
