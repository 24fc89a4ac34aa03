/*
 * touch: makes pages present before a measured window needs them, so that
 * none is faulted in while it runs.  Content is never changed.
 */
#ifndef DISK_TOUCH_H
#define DISK_TOUCH_H

#include <stddef.h>

void touch_read(const void *p, size_t bytes);

/*
 * Writes each page's first byte back: only for memory that nobody else
 * writes at this moment.
 */
void touch_write(void *p, size_t bytes);

/* The other way: whole pages inside, zero from now on, take no memory. */
void touch_let_go(void *p, size_t bytes);

/* What the calling thread's stack may need below this call: 32 KiB. */
void touch_stack(void);

/*
 * Let go of the program's code and tables that src/apart.ld has put apart, for
 * good: nothing of app, receipt, crypto, net, boot, jansson, BearSSL may be
 * called from here on.  For a forked process that only measures.  Does nothing
 * where the program was linked without it.
 */
void touch_leave_apart(void);

/*
 * Text, read-only data, data and bss of this program (and of the C library
 * where it is a shared one).  After a fork the data pages are copied here
 * and not at the first write inside a window.  Call while no other thread
 * runs.
 */
void touch_image(void);

#endif
