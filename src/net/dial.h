/*
 * dial: a TCP connection to a host by name.
 *
 * All addresses of the name are tried in turn, each for at most 10 s, within
 * the whole's deadline.  The name is asked of libc (/etc/hosts, then the servers
 * of /etc/resolv.conf), unless a hint says where it is.
 */
#ifndef NET_DIAL_H
#define NET_DIAL_H

#include "net/wire.h"

#define DIAL_HINTS_MAX 8

/* --resolve HOST:PORT:ADDRESS */
struct dial_hint {
	char host[254];
	unsigned port;
	char address[64]; /* IPv4 or IPv6, without brackets */
};

/* ERR_USAGE. */
int dial_hint_parse(struct dial_hint *h, const char *text, struct err *e);

struct dial_place {
	const char *host;
	unsigned port;
	const struct dial_hint *hints;
	unsigned hint_count;
};

/* A connected descriptor that does not block; -1. */
int dial(const struct dial_place *p, const struct wire *w, struct err *e);

#endif
