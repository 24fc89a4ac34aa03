/*
 * Beyond the tests: test_show_table --golden writes what the fixed receipts
 * are rendered to.
 */
#include <math.h>

#include "base/text.h"
#include "golden.h"
#include "receipt/show.h"
#include "receipt/show_common.h"

#define WIDTH_MOST 200

static void
render(const struct receipt *r, const struct text_style *style, struct buf *out)
{
	buf_reset(out);
	show_table(r, style, out);
}

/* What a terminal shows of line[0..len): without "\033[...m". */
static void
bare(const char *line, size_t len, struct buf *out)
{
	size_t i;

	buf_reset(out);
	for (i = 0; i < len; i++) {
		if (line[i] == '\033') {
			while (i < len && line[i] != 'm')
				i++;
			continue;
		}
		buf_char(out, line[i]);
	}
}

/* The first thing that is wrong with the line, or NULL. */
static const char *
line_fault(const char *line, const struct text_style *style)
{
	size_t len = strlen(line), i;

	if (text_columns(line) > (size_t)style->width)
		return "too wide";
	if (len > 0 && line[len - 1] == ' ')
		return "a blank at the end";
	if (!text_is_utf8(line, len))
		return "no UTF-8";
	for (i = 0; i < len; i++) {
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			return "a control byte";
		if (!style->utf8 && (line[i] & 0x80))
			return "not ASCII";
	}
	return NULL;
}

/* A number that was not measured, or one too small to be shown, as zero. */
static const char *
figure_fault(const char *line)
{
	const char *at = line;

	while ((at = strstr(at, "0.000"))) {
		if (at == line || at[-1] < '0' || at[-1] > '9')
			return "a figure of 0.000";
		at += 5;
	}
	if (strstr(line, "nan") || strstr(line, "inf ") ||
		strstr(line, "18446744073709551"))
		return "a figure that is none";
	return NULL;
}

static const char *
table_fault(const struct buf *table, const struct text_style *style)
{
	const char *at = buf_text(table), *end, *fault = NULL;
	struct buf line;

	if (table->len == 0 || table->data[table->len - 1] != '\n')
		return "no LF at the end";
	if (!style->color && strchr(at, '\033'))
		return "an escape";
	buf_init(&line);
	while (*at && !fault) {
		end = strchr(at, '\n');
		bare(at, (size_t)(end - at), &line);
		fault = line_fault(buf_text(&line), style);
		if (!fault)
			fault = figure_fault(buf_text(&line));
		if (fault)
			printf("# width %d, utf8 %d: %s: \"%s\"\n",
				style->width, style->utf8, fault,
				buf_text(&line));
		at = end + 1;
	}
	buf_free(&line);
	return fault;
}

/* Each width, each style: within the screen, clean, colour only around. */
static void
test_properties(const char *name, const struct receipt *r)
{
	struct text_style style;
	struct buf plain, colored, stripped;
	bool good = true, same = true;
	int width, k;

	buf_init(&plain);
	buf_init(&colored);
	buf_init(&stripped);
	for (width = TEXT_WIDTH_MIN; width <= WIDTH_MOST; width++) {
		for (k = 0; k < 2 && good; k++) {
			style.width = width;
			style.utf8 = k;
			style.color = false;
			render(r, &style, &plain);
			good &= !table_fault(&plain, &style);
			style.color = true;
			render(r, &style, &colored);
			good &= !table_fault(&colored, &style);
			bare(buf_text(&colored), colored.len, &stripped);
			same &= !strcmp(buf_text(&plain), buf_text(&stripped));
		}
	}
	OK(good, name);
	OK(same, "colours change nothing else");
	buf_free(&stripped);
	buf_free(&colored);
	buf_free(&plain);
}

/* ESC as two letters, so that a golden file can be looked at. */
static void
add_visible(struct buf *out, const struct buf *table)
{
	size_t i;

	for (i = 0; i < table->len; i++)
		if (table->data[i] == '\033')
			buf_str(out, "\\e");
		else
			buf_char(out, table->data[i]);
}

static void
test_golden(const char *name, const struct receipt *r, bool write)
{
	static const struct {
		const char *what;
		struct text_style style;
	} styles[] = {
		{ "80 columns", { 80, false, true } },
		{ "80 columns, ASCII", { 80, false, false } },
		{ "80 columns, colour", { 80, true, true } },
		{ "40 columns", { 40, false, true } },
		{ "40 columns, ASCII, colour", { 40, true, false } },
		{ "120 columns", { 120, false, true } },
		{ "120 columns, ASCII, colour", { 120, true, false } },
	};
	struct buf all, table;
	size_t i;

	buf_init(&all);
	buf_init(&table);
	for (i = 0; i < sizeof(styles) / sizeof(styles[0]); i++) {
		render(r, &styles[i].style, &table);
		buf_printf(&all, "%s==== %s\n", i ? "\n" : "", styles[i].what);
		add_visible(&all, &table);
	}
	golden_compare(name, "table", &all, write);
	buf_free(&table);
	buf_free(&all);
}

