/*
 * screen: what the reader's terminal can show, and the way out of text.
 *
 * Only stdout and stderr are written, only here.  The environment looked at:
 * NO_COLOR TERM COLUMNS LC_ALL LC_CTYPE LANG.
 */
#ifndef APP_SCREEN_H
#define APP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

enum screen_color { SCREEN_AUTO, SCREEN_ALWAYS, SCREEN_NEVER };

/* "auto", "always", "never" or NULL. */
enum screen_color screen_color_of(const char *word);

/*
 * Style for text that goes to fd: width from the terminal, else COLUMNS,
 * else 80, kept in 40 .. 80; escapes only on a terminal that is not dumb;
 * UTF-8 where the locale says so.
 */
void screen_style(int fd, enum screen_color color, struct text_style *out);

/* May a line be rewritten in place on fd (a terminal, not dumb, not serial)? */
bool screen_is_live(int fd);

/* How long is waited: while a run is supervised, for a line, for a receipt. */
#define SCREEN_NOW_NS	  UINT64_C(20000000)
#define SCREEN_SAY_NS	  UINT64_C(1000000000)
#define SCREEN_PATIENT_NS UINT64_C(5000000000)

/*
 * Write to stdout; ERR_OUTPUT where it is closed, full, or broken.  Waits for a
 * reader that takes its time, until a signal comes (ERR_SIGNAL + n).
 */
int screen_out(const void *data, size_t len, struct err *e);

/*
 * The same for the result of a run: a regular file, which may lie on the disk
 * that hangs, has SCREEN_PATIENT_NS, and so has everything where the run was
 * ended by a signal.
 */
int screen_result(const void *data, size_t len, struct err *e);

/* One line of message to stderr: "ioreceipt: " text LF. Never fails. */
void screen_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Bytes to stderr as they are; lost where it does not take them. */
void screen_note(const void *data, size_t len, uint64_t patience_ns);

#endif
