/*
 * Beyond the tests: test_receipt --schema prints the schema, for
 * "make schema".
 */
#include <ctype.h>

#include "base/arena.h"
#include "base/buf.h"
#include "receipt/latency.h"
#include "receipt/receipt.h"
#include "tap.h"

#define SCHEMA_FILE "src/receipt/receipt.schema.json"

/* The least that a receipt can be: refused before anything was looked at. */
#define HEAD                                                                   \
	"{\"schema\":\"ioreceipt/1\","                                         \
	"\"jti\":\"3f1c1b9e-0c1d-4a7e-9d52-6a1f0c2b7e11\","                    \
	"\"iat\":1796066400,"
#define TAIL                                                                   \
	"\"tool\":{\"name\":\"ioreceipt\",\"version\":\"0.1.0\","              \
	"\"arch\":\"x86_64\"},"                                                \
	"\"clock\":{\"started_utc\":\"2026-11-30T19:20:00Z\","                 \
	"\"ended_utc\":\"2026-11-30T19:20:01Z\"},"                             \
	"\"plan\":{\"suite\":\"custom\",\"digest\":\"00\",\"method\":1,"       \
	"\"sequence\":\"fio3.35\",\"size_bytes\":4096,\"jobs\":["              \
	"{\"name\":\"a\",\"rw\":\"randread\",\"ioengine\":\"libaio\","         \
	"\"bs_bytes\":4096,\"iodepth\":1,\"numjobs\":1,\"runs\":1,"            \
	"\"direct\":true,\"time_based\":true,\"norandommap\":false,"           \
	"\"randrepeat\":true,\"end_fsync\":false}]},"

static const char refused[] = HEAD
	"\"complete\":false,\"incomplete\":[{\"what\":\"guard\",\"why\":\"/x "
	"lies in memory\"}]," TAIL "\"windows\":[]}\n";

/* One window whose read.lat_ns is LATENCY. */
#define WINDOW(latency)                                                        \
	HEAD "\"complete\":true," TAIL                                         \
	     "\"windows\":[{\"name\":\"a\",\"run\":1,\"job\":0,"               \
	     "\"elapsed_ns\":5,\"read\":{\"ios\":4,\"lat_ns\":{" latency       \
	     "}}}]}\n"
#define FIGURES                                                                \
	"\"n\":4,\"min\":100,\"mean\":150,\"stddev\":30,\"p50\":130,"          \
	"\"p95\":null,\"p99\":null,\"p99_9\":null,\"max\":200"

static int
parse(struct receipt *r, const char *json, struct arena *a, struct err *e)
{
	e->code = 0;
	e->text[0] = '\0';
	return receipt_read(r, json, strlen(json), a, e);
}

#define COARSE(buckets)                                                        \
	WINDOW(FIGURES ",\"bucket_bits\":4,\"buckets\":" buckets)

/* Coarse buckets of 1, 2 and 4 of fio's, what does not divide, the last. */
static void
test_coarse(struct arena *a)
{
	static const char fio[] =
		WINDOW(FIGURES ",\"bucket_bits\":6,\"buckets\":[1855,4]");
	static const struct {
		const char *json;
		uint32_t at;
		uint64_t counts[8]; /* of fio's from `at` on, all others 0 */
	} table[] = {
		{ COARSE("[31,4]"), 31, { 4 } },
		{ COARSE("[32,4]"), 32, { 2, 2 } },
		{ COARSE("[47,4]"), 62, { 2, 2 } },
		{ COARSE("[48,4]"), 64, { 1, 1, 1, 1 } },
		{ COARSE("[146,3,1]"), 456, { 0, 1, 1, 1, 0, 0, 0, 1 } },
		{ COARSE("[495,4]"), 1852, { 1, 1, 1, 1 } },
	};
	uint64_t counts[HIST_FIO_BUCKETS], want[HIST_FIO_BUCKETS + 8];
	const struct receipt_latency *l;
	struct receipt r;
	struct err e;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (!OK(!parse(&r, table[i].json, a, &e), "coarse buckets"))
			continue;
		l = r.windows[0].read->lat_ns;
		memset(want, 0, sizeof(want));
		memcpy(want + table[i].at, table[i].counts,
			sizeof(table[i].counts));
		OK(!latency_is_fio(l) && !latency_unfold(l, counts), "unfold");
		OK(!memcmp(counts, want, sizeof(counts)),
			"evenly over those of fio's in them");
	}
	OK(!parse(&r, fio, a, &e) && latency_is_fio(r.windows[0].read->lat_ns),
		"6 are fio's");
}

