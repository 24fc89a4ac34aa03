#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/receipts.h"
#include "app/screen.h"
#include "app/verify.h"
#include "base/clock.h"
#include "base/file.h"

struct verify_options {
	const char *key, *kid;
	bool quiet;
};

#define AT(member) offsetof(struct verify_options, member)

const struct option_row cmd_verify_rows[] = {
	{ "key", 0, OPTION_TEXT, AT(key), "FILE", NULL, 0, 0,
		"only this key's signature counts: its public half in PEM "
		"form" },
	{ "kid", 0, OPTION_TEXT, AT(kid), "KID", NULL, 0, 0,
		"the same by the key's thumbprint" },
	{ "quiet", 'q', OPTION_FLAG, AT(quiet), NULL, NULL, 0, 0,
		"name only the files that are not good" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

struct verifying {
	const struct verify_options *o;
	char kid[KEY_KID_SIZE]; /* that is wanted, "" = any */
	struct verify files;
	struct text_style style;
	size_t good, bad;
	int status;
	struct err failed; /* our own output, which ends the walk */
};

/* The key that counts, by --key or --kid. */
static int
wanted(struct verifying *v, struct err *e)
{
	const struct verify_options *o = v->o;
	struct key k;
	struct buf pem;
	int rc;

	if (o->key && o->kid)
		return err_set(
			e, ERR_USAGE, 0, "--key and --kid exclude each other");
	if (o->kid && !key_is_kid(o->kid))
		return err_set(e, ERR_USAGE, 0,
			"--kid: \"%.60s\" is no thumbprint (43 characters, "
			"`ioreceipt keygen --public KEY` prints it)",
			o->kid);
	if (o->kid)
		memcpy(v->kid, o->kid, sizeof(v->kid));
	if (!o->key)
		return 0;
	buf_init(&pem);
	rc = file_read(o->key, KEY_FILE_MAX, &pem, e);
	if (rc == 0 && key_parse(&k, buf_text(&pem), pem.len, true, e) < 0)
		rc = err_wrap(e, "%s", o->key);
	if (rc == 0)
		key_kid(&k, v->kid);
	key_wipe(&k);
	buf_free(&pem);
	return rc;
}

static void
say_good(const struct verifying *v, const char *path, struct buf *out)
{
	const struct receipt *r = &v->files.receipt;
	char when[21];

	clock_utc((int64_t)r->iat, when);
	buf_str(out, "good       ");
	text_clean(out, path, v->style.utf8);
	buf_printf(out, "\n           signed by key %s\n           receipt ",
		v->files.jws.kid);
	text_clean(out, r->jti ? r->jti : "?", v->style.utf8);
	buf_printf(out, ", %s%s%s\n", when,
		r->complete == 1 ? "" : ", not complete",
		r->sub || r->nonce ? "," : "");
	if (strcmp(r->schema, RECEIPT_MEDIAN) == 0)
		buf_str(out, "           not measured: a median of receipts\n");
	if (r->sub || r->nonce)
		buf_str(out, "          ");
	if (r->sub) {
		buf_str(out, " label ");
		text_clean(out, r->sub, v->style.utf8);
	}
	if (r->nonce) {
		buf_str(out, r->sub ? ", nonce " : " nonce ");
		text_clean(out, r->nonce, v->style.utf8);
	}
	if (r->sub || r->nonce)
		buf_char(out, '\n');
}

static void
say_bad(const struct verifying *v, const char *path, const struct err *e,
	struct buf *out)
{
	buf_str(out, "NOT GOOD   ");
	text_clean(out, path, v->style.utf8);
	buf_char(out, '\n');
	text_wrap(out, "           ", e->text, &v->style);
}

static int
one(void *arg, const char *path)
{
	struct verifying *v = arg;
	struct err e = { 0 };
	struct buf out;
	int rc;

	rc = verify_file(&v->files, path, &e);
	if (rc == 0 && v->kid[0] && strcmp(v->kid, v->files.jws.kid) != 0)
		rc = err_set(&e, ERR_DIFFERS, 0,
			"it is signed by another key, %s", v->files.jws.kid);
	v->good += rc == 0;
	v->bad += rc < 0;
	if (rc < 0)
		v->status = err_worse(v->status, e.code);
	else if (v->o->quiet)
		return 0;
	buf_init(&out);
	if (rc == 0)
		say_good(v, path, &out);
	else
		say_bad(v, path, &e, &out);
	rc = screen_out(buf_text(&out), out.len, &v->failed);
	buf_free(&out);
	return rc;
}

/* How many there were, and what a good one proves. */
static int
conclude(struct verifying *v, struct err *e)
{
	struct buf out;
	int rc;

	buf_init(&out);
	if (v->good + v->bad > 1)
		buf_printf(&out, "%zu receipts: %zu good, %zu not\n",
			v->good + v->bad, v->good, v->bad);
	if (v->good > 0 && !v->o->quiet)
		text_wrap(&out, "",
			v->kid[0]
				? "Good means: the holder of that key signed "
				  "these bytes. Not that the figures were "
				  "measured, nor where."
				: "Good means: the holder of the key that is "
				  "named signed these bytes; whose key that "
				  "is, is yours to know (--key, --kid). Not "
				  "that the figures were measured, nor where.",
			&v->style);
	rc = out.len ? screen_out(buf_text(&out), out.len, e) : 0;
	buf_free(&out);
	return rc;
}

int
cmd_verify(int argc, char **argv)
{
	struct verify_options o = { 0 };
	struct verifying v = { .o = &o };
	struct err e = { 0 };
	int i, operands = argc, rc;

	rc = command_scan("verify", argc, argv, &o, &operands);
	if (rc >= 0)
		return rc;
	if (operands == argc)
		err_set(&e, ERR_USAGE, 0,
			"verify takes receipts or folders of them: ioreceipt "
			"verify FILE...");
	if (e.code || wanted(&v, &e) < 0)
		return command_fail(&e);
	screen_style(STDOUT_FILENO, SCREEN_NEVER, &v.style);
	verify_init(&v.files);
	for (i = operands; i < argc && !v.failed.code; i++) {
		struct err walk = { 0 };

		if (receipts_walk(argv[i], one, &v, &walk) < 0 && walk.code) {
			screen_say("%s", walk.text);
			v.status = err_worse(v.status, walk.code);
		}
	}
	verify_free(&v.files);
	if (v.failed.code || conclude(&v, &v.failed) < 0)
		return command_fail(&v.failed);
	return v.status;
}
