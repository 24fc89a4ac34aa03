#include "disk/touch.h"

#include <link.h>
#include <stdint.h>
#include <sys/mman.h>

#define TOUCH_PAGE_BYTES  4096
#define TOUCH_STACK_BYTES (32 << 10)

/* The image holds red zones of the sanitizer, which are no error to read. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TOUCH_UNCHECKED __attribute__((no_sanitize("address")))
#endif
#endif
#ifndef TOUCH_UNCHECKED
#define TOUCH_UNCHECKED
#endif

TOUCH_UNCHECKED void
touch_read(const void *p, size_t bytes)
{
	const volatile unsigned char *at = p;
	size_t i;

	for (i = 0; i < bytes; i += TOUCH_PAGE_BYTES)
		(void)at[i];
	if (bytes)
		(void)at[bytes - 1];
}

TOUCH_UNCHECKED void
touch_write(void *p, size_t bytes)
{
	volatile unsigned char *at = p;
	size_t i;

	for (i = 0; i < bytes; i += TOUCH_PAGE_BYTES)
		at[i] = at[i];
	if (bytes)
		at[bytes - 1] = at[bytes - 1];
}

void
touch_let_go(void *p, size_t bytes)
{
	uintptr_t mask = TOUCH_PAGE_BYTES - 1;
	uintptr_t from = ((uintptr_t)p + mask) & ~mask;
	uintptr_t to = ((uintptr_t)p + bytes) & ~mask;

	if (from < to)
		madvise((void *)from, to - from, MADV_DONTNEED);
}

__attribute__((noinline)) void
touch_stack(void)
{
	volatile unsigned char room[TOUCH_STACK_BYTES];
	size_t i;

	for (i = 0; i < sizeof(room); i += TOUCH_PAGE_BYTES / 2)
		room[i] = 0;
}

/* What becomes read-only after relocation, none if the image has no such. */
static void
touch_find_relro(
	const struct dl_phdr_info *image, uintptr_t *from, uintptr_t *to)
{
	int i;

	*from = *to = 0;
	for (i = 0; i < image->dlpi_phnum; i++) {
		if (image->dlpi_phdr[i].p_type != PT_GNU_RELRO)
			continue;
		*from = image->dlpi_addr + image->dlpi_phdr[i].p_vaddr;
		*to = *from + image->dlpi_phdr[i].p_memsz;
		/* The loader protects the whole pages of it. */
		*from &= ~(uintptr_t)(TOUCH_PAGE_BYTES - 1);
		*to &= ~(uintptr_t)(TOUCH_PAGE_BYTES - 1);
	}
}

static void
touch_part(uintptr_t from, uintptr_t to)
{
	if (from < to)
		touch_write((void *)from, to - from);
}

/*
 * src/apart.ld has them, where it is linked with (what ships, and no test).
 */
extern const char touch_apart_code[] __attribute__((weak));
extern const char touch_apart_code_end[] __attribute__((weak));
extern const char touch_apart_data[] __attribute__((weak));
extern const char touch_apart_data_end[] __attribute__((weak));

#define TOUCH_APART 2

struct touch_range {
	uintptr_t from, to;
};

static void
touch_find_apart(struct touch_range out[TOUCH_APART])
{
	out[0] = (struct touch_range){ (uintptr_t)touch_apart_code,
		(uintptr_t)touch_apart_code_end };
	out[1] = (struct touch_range){ (uintptr_t)touch_apart_data,
		(uintptr_t)touch_apart_data_end };
}

void
touch_leave_apart(void)
{
	struct touch_range apart[TOUCH_APART];
	int i;

	touch_find_apart(apart);
	for (i = 0; i < TOUCH_APART; i++)
		if (apart[i].from < apart[i].to)
			munmap((void *)apart[i].from,
				apart[i].to - apart[i].from);
}

/* All but what is apart. */
static void
touch_read_image(uintptr_t from, uintptr_t to)
{
	struct touch_range apart[TOUCH_APART];
	int i;

	touch_find_apart(apart);
	for (i = 0; i < TOUCH_APART; i++) {
		if (apart[i].from >= apart[i].to || apart[i].from < from ||
			apart[i].to > to)
			continue;
		touch_read((void *)from, apart[i].from - from);
		from = apart[i].to;
	}
	if (from < to)
		touch_read((void *)from, to - from);
}

static int
touch_one_image(struct dl_phdr_info *image, size_t size, void *unused)
{
	uintptr_t from, to, relro_from, relro_to;
	int i;

	(void)size;
	(void)unused;
	touch_find_relro(image, &relro_from, &relro_to);
	for (i = 0; i < image->dlpi_phnum; i++) {
		if (image->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		from = image->dlpi_addr + image->dlpi_phdr[i].p_vaddr;
		to = from + image->dlpi_phdr[i].p_memsz;
		if (image->dlpi_phdr[i].p_flags & PF_R)
			touch_read_image(from, to);
		if (!(image->dlpi_phdr[i].p_flags & PF_W))
			continue;
		if (relro_to <= from || to <= relro_from) {
			touch_part(from, to);
		} else {
			touch_part(from, relro_from);
			touch_part(relro_to, to);
		}
	}
	return 0;
}

void
touch_image(void)
{
	dl_iterate_phdr(touch_one_image, NULL);
}