static void
test_round_trip(struct arena *a)
{
	static const char full[] =
		WINDOW(FIGURES ",\"tw_p50\":140,\"tw_p99\":190,"
			       "\"buckets\":[100,1,0,31,2,0,58,1]");
	struct receipt r;
	struct err e;
	struct buf b;

	buf_init(&b);
	OK(!parse(&r, refused, a, &e), "a refused receipt is read");
	OK(!receipt_write(&r, &b, &e), "and written");
	EQ_STR(buf_text(&b), refused, "the same, with one LF");
	buf_reset(&b);
	OK(!parse(&r, full, a, &e), "a receipt with a window is read");
	EQ_U64(r.windows[0].read->lat_ns->p95, SHAPE_WITHHELD, "withheld");
	EQ_U64(r.windows[0].read->lat_ns->p99_99, SHAPE_ABSENT, "absent");
	OK(!receipt_write(&r, &b, &e), "and written");
	EQ_STR(buf_text(&b), full, "the same");
	EQ_U64(r.windows[0].read->lat_ns->bucket_bits, SHAPE_ABSENT,
		"buckets of a receipt that does not say");
	OK(latency_is_fio(r.windows[0].read->lat_ns), "are fio's");
	OK(receipt_window(&r, "a", 0) == r.windows, "a window by its name");
	OK(receipt_window(&r, "a", 1) == r.windows, "and its run");
	OK(!receipt_window(&r, "a", 2), "no other run");
	OK(!receipt_window(&r, "b", 0), "no other name");
	receipt_clear(&r);
	buf_reset(&b);
	OK(receipt_write(&r, &b, &e) && e.code == ERR_INCOMPLETE,
		"nothing is no receipt");
	buf_free(&b);
}

