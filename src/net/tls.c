#include "net/tls.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <bearssl_ssl.h>

#include "base/rng.h"
#include "net/tls_error.h"

#define SEED_BYTES    48
#define RSA_MIN_BYTES 256
/* From year 0 to 1970, as BearSSL counts days. */
#define DAYS_TO_1970 719528
#define DAY_S	     86400

static const uint16_t suites[] = {
	BR_TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
	BR_TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
	BR_TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
	BR_TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
	BR_TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
	BR_TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
};

struct tls {
	br_ssl_client_context client;
	br_x509_minimal_context x509;
	unsigned char io[BR_SSL_BUFSIZE_BIDI];
	const char *protocols[1]; /* BearSSL keeps the pointer */
	struct tls_peer peer;
	struct wire wire;
	int fd;
	bool deaf;  /* the peer takes no more of what we write */
	bool ended; /* and sends no more */
};

/* ---- the record pump --------------------------------------------------------- */

/* Write what the engine has; 1 = it cannot be written now. */
static int
push(struct tls *t)
{
	br_ssl_engine_context *eng = &t->client.eng;
	unsigned char *data;
	ssize_t n;
	size_t len;

	data = br_ssl_engine_sendrec_buf(eng, &len);
	n = send(t->fd, data, len, MSG_NOSIGNAL);
	if (n > 0) {
		br_ssl_engine_sendrec_ack(eng, (size_t)n);
		return 0;
	}
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		t->deaf = true;
	return 1;
}

/* Read what the engine has room for; 1 = there is nothing now. */
static int
pull(struct tls *t)
{
	br_ssl_engine_context *eng = &t->client.eng;
	unsigned char *data;
	ssize_t n;
	size_t len;

	data = br_ssl_engine_recvrec_buf(eng, &len);
	n = recv(t->fd, data, len, 0);
	if (n > 0) {
		br_ssl_engine_recvrec_ack(eng, (size_t)n);
		return 0;
	}
	if (n == 0 || (errno != EAGAIN && errno != EINTR))
		t->ended = true;
	return 1;
}

/* Nothing more will come: how is that said? */
static int
cut(const struct tls *t, struct err *e)
{
	return wire_again(
		e, "%s closed the connection in the midst of it", t->peer.host);
}

/*
 * Move records until the engine is in one of the wanted states.  1: nothing
 * more will come, by the peer's own word or by the connection's end.
 */
static int
pump(struct tls *t, unsigned want, struct err *e)
{
	br_ssl_engine_context *eng = &t->client.eng;

	for (;;) {
		unsigned state = br_ssl_engine_current_state(eng);
		bool out = state & BR_SSL_SENDREC && !t->deaf;
		int error, idle = 1;

		if (state & BR_SSL_CLOSED) {
			error = br_ssl_engine_last_error(eng);
			return error ? tls_error(&t->peer, error, e) : 1;
		}
		if (state & want)
			return 0;
		if (out)
			idle &= push(t);
		if (state & BR_SSL_RECVREC && !t->ended)
			idle &= pull(t);
		if (t->ended || (t->deaf && !(state & BR_SSL_RECVREC)))
			return 1;
		if (idle && wire_wait(&t->wire, t->fd,
				    (short)(POLLIN |
					    (out && !t->deaf ? POLLOUT : 0)),
				    t->peer.host, e) < 0)
			return -1;
	}
}

/* ---- opening ------------------------------------------------------------------ */

static void
set_up_certificates(struct tls *t)
{
	br_x509_minimal_context *x = &t->x509;
	int64_t now_s = t->peer.now_s;

	br_x509_minimal_init(x, &br_sha256_vtable, t->peer.trust->anchors,
		t->peer.trust->count);
	br_x509_minimal_set_rsa(x, br_rsa_pkcs1_vrfy_get_default());
	br_x509_minimal_set_ecdsa(
		x, br_ec_get_default(), br_ecdsa_vrfy_asn1_get_default());
	br_x509_minimal_set_hash(x, br_sha256_ID, &br_sha256_vtable);
	br_x509_minimal_set_hash(x, br_sha384_ID, &br_sha384_vtable);
	br_x509_minimal_set_hash(x, br_sha512_ID, &br_sha512_vtable);
	br_x509_minimal_set_minrsa(x, RSA_MIN_BYTES);
	br_x509_minimal_set_time(x, (uint32_t)(now_s / DAY_S + DAYS_TO_1970),
		(uint32_t)(now_s % DAY_S));
}

