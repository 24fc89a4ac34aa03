#include "net/url.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

#define SCHEME	  "https://"
#define HTTPS	  443
#define LABEL_MAX 63

static bool
is_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9');
}

int
url_is_address(const char *host)
{
	unsigned char bytes[16];

	return strchr(host, ':') || host[0] == '[' ||
	       inet_pton(AF_INET, host, bytes) == 1 ||
	       /* also "127.1" and "2130706433", which libc takes for one */
	       host[strspn(host, "0123456789.")] == '\0';
}

/* Letters, digits, '-' and '_' in labels of 1 to 63, with dots between. */
static bool
is_name(const char *host)
{
	size_t label = 0;

	for (; *host; host++) {
		if (*host == '.') {
			if (label == 0)
				return false;
			label = 0;
		} else if (!is_alnum(*host) && *host != '-' && *host != '_') {
			return false;
		} else if (++label > LABEL_MAX) {
			return false;
		}
	}
	return label > 0;
}

static int
take_port(struct url *u, const char *s, size_t len, struct err *e)
{
	char digits[8];
	uint64_t port;

	u->port = HTTPS;
	if (len == 0)
		return 0;
	if (len < sizeof(digits)) {
		memcpy(digits, s, len);
		digits[len] = '\0';
		if (units_parse_u64(digits, 1, 65535, &port, NULL) == 0) {
			u->port = (unsigned)port;
			return 0;
		}
	}
	return err_set(e, ERR_USAGE, 0,
		"the port in the URL is no number from 1 to 65535");
}

static int
take_host(struct url *u, const char *s, size_t len, struct err *e)
{
	size_t i;

	if (len > 0 && s[len - 1] == '.')
		len--;
	if (len == 0 || len >= sizeof(u->host))
		return err_set(e, ERR_USAGE, 0, "the URL names no host");
	for (i = 0; i < len; i++)
		u->host[i] =
			(char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] + 32 : s[i]);
	u->host[len] = '\0';
	if (url_is_address(u->host))
		return err_set(e, ERR_USAGE, 0,
			"the URL names an address, and a certificate is for a "
			"name: write the name, and where it is with --resolve "
			"NAME:PORT:ADDRESS");
	if (!is_name(u->host))
		return err_set(e, ERR_USAGE, 0,
			"the host in the URL has characters that no name has "
			"(other scripts are written as xn--...)");
	return 0;
}

static int
take_authority(struct url *u, const char *s, size_t len, struct err *e)
{
	const char *colon = NULL;
	size_t i;

	for (i = 0; i < len; i++) {
		if (s[i] == '@')
			return err_set(e, ERR_USAGE, 0,
				"the URL holds a user name or password; send "
				"it by --token-file or --upload-header @FILE");
		if (s[i] == ':')
			colon = s + i;
	}
	if (len > 0 && s[0] == '[')
		return take_host(u, "[", 1, e);
	if (!colon)
		colon = s + len;
	if (take_host(u, s, (size_t)(colon - s), e) < 0)
		return -1;
	if (colon == s + len)
		return take_port(u, "", 0, e);
	return take_port(u, colon + 1, (size_t)(s + len - colon - 1), e);
}

static int
take_target(struct url *u, const char *s, struct err *e)
{
	const char *c;

	for (c = s; *c; c++) {
		if (*c == '#')
			return err_set(e, ERR_USAGE, 0,
				"the URL has a fragment (#...), which is never "
				"sent");
		if (*c <= ' ' || *c > '~' || strchr("\"<>\\^`{|}", *c))
			return err_set(e, ERR_USAGE, 0,
				"the URL has a character that no URL holds; "
				"write it as %%XX (known are {id}, {kid}, "
				"{date} and {time})");
	}
	if ((size_t)snprintf(u->target, sizeof(u->target), "%s%s",
		    *s == '/' ? "" : "/", s) >= sizeof(u->target))
		return err_set(e, ERR_USAGE, 0,
			"the URL is longer than the %d bytes that there is "
			"room for",
			URL_TARGET_SIZE);
	return 0;
}

int
url_parse(struct url *u, const char *text, struct err *e)
{
	size_t len = strlen(SCHEME), authority;

	if (!strncasecmp(text, "http://", 7))
		return err_set(e, ERR_USAGE, 0,
			"the URL begins with http://; receipts are sent by "
			"https:// only");
	if (strncasecmp(text, SCHEME, len) != 0)
		return err_set(e, ERR_USAGE, 0,
			"the URL does not begin with https://");
	text += len;
	authority = strcspn(text, "/?#");
	if (take_authority(u, text, authority, e) < 0)
		return -1;
	return take_target(u, text + authority, e);
}

void
url_show(const struct url *u, struct buf *out)
{
	size_t path = strcspn(u->target, "?");

	buf_printf(out, SCHEME "%s", u->host);
	if (u->port != HTTPS)
		buf_printf(out, ":%u", u->port);
	buf_add(out, u->target, path);
	if (u->target[path])
		buf_str(out, "?...");
}