static void
test_faults(struct arena *a)
{
	/* the receipt and a part of the sentence; ended by NULL */
	static const struct {
		const char *json, *fault;
	} table[] = {
		{ "{}", "schema is missing" },
		{ HEAD "\"complete\":true,\"incomplete\":[{\"what\":\"a\","
		       "\"why\":\"b\"}]," TAIL "\"windows\":[]}",
			"complete, but with reasons" },
		{ HEAD "\"complete\":true," TAIL "\"windows\":[]}",
			"complete, but no windows" },
		{ HEAD "\"complete\":true," TAIL
		       "\"windows\":[{\"name\":\"a\",\"run\":1,\"job\":0,"
		       "\"elapsed_ns\":5}],\"cleanup\":{\"lab_removed\":"
		       "false}}",
			"complete, but the lab" },
		{ HEAD "\"complete\":true," TAIL
		       "\"windows\":[{\"name\":\"a\",\"run\":1,\"job\":0,"
		       "\"elapsed_ns\":5,\"checks\":[{\"name\":\"x\","
		       "\"holds\":false}]}]}",
			"complete, but a check of windows[0]" },
		{ HEAD "\"complete\":true," TAIL
		       "\"windows\":[{\"name\":\"a\",\"run\":1,\"job\":1,"
		       "\"elapsed_ns\":5}]}",
			"windows[0]: job is none" },
		{ HEAD "\"complete\":true," TAIL
		       "\"windows\":[{\"name\":\"a\",\"run\":0,\"job\":0,"
		       "\"elapsed_ns\":5}]}",
			"run is not in" },
		{ HEAD "\"complete\":true," TAIL
		       "\"windows\":[{\"name\":\"a\",\"run\":1,\"job\":0,"
		       "\"elapsed_ns\":5},{\"name\":\"a\",\"run\":1,"
		       "\"job\":0,\"elapsed_ns\":5}]}",
			"windows[1]: is there twice" },
		{ WINDOW(FIGURES ",\"more\":1"),
			"windows[0].read.lat_ns.more is not known" },
		{ WINDOW("\"n\":0,\"min\":0,\"mean\":0,\"stddev\":0,\"max\":0"),
			"read.lat_ns has no samples" },
		{ WINDOW("\"n\":1,\"min\":2,\"mean\":2,\"stddev\":0,\"max\":1"),
			"min above its max" },
		{ WINDOW("\"n\":1,\"min\":2,\"mean\":5,\"stddev\":0,\"max\":4"),
			"a mean outside" },
		{ WINDOW("\"n\":9,\"min\":2,\"mean\":3,\"stddev\":0,\"p50\":5,"
			 "\"max\":4"),
			"a percentile outside" },
		{ WINDOW("\"n\":9,\"min\":2,\"mean\":3,\"stddev\":0,\"p50\":1,"
			 "\"max\":4"),
			"a percentile outside" },
		{ WINDOW("\"n\":9,\"min\":2,\"mean\":3,\"stddev\":0,\"p50\":4,"
			 "\"p99\":3,\"max\":4"),
			"percentiles out of order" },
		{ WINDOW(FIGURES ",\"tw_p50\":201"),
			"weighted percentile out" },
		{ WINDOW(FIGURES ",\"tw_p50\":150,\"tw_p99\":149"),
			"weighted percentiles out" },
		{ WINDOW(FIGURES ",\"buckets\":[100,1,0,31]"), "gap" },
		{ WINDOW(FIGURES ",\"buckets\":[100,0,31,4]"), "gap" },
		{ WINDOW(FIGURES ",\"buckets\":[100,1,0,0,3]"), "gap" },
		{ WINDOW(FIGURES ",\"buckets\":[100,1,0,1,0,1,3]"), "gap" },
		{ WINDOW(FIGURES ",\"buckets\":[100,1,0,9007199254740991,3]"),
			"gap" },
		{ WINDOW(FIGURES ",\"buckets\":[100,3]"), "add up" },
		{ WINDOW(FIGURES ",\"buckets\":[100,5]"), "add up" },
		{ WINDOW(FIGURES ",\"buckets\":[100,4,1]"), "add up" },
		{ WINDOW(FIGURES ",\"buckets\":[100]"), "add up" },
		{ WINDOW(FIGURES ",\"buckets\":[]"), "add up" },
		{ WINDOW(FIGURES ",\"buckets\":[1855,1,3]"), "beyond" },
		{ WINDOW(FIGURES ",\"buckets\":[1855,1,0,1,3]"), "beyond" },
		{ WINDOW(FIGURES ",\"buckets\":[1856,4]"), "beyond" },
		{ WINDOW(FIGURES ",\"bucket_bits\":4,\"buckets\":[495,1,3]"),
			"beyond" },
		{ WINDOW(FIGURES
			  ",\"bucket_bits\":4,\"buckets\":[9,1,0,497,3]"),
			"gap" },
		{ WINDOW(FIGURES ",\"bucket_bits\":4,\"buckets\":[9,1,0,9,2]"),
			"add up" },
		{ WINDOW(FIGURES ",\"bucket_bits\":5,\"buckets\":[9,4]"),
			"unknown width" },
		{ WINDOW(FIGURES ",\"bucket_bits\":0"), "unknown width" },
		{ WINDOW(FIGURES ",\"buckets\":[9007199254740991,4]"),
			"beyond" },
		{ NULL, NULL },
	};
	struct receipt r;
	struct err e;
	size_t i;

	for (i = 0; table[i].json; i++) {
		if (!OK(parse(&r, table[i].json, a, &e) == -1 &&
				    e.code == ERR_INPUT &&
				    strstr(e.text, table[i].fault) &&
				    !strncmp(e.text, "not a receipt: ", 15),
			    table[i].fault))
			printf("# got \"%s\"\n", e.text);
	}
}

