#include "disk/sequence.h"

#include <string.h>

#include "tap.h"

#define COUNT 300000

static void
begin(struct sequence *s, const char *words, uint32_t thread,
	enum plan_sequence generation, uint64_t entropy)
{
	const struct sequence_origin from = { thread, generation, entropy };
	struct job j;
	struct err e = { 0 };

	job_defaults(&j);
	if (job_parse(&j, words, &e) < 0 || job_check(&j, &e) < 0 ||
		sequence_init(s, &j, &from, &e) < 0) {
		OK(0, words);
		printf("# %s\n", e.text);
		exit(1);
	}
}

/* FNV-1a of the first COUNT offsets and directions. */
static uint64_t
checksum(const char *words, uint32_t thread, enum plan_sequence generation)
{
	struct sequence s;
	uint64_t offset, sum = UINT64_C(0xcbf29ce484222325);
	bool write;
	int i;

	begin(&s, words, thread, generation, 0);
	for (i = 0; i < COUNT; i++) {
		sequence_next(&s, &offset, &write);
		sum = (sum ^ (offset * 2 + write)) * UINT64_C(0x100000001b3);
	}
	sequence_free(&s);
	return sum;
}

/*
 * Checksums of sequences that were compared, line by line, with the iolog of
 * fio 3.33 (old) and of fio 3.39 (new) by tests/integration/sequence.t.
 */
static const struct {
	const char *words;
	uint32_t thread;
	uint64_t old_sum, new_sum;
} known[] = {
	{ "rw=randread bs=4k size=512M", 0, UINT64_C(0x9f88f0faa02020a5),
		UINT64_C(0xd559bf80d4ec80a5) },
	{ "rw=randrw rwmixread=70 bs=4k size=512M", 0,
		UINT64_C(0x20db59b8b1c26777), UINT64_C(0xa35cdede6fd8c777) },
	{ "rw=randwrite bs=8k size=512M", 0, UINT64_C(0x884888bc4c83c885),
		UINT64_C(0xab6f7fec16220885) },
	{ "rw=randread bs=4k size=2G norandommap=1", 0,
		UINT64_C(0x6563c11f373ba0a5), UINT64_C(0x6df36952157b00a5) },
	{ "rw=randread bs=4k size=517M", 0, UINT64_C(0xf74b67103f0dc0a5),
		UINT64_C(0xd96957d5fa40e0a5) },
	{ "rw=randrw rwmixread=97 bs=12k size=100000000", 0,
		UINT64_C(0xead6958941fd7838), UINT64_C(0xcd898db977465838) },
	{ "rw=rw rwmixread=60 bs=4k size=1000001", 0,
		UINT64_C(0x65bff7ff2d9467e9), UINT64_C(0x65bff7ff2d9467e9) },
	{ "rw=randread bs=4k size=64M numjobs=2", 1,
		UINT64_C(0xe74eab50503f20a5), UINT64_C(0xa739e6f0e41700a5) },
	{ "rw=randrw bs=4k size=8M numjobs=4 offset_increment=8M", 1,
		UINT64_C(0x4962883f22b673b0), UINT64_C(0x575c995619bf93b0) },
	{ "rw=read bs=64k size=16M numjobs=3 offset_increment=4M", 2,
		UINT64_C(0x37e6bec91e7420a5), UINT64_C(0x37e6bec91e7420a5) },
	{ "rw=randrw bs=1536 size=300k randseed=42", 0,
		UINT64_C(0x1019783ae3fe1614), UINT64_C(0x2a644cc327771e14) },
	{ "rw=randrw bs=8k size=4M randseed=77 numjobs=3", 2,
		UINT64_C(0xabda1514d2cfb4bf), UINT64_C(0xabda1514d2cfb4bf) },
	{ "rw=randrw bs=2k size=12345678 allrandrepeat=1", 0,
		UINT64_C(0x49fc243876c2f3d1), UINT64_C(0x8443ded7e90ad9d2) },
};

static void
test_known(void)
{
	uint64_t sum;
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		sum = checksum(known[i].words, known[i].thread, PLAN_FIO_334);
		if (!OK(sum == known[i].old_sum, known[i].words))
			printf("# fio3.34: %016" PRIx64 "\n", sum);
		sum = checksum(known[i].words, known[i].thread, PLAN_FIO_335);
		if (!OK(sum == known[i].new_sum, known[i].words))
			printf("# fio3.35: %016" PRIx64 "\n", sum);
	}
}

/* The beginnings, as numbers that a person can look up in an iolog. */
static void
test_first(void)
{
	static const uint64_t old[] = { 32378880, 397438976, 452677632 },
			      new[] = { 524533760, 464891904, 352600064 };
	struct sequence s, t;
	uint64_t offset;
	bool write;
	int i;

	begin(&s, "rw=randread size=512M", 0, PLAN_FIO_334, 0);
	begin(&t, "rw=randread size=512M", 0, PLAN_FIO_335, 0);
	for (i = 0; i < 3; i++) {
		sequence_next(&s, &offset, &write);
		EQ_U64(offset, old[i], "up to fio 3.34");
		sequence_next(&t, &offset, &write);
		EQ_U64(offset, new[i], "from fio 3.35 on");
		OK(!write, "a read");
	}
	sequence_free(&s);
	sequence_free(&t);
}

