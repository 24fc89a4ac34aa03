#include <math.h>

#include "base/clock.h"
#include "host/pressure.h"
#include "tap.h"
#include "tree.h"

#define U PRESSURE_UNKNOWN

/* Open f anew; the device is DEV:0. */
static void
again(struct pressure_source *f, const struct tree *t, unsigned dev,
	const char *virtualisation)
{
	pressure_source_close(f);
	pressure_source_init(f, t->root, dev, 0, virtualisation);
}

static void
test_take(void)
{
	struct pressure_source f;
	struct pressure_sample s;
	struct tree t;

	tree_load(&t, "virtio");
	pressure_source_init(&f, t.root, 254, 0, "kvm");
	EQ_U64(f.cpus, 2, "CPUs that are counted");
	EQ_I64(f.steal_exported, 1, "steal was counted before: it is exported");
	pressure_take(&s, &f);
	EQ_U64(s.cpu_total_ticks, 60379704, "user to steal, without guests");
	EQ_U64(s.cpu_steal_ticks, 1775, "steal");
	EQ_U64(s.device_read_ios, 787002, "reads");
	EQ_U64(s.device_read_bytes, UINT64_C(9637815) * 512, "read bytes");
	EQ_U64(s.device_write_ios, 50135, "writes");
	EQ_U64(s.device_write_bytes, UINT64_C(3904315) * 512, "written bytes");
	OK(s.at_ns > 0, "a time");
	tree_text(&t, "/sys/dev/block/254:0/queue/iostats", "0\n");
	again(&f, &t, 254, "kvm");
	pressure_take(&s, &f);
	EQ_U64(s.device_read_ios, U, "a queue that does not count");

	again(&f, &t, 0, "kvm");
	pressure_take(&s, &f);
	EQ_U64(s.device_read_bytes, U, "no device, no counters");
	again(&f, &t, 8, "kvm");
	pressure_take(&s, &f);
	EQ_U64(s.device_write_ios, U, "a device that is not there");

	tree_text(&t, "/proc/stat", "cpu  1 2 3 4 5 6 7 0 0 0\ncpu0 1 2\n");
	again(&f, &t, 0, "microsoft");
	EQ_I64(f.steal_exported, 0, "no steal ever: not known to be exported");
	pressure_take(&s, &f);
	EQ_U64(s.cpu_steal_ticks, U, "is not told then");
	EQ_U64(s.cpu_total_ticks, 28, "but the total is");
	again(&f, &t, 0, "xen");
	EQ_I64(f.steal_exported, 1, "Xen always exports it");
	again(&f, &t, 0, "none");
	EQ_I64(f.steal_exported, 1, "a real machine has none, truly 0");
	pressure_source_close(&f);
	pressure_take(&s, &f);
	EQ_U64(s.cpu_total_ticks, U, "a closed one tells nothing");
	tree_free(&t);
}

static void
test_bad_stat(void)
{
	static const char *const texts[] = { "", "cpu", "cpu  1 2 3 4\n",
		"cpux 1 2 3 4 5 6 7 8\n", "cpu  1 2 3 4 5 6 7 -8\n",
		"cpu  1 2 3 x 5 6 7 8\n",
		"cpu  18446744073709551614 9 9 9 9 9 9 9\n",
		"cpu  99999999999999999999999 2 3 4 5 6 7 8\n" };
	struct pressure_source f;
	struct pressure_sample s;
	struct tree t;
	size_t i;

	tree_init(&t);
	pressure_source_init(&f, t.root, 1, 0, "");
	EQ_U64(f.cpus, 0, "an empty root counts no CPU");
	EQ_I64(f.steal_exported, 0, "and exports no steal");
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		tree_text(&t, "/proc/stat", texts[i]);
		again(&f, &t, 0, "xen");
		pressure_take(&s, &f);
		if (s.cpu_total_ticks != U || s.cpu_steal_ticks != U)
			break;
	}
	EQ_U64(i, sizeof(texts) / sizeof(texts[0]), "odd lines tell nothing");
	tree_text(&t, "/sys/dev/block/1:0/stat", "1 2 3 4 5 6 7\n");
	again(&f, &t, 1, "xen");
	pressure_take(&s, &f);
	EQ_U64(s.device_read_ios, U, "a line of seven tells nothing");
	tree_text(&t, "/sys/dev/block/1:0/stat",
		"1 2 18446744073709551613 4 5 6 7 8\n");
	pressure_take(&s, &f);
	EQ_U64(s.device_read_bytes, U, "sectors beyond 2^64 bytes");
	EQ_U64(s.device_write_bytes, 7 * 512, "the others stay");
	EQ_U64(s.device_read_wait_ns, 4000000, "ms of its reads");
	EQ_U64(s.device_write_wait_ns, 8000000, "and its writes");
	pressure_source_close(&f);
	tree_free(&t);
}

