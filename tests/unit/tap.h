/*
 * tap.h: the whole test framework.  One program per src file; each check prints
 * a TAP line, so that prove(1), make and a bare shell can all run it.
 *
 *	OK(expr, what)			true?  The value is returned, too.
 *	EQ_U64 EQ_I64(got, want, what)	equal?  A failure prints both.
 *	EQ_STR(got, want, what)		a NULL in got is a failure, no crash
 *	SKIP(why)			a tool or a right is missing; fails in CI
 *	return tap_done();		last line of main: the plan, the status
 */
#ifndef TAP_H
#define TAP_H
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

/* flushed at once: a crash or a fork must not lose or double a line */
static inline int
tap_report(int ok, const char *file, int line, const char *what)
{
	printf("%sok %d - %s\n", ok ? "" : "not ", ++tap_count, what);
	if (!ok) {
		tap_failed++;
		printf("# at %s:%d\n", file, line);
	}
	fflush(stdout);
	return ok;
}

#define OK(e, what) tap_report(!!(e), __FILE__, __LINE__, what)

#define EQ_U64(got, want, what)                                                \
	do {                                                                   \
		uint64_t g_ = (got), w_ = (want);                              \
		if (!OK(g_ == w_, what))                                       \
			printf("# got %" PRIu64 ", want %" PRIu64 "\n", g_,    \
				w_);                                           \
	} while (0)

#define EQ_I64(got, want, what)                                                \
	do {                                                                   \
		int64_t g_ = (got), w_ = (want);                               \
		if (!OK(g_ == w_, what))                                       \
			printf("# got %" PRId64 ", want %" PRId64 "\n", g_,    \
				w_);                                           \
	} while (0)

#define EQ_STR(got, want, what)                                                \
	do {                                                                   \
		const char *g_ = (got), *w_ = (want);                          \
		if (!OK(g_ && !strcmp(g_, w_), what))                          \
			printf("# got \"%s\"\n# want \"%s\"\n",                \
				g_ ? g_ : "(null)", w_);                       \
	} while (0)

#define SKIP(why) printf("ok %d # SKIP %s\n", ++tap_count, why)

static inline int
tap_done(void)
{
	printf("1..%d\n", tap_count);
	return tap_failed != 0;
}
#endif
