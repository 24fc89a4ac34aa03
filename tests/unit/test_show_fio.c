/*
 * Beyond the tests: test_show_fio --folder RECEIPT DIR writes the files, for
 * a look at them and for other people's parsers.
 */
#include <limits.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/shape.h"
#include "receipt/latency.h"
#include "receipt/show.h"
#include "tap.h"

#define GOLDEN "tests/golden/"

static struct show_file files[SHOW_FILES_MAX];

static bool
load(const char *path, struct receipt *r, struct arena *a)
{
	struct err e = { 0 };
	struct buf b;
	FILE *f = fopen(path, "r");
	bool ok;
	int c;

	buf_init(&b);
	while (f && (c = getc(f)) != EOF)
		buf_char(&b, (char)c);
	if (f)
		fclose(f);
	ok = receipt_read(r, buf_text(&b), b.len, a, &e) == 0;
	if (!ok)
		printf("# %s: %s\n", path, e.text);
	buf_free(&b);
	return ok;
}

/* The text of the file of that name, NULL where there is none. */
static const char *
text_of(int count, const char *name)
{
	int i;

	for (i = 0; i < count; i++)
		if (!strcmp(files[i].name, name))
			return buf_text(&files[i].text);
	return NULL;
}

/* Does the file of that name hold the text? */
static bool
holds(int count, const char *name, const char *want)
{
	const char *text = text_of(count, name);

	if (text && strstr(text, want))
		return true;
	printf("# no %s in %s\n", want, name);
	return false;
}

/* The same with a number behind the text. */
static bool
holds_number(int count, const char *name, const char *want, uint64_t v)
{
	char text[128];

	snprintf(text, sizeof(text), "%s%llu", want, (unsigned long long)v);
	return holds(count, name, text);
}

static void
test_whole(struct arena *a)
{
	static const char *const names[] = { "prepare.json", "qd1-run-1.json",
		"qd1-run-2.json", "qd1-run-3.json", "qd32.json", "mixed.json",
		"fdatasync.json", "environment.txt", "summary.txt" };
	uint64_t counts[HIST_FIO_BUCKETS];
	const struct receipt_lane *lane;
	struct receipt r;
	struct err e;
	int n, i;

	OK(load(GOLDEN "baseline.json", &r, a), "a whole receipt");
	n = show_fio(&r, files, SHOW_FILES_MAX, &e);
	EQ_I64(n, 9, "seven files of fio's, two texts");
	for (i = 0; i < n; i++)
		EQ_STR(files[i].name, names[i], names[i]);
	EQ_STR(text_of(n, "environment.txt"),
		"tested_at_utc=2026-11-30T19:20:00Z\n"
		"tool=ioreceipt 0.1.0\n"
		"kernel=6.12.96+deb13-amd64\n"
		"filesystem=ext4\n"
		"target_type=regular-file\n"
		"target_size_bytes=536870912\n",
		"environment.txt");
	OK(strstr(text_of(n, "summary.txt"), "receipt=complete\n"),
		"summary.txt");
	lane = r.windows[3].read;
	latency_unfold(lane->clat_ns, counts);
	OK(holds(n, "qd32.json", "\"jobname\":\"qd32-randread\""), "name");
	OK(holds(n, "qd1-run-2.json", "\"jobname\":\"qd1-randread-run-2\""),
		"name of a run");
	OK(holds_number(n, "qd32.json", "\"total_ios\":", lane->ios), "I/Os");
	OK(holds_number(n, "qd32.json", "\"99.900000\":",
		   hist_fio_percentile(counts, lane->clat_ns->n, 99.9)),
		"fio's own value of a percentile");
	OK(holds(n, "qd32.json", "\"percentile_list\":\"50:95:99:99.9\""),
		"the job's list");
	OK(holds(n, "qd32.json", "\"runtime\":\"12\"") &&
			holds(n, "qd32.json", "\"size\":\"512M\""),
		"its words");
	OK(holds_number(n, "fdatasync.json",
		   "\"sync\":{\"total_ios\":", r.windows[5].sync->ios),
		"syncs");
	OK(holds_number(n, "prepare.json", "\"io_bytes\":", 536870912),
		"the preparation");
	show_fio_free(files, n);
}