/* What has to be a line of the kernel's to tell anything. */
static void
test_stalls(void)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} table[] = {
		{ "some avg10=0.00 avg60=0.00 avg300=0.00 total=43006\n"
		  "full avg10=0.00 avg60=0.00 avg300=0.00 total=38349\n",
			43006000 },
		{ "some avg10=0.00 avg60=0.00 avg300=0.00 total=0", 0 },
		{ "full avg10=0.00 avg60=0.00 avg300=0.00 total=5\n", U },
		{ "some avg10=0.00 avg60=0.00\nfull total=5\n", U },
		{ "some total=\n", U },
		{ "some avg10=0 total=18446744073709551614\n", U },
		{ "", U },
	};
	struct pressure_source f;
	struct pressure_sample s;
	struct tree t;
	size_t i;

	tree_init(&t);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		tree_text(&t, "/proc/pressure/io", table[i].text);
		pressure_source_init(&f, t.root, 0, 0, "");
		pressure_take(&s, &f);
		pressure_source_close(&f);
		if (s.stall_ns[PRESSURE_IO] != table[i].ns)
			break;
	}
	EQ_U64(i, sizeof(table) / sizeof(table[0]), "the total of `some`");
	EQ_U64(s.stall_ns[PRESSURE_CPU], U, "a file that is not there");
	tree_free(&t);
}

#define CPUS "cpu  10 0 0 1000 0 0 0 8\n"

static void
test_cpus(void)
{
	struct pressure_source f;
	struct pressure_sample a, b;
	struct pressure_delta d;
	struct tree t;

	tree_init(&t);
	tree_text(&t, "/proc/stat",
		CPUS "cpu0 9 0 0 500 0 0 0 4\ncpu1 1 0 0 500 0 0 0 4\n"
		     "intr 1 2 3\n");
	pressure_source_init(&f, t.root, 0, 0, "kvm");
	EQ_U64(f.cpus, 2, "two CPUs");
	pressure_take(&a, &f);
	EQ_U64(a.cpu_count, 2, "each by itself");
	EQ_U64(a.cpu[0].total, 513, "the first");
	EQ_U64(a.cpu[1].steal, 4, "the second, whose last column is steal");
	tree_text(&t, "/proc/stat",
		"cpu  20 0 0 1180 0 0 0 18\ncpu0 9 0 0 600 0 0 0 4\n"
		"cpu1 11 0 0 580 0 0 0 14\nintr 1 2 3\n");
	pressure_take(&b, &f);
	b.at_ns = a.at_ns + CLOCK_NS_PER_S;
	pressure_between(&d, &a, &b);
	OK(fabs(d.steal_pct - 5) < 1e-9, "10 of 200 ticks of both");
	OK(fabs(d.steal_worst_cpu_pct - 10) < 1e-9, "all of them the second's");
	tree_text(&t, "/proc/stat",
		"cpu  20 0 0 1180 0 0 0 18\ncpu0 9 0 0 600 0 0 0 4\n");
	pressure_take(&b, &f);
	b.at_ns = a.at_ns + CLOCK_NS_PER_S;
	pressure_between(&d, &a, &b);
	OK(isnan(d.steal_worst_cpu_pct), "one was switched off");
	OK(fabs(d.steal_pct - 5) < 1e-9, "the sum stays");
	pressure_source_close(&f);
	tree_free(&t);
}

