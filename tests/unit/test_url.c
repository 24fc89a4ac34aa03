#include "net/url.h"

#include "tap.h"

static const struct {
	const char *text, *host;
	unsigned port;
	const char *target, *shown;
} good[] = {
	{ "https://a.example", "a.example", 443, "/", "https://a.example/" },
	{ "HTTPS://A.Example./x", "a.example", 443, "/x",
		"https://a.example/x" },
	{ "https://a.example:8443/x?q=%2F&s=a+b/?", "a.example", 8443,
		"/x?q=%2F&s=a+b/?", "https://a.example:8443/x?..." },
	{ "https://localhost?x", "localhost", 443, "/?x",
		"https://localhost/?..." },
	{ "https://xn--bcher-kva.example/%C3%BC~!$&'()*+,;=:@",
		"xn--bcher-"
		"kva.example",
		443, "/%C3%BC~!$&'()*+,;=:@",
		"https://xn--bcher-kva.example/%C3%BC~!$&'()*+,;=:@" },
	{ "https://a_b.example/", "a_b.example", 443, "/",
		"https://a_b.example/" },
};

static const struct {
	const char *text, *why;
} bad[] = {
	{ "", "https://" },
	{ "http://a.example/", "http://" },
	{ "ftp://a.example/", "https://" },
	{ "a.example", "https://" },
	{ "https://", "no host" },
	{ "https:///x", "no host" },
	{ "https://.", "no host" },
	{ "https://user:SECRET@a.example/", "user name" },
	{ "https://192.0.2.1/", "--resolve" },
	{ "https://127.1/", "--resolve" },
	{ "https://2130706433/", "--resolve" },
	{ "https://[::1]/", "--resolve" },
	{ "https://[::1]:443/", "--resolve" },
	{ "https://a..example/", "no name" },
	{ "https://b\xc3\xbc.example/", "no name" },
	{ "https://a b.example/", "no name" },
	{ "https://a.example:0/", "port" },
	{ "https://a.example:65536/", "port" },
	{ "https://a.example:x/", "port" },
	{ "https://a.example/x y?SECRET", "character" },
	{ "https://a.example/\n", "character" },
	{ "https://a.example/{host}?SECRET", "{id}" },
	{ "https://a.example/x#SECRET", "fragment" },
	{ "https://a.example/\xc3\xbc", "character" },
};

int
main(void)
{
	char long_url[URL_TARGET_SIZE + 100] = "https://a.example/";
	struct url u;
	struct buf out;
	struct err e;

	buf_init(&out);
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		OK(url_parse(&u, good[i].text, &e) == 0, good[i].text);
		EQ_STR(u.host, good[i].host, "host");
		EQ_U64(u.port, good[i].port, "port");
		EQ_STR(u.target, good[i].target, "the rest, byte for byte");
		buf_reset(&out);
		url_show(&u, &out);
		EQ_STR(buf_text(&out), good[i].shown, "as it is shown");
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		OK(url_parse(&u, bad[i].text, &e) < 0, bad[i].text);
		EQ_I64(e.code, ERR_USAGE, "an error of usage");
		if (!OK(strstr(e.text, bad[i].why) != NULL, bad[i].why))
			printf("# %s\n", e.text);
		OK(!strstr(e.text, "SECRET"), "no secret comes out");
	}
	memset(long_url + 18, 'a', sizeof(long_url) - 19);
	OK(url_parse(&u, long_url, &e) < 0, "too long");
	long_url[18 + URL_TARGET_SIZE - 2] = '\0';
	OK(url_parse(&u, long_url, &e) == 0, "just short enough");
	buf_free(&out);
	return tap_done();
}