/* The rows of the windows take what they need, however wide the screen is. */
static void
test_no_wider(const struct receipt *r)
{
	struct text_style at_80 = { 80, false, true };
	struct text_style at_200 = { 200, false, true };
	struct buf narrow, wide;
	const char *a, *b;

	buf_init(&narrow);
	buf_init(&wide);
	render(r, &at_80, &narrow);
	render(r, &at_200, &wide);
	a = strstr(buf_text(&narrow), "\nlatency in ms");
	b = strstr(buf_text(&wide), "\nlatency in ms");
	OK(a && b && strstr(a, "\nspread") &&
			!strncmp(a, b, (size_t)(strstr(a, "\nspread") - a)),
		"the windows are the same at 80 and at 200 columns");
	buf_free(&wide);
	buf_free(&narrow);
}

static bool
begins(const struct receipt *r, const char *word)
{
	struct text_style style = { 80, false, false };
	struct buf table;
	bool ok;

	buf_init(&table);
	render(r, &style, &table);
	ok = !strncmp(buf_text(&table), word, strlen(word));
	buf_free(&table);
	return ok;
}

/* Do the words stand in the table of r, on a wide screen? */
static bool
has(const struct receipt *r, const char *words)
{
	struct text_style style = { 200, false, false };
	struct buf table;
	bool found;

	buf_init(&table);
	render(r, &style, &table);
	found = strstr(buf_text(&table), words) != NULL;
	buf_free(&table);
	return found;
}

/* Complete is what the whole receipt bears out, not what one member says. */
static void
test_verdict(struct arena *a)
{
	struct receipt r;

	if (golden_load("baseline", &r, a))
		return;
	OK(begins(&r, "COMPLETE   ioreceipt 0.1.0  "), "complete");
	r.windows[5].checks[0].holds = 0;
	OK(begins(&r, "INCOMPLETE ioreceipt 0.1.0  "), "a failed check is not");
	OK(has(&r, "says complete, but a check of a window does not hold"),
		"and why");
	OK(has(&r, "check      fdatasync-8k-write: percentiles-in-order does "
		   "not hold"),
		"the check is named");
	r.windows[5].checks[0].holds = 1;
	r.cleanup->lab_removed = 0;
	OK(begins(&r, "INCOMPLETE "), "what is left is not complete");
	OK(has(&r, "cleanup    NOT CLEAN\n"), "NOT CLEAN");
	r.cleanup->lab_removed = 1;
	r.prepare->checks[0].holds = 0;
	OK(begins(&r, "INCOMPLETE "), "a target of the wrong size is not");
	r.prepare->checks[0].holds = 1;
	r.complete = -1;
	OK(begins(&r, "INCOMPLETE "), "not told is not");
	r.complete = 1;
	r.window_count = 0;
	OK(begins(&r, "INCOMPLETE "), "no window is not");
	OK(!has(&r, "latency in ms") && !has(&r, "operations a second"),
		"and nothing stands where nothing was measured");
}

/* clat: a note where it hides more than 10 % of lat, and only there. */
static void
test_clat(struct arena *a)
{
	struct receipt_latency *clat, *lat;
	struct receipt r;

	if (golden_load("baseline", &r, a))
		return;
	lat = r.windows[3].read->lat_ns;
	clat = r.windows[3].read->clat_ns;
	lat->p50 = 1000000;
	clat->p50 = 900000;
	OK(!has(&r, "\nclat "), "10 % is not more than 10 %");
	clat->p50 = 899999;
	OK(has(&r, "clat       qd32-randread: fio would print a read p50 of "
		   "0.900 ms (clat), an application waits 1.000 ms (lat): "
		   "clat hides 10 % of it"),
		"more than 10 %");
	clat->p50 = SHAPE_WITHHELD;
	OK(!has(&r, "\nclat "), "withheld hides nothing");
}

/* A figure that is absent leaves its place empty. */
static void
test_absent(struct arena *a)
{
	struct receipt_latency *lat;
	struct receipt r;

	if (golden_load("baseline", &r, a))
		return;
	r.window_count = 4;
	lat = r.windows[3].read->lat_ns;
	lat->p50 = SHAPE_ABSENT;
	lat->p95 = SHAPE_WITHHELD;
	lat->mean = 1;
	lat->n = 9999;
	r.windows[3].read->bw_bytes = NAN;
	r.windows[3].read->iops = 0.25;
	OK(has(&r, "qd32-randread    0.250         <0.001             -  "
		   "9.671  ~16.167  114.492\n"),
		"absent, withheld, few, too small");
	OK(has(&r, "~ fewer than 10 samples lie beyond it   - withheld: fewer "
		   "than 1 does\n"),
		"both marks are explained");
	lat->n = 10000;
	OK(has(&r, "  16.167  114.492\n"), "10 beyond are enough");
	r.windows[3].read = NULL;
	OK(has(&r, "\nqd32-randread\n"), "a window without a direction");
}

