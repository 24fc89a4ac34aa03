/*
 * Beyond the tests: test_show_keys --golden writes what the fixed receipts
 * are rendered to.
 */
#include <math.h>

#include "base/text.h"
#include "golden.h"
#include "receipt/show.h"

static void
render(const struct receipt *r, struct buf *out)
{
	buf_reset(out);
	show_keys(r, out);
}

static void
test_golden(const char *name, const struct receipt *r, bool write)
{
	struct buf keys;

	buf_init(&keys);
	render(r, &keys);
	golden_compare(name, "keys", &keys, write);
	buf_free(&keys);
}

/* The words that a line may begin with, beside those of the windows. */
static bool
is_known(const struct receipt *r, const char *line)
{
	static const char *const words[] = { "environment=", "qd1_run=",
		"qd1_repeat_iops_min=", "qd32 ", "mixed_qd4 ", "fdatasync_qd1 ",
		"fdatasync_latency ", "metric ", "incomplete what=\"",
		"receipt=incomplete\n", "receipt=complete\n", NULL };
	size_t i, k, n;

	for (i = 0; words[i]; i++)
		if (!strncmp(line, words[i], strlen(words[i])))
			return true;
	for (i = 0; i < r->window_count; i++) {
		n = strlen(r->windows[i].name);
		for (k = 0; k < n; k++)
			if (line[k] != r->windows[i].name[k] &&
				line[k] != '_' && line[k] != '?')
				break;
		if (k == n)
			return true;
	}
	return false;
}

static const char *
line_fault(const struct receipt *r, const char *line, size_t len)
{
	size_t i;

	if (len == 0 || line[len - 1] == ' ')
		return "empty, or a blank at the end";
	if (!text_is_utf8(line, len))
		return "no UTF-8";
	for (i = 0; i < len; i++)
		if ((unsigned char)line[i] < 0x20 || line[i] == 0x7f)
			return "a control byte";
	if (!is_known(r, line))
		return "not a line of ours";
	if (memmem(line, len, "nan", 3) || memmem(line, len, "=\"\"", 3) ||
		memmem(line, len, "= ", 2))
		return "a key without its value";
	return NULL;
}

static void
test_properties(const char *name, const struct receipt *r)
{
	const char *at, *end, *fault = NULL;
	struct buf keys;
	size_t ends = 0;

	buf_init(&keys);
	render(r, &keys);
	for (at = buf_text(&keys); *at && !fault; at = end + 1) {
		end = strchr(at, '\n');
		if (!end)
			break;
		fault = line_fault(r, at, (size_t)(end - at));
		if (fault)
			printf("# %s: %.*s\n", fault, (int)(end - at), at);
		ends += !strncmp(at, "receipt=", 8);
	}
	OK(!fault && *at == '\0', name);
	EQ_U64(ends, 1, "one verdict");
	buf_free(&keys);
}

static bool
ends(const struct receipt *r, const char *words)
{
	struct buf keys;
	bool ok;

	buf_init(&keys);
	render(r, &keys);
	ok = keys.len > strlen(words) &&
	     !strcmp(keys.data + keys.len - strlen(words), words);
	buf_free(&keys);
	return ok;
}

static bool
has(const struct receipt *r, const char *words)
{
	struct buf keys;
	bool ok;

	buf_init(&keys);
	render(r, &keys);
	ok = strstr(buf_text(&keys), words) != NULL;
	buf_free(&keys);
	return ok;
}

static void
test_verdict(struct arena *a)
{
	struct receipt r;

	if (golden_load("baseline", &r, a))
		return;
	OK(ends(&r, "\nreceipt=complete\n"), "complete");
	r.windows[0].checks[0].holds = 0;
	OK(ends(&r,
		   "\nincomplete what=\"receipt\" why=\"it says complete, but "
		   "a check of a window does not hold\"\nreceipt=incomplete\n"),
		"a failed check is not");
	r.windows[0].checks[0].holds = 1;
	r.complete = 0;
	OK(ends(&r, "\nreceipt=incomplete\n"), "nor what says so");
}

/* The lines of the method of baseline, its figures being those of clat. */
static void
test_text_1(struct arena *a)
{
	struct receipt_lane *lane;
	struct receipt r;

	if (golden_load("baseline", &r, a))
		return;
	lane = r.windows[0].read;
	lane->iops = 1561.7;
	lane->bw_bytes = 1561.7 * 4096;
	lane->clat_ns->p50 = 264192;
	lane->clat_ns->p95 = 2023424;
	lane->clat_ns->p99 = 3063808;
	lane->clat_ns->p99_9 = 5210112;
	OK(has(&r, "\nqd1_run=1 read_iops=1561.7 read_mib_s=6.10 "
		   "read_p50_ms=0.264 read_p95_ms=2.023 read_p99_ms=3.064 "
		   "read_p99_9_ms=5.210\n"),
		"as printed there");
	r.windows[1].read->iops = 1503.6;
	r.windows[2].read->iops = 1269.6;
	OK(has(&r, "\nqd1_repeat_iops_min=1269.6 qd1_repeat_iops_max=1561.7 "
		   "qd1_repeat_iops_spread_pct=20.21\n"),
		"its spread");
	lane->clat_ns->p99 = SHAPE_WITHHELD;
	lane->clat_ns->n = 200;
	OK(has(&r, " read_p95_ms=2.023 read_p99_9_ms=5.210 "
		   "read_few=p99_9\n"),
		"a withheld figure is left out, one of few samples is named");
	r.plan->suite = "custom";
	OK(has(&r, "\nqd1-randread_run=1 read_iops=1561.7 "), "by its window");
	OK(has(&r, "\nfdatasync-8k-write_sync_latency p50_ms="), "sync, too");
	r.plan->suite = "baseline";
	r.windows[2].read->iops = NAN;
	OK(!has(&r, "repeat_iops"), "no spread over a part of the runs");
	r.windows[2].read = NULL;
	OK(!has(&r, "qd1_run=3"), "no line without figures");
}

static void
test_empty(void)
{
	struct receipt_host host = { .os = NULL };
	struct receipt r;
	struct buf keys;

	receipt_clear(&r);
	buf_init(&keys);
	show_keys(&r, &keys);
	EQ_STR(buf_text(&keys),
		"environment=unknown latency=clat\nreceipt=incomplete\n",
		"an empty receipt");
	buf_reset(&keys);
	host.os = host.kernel = "";
	r.host = &host;
	show_keys(&r, &keys);
	EQ_STR(buf_text(&keys),
		"environment=unknown latency=clat\nreceipt=incomplete\n",
		"an empty text is none");
	buf_free(&keys);
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
		test_properties(golden_names[i], &r);
	}
	test_verdict(&a);
	test_text_1(&a);
	test_empty();
	arena_free(&a);
	return tap_done();
}