/* Saved machines that tell no steal, whatever they say. */
static void
test_untold(void)
{
	struct pressure_source f;
	struct pressure_sample a, b;
	struct pressure_delta d;
	struct tree t;

	tree_load(&t, "hyperv");
	pressure_source_init(&f, t.root, 8, 0, "microsoft");
	EQ_U64(f.cpus, 2, "Hyper-V: CPUs");
	pressure_take(&a, &f);
	EQ_U64(a.cpu_steal_ticks, U, "Hyper-V: no steal is known to be told");
	pressure_source_close(&f);
	tree_free(&t);
	tree_load(&t, "lxcfs");
	pressure_source_init(&f, t.root, 0, 0, "none");
	pressure_take(&a, &f);
	OK(a.cpu_total_ticks > UINT64_C(1000000000000000000),
		"lxcfs: 10^18 ticks, as they stand");
	tree_text(&t, "/proc/stat",
		"cpu  4031 0 2223 99 0 0 0 0 0 0\ncpu0 4031 0 2223 99 0 0 0 "
		"0\n");
	pressure_take(&b, &f);
	pressure_source_close(&f);
	b.at_ns = a.at_ns + CLOCK_NS_PER_S;
	pressure_between(&d, &a, &b);
	OK(isnan(d.steal_pct), "and backwards: no steal is told");
	pressure_between(&d, &b, &a);
	OK(isnan(d.steal_pct), "nor forwards, 10^18 ticks in a second");
	tree_free(&t);
}

/* Of lxcfs: what a container may find in its /proc/stat, line by line. */
static void
test_lxcfs(void)
{
	static const struct {
		const char *from, *to;
	} table[] = {
		{ "cpu  1 2 3 4\ncpu0 1 2 3 4\n",
			"cpu  2 2 3 9\ncpu0 2 2 3 9\n" },
		{ CPUS "cpu0 10 0 0 1000 0 0 0 8\n",
			"cpu  9 0 0 900 0 0 0 7\ncpu0 9 0 0 900 0 0 0 7\n" },
		{ CPUS "cpu0 10 0 0 1000 0 0 0 8\n",
			"cpu  10 0 0 1000000000000000000 0 0 0 99\n"
			"cpu0 10 0 0 1000000000000000000 0 0 0 99\n" },
		{ CPUS "cpu0 10 0 0 1000 0 0 0 8\n",
			"cpu  10 0 0 500 0 0 0 508\n"
			"cpu0 10 0 0 500 0 0 0 508\n" },
		{ CPUS "cpu0 10 0 0 1000 0 0 0 8\n", "" },
		{ CPUS "cpu0 10 0 0 1000 0 0 0 8\n", CPUS },
	};
	struct pressure_source f;
	struct pressure_sample a, b;
	struct pressure_delta d;
	struct tree t;
	size_t i;

	tree_init(&t);
	for (i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		tree_text(&t, "/proc/stat", table[i].from);
		pressure_source_init(&f, t.root, 0, 0, "xen");
		pressure_take(&a, &f);
		tree_text(&t, "/proc/stat", table[i].to);
		pressure_take(&b, &f);
		pressure_source_close(&f);
		b.at_ns = a.at_ns + CLOCK_NS_PER_S;
		pressure_between(&d, &a, &b);
		if (!isnan(d.steal_pct) || !isnan(d.steal_worst_cpu_pct))
			break;
	}
	EQ_U64(i, sizeof(table) / sizeof(table[0]), "lies tell no steal");
	tree_free(&t);
}

/* 10 s on two CPUs: 2000 ticks. */
static const struct pressure_sample before = { .at_ns = CLOCK_NS_PER_S,
	.cpus = 2,
	.cpu_total_ticks = 1000,
	.cpu_steal_ticks = 100,
	.device_read_bytes = 4096,
	.device_write_bytes = 8192,
	.device_read_ios = 1,
	.device_write_ios = 2 };
static const struct pressure_sample after = { .at_ns = 11 * CLOCK_NS_PER_S,
	.cpus = 2,
	.cpu_total_ticks = 3000,
	.cpu_steal_ticks = 150,
	.device_read_bytes = 4096 * 11,
	.device_write_bytes = 8192,
	.device_read_ios = 11,
	.device_write_ios = 2 };