/* What others did is said where it was told for each window. */
static void
test_meanwhile(struct arena *a)
{
	struct receipt r;
	size_t i;

	if (golden_load("baseline", &r, a))
		return;
	for (i = 0; i < r.window_count; i++) {
		r.windows[i].elapsed_ns = 1000000000;
		r.windows[i].cpu->steal_pct = i == 2 ? 7.25 : NAN;
		r.windows[i].cpu->runqueue_wait_ns = 5000000;
		r.windows[i].device->other_read_bytes = 0;
		r.windows[i].device->other_write_bytes = i == 4 ? 4096 : 0;
	}
	OK(has(&r, "\nmeanwhile  CPU steal up to 7.2 %, waits for a CPU up to "
		   "0.5 %, I/O of others on the disk: 4 KiB\n"),
		"the worst steal and wait, the sum of bytes");
	r.plan->jobs[r.windows[0].job].numjobs = 4;
	r.windows[0].cpu->runqueue_wait_ns = 400000000;
	OK(has(&r, " waits for a CPU up to 10.0 %"),
		"four jobs wait at once: of the time of each");
	r.plan->jobs[r.windows[0].job].numjobs = 1;
	r.windows[0].cpu->runqueue_wait_ns = 5000000;
	r.windows[4].device->other_read_bytes = SHAPE_ABSENT;
	r.windows[2].cpu->steal_pct = NAN;
	OK(has(&r, "\nmeanwhile  waits for a CPU up to 0.5 %\n"),
		"what is not told is not said");
	for (i = 0; i < r.window_count; i++)
		r.windows[i].cpu = NULL;
	OK(!has(&r, "\nmeanwhile"), "nothing");
}

/* Figures of several windows, as the receipt has them. */
static void
test_sentences(struct arena *a)
{
	struct receipt r;

	if (golden_load("baseline", &r, a))
		return;
	r.windows[0].read->iops = 1561.7;
	r.windows[1].read->iops = 1503.6;
	r.windows[2].read->iops = 1269.6;
	r.windows[3].read->iops = 52648.7;
	r.windows[0].read->lat_ns->p50 = 264000;
	r.windows[1].read->lat_ns->p50 = 309000;
	r.windows[2].read->lat_ns->p50 = 272000;
	r.windows[3].read->lat_ns->p50 = 440000;
	r.windows[1].read->lat_ns->p99_9 = SHAPE_WITHHELD;
	OK(has(&r, "\nspread     qd1-randread, 3 runs: 1,270 to 1,562 IOPS "
		   "(20.21 % of their mean), p50 0.264 to 0.309 ms\n"),
		"the spread of three runs, without what one of them lacks");
	OK(has(&r, "\ndepth      qd1-randread (median of 3 runs) to "
		   "qd32-randread, 1 to 32 in flight: 35.0 times the IOPS, "
		   "p50 0.272 to 0.440 ms (+62 %)\n"),
		"what depth did");
	r.windows[0].read->lat_ns->n = 9;
	OK(has(&r, "p50 ~0.264 to ~0.309 ms"), "few samples are marked");
	r.windows[3].read = NULL;
	OK(!has(&r, "\ndepth"), "no contrast without the other side");
	r.window_count = 2;
	OK(has(&r, "\nspread     qd1-randread, 2 runs of 3: 1,504 to 1,562"),
		"two of three are called that");
	r.window_count = 1;
	OK(!has(&r, "\nspread"), "one has no spread");
}

