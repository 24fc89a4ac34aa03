/*
 * Beyond the tests: test_facts --schema prints the schema, for "make schema".
 */
#include <math.h>

#include "made.h"
#include "receipt/facts.h"
#include "tap.h"

#define SCHEMA_FILE "src/receipt/facts.schema.json"

static const struct text_style plain = { .width = 80, .utf8 = true };

/* A machine as made.h has it, and what is told of it. */
struct told {
	struct made m;
	struct facts_source from;
	struct pressure_sample sample;
	struct arena a;
	struct receipt_facts f;
	struct buf text;
};

static void
begin(struct told *t)
{
	const struct plan_request request = { .suite = "baseline",
		.ramp_ns = UINT64_MAX,
		.runtime_ns = 20000000 };
	struct err e;

	memset(t, 0, sizeof(*t));
	OK(!made_run(&t->m, &request, &e), "a machine");
	arena_init(&t->a);
	buf_init(&t->text);
	t->from.known = (struct assemble){ .tool = &t->m.tool,
		.host = &t->m.host,
		.view = &t->m.view,
		.dir = MADE_DIR,
		.started_s = 1796066400,
		.ended_s = 1796066400,
		.clock_state = "synced",
		.clock_read_cost_ns = 23,
		.lab_removed = -1 };
	t->from.sample = &t->sample;
	t->from.runqueue_told = true;
	t->from.plan = &t->m.plan;
}

static void
tell(struct told *t)
{
	struct err e = { 0 };

	buf_reset(&t->text);
	OK(facts_make(&t->f, &t->from, &t->a, &e) == 0, "facts");
	facts_show(&t->f, &plain, &t->text);
}

static bool
shows(const struct told *t, const char *part)
{
	if (strstr(buf_text(&t->text), part))
		return true;
	printf("# \"%s\" is not in\n# %s\n", part, buf_text(&t->text));
	return false;
}

static void
end(struct told *t)
{
	buf_free(&t->text);
	arena_free(&t->a);
	made_free(&t->m);
}

static void
test_whole(void)
{
	struct told t;
	struct err e;

	begin(&t);
	tell(&t);
	OK(shows(&t, "facts      ioreceipt 0.1.0  2026-11-30T"), "the head");
	OK(shows(&t, "Debian GNU/Linux 13 (trixie)"), "the machine");
	OK(shows(&t, "clock      kvm-clock, a reading takes 23 ns"), "clock");
	OK(shows(&t, "storage    ext4 on vda1 on vda (virtio, 40 GiB"),
		"the stack");
	OK(shows(&t, "limits     of I/O: none seen"), "no limits");
	OK(shows(&t, "layers     vda1: partition"), "the partition");
	OK(shows(&t, "blocks of 512 B (physical 4 KiB)"), "blocks");
	OK(shows(&t, "\n           vda: disk, virtio, 40 GiB, not rotational"),
		"the disk");
	OK(shows(&t, "counters of vda"), "what a run would watch");
	OK(!strstr(buf_text(&t.text), "unknown"), "nothing is unknown");
	OK(shows(&t, "guard      a run would begin here (baseline, 512 MiB)"),
		"the guard");
	buf_reset(&t.text);
	OK(facts_write(&t.f, &t.text, &e) == 0, "JSON");
	OK(shows(&t, "\"schema\":\"ioreceipt-facts/1\"") &&
			shows(&t, "\"backing\":\"disk\"") &&
			shows(&t, "\"fits\":true}}\n"),
		"of the receipt's own words");
	OK(!strstr(buf_text(&t.text), MADE_DIR), "without a path");
	end(&t);
}

static void
test_limits(void)
{
	struct limits_io io[2] = { { .source = "cgroup v2 io.max",
					   .dev_major = 254,
					   .riops = 200,
					   .wiops = LIMITS_UNKNOWN,
					   .rbps = LIMITS_UNKNOWN,
					   .wbps = 4 << 20 },
		{ .source = "cgroup v1 blkio.throttle",
			.dev_major = 8,
			.riops = 7 } };
	struct told t;

	begin(&t);
	t.m.view.stack.layers[2].dev_major = 254;
	memcpy(t.m.view.limits.io, io, sizeof(io));
	t.m.view.limits.io_count = 2;
	t.m.view.limits.cpu_pct = 50;
	tell(&t);
	OK(shows(&t, "limits     cgroup v2 io.max on vda: 200 reads/s,") &&
			shows(&t, "4 MiB/s written"),
		"the limit on this disk");
	EQ_U64(t.f.target->limit_count, 1, "not another disk's");
	OK(shows(&t, "of which 0.50 are allowed"), "CPU time");
	t.m.view.stack.layers[2].dev_major = 0;
	tell(&t);
	EQ_U64(t.f.target->limit_count, 0, "on no layer of it");
	t.m.view.stack.complete = false;
	tell(&t);
	EQ_U64(t.f.target->limit_count, 2, "who knows what is hidden");
	end(&t);
}

static void
test_unknown(void)
{
	struct told t;
	int i;

	begin(&t);
	memset(&t.m.host, 0, sizeof(t.m.host));
	t.m.host.memory_bytes = t.m.host.cpus = HOST_UNKNOWN;
	t.m.view.mount_told = false;
	t.m.view.stack.count = 0;
	t.m.view.fstype[0] = '\0';
	t.m.view.stack.backing = STACK_BACKING_UNKNOWN;
	t.sample.cpu_steal_ticks = PRESSURE_UNKNOWN;
	t.sample.device_read_bytes = PRESSURE_UNKNOWN;
	for (i = 0; i < PRESSURE_STALLS; i++)
		t.sample.stall_ns[i] = PRESSURE_UNKNOWN;
	t.from.runqueue_told = false;
	t.from.refused = MADE_DIR " is full: use another --dir";
	tell(&t);
	OK(shows(&t, "unknown    system, kernel, CPU model, memory,") &&
			shows(&t, "CPU steal") && shows(&t, "mount options"),
		"what the machine does not tell is named");
	OK(!strstr(buf_text(&t.text), "watched"), "nothing can be watched");
	OK(shows(&t, "a run would be refused (baseline, 512 MiB):") &&
			shows(&t, "DIR is full"),
		"the guard's sentence, without the path");
	t.from.known.view = NULL;
	tell(&t);
	OK(!t.f.target && shows(&t, "refused"), "no directory at all");
	end(&t);
}

static void
test_schema(void)
{
	char line[4096];
	struct buf b, file;
	struct err e;
	FILE *f = fopen(SCHEMA_FILE, "r");

	buf_init(&b);
	buf_init(&file);
	OK(!facts_schema(&b, &e), "the schema");
	while (f && fgets(line, sizeof(line), f))
		buf_str(&file, line);
	OK(!strcmp(buf_text(&file), buf_text(&b)),
		SCHEMA_FILE " is up to date (make schema)");
	if (f)
		fclose(f);
	buf_free(&file);
	buf_free(&b);
}

int
main(int argc, char **argv)
{
	struct buf b;
	struct err e;

	if (argc > 1 && strcmp(argv[1], "--schema") == 0) {
		buf_init(&b);
		if (facts_schema(&b, &e))
			return 1;
		fputs(buf_text(&b), stdout);
		return 0;
	}
	test_whole();
	test_limits();
	test_unknown();
	test_schema();
	return tap_done();
}
