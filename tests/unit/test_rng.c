#include "base/rng.h"

#include <ctype.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* The published sequences of the two generators. */
static void
test_sequence(void)
{
	static const uint64_t first[] = { 11520, 0, 1509978240,
		UINT64_C(1215971899390074240), UINT64_C(1216172134540287360),
		UINT64_C(607988272756665600), UINT64_C(16172922978634559625),
		UINT64_C(8476171486693032832), UINT64_C(10595114339597558777),
		UINT64_C(2904607092377533576) };
	static const uint64_t split[] = { UINT64_C(0xe220a8397b1dcdaf),
		UINT64_C(0x6e789e6aa1b965f4), UINT64_C(0x06c45d188009454f),
		UINT64_C(0xf88bb8a8724c81ec) };
	struct rng r = { { 1, 2, 3, 4 } };
	size_t i;

	for (i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		EQ_U64(rng_next(&r), first[i], "xoshiro256** from 1 2 3 4");
	rng_seed(&r, 0);
	for (i = 0; i < 4; i++)
		EQ_U64(r.s[i], split[i], "SplitMix64 from 0");
}

/* Each length at each alignment: the same bytes, and none beside them. */
static void
test_fill(void)
{
	struct rng r, again;
	unsigned char got[128], want[96];
	size_t len, at, i;
	uint64_t word;
	int ok = 1, beside = 1;

	for (len = 0; len <= 80; len++)
		for (at = 0; at < 8; at++) {
			rng_seed(&r, len);
			rng_seed(&again, len);
			for (i = 0; i < len; i += 8) {
				word = rng_next(&again);
				memcpy(want + i, &word, 8);
			}
			memset(got, 0xaa, sizeof(got));
			rng_fill(&r, got + at, len);
			ok &= !memcmp(got + at, want, len);
			ok &= rng_next(&r) == rng_next(&again);
			for (i = 0; i < sizeof(got); i++)
				if (i < at || i >= at + len)
					beside &= got[i] == 0xaa;
		}
	OK(ok, "rng_fill is rng_next's bytes");
	OK(beside, "and writes nothing beside them");
}

/* A million bits: a coin, within 5 sigma (500). */
static void
test_bits(void)
{
	struct rng r;
	uint64_t ones = 0, i;

	rng_seed(&r, 42);
	for (i = 0; i < 15625; i++)
		ones += (uint64_t)__builtin_popcountll(rng_next(&r));
	OK(ones > 497500 && ones < 502500, "half of the bits are set");
}

static void
test_uuid(void)
{
	struct rng r;
	char a[38], b[37];
	int i, k, ok = 1;

	rng_seed(&r, 7);
	a[37] = 'z';
	for (k = 0; k < 1000; k++) {
		rng_uuid4(&r, a);
		ok &= strlen(a) == 36 && a[14] == '4' && strchr("89ab", a[19]);
		for (i = 0; i < 36; i++)
			if (i == 8 || i == 13 || i == 18 || i == 23)
				ok &= a[i] == '-';
			else
				ok &= isdigit((unsigned char)a[i]) ||
				      (a[i] >= 'a' && a[i] <= 'f');
	}
	OK(ok, "version, variant, dashes, lower case");
	OK(a[37] == 'z', "37 bytes");
	rng_uuid4(&r, b);
	OK(strcmp(a, b), "never the same");
}

/* From now on getrandom(2) fails as on a kernel without it. */
static int
deny_getrandom(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getrandom, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0);
}

static void
test_init(void)
{
	struct rng a, b;
	struct err e;
	int status = 1;
	pid_t pid;

	OK(!rng_init(&a, &e) && !rng_init(&b, &e), "getrandom");
	OK(memcmp(&a, &b, sizeof(a)), "two states differ");
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (deny_getrandom())
			_exit(1);
		_exit(!(rng_init(&a, &e) == -1 && e.sys == ENOSYS &&
			e.code == ERR_INCOMPLETE &&
			strstr(e.text, "getrandom")));
	}
	waitpid(pid, &status, 0);
	OK(status == 0, "without getrandom there is nothing instead");
}

int
main(void)
{
	test_sequence();
	test_fill();
	test_bits();
	test_uuid();
	test_init();
	return tap_done();
}