/* A text may be absent as NULL or as "": both are the same. */
static void
test_empty_texts(struct arena *a)
{
	const char *const texts[] = { "", NULL };
	struct text_style style = { 80, false, true };
	struct buf tables[2];
	struct receipt r;
	size_t i, k;

	if (golden_load("judged", &r, a))
		return;
	for (i = 0; i < 2; i++) {
		r.host->os = r.host->kernel = r.host->cpu_model = texts[i];
		r.host->virtualisation = r.host->container = texts[i];
		r.host->dmi_vendor = r.host->dmi_product = texts[i];
		r.target->filesystem = r.target->mount_options = texts[i];
		r.target->backing = r.target->backing_why = texts[i];
		r.clock->state = r.note = r.sub = texts[i];
		for (k = 0; k < r.target->stack_count; k++) {
			r.target->stack[k].model = texts[i];
			r.target->stack[k].transport = texts[i];
			r.target->stack[k].scheduler = texts[i];
			r.target->stack[k].write_cache = texts[i];
		}
		r.findings[1].confidence = texts[i];
		r.requirements[0].figure = r.cleanup->left = texts[i];
		buf_init(&tables[i]);
		render(&r, &style, &tables[i]);
	}
	EQ_STR(buf_text(&tables[0]), buf_text(&tables[1]), "an empty text");
	OK(!table_fault(&tables[0], &style), "leaves nothing behind");
	OK(strstr(buf_text(&tables[0]), "\nmachine    96 CPUs, 4 GiB memory\n"),
		"what is told is there");
	buf_free(&tables[0]);
	buf_free(&tables[1]);
}

/* Nothing is there but the struct. */
static void
test_empty(void)
{
	struct text_style style = { 1, true, true };
	struct receipt r;
	struct buf table;

	receipt_clear(&r);
	buf_init(&table);
	show_table(&r, &style, &table);
	OK(!buf_failed(&table), "an empty receipt is shown");
	EQ_STR(buf_text(&table), "\033[31mINCOMPLETE\033[0m ioreceipt\n",
		"as what it is");
	buf_free(&table);
}

static void
test_figures(void)
{
	char s[SHOW_COMMON_FIGURE];

	EQ_STR(show_common_rate(1561.7, s, sizeof(s)), "1,562", "a rate");
	EQ_STR(show_common_rate(100, s, sizeof(s)), "100", "of 100");
	EQ_STR(show_common_rate(99.95, s, sizeof(s)), "100", "of nearly 100");
	EQ_STR(show_common_rate(99.94, s, sizeof(s)), "99.9", "of less");
	EQ_STR(show_common_rate(0.999, s, sizeof(s)), "0.999", "below 1");
	EQ_STR(show_common_rate(0, s, sizeof(s)), "<0.001", "a rate of 0");
	EQ_STR(show_common_rate(NAN, s, sizeof(s)), "", "no rate");
	EQ_STR(show_common_mibs(1048576, s, sizeof(s)), "1.00", "1 MiB/s");
	EQ_STR(show_common_mibs(4096, s, sizeof(s)), "<0.01", "little");
	EQ_STR(show_common_mibs(4026.4 * 1048576, s, sizeof(s)), "4,026",
		"many MiB/s");
	EQ_STR(show_common_ms(264192, s, sizeof(s)), "0.264", "ms");
	EQ_STR(show_common_ms(500, s, sizeof(s)), "0.001", "500 ns");
	EQ_STR(show_common_ms(499, s, sizeof(s)), "<0.001", "499 ns");
	EQ_STR(show_common_ms(SHAPE_ABSENT, s, sizeof(s)), "", "absent");
	EQ_STR(show_common_ms(SHAPE_WITHHELD, s, sizeof(s)), "-", "withheld");
	EQ_STR(show_common_percentile(NULL, 50, s, sizeof(s)), "", "none");
}

/* Polling that was slower has no cost to tell; it is said so. */
static void
test_polled(struct arena *a)
{
	struct receipt r;
	struct receipt_latency l;
	struct receipt_polled polled = { .job = 0, .lat_ns = &l };
	struct receipt_diagnostics d = { .polled = &polled };

	if (golden_load("baseline", &r, a))
		return;
	l = *r.windows[0].read->lat_ns;
	r.diagnostics = &d;
	polled.slept_p50_ns = l.p50 + 10000;
	OK(has(&r, "waking costs 0.010 ms"), "a cost");
	OK(!has(&r, "polling was slower"), "and no more");
	polled.slept_p50_ns = l.p50 - 10000;
	OK(has(&r, "polling was slower: the CPU was busy,") &&
			!has(&r, "waking costs"),
		"no cost");
}

int
main(int argc, char **argv)
{
	bool write = argc > 1 && !strcmp(argv[1], "--golden");
	struct arena a;
	struct receipt r;
	size_t i;

	arena_init(&a);
	for (i = 0; golden_names[i]; i++) {
		if (golden_load(golden_names[i], &r, &a))
			continue;
		test_golden(golden_names[i], &r, write);
		if (!write)
			test_properties(golden_names[i], &r);
		if (!write && i == 0)
			test_no_wider(&r);
	}
	if (!write) {
		test_verdict(&a);
		test_clat(&a);
		test_absent(&a);
		test_meanwhile(&a);
		test_polled(&a);
		test_sentences(&a);
		test_empty_texts(&a);
		test_empty();
		test_figures();
	}
	arena_free(&a);
	return tap_done();
}
