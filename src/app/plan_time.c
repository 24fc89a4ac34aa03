#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

#include "app/bounded.h"
#include "app/plan_time.h"
#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "disk/estimate.h"

/* What is assumed of a disk that cannot be read, named where it is used. */
#define ASSUMED_FAST_BYTES (UINT64_C(200) << 20)
#define ASSUMED_SLOW_BYTES (UINT64_C(2) << 20)
#define LOOK_LIMIT_NS	   (10 * CLOCK_NS_PER_S)
#define WIDTH		   80

/* What a look at the disk needs and finds; shared with the child that looks. */
struct look {
	struct guard_view view;
	struct estimate_rates rates;
};

static int
look_at_disk(void *arg, struct err *e)
{
	struct look *look = arg;

	return estimate_read(&look->rates, &look->view, e);
}

/* -1, with e saying why, where no rate can be told. */
static int
take_rates(
	const struct guard_view *v, struct estimate_rates *out, struct err *e)
{
	struct look *look;
	enum bounded_end end;

	if (!v)
		return err_set(e, ERR_OPEN, 0, "it would be refused");
	look = mmap(NULL, sizeof(*look), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (look == MAP_FAILED)
		return err_set(e, ERR_OPEN, errno, "no memory");
	look->view = *v;
	end = bounded_call(
		look_at_disk, look, LOOK_LIMIT_NS, "reading the disk", e);
	*out = look->rates;
	munmap(look, sizeof(*look)); /* a child that hangs has it still */
	return end == BOUNDED_OK ? 0 : -1;
}

/* Rounded: to seconds from ten of them on. */
static char *
about(uint64_t ns, char *out, size_t size)
{
	uint64_t unit =
		ns < 10 * CLOCK_NS_PER_S ? CLOCK_NS_PER_S / 10 : CLOCK_NS_PER_S;

	return units_ns((ns + unit / 2) / unit * unit, out, size);
}

static void
add_known(const struct plan *p, const struct estimate_rates *rates,
	const char *open_end, struct buf *text)
{
	char sum[32], prepare[32], windows[32];
	double mib_s = (double)rates->bytes_per_s / 1048576;
	struct estimate t;

	estimate_run(&t, p, rates);
	buf_printf(text,
		"about %s: %s to write the target at %.*f MiB/s, which is what "
		"%s, and %s of windows%s",
		about(t.prepare_ns + t.windows_ns + t.drains_ns, sum,
			sizeof(sum)),
		about(t.prepare_ns, prepare, sizeof(prepare)),
		mib_s < 100 ? 1 : 0, mib_s,
		rates->limited ? "the cgroup lets through"
			       : "the disk reads at the moment",
		about(t.windows_ns + t.drains_ns, windows, sizeof(windows)),
		open_end);
}

static void
add_unknown(const struct plan *p, const char *why, const char *open_end,
	struct buf *text)
{
	const struct estimate_rates fast = { .bytes_per_s =
						     ASSUMED_FAST_BYTES };
	const struct estimate_rates slow = { .bytes_per_s =
						     ASSUMED_SLOW_BYTES };
	char windows[32], best[32], worst[32];
	struct estimate f, s;

	estimate_run(&f, p, &fast);
	estimate_run(&s, p, &slow);
	buf_printf(text,
		"about %s of windows%s, and as long as writing the target "
		"takes: %s at 200 MiB/s, %s at 2 MiB/s. Which one is not known "
		"before: ",
		about(f.windows_ns, windows, sizeof(windows)), open_end,
		about(f.prepare_ns, best, sizeof(best)),
		about(s.prepare_ns, worst, sizeof(worst)));
	text_clean(text, why, true);
}

void
plan_time_add(const struct plan *p, const struct guard_view *v, struct buf *out)
{
	const struct text_style style = { .width = WIDTH, .utf8 = true };
	struct estimate_rates rates = { 0 };
	struct plan_cost c;
	struct err e = { 0 };
	const char *open_end;
	struct buf text;

	plan_cost(p, &c);
	open_end = c.unbounded ? " (without those that end by size)" : "";
	buf_init(&text);
	if (take_rates(v, &rates, &e) == 0 && rates.bytes_per_s)
		add_known(p, &rates, open_end, &text);
	else
		add_unknown(p, e.text, open_end, &text);
	text_wrap(out, "time       ", buf_text(&text), &style);
	buf_free(&text);
}
