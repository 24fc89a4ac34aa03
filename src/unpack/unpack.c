#include "unpack/unpack.h"

#include <elf.h>
#include <linux/mman.h>
#include <stddef.h>
#include <sys/syscall.h>

#include <lz4.h>
#include <xxhash.h>

#define PROT_NONE_YET (PROT_READ | PROT_WRITE)
#define MFD_CLOEXEC   1
#define EXIT_REFUSED  2

/* The packed part (Makefile: packed.S) and where it ends. */
extern const unsigned char unpack_data[], unpack_data_end[];

/*
 * There is no libc yet: no TLS, so no errno; nobody has read the auxiliary
 * vector.  A system call gives -errno where it fails.
 */
static long
call(long number, long a, long b, long c, const long rest[3])
{
	register long r10 __asm__("r10") = rest ? rest[0] : 0;
	register long r8 __asm__("r8") = rest ? rest[1] : 0;
	register long r9 __asm__("r9") = rest ? rest[2] : 0;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10),
			 "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static long
map(uint64_t address, uint64_t bytes, int prot, int flags, int fd)
{
	const long rest[3] = { flags, fd, 0 };

	return call(SYS_mmap, (long)address, (long)bytes, prot, rest);
}

__attribute__((noreturn)) static void
die(const char *why)
{
	size_t len = 0;

	while (why[len])
		len++;
	call(SYS_write, 2, (long)why, (long)len, NULL);
	for (;;)
		call(SYS_exit_group, EXIT_REFUSED, 0, 0, NULL);
}

/* Whole pages that hold a segment. */
static uint64_t
first_page(const struct unpack_segment *s)
{
	return s->address & ~(uint64_t)(UNPACK_PAGE_BYTES - 1);
}

static uint64_t
page_bytes(const struct unpack_segment *s)
{
	uint64_t end = s->address + s->size + UNPACK_PAGE_BYTES - 1;

	return (end & ~(uint64_t)(UNPACK_PAGE_BYTES - 1)) - first_page(s);
}

static void
fill(const struct unpack_head *h, const struct unpack_segment *s)
{
	char *to = (char *)(uintptr_t)s->address;
	const char *from = (const char *)h + s->offset;
	long at = map(first_page(s), page_bytes(s), PROT_NONE_YET,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);

	if (at < 0 && at > -UNPACK_PAGE_BYTES)
		die("ioreceipt: not enough memory to unpack this program\n");
	if (at != (long)first_page(s))
		die("ioreceipt: its place in memory is taken\n");
	if (s->packed == 0)
		return;
	if (LZ4_decompress_safe(from, to, (int)s->packed, (int)s->bytes) !=
			(int)s->bytes ||
		XXH32(to, s->bytes, 0) != s->sum)
		die("ioreceipt: this file is damaged; fetch it again\n");
}

/*
 * Where a policy lets no page that was written become code (MDWE, SELinux's
 * execmem): the same bytes from a file in memory.
 */
static int
map_from_file(const struct unpack_segment *s, int prot)
{
	long fd =
		call(SYS_memfd_create, (long)"ioreceipt", MFD_CLOEXEC, 0, NULL);
	uint64_t at = first_page(s), left = page_bytes(s);

	if (fd < 0)
		return -1;
	while (left > 0) {
		long n = call(SYS_write, fd, (long)at, (long)left, NULL);

		if (n <= 0)
			return -1;
		at += (uint64_t)n;
		left -= (uint64_t)n;
	}
	if (map(first_page(s), page_bytes(s), prot, MAP_PRIVATE | MAP_FIXED,
		    (int)fd) != (long)first_page(s))
		return -1;
	call(SYS_close, fd, 0, 0, NULL);
	return 0;
}

static void
protect(const struct unpack_segment *s)
{
	int prot = (s->flags & PF_R ? PROT_READ : 0) |
		   (s->flags & PF_W ? PROT_WRITE : 0) |
		   (s->flags & PF_X ? PROT_EXEC : 0);

	if (prot == PROT_NONE_YET)
		return;
	if (call(SYS_mprotect, (long)first_page(s), (long)page_bytes(s), prot,
		    NULL) != 0 &&
		map_from_file(s, prot) < 0)
		die("ioreceipt: this machine lets no unpacked code run; the "
		    "build leaves an unpacked program beside it "
		    "(ioreceipt.plain)\n");
}

/* What the kernel says of us must be said of the real program. */
static void
correct_auxv(long *stack, const struct unpack_head *h)
{
	Elf64_auxv_t *a;
	long *at = stack + 1 + stack[0] + 1; /* argc, argv, NULL */

	while (*at++)
		;
	for (a = (Elf64_auxv_t *)at; a->a_type != AT_NULL; a++) {
		if (a->a_type == AT_PHDR)
			a->a_un.a_val = h->headers;
		else if (a->a_type == AT_PHNUM)
			a->a_un.a_val = h->header_count;
		else if (a->a_type == AT_ENTRY)
			a->a_un.a_val = h->entry;
	}
}

/* stack: as the kernel left it.  Returns where the real program begins. */
uint64_t unpack_all(long *stack);

__attribute__((used)) uint64_t
unpack_all(long *stack)
{
	const struct unpack_head *h = (const void *)unpack_data;
	struct unpack_head copy;
	uint32_t i;

	if (h->magic != UNPACK_MAGIC || h->count > UNPACK_SEGMENTS)
		die("ioreceipt: this file is damaged; fetch it again\n");
	copy = *h;
	for (i = 0; i < copy.count; i++)
		fill(h, &copy.segments[i]);
	for (i = 0; i < copy.count; i++)
		protect(&copy.segments[i]);
	correct_auxv(stack, &copy);
	call(SYS_munmap, (long)unpack_data,
		(long)(unpack_data_end - unpack_data), 0, NULL);
	return copy.entry;
}

/* The first instructions: keep the kernel's stack for the real program. */
__asm__(".globl unpack_start\n"
	"unpack_start:\n"
	"	xor %ebp, %ebp\n"
	"	mov %rsp, %rbx\n"
	"	mov %rsp, %rdi\n"
	"	and $-16, %rsp\n"
	"	call unpack_all\n"
	"	mov %rbx, %rsp\n"
	"	xor %edx, %edx\n"
	"	jmp *%rax\n");
