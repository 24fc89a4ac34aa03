#include "base/rng.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "base/clock.h"

#define RNG_WAIT_NS (60 * CLOCK_NS_PER_S)
#define RNG_POLL_NS (100 * CLOCK_NS_PER_MS)

int
rng_system(void *out, size_t len, struct err *e)
{
	uint64_t end_ns = clock_now_ns() + RNG_WAIT_NS;
	size_t got = 0;
	ssize_t n;

	while (got < len) {
		n = getrandom((char *)out + got, len - got, GRND_NONBLOCK);
		if (n > 0) {
			got += (size_t)n;
			continue;
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return err_set(e, ERR_INCOMPLETE, errno,
				"the kernel gives no random numbers "
				"(getrandom)");
		if (clock_now_ns() >= end_ns)
			return err_set(e, ERR_INCOMPLETE, 0,
				"the kernel has no random numbers yet, after "
				"60 s (getrandom); a virtio-rng device or more "
				"activity of the machine helps");
		clock_sleep_ns(RNG_POLL_NS);
	}
	return 0;
}

int
rng_init(struct rng *r, struct err *e)
{
	if (rng_system(r->s, sizeof(r->s), e) < 0)
		return -1;
	/* The one state that the generator never leaves. */
	if (!(r->s[0] | r->s[1] | r->s[2] | r->s[3]))
		r->s[0] = 1;
	return 0;
}

/* SplitMix64's step, as the authors of xoshiro advise for seeding. */
static uint64_t
rng_split(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void
rng_seed(struct rng *r, uint64_t seed)
{
	int i;

	for (i = 0; i < 4; i++)
		r->s[i] = rng_split(&seed);
}

static inline uint64_t
rng_rotate(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

static inline uint64_t
rng_step(uint64_t s[4])
{
	uint64_t out = rng_rotate(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rng_rotate(s[3], 45);
	return out;
}

uint64_t
rng_next(struct rng *r)
{
	return rng_step(r->s);
}

void
rng_fill(struct rng *r, void *out, size_t len)
{
	struct rng local = *r; /* in registers: out may alias r otherwise */
	unsigned char *p = out;
	uint64_t word;

	for (; len >= sizeof(word); len -= sizeof(word), p += sizeof(word)) {
		word = rng_step(local.s);
		memcpy(p, &word, sizeof(word));
	}
	if (len > 0) {
		word = rng_step(local.s);
		memcpy(p, &word, len);
	}
	*r = local;
}

void
rng_uuid4(struct rng *r, char out[37])
{
	static const char hex[] = "0123456789abcdef";
	unsigned char b[16];
	int i, to = 0;

	rng_fill(r, b, sizeof(b));
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* version 4 */
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80); /* RFC 9562's variant */
	for (i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			out[to++] = '-';
		out[to++] = hex[b[i] >> 4];
		out[to++] = hex[b[i] & 15];
	}
	out[to] = '\0';
}
