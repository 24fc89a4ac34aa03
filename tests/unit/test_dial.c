#include "net/dial.h"

#include "tap.h"

static const struct {
	const char *text, *host;
	unsigned port;
	const char *address;
} good[] = {
	{ "a.example:443:192.0.2.7", "a.example", 443, "192.0.2.7" },
	{ "a.example:8443:::1", "a.example", 8443, "::1" },
	{ "a.example:443:[2001:db8::1]", "a.example", 443, "2001:db8::1" },
};

static const char *const bad[] = { "", "a.example", "a.example:443",
	"a.example:443:", ":443:192.0.2.7", "a.example::192.0.2.7",
	"a.example:0:192.0.2.7", "a.example:65536:192.0.2.7",
	"a.example:x:192.0.2.7", "a.example:443:b.example",
	"a.example:443:192.0.2.300", "a.example:443:[::1",
	"a.example:443:fe80::1%eth0", "a.example:443:192.0.2.7:1" };

int
main(void)
{
	struct dial_hint h;
	struct err e;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		OK(dial_hint_parse(&h, good[i].text, &e) == 0, good[i].text);
		EQ_STR(h.host, good[i].host, "host");
		EQ_U64(h.port, good[i].port, "port");
		EQ_STR(h.address, good[i].address, "address");
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		OK(dial_hint_parse(&h, bad[i], &e) < 0, bad[i]);
		EQ_I64(e.code, ERR_USAGE, "an error of usage");
	}
	return tap_done();
}