/* The plainest map: look at one block after the other. */
static uint64_t
plain_take(uint8_t *taken, uint64_t blocks, uint64_t block)
{
	while (taken[block])
		block = block + 1 == blocks ? 0 : block + 1;
	taken[block] = 1;
	return block;
}

/*
 * Without a map the numbers come bare: what the map makes of them is compared
 * with the plain map, over three passes, for sizes around each level.
 */
static void
test_map(void)
{
	static const uint64_t sizes[] = { 1, 2, 63, 64, 65, 127, 128, 1000,
		4095, 4096, 4097, 5000 };
	struct sequence s, bare;
	uint8_t *taken;
	uint64_t i, n, got, want, bad;
	char words[96];
	bool write;
	size_t k;

	for (k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++) {
		n = sizes[k];
		taken = calloc(n, 1);
		snprintf(words, sizeof(words),
			"rw=randread bs=512 size=%" PRIu64, n * 512);
		begin(&s, words, 0, PLAN_FIO_335, 0);
		strcat(words, " norandommap=1");
		begin(&bare, words, 0, PLAN_FIO_335, 0);
		for (i = 0, bad = 0; i < 3 * n; i++) {
			if (i && i % n == 0) {
				memset(taken, 0, n);
				sequence_next(&bare, &want, &write);
			}
			sequence_next(&bare, &want, &write);
			want = plain_take(taken, n, want / 512) * 512;
			sequence_next(&s, &got, &write);
			bad += got != want;
		}
		if (!OK(!bad, "as the plain map"))
			printf("# %s: %" PRIu64 " differ\n", words, bad);
		sequence_free(&s);
		sequence_free(&bare);
		free(taken);
	}
}

/* A map of four levels: every block once a pass. */
static void
test_large(void)
{
	const uint64_t blocks = 300001;
	uint8_t *seen = calloc(blocks, 1);
	struct sequence s;
	uint64_t i, offset, bad = 0;
	bool write;

	begin(&s, "rw=randrw rwmixread=30 bs=512 size=153600512", 0,
		PLAN_FIO_335, 0);
	for (i = 0; i < 2 * blocks; i++) {
		sequence_next(&s, &offset, &write);
		bad += offset / 512 >= blocks ||
		       seen[offset / 512] != i / blocks;
		if (offset / 512 < blocks)
			seen[offset / 512]++;
	}
	EQ_U64(bad, 0, "each block once in each of two passes");
	sequence_free(&s);
	free(seen);
}

static void
test_sequential(void)
{
	struct sequence s;
	uint64_t offset, i, bad = 0, next[2] = { 0, 0 }, writes = 0;
	bool write;

	begin(&s, "rw=write bs=8k size=100k", 0, PLAN_FIO_335, 0);
	for (i = 0; i < 30; i++) {
		sequence_next(&s, &offset, &write);
		bad += !write || offset != i % 12 * 8192;
	}
	EQ_U64(bad, 0, "whole blocks, again and again");
	begin(&s, "rw=rw rwmixread=25 size=4M", 0, PLAN_FIO_335, 0);
	for (i = 0; i < 10000; i++) {
		sequence_next(&s, &offset, &write);
		bad += offset != next[write];
		next[write] = (offset + 4096) % (4 << 20);
		writes += write;
	}
	EQ_U64(bad, 0, "each direction has a position of its own");
	OK(writes > 7300 && writes < 7700, "three writes a read");
}

static void
test_regions(void)
{
	static const uint64_t starts[] = { 0, 3 << 20, 2 << 20, 1 << 20 };
	struct sequence s;
	uint64_t offset;
	uint32_t k;
	bool write;

	for (k = 0; k < 4; k++) {
		begin(&s, "rw=read size=1M offset_increment=1M numjobs=4", k,
			PLAN_FIO_335, 0);
		sequence_next(&s, &offset, &write);
		EQ_U64(offset, starts[k], "where fio puts this thread");
	}
}

static void
test_entropy(void)
{
	const char *words = "rw=randrw size=64M randrepeat=0";
	struct sequence s[3];
	uint64_t a, b, c, same = 0;
	bool x, y, z, equal = true;
	int i;

	begin(&s[0], words, 0, PLAN_FIO_335, 1);
	begin(&s[1], words, 0, PLAN_FIO_335, 1);
	begin(&s[2], words, 0, PLAN_FIO_335, 2);
	for (i = 0; i < 1000; i++) {
		sequence_next(&s[0], &a, &x);
		sequence_next(&s[1], &b, &y);
		sequence_next(&s[2], &c, &z);
		equal = equal && a == b && x == y;
		same += a == c && x == z;
	}
	OK(equal, "one entropy, one sequence");
	OK(same < 10, "another entropy, another sequence");
	for (i = 0; i < 3; i++)
		sequence_free(&s[i]);
}

static void
test_limits(void)
{
	const struct sequence_origin from = { 0, PLAN_FIO_335, 0 };
	struct sequence s;
	struct err e;
	struct job j;

	job_defaults(&j);
	OK(sequence_init(&s, &j, &from, &e) < 0, "no size");
	sequence_free(&s);
	j.size_bytes = UINT64_C(4096) << 32;
	OK(sequence_init(&s, &j, &from, &e) < 0, "2^32 blocks");
	sequence_free(&s);
	sequence_free(&s);
}

int
main(void)
{
	test_first();
	test_known();
	test_map();
	test_large();
	test_sequential();
	test_regions();
	test_entropy();
	test_limits();
	return tap_done();
}
