/*
 * pack PROGRAM: print the packed part of a static ELF program (src/unpack).
 *
 * Runs where the program is built.  Refuses what unpack.c could not start: other
 * machines, position-independent programs, segments that share a page.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lz4hc.h>
#include <xxhash.h>

#include "unpack/unpack.h"

static void
die(const char *what)
{
	fprintf(stderr, "pack: %s\n", what);
	exit(1);
}

static char *
read_all(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *data = malloc(UNPACK_SEGMENT_MAX);

	if (!f || !data)
		die("cannot read the program");
	*len = fread(data, 1, UNPACK_SEGMENT_MAX, f);
	fclose(f);
	return data;
}

static void
check_program(const Elf64_Ehdr *e, size_t len)
{
	if (len < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG) != 0 ||
		e->e_ident[EI_CLASS] != ELFCLASS64)
		die("it is no 64-bit ELF program");
	if (e->e_type != ET_EXEC || e->e_machine != EM_X86_64)
		die("it is no static program of fixed address for x86_64");
	if (e->e_phoff + e->e_phnum * sizeof(Elf64_Phdr) > len)
		die("it is cut");
}

/* One segment, compressed behind what there is; returns the new length. */
static size_t
pack(struct unpack_segment *s, const Elf64_Phdr *p, const char *data,
	char **out, size_t at)
{
	int most = LZ4_compressBound((int)p->p_filesz), n = 0;

	*out = realloc(*out, at + (size_t)most + 8);
	if (!*out)
		die("out of memory");
	if (p->p_filesz)
		n = LZ4_compress_HC(data + p->p_offset, *out + at,
			(int)p->p_filesz, most, LZ4HC_CLEVEL_MAX);
	*s = (struct unpack_segment){ .address = p->p_vaddr,
		.size = (uint32_t)p->p_memsz,
		.bytes = (uint32_t)p->p_filesz,
		.packed = (uint32_t)n,
		.offset = (uint32_t)at,
		.sum = XXH32(data + p->p_offset, p->p_filesz, 0),
		.flags = p->p_flags };
	return at + (size_t)n;
}

/* The headers lie in a segment, so that they have an address. */
static uint64_t
headers_address(const Elf64_Ehdr *e, const Elf64_Phdr *p)
{
	int i;

	for (i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_offset <= e->e_phoff &&
			e->e_phoff + e->e_phnum * sizeof(*p) <=
				p[i].p_offset + p[i].p_filesz)
			return p[i].p_vaddr + e->e_phoff - p[i].p_offset;
	die("its program headers are not loaded");
	return 0;
}

int
main(int argc, char **argv)
{
	struct unpack_head h = { .magic = UNPACK_MAGIC };
	uint64_t last_page = 0;
	size_t len, at = sizeof(h);
	const Elf64_Ehdr *e;
	const Elf64_Phdr *p;
	char *data, *out;
	int i;

	if (argc != 2)
		die("usage: pack PROGRAM >PACKED");
	data = read_all(argv[1], &len);
	e = (const void *)data;
	check_program(e, len);
	p = (const void *)(data + e->e_phoff);
	out = calloc(1, sizeof(h));
	for (i = 0; i < e->e_phnum; i++) {
		if (p[i].p_type != PT_LOAD)
			continue;
		if (h.count == UNPACK_SEGMENTS)
			die("it has too many segments");
		if (p[i].p_offset + p[i].p_filesz > len ||
			p[i].p_memsz >= UNPACK_SEGMENT_MAX)
			die("a segment is cut, or too large");
		if (p[i].p_vaddr / UNPACK_PAGE_BYTES <= last_page && h.count)
			die("two segments share a page");
		last_page =
			(p[i].p_vaddr + p[i].p_memsz - 1) / UNPACK_PAGE_BYTES;
		at = pack(&h.segments[h.count++], &p[i], data, &out, at);
	}
	h.entry = e->e_entry;
	h.headers = headers_address(e, p);
	h.header_count = e->e_phnum;
	memcpy(out, &h, sizeof(h));
	if (fwrite(out, 1, at, stdout) != at || fflush(stdout))
		die("cannot write");
	return 0;
}