static void
test_size(struct arena *a)
{
	struct receipt r;
	struct err e = { 0 };
	struct buf b;

	buf_init(&b);
	buf_str(&b, refused);
	buf_repeat(&b, " ", RECEIPT_MAX_BYTES - b.len);
	OK(!receipt_read(&r, b.data, b.len, a, &e), "4 MiB are read");
	buf_str(&b, " ");
	OK(receipt_read(&r, b.data, b.len, a, &e) &&
			strstr(e.text, "more than"),
		"a byte more is not");
	buf_free(&b);
}

/* Each table, walked: keys and docs are what a schema needs. */
static void
walk(const struct shape *s, int depth)
{
	const struct shape_field *f, *g;
	bool twice = false, ill = false;
	const char *c;

	for (f = s->fields; f->key; f++) {
		for (g = s->fields; g < f; g++)
			twice |= !strcmp(f->key, g->key) ||
				 f->offset == g->offset;
		for (c = f->key; *c; c++)
			ill |= !islower((unsigned char)*c) &&
			       !isdigit((unsigned char)*c) && *c != '_';
		ill |= !f->doc || !*f->doc || f->offset >= s->size;
		ill |= (f->kind == SHAPE_LIST || f->kind == SHAPE_OBJECT) !=
		       (f->sub != NULL);
		ill |= (f->flags & SHAPE_NULLABLE) && f->kind != SHAPE_COUNT;
		if (f->sub && depth < 8)
			walk(f->sub, depth + 1);
	}
	OK(!twice, s->name);
	OK(!ill && s->doc && *s->doc && depth < 8, s->name);
}

static void
test_schema(void)
{
	struct err e = { 0 };
	struct buf want, have;
	FILE *f = fopen(SCHEMA_FILE, "r");
	int c;

	buf_init(&want);
	buf_init(&have);
	OK(!receipt_schema(&want, &e), "the schema is written");
	while (f && (c = getc(f)) != EOF)
		buf_char(&have, (char)c);
	OK(f && !strcmp(buf_text(&want), buf_text(&have)),
		SCHEMA_FILE " is current (else: make schema)");
	if (f)
		fclose(f);
	buf_free(&want);
	buf_free(&have);
}

static int
print_schema(void)
{
	struct err e = { 0 };
	struct buf b;

	buf_init(&b);
	if (receipt_schema(&b, &e)) {
		fprintf(stderr, "%s\n", e.text);
		return 1;
	}
	fputs(buf_text(&b), stdout);
	buf_free(&b);
	return 0;
}

/* Whose it is, without the figures. */
static void
test_head(struct arena *a)
{
	static const struct {
		const char *json;
		bool good;
	} rows[] = {
		{ refused, true },
		{ HEAD "\"complete\":true}", true },
		/* what is behind the head is not looked at */
		{ HEAD "\"complete\":true,\"clock\":{\"what\":", true },
		/* no end in a string: its quotes are escaped */
		{ HEAD "\"complete\":true,\"sub\":\"x,\\\"clock\\\":{\"}",
			true },
		{ HEAD "\"complete\":true,\"sub\":\"x,\"clock\":{\"}", false },
		{ "{\"hello\":1}", false },
		{ "{}", false },
		{ "", false },
		{ HEAD "\"complete\":1}", false },
		{ "{\"schema\":\"other/1\",\"jti\":\"x\",\"iat\":1,"
		  "\"complete\":true}",
			false },
	};
	struct receipt r;
	struct err e;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		OK(!receipt_read_head(&r, rows[i].json, strlen(rows[i].json), a,
			   &e) == rows[i].good,
			rows[i].json);
	OK(!receipt_read_head(&r, refused, strlen(refused), a, &e) &&
			r.iat == 1796066400 && r.complete == 0 && !r.plan,
		"its head, and nothing else");
}

int
main(int argc, char **argv)
{
	struct arena a;

	if (argc > 1 && !strcmp(argv[1], "--schema"))
		return print_schema();
	arena_init(&a);
	test_round_trip(&a);
	test_coarse(&a);
	test_faults(&a);
	test_size(&a);
	test_head(&a);
	walk(receipt_shape(), 0);
	test_schema();
	arena_free(&a);
	return tap_done();
}
