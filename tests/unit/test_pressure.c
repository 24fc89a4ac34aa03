#include <math.h>

#include "base/clock.h"
#include "host/pressure.h"
#include "tap.h"
#include "tree.h"

#define U PRESSURE_UNKNOWN

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

	pressure_source_init(&f, t.root, 0, 0, "kvm");
	pressure_take(&s, &f);
	EQ_U64(s.device_read_bytes, U, "no device, no counters");
	pressure_source_init(&f, t.root, 8, 0, "kvm");
	pressure_take(&s, &f);
	EQ_U64(s.device_write_ios, U, "a device that is not there");

	tree_text(&t, "/proc/stat", "cpu  1 2 3 4 5 6 7 0 0 0\ncpu0 1 2\n");
	pressure_source_init(&f, t.root, 0, 0, "microsoft");
	EQ_I64(f.steal_exported, 0, "no steal ever: not known to be exported");
	pressure_take(&s, &f);
	EQ_U64(s.cpu_steal_ticks, U, "is not told then");
	EQ_U64(s.cpu_total_ticks, 28, "but the total is");
	pressure_source_init(&f, t.root, 0, 0, "xen");
	EQ_I64(f.steal_exported, 1, "Xen always exports it");
	pressure_source_init(&f, t.root, 0, 0, "none");
	EQ_I64(f.steal_exported, 1, "a real machine has none, truly 0");
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
	pressure_source_init(&f, t.root, 1, 1, "");
	EQ_U64(f.cpus, 0, "an empty root counts no CPU");
	EQ_I64(f.steal_exported, 0, "and exports no steal");
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		tree_text(&t, "/proc/stat", texts[i]);
		pressure_source_init(&f, t.root, 1, 1, "xen");
		pressure_take(&s, &f);
		if (s.cpu_total_ticks != U || s.cpu_steal_ticks != U)
			break;
	}
	EQ_U64(i, sizeof(texts) / sizeof(texts[0]), "odd lines tell nothing");
	tree_text(&t, "/sys/dev/block/1:1/stat", "1 2 3 4 5 6\n");
	pressure_take(&s, &f);
	EQ_U64(s.device_read_ios, U, "a line of six tells nothing");
	tree_text(&t, "/sys/dev/block/1:1/stat",
		"1 2 18446744073709551613 4 5 6 7\n");
	pressure_take(&s, &f);
	EQ_U64(s.device_read_bytes, U, "sectors beyond 2^64 bytes");
	EQ_U64(s.device_write_bytes, 7 * 512, "the others stay");
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
	OK(a.cpu_total_ticks == U || f.cpus > 0, "this machine's CPUs");
	OK(isnan(d.steal_pct) || (d.steal_pct >= 0 && d.steal_pct <= 100),
		"this machine's steal is a percentage");
}

int
main(void)
{
	test_take();
	test_bad_stat();
	test_between();
	test_wait();
	test_real();
	return tap_done();
}
