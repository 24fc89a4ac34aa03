#include <errno.h>
#include <stddef.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/receipts.h"
#include "app/screen.h"
#include "app/send.h"
#include "app/stop.h"
#include "app/verify.h"

#define AT(member) offsetof(struct send_options, member)

const struct option_row cmd_upload_rows[] = {
	SEND_ROWS(AT, "upload"),
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

struct uploading {
	struct send send;
	struct verify files;
	unsigned sent;
	int status;
};

/* -1 where a signal ends it all. */
static int
failed(struct uploading *u, const char *path, const struct err *e)
{
	screen_say("%s: %s", path, e->text);
	u->status = err_worse(u->status, e->code);
	return e->sys == EINTR ? -1 : 0;
}

static int
one(void *arg, const char *path)
{
	struct uploading *u = arg;
	struct verify *v = &u->files;
	struct err e = { 0 };

	/* what does not hold here would not hold there */
	if (verify_file(v, path, &e) < 0)
		return failed(u, path, &e);
	struct send_receipt r = { v->receipt.jti, v->jws.kid,
		(int64_t)v->receipt.iat, &v->jws.payload, v->jws_text,
		v->jws_len };
	if (send_receipt(&u->send, &r, &e) < 0)
		return failed(u, path, &e);
	u->sent++;
	screen_say("%s is uploaded", path);
	return 0;
}

static void
send_files(struct uploading *u, char **paths, int n)
{
	struct err e;
	int i;

	verify_init(&u->files);
	for (i = 0; i < n && !stop_signal(); i++) {
		e = (struct err){ 0 };
		if (receipts_walk(paths[i], one, u, &e) < 0 && e.code) {
			screen_say("%s", e.text);
			u->status = err_worse(u->status, e.code);
		}
	}
	verify_free(&u->files);
}

static void
send_waiting(struct uploading *u)
{
	struct err e = { 0 };

	if (send_spooled(&u->send, &u->sent, &e) < 0) {
		if (u->sent == 0)
			screen_say("%s", e.text);
		u->status = err_worse(u->status, e.code);
	}
	screen_say("%u of %s sent", u->sent, u->send.spool);
}

int
cmd_upload(int argc, char **argv)
{
	struct send_options o;
	struct uploading u = { 0 };
	struct err e = { 0 };
	int operands = argc, rc;

	send_options_default(&o);
	rc = command_scan("upload", argc, argv, &o, &operands);
	if (rc >= 0)
		return rc;
	if (!o.url)
		err_set(&e, ERR_USAGE, 0,
			"upload needs --upload URL: where to?");
	else if (operands == argc && !o.spool)
		err_set(&e, ERR_USAGE, 0,
			"upload takes receipts (ioreceipt upload --upload URL "
			"FILE...), or --spool DIR");
	if (e.code || send_open(&u.send, &o, &e) < 0)
		return command_fail(&e);
	stop_install();
	if (operands < argc)
		send_files(&u, argv + operands, argc - operands);
	else
		send_waiting(&u);
	send_close(&u.send);
	return stop_signal() ? ERR_SIGNAL + stop_signal() : u.status;
}