static void
test_partial(struct arena *a)
{
	struct receipt r;
	struct err e;
	int n;

	OK(load(GOLDEN "partial.json", &r, a), "a partial receipt");
	n = show_fio(&r, files, SHOW_FILES_MAX, &e);
	EQ_I64(n, 6, "what was measured has files");
	OK(text_of(n, "qd1-randread-run-3.json"), "by its own name");
	OK(!text_of(n, "qd32-randread.json"), "what was not has none");
	EQ_STR(text_of(n, "summary.txt") + strlen(text_of(n, "summary.txt")) -
			19,
		"receipt=incomplete\n", "and the summary says so");
	show_fio_free(files, n);
	r.windows[1].checks[2].holds = 0;
	n = show_fio(&r, files, SHOW_FILES_MAX, &e);
	OK(n == 5 && !text_of(n, "qd1-randread-run-2.json"),
		"a window with a failed check has no file");
	show_fio_free(files, n);
	OK(load(GOLDEN "refused.json", &r, a), "a refused receipt");
	n = show_fio(&r, files, SHOW_FILES_MAX, &e);
	EQ_I64(n, 2, "two texts");
	OK(!strstr(text_of(n, "environment.txt"), "target"), "and no target");
	show_fio_free(files, n);
}

static int
percentiles(const char *json)
{
	int n = 0;

	while (json && (json = strstr(json, "\"percentile\":")) != NULL) {
		json++;
		n++;
	}
	return n;
}

static void
test_odd(struct arena *a)
{
	static double list[] = { 50, 50, 0, 200, 99.999 };
	uint64_t counts[HIST_FIO_BUCKETS];
	struct receipt r;
	struct err e;
	int n;

	load(GOLDEN "baseline.json", &r, a);
	r.windows[0].name = "../../etc/passwd";
	r.windows[3].name = r.windows[4].name = "prepare";
	r.windows[5].name = "-rf \xc3\xa9.";
	r.plan->jobs[1].percentiles = list;
	r.plan->jobs[1].percentile_count = 5;
	r.host->kernel = "6.1\nreceipt=complete";
	r.windows[4].read->clat_ns->buckets = NULL;
	r.windows[4].read->clat_ns->bucket_count = 0;
	r.windows[2].read->lat_ns->bucket_bits = HIST_COARSE_BITS;
	r.windows[3].cpu->voluntary_switches = SHAPE_MAX;
	r.windows[3].cpu->involuntary_switches = SHAPE_MAX;
	n = show_fio(&r, files, SHOW_FILES_MAX, &e);
	EQ_I64(n, 9, "odd names");
	OK(text_of(n, "_._.._etc_passwd-run-1.json"), "are no paths");
	OK(text_of(n, "prepare-2.json") && text_of(n, "prepare-3.json"),
		"do not overwrite each other");
	OK(text_of(n, "_rf___..json"), "are no options");
	OK(!strstr(text_of(n, "prepare-2.json"), "\"ctx\""),
		"a sum above 2^53 - 1 is left out");
	OK(!strstr(text_of(n, "environment.txt"), "\nreceipt="),
		"a fact is one line");
	OK(percentiles(text_of(n, "qd1-run-3.json")) == 1 &&
			percentiles(text_of(n, "qd1-run-2.json")) == 2,
		"coarse buckets have no percentiles of fio's");
	latency_unfold(r.windows[3].read->clat_ns, counts);
	OK(holds_number(n, "prepare-2.json", "\"percentile\":{\"50.000000\":",
		   hist_fio_percentile(
			   counts, r.windows[3].read->clat_ns->n, 50)),
		"percentiles that are none, or are there twice");
	show_fio_free(files, n);
	EQ_I64(show_fio(&r, files, 4, &e), -1, "no room");
	EQ_I64(e.code, ERR_OUTPUT, "is an error");
}

static int
folder(const char *path, const char *dir)
{
	struct receipt r;
	struct arena a;
	struct err e;
	char name[PATH_MAX];
	int n = -1, i;
	FILE *f;

	arena_init(&a);
	if (load(path, &r, &a))
		n = show_fio(&r, files, SHOW_FILES_MAX, &e);
	for (i = 0; i < n; i++) {
		if (snprintf(name, sizeof(name), "%s/%s", dir, files[i].name) >=
			(int)sizeof(name))
			return 1;
		f = fopen(name, "w");
		if (!f)
			return 1;
		fputs(buf_text(&files[i].text), f);
		fclose(f);
	}
	show_fio_free(files, n);
	arena_free(&a);
	return n < 0;
}

int
main(int argc, char **argv)
{
	struct arena a;

	if (argc > 3 && !strcmp(argv[1], "--folder"))
		return folder(argv[2], argv[3]);
	arena_init(&a);
	test_whole(&a);
	test_partial(&a);
	test_odd(&a);
	arena_free(&a);
	return tap_done();
}
