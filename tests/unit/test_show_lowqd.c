#include "base/arena.h"
#include "base/buf.h"
#include "made.h"
#include "receipt/lowqd_class.h"
#include "receipt/show.h"
#include "receipt/show_lowqd.h"
#include "tap.h"

#define S UINT64_C(1000000000)

static struct made m; /* large */

/* A run of some windows, as a reader gets it, and what is shown of it. */
struct shown {
	struct arena a;
	struct receipt r;
	struct buf text;
};

static bool
begin(struct shown *s, const char *suite, const char *only)
{
	const struct plan_request request = {
		.suite = suite, .only = only, .ramp_ns = 0, .runtime_ns = 2 * S
	};
	bool hold;
	struct err e = { 0 };

	arena_init(&s->a);
	buf_init(&s->text);
	if (OK(!made_run(&m, &request, &e) &&
			    !assemble_receipt(&m.in, &s->r, &s->a, &hold, &e),
		    "a run"))
		return true;
	printf("# %s\n", e.text);
	return false;
}

static void
end(struct shown *s)
{
	buf_free(&s->text);
	arena_free(&s->a);
	made_free(&m);
}

static bool
show(struct shown *s, int width, bool utf8, bool color)
{
	const struct text_style style = {
		.width = width, .utf8 = utf8, .color = color
	};

	buf_reset(&s->text);
	return show_lowqd(&s->r, &style, &s->text);
}

static bool
has(const struct shown *s, const char *part)
{
	return strstr(buf_text(&s->text), part) != NULL;
}

/* Columns of the widest line. */
static size_t
widest(const struct shown *s)
{
	char *copy = strdup(buf_text(&s->text)), *line, *rest = copy;
	size_t most = 0, n;

	while ((line = strsep(&rest, "\n"))) {
		n = text_columns(line);
		most = n > most ? n : most;
	}
	free(copy);
	return most;
}

static void
test_classes(void)
{
	EQ_STR(lowqd_class_of(0)->range, "< 0.3 ms", "nothing");
	EQ_STR(lowqd_class_of(299999)->range, "< 0.3 ms", "just below");
	EQ_STR(lowqd_class_of(300000)->range, "< 0.5 ms", "0.3 ms");
	EQ_STR(lowqd_class_of(499999)->word, "Acceptable", "just below");
	EQ_STR(lowqd_class_of(500000)->range, ">= 0.5 ms", "0.5 ms");
	EQ_STR(lowqd_class_of(UINT64_MAX)->word, "Poor", "and all above");
	OK(lowqd_class_at(2) && !lowqd_class_at(3), "three");
}

static void
set_p99_9(struct shown *s, size_t window, uint64_t read_ns, uint64_t write_ns)
{
	s->r.windows[window].read->clat_ns->p99_9 = read_ns;
	s->r.windows[window].write->clat_ns->p99_9 = write_ns;
}

static void
test_table(void)
{
	struct shown s;

	if (!begin(&s, "lowqd", "*_4k_*jobs1"))
		return;
	EQ_U64(s.r.window_count, 6, "six windows");
	set_p99_9(&s, 0, 157000, 349000);
	set_p99_9(&s, 1, SHAPE_WITHHELD, 500000);
	OK(show(&s, 80, true, false), "on 80 columns");
	OK(widest(&s) <= 80, "it fits");
	OK(has(&s, "window                     \xe2\x94\x82"), "a head");
	OK(has(&s, "\xe2\x94\xbc\xe2\x94\x80"), "a rule");
	OK(has(&s, "\nrandrw_70read_4k_qd1_jobs1 \xe2\x94\x82"), "a row");
	OK(has(&s, "0.157"), "its p99.9");
	OK(has(&s, " -\n") || has(&s, " - \xe2\x94\x82"), "one is withheld");
	OK(has(&s, "key figures: 4k 70/30 at queue depth 1, jobs 1\n  read  "),
		"key figures");
	OK(has(&s, "0.157 ms  < 0.3 ms\n"), "class of the reads");
	OK(has(&s, "0.349 ms  < 0.5 ms\n"), "and of the writes");
	OK(has(&s, "\"VPS Disk Latency Bench\", in its words") &&
			has(&s, "not ours"),
		"whose classes they are");
	OK(!has(&s, "\033"), "no escapes");
	show(&s, 80, true, true);
	OK(has(&s, "\033[32m"), "green below 0.3 ms");
	OK(has(&s, "\033[33m"), "yellow below 0.5 ms");
	OK(has(&s, "\033[31m"), "red from there");
	show(&s, 130, false, false);
	OK(widest(&s) <= 130, "a wide screen");
	OK(has(&s, "Write IOPS"), "has the text's own heads");
	OK(has(&s, "jobs1 | "), "ASCII where there is no UTF-8");
	OK(!show(&s, 60, true, false) && !s.text.len, "nothing on 60 columns");
	end(&s);
}

static void
test_withheld(void)
{
	const struct text_style style = { .width = 80 };
	struct shown s;

	if (!begin(&s, "lowqd", "*70read_4k_qd1_jobs1"))
		return;
	set_p99_9(&s, 0, SHAPE_WITHHELD, SHAPE_WITHHELD);
	show(&s, 80, false, true);
	OK(has(&s, "p99.9 withheld: too few operations"), "said so");
	OK(!has(&s, "\033[31m") && !has(&s, "\033[32m"), "and has no class");
	buf_reset(&s.text);
	show_table(&s.r, &style, &s.text);
	OK(has(&s, "key figures") && !has(&s, "latency in ms"),
		"it is the table's");
	s.r.windows[0].write = NULL;
	OK(show(&s, 80, false, false), "a direction that is not there");
	OK(has(&s, "  read  ") && !has(&s, "  write  "), "is not shown");
	end(&s);
	if (!begin(&s, "lowqd", "*8k_qd4_jobs2"))
		return;
	show(&s, 80, false, false);
	OK(!has(&s, "key figures"), "no key figures without their window");
	end(&s);
	if (!begin(&s, "baseline", "qd4*"))
		return;
	OK(!show(&s, 80, false, false) && !s.text.len, "another suite");
	end(&s);
}

int
main(void)
{
	test_classes();
	test_table();
	test_withheld();
	return tap_done();
}
