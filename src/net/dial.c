#include "net/dial.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/units.h"

#define EACH_NS	    (10 * CLOCK_NS_PER_S)
#define RESOLV_CONF "/etc/resolv.conf"

int
dial_hint_parse(struct dial_hint *h, const char *text, struct err *e)
{
	const char *colon = strchr(text, ':'), *at;
	unsigned char bytes[16];
	char digits[8] = "";
	size_t len, n;
	uint64_t port;

	memset(h, 0, sizeof(*h));
	if (!colon || colon == text ||
		(size_t)(colon - text) >= sizeof(h->host))
		goto wrong;
	memcpy(h->host, text, (size_t)(colon - text));
	n = strcspn(colon + 1, ":");
	if (n == 0 || n >= sizeof(digits))
		goto wrong;
	memcpy(digits, colon + 1, n);
	if (colon[1 + n] != ':' ||
		units_parse_u64(digits, 1, 65535, &port, NULL) < 0)
		goto wrong;
	h->port = (unsigned)port;
	at = colon + 1 + n + 1;
	len = strlen(at);
	if (len > 2 && at[0] == '[' && at[len - 1] == ']') {
		at++;
		len -= 2;
	}
	if (len >= sizeof(h->address))
		goto wrong;
	memcpy(h->address, at, len);
	if (inet_pton(AF_INET, h->address, bytes) == 1 ||
		inet_pton(AF_INET6, h->address, bytes) == 1)
		return 0;
wrong:
	return err_set(e, ERR_USAGE, 0,
		"--resolve: \"%.80s\" is not HOST:PORT:ADDRESS, such as "
		"collect.example:443:192.0.2.7",
		text);
}

static const struct dial_hint *
hint_for(const struct dial_place *p)
{
	unsigned i;

	for (i = 0; i < p->hint_count; i++)
		if (p->hints[i].port == p->port &&
			strcasecmp(p->hints[i].host, p->host) == 0)
			return &p->hints[i];
	return NULL;
}

static int
no_name(const char *host, int code, struct err *e)
{
	switch (code) {
	case EAI_AGAIN:
		return wire_again(e,
			"%s: no name server answers; is the network up, "
			"is " RESOLV_CONF " right?",
			host);
	case EAI_NONAME:
	case EAI_NODATA:
		return wire_never(e, "%s: there is no host of that name", host);
	case EAI_MEMORY:
		return wire_never(e, "%s: out of memory", host);
	default:
		return wire_again(e, "%s: the name cannot be looked up (%s)",
			host, gai_strerror(code));
	}
}

/* Addresses of the place, to be freed by freeaddrinfo. */
static int
look_up(const struct dial_place *p, struct addrinfo **list, struct err *e)
{
	const struct dial_hint *hint = hint_for(p);
	struct addrinfo want = { .ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM,
		.ai_flags = hint ? AI_NUMERICHOST : 0 };
	char port[8];
	int code;

	/* libc would ask a name server of its own invention, and wait for it */
	if (!hint && access(RESOLV_CONF, R_OK) < 0)
		return wire_never(e,
			"%s: there is no " RESOLV_CONF
			", so no name can be looked up; say where it is with "
			"--resolve %s:%u:ADDRESS",
			p->host, p->host, p->port);
	snprintf(port, sizeof(port), "%u", p->port);
	code = getaddrinfo(hint ? hint->address : p->host, port, &want, list);
	return code ? no_name(p->host, code, e) : 0;
}

/* What a person may do about a connection that does not come about. */
static int
refused(const struct dial_place *p, const char *address, int error,
	struct err *e)
{
	switch (error) {
	case ECONNREFUSED:
		return wire_again(e,
			"%s (%s) port %u: nothing listens there (connection "
			"refused)",
			p->host, address, p->port);
	case ENETUNREACH:
	case EHOSTUNREACH:
	case EADDRNOTAVAIL:
		return wire_again(e,
			"%s (%s) port %u: no route; is the "
			"network up?",
			p->host, address, p->port);
	case ETIMEDOUT:
		return wire_again(e, "%s (%s) port %u: no answer in time",
			p->host, address, p->port);
	default:
		return wire_again(e, "%s (%s) port %u: %s", p->host, address,
			p->port, strerror(error));
	}
}

/* One address; a descriptor, or -1. */
static int
connect_to(const struct dial_place *p, const struct addrinfo *a,
	const struct wire *w, struct err *e)
{
	struct wire each = *w;
	char address[64] = "?", what[400];
	socklen_t len = sizeof(int);
	int fd, error = 0, one = 1;

	getnameinfo(a->ai_addr, a->ai_addrlen, address, sizeof(address), NULL,
		0, NI_NUMERICHOST);
	fd = socket(
		a->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return refused(p, address, errno, e);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	if (connect(fd, a->ai_addr, a->ai_addrlen) < 0 &&
		errno != EINPROGRESS && errno != EINTR)
		error = errno;
	if (!error) {
		if (each.deadline_ns > clock_now_ns() + EACH_NS)
			each.deadline_ns = clock_now_ns() + EACH_NS;
		snprintf(what, sizeof(what), "%s (%s) port %u", p->host,
			address, p->port);
		if (wire_wait(&each, fd, POLLOUT, what, e) < 0) {
			close(fd);
			return -1;
		}
		if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0)
			error = errno;
	}
	if (!error)
		return fd;
	close(fd);
	return refused(p, address, error, e);
}

int
dial(const struct dial_place *p, const struct wire *w, struct err *e)
{
	struct addrinfo *list, *a;
	struct err one = { 0 };
	int fd = -1;

	if (look_up(p, &list, e) < 0)
		return -1;
	for (a = list; a && fd < 0 && one.sys != EINTR; a = a->ai_next)
		fd = connect_to(p, a, w, &one);
	freeaddrinfo(list);
	if (fd < 0 && e)
		*e = one;
	return fd;
}