static void
set_up_engine(struct tls *t)
{
	br_ssl_engine_context *eng = &t->client.eng;

	br_ssl_client_zero(&t->client);
	br_ssl_engine_set_versions(eng, BR_TLS12, BR_TLS12);
	br_ssl_engine_set_suites(
		eng, suites, sizeof(suites) / sizeof(suites[0]));
	br_ssl_engine_set_default_rsavrfy(eng);
	br_ssl_engine_set_default_ecdsa(eng);
	br_ssl_engine_set_hash(eng, br_sha256_ID, &br_sha256_vtable);
	br_ssl_engine_set_hash(eng, br_sha384_ID, &br_sha384_vtable);
	br_ssl_engine_set_hash(eng, br_sha512_ID, &br_sha512_vtable);
	br_ssl_engine_set_prf_sha256(eng, &br_tls12_sha256_prf);
	br_ssl_engine_set_prf_sha384(eng, &br_tls12_sha384_prf);
	br_ssl_engine_set_default_aes_gcm(eng);
	br_ssl_engine_set_default_chapol(eng);
	br_ssl_engine_set_x509(eng, &t->x509.vtable);
	br_ssl_engine_set_buffer(eng, t->io, sizeof(t->io), 1);
	t->protocols[0] = "http/1.1";
	br_ssl_engine_set_protocol_names(eng, t->protocols, 1);
	br_ssl_engine_add_flags(eng, BR_OPT_NO_RENEGOTIATION);
}

static int
start(struct tls *t, struct err *e)
{
	unsigned char seed[SEED_BYTES];
	int rc;

	if (rng_system(seed, sizeof(seed), e) < 0)
		return -1;
	br_ssl_engine_inject_entropy(&t->client.eng, seed, sizeof(seed));
	explicit_bzero(seed, sizeof(seed));
	if (!br_ssl_client_reset(&t->client, t->peer.host, 0))
		return tls_error(
			&t->peer, br_ssl_engine_last_error(&t->client.eng), e);
	rc = pump(t, BR_SSL_SENDAPP, e);
	return rc == 1 ? cut(t, e) : rc;
}

struct tls *
tls_open(const struct tls_peer *p, int fd, const struct wire *w, struct err *e)
{
	struct tls *t = calloc(1, sizeof(*t));

	if (!t) {
		wire_never(e, "out of memory");
		return NULL;
	}
	t->peer = *p;
	t->wire = *w;
	t->fd = fd;
	set_up_certificates(t);
	set_up_engine(t);
	if (start(t, e) == 0)
		return t;
	tls_close(t);
	return NULL;
}

/* ---- data --------------------------------------------------------------------- */

int
tls_write(struct tls *t, const void *data, size_t len, struct err *e)
{
	br_ssl_engine_context *eng = &t->client.eng;
	const unsigned char *at = data;
	unsigned char *room;
	size_t n;
	int rc;

	while (len > 0) {
		rc = pump(t, BR_SSL_SENDAPP | BR_SSL_RECVAPP, e);
		if (rc != 0)
			return rc;
		room = br_ssl_engine_sendapp_buf(eng, &n);
		/* an early answer: what is left need not be sent */
		if (!room)
			return 1;
		if (n > len)
			n = len;
		memcpy(room, at, n);
		br_ssl_engine_sendapp_ack(eng, n);
		at += n;
		len -= n;
	}
	br_ssl_engine_flush(eng, 0);
	/* out with it: nothing is sent while we only wait for an answer */
	while (br_ssl_engine_current_state(eng) & BR_SSL_SENDREC && !t->deaf)
		if (push(t) && !t->deaf &&
			wire_wait(&t->wire, t->fd, POLLOUT, t->peer.host, e) <
				0)
			return -1;
	return t->deaf ? 1 : 0;
}

long
tls_read(struct tls *t, void *out, size_t size, bool *whole, struct err *e)
{
	br_ssl_engine_context *eng = &t->client.eng;
	unsigned char *data;
	size_t n;
	int rc = pump(t, BR_SSL_RECVAPP, e);

	if (rc < 0)
		return -1;
	if (rc == 1) {
		*whole = !t->ended;
		return 0;
	}
	data = br_ssl_engine_recvapp_buf(eng, &n);
	if (n > size)
		n = size;
	memcpy(out, data, n);
	br_ssl_engine_recvapp_ack(eng, n);
	return (long)n;
}

void
tls_close(struct tls *t)
{
	if (!t)
		return;
	br_ssl_engine_close(&t->client.eng);
	if (br_ssl_engine_current_state(&t->client.eng) & BR_SSL_SENDREC &&
		!t->deaf)
		push(t);
	explicit_bzero(t, sizeof(*t));
	free(t);
}