static void
test_between(void)
{
	struct pressure_sample b = after;
	struct pressure_delta d;

	pressure_between(&d, &before, &b);
	OK(fabs(d.steal_pct - 2.5) < 1e-9, "50 of 2000 ticks are 2.5 %");
	EQ_U64(d.device_read_bytes, 40960, "read bytes");
	EQ_U64(d.device_write_bytes, 0, "nothing written is 0, not unknown");
	EQ_U64(d.device_read_ios, 10, "reads");
	EQ_U64(d.device_write_ios, 0, "writes");

	b.cpu_steal_ticks = 99;
	pressure_between(&d, &before, &b);
	OK(isnan(d.steal_pct), "steal that ran backwards");
	b.cpu_steal_ticks = 3000;
	pressure_between(&d, &before, &b);
	OK(isnan(d.steal_pct), "more steal than time");
	b.cpu_steal_ticks = U;
	pressure_between(&d, &before, &b);
	OK(isnan(d.steal_pct), "steal that is not told");
	b = after;
	b.cpu_total_ticks = 999;
	pressure_between(&d, &before, &b);
	OK(isnan(d.steal_pct), "a total that ran backwards");
	b.cpu_total_ticks = UINT64_C(1000000000000000000);
	pressure_between(&d, &before, &b);
	OK(isnan(d.steal_pct), "10^18 ticks in 10 s (lxcfs)");
	b.cpus = 0;
	b.cpu_total_ticks = 3000;
	pressure_between(&d, &before, &b);
	OK(fabs(d.steal_pct - 2.5) < 1e-9, "CPUs not known: not judged");
	b.cpu_total_ticks = 1000;
	b.cpu_steal_ticks = 100;
	pressure_between(&d, &before, &b);
	OK(isnan(d.steal_pct), "no ticks at all");
	b = after;
	b.device_read_bytes = 1;
	b.device_write_bytes = UINT64_C(1) << 60;
	b.device_write_ios = U;
	pressure_between(&d, &before, &b);
	EQ_U64(d.device_read_bytes, U, "bytes that ran backwards");
	EQ_U64(d.device_write_bytes, U, "2^60 bytes in 10 s");
	EQ_U64(d.device_write_ios, U, "I/Os that are not told");
	EQ_U64(d.device_read_ios, 10, "the others stay");
	b = after;
	b.at_ns = before.at_ns;
	pressure_between(&d, &before, &b);
	OK(isnan(d.steal_pct) && d.device_read_ios == U, "no time between");
}

static void
test_wait(void)
{
	struct tree t;

	tree_load(&t, "virtio");
	EQ_U64(pressure_runqueue_wait_ns(t.root, 0, 0), 4567890, "ourselves");
	EQ_U64(pressure_runqueue_wait_ns(t.root, 0, 17), 2000, "our thread");
	EQ_U64(pressure_runqueue_wait_ns(t.root, 44, 45), 8, "another's");
	EQ_U64(pressure_runqueue_wait_ns(t.root, 44, 0), U,
		"zeros: this kernel does not count");
	EQ_U64(pressure_runqueue_wait_ns(t.root, 45, 0), U, "no such process");
	tree_free(&t);
}

static void
test_real(void)
{
	struct pressure_sample a, b;
	struct pressure_source f;
	struct pressure_delta d;

	if (access("/proc/stat", R_OK) != 0) {
		SKIP("no /proc here");
		return;
	}
	pressure_source_init(&f, "", 0, 0, "none");
	pressure_take(&a, &f);
	clock_sleep_ns(100 * CLOCK_NS_PER_MS);
	pressure_take(&b, &f);
	pressure_between(&d, &a, &b);
	pressure_source_close(&f);
	OK(a.cpu_total_ticks == U || f.cpus > 0, "this machine's CPUs");
	OK(isnan(d.steal_pct) || (d.steal_pct >= 0 && d.steal_pct <= 100),
		"this machine's steal is a percentage");
}

int
main(void)
{
	test_take();
	test_bad_stat();
	test_stalls();
	test_cpus();
	test_untold();
	test_lxcfs();
	test_between();
	test_wait();
	test_real();
	return tap_done();
}
