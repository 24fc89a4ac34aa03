#include <stddef.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/screen.h"
#include "app/sign.h"
#include "base/file.h"
#include "crypto/jws.h"
#include "receipt/receipt.h"

struct sign_options {
	const char *key;
};

#define AT(member) offsetof(struct sign_options, member)

const struct option_row cmd_sign_rows[] = {
	{ "key", 0, OPTION_TEXT, AT(key), "FILE", NULL, 0, 0,
		"the private key (ioreceipt keygen makes one)" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

/* The exact bytes of the file, if they are a receipt. */
static int
read_receipt(const char *path, struct buf *json, struct err *e)
{
	struct receipt receipt;
	struct arena arena;
	int rc;

	if (file_read(path, RECEIPT_MAX_BYTES, json, e) < 0)
		return -1;
	arena_init(&arena);
	rc = receipt_read(&receipt, buf_text(json), json->len, &arena, e);
	arena_free(&arena);
	return rc < 0 ? err_wrap(e, "%s", path) : 0;
}

static int
sign_file(const struct key *k, const char *path, struct err *e)
{
	struct buf json, text;
	char to[4096], kid[KEY_KID_SIZE];
	int rc = -1;

	buf_init(&json);
	buf_init(&text);
	if (sign_path(path, to, sizeof(to)) < 0) {
		err_set(e, ERR_USAGE, 0, "%s: the path is too long", path);
		goto done;
	}
	if (read_receipt(path, &json, e) < 0 ||
		jws_sign(k, json.data, json.len, &text, e) < 0)
		goto done;
	buf_char(&text, '\n');
	if (buf_failed(&text)) {
		err_set(e, ERR_OUTPUT, 0, "out of memory");
		goto done;
	}
	rc = file_replace(to, text.data, text.len, e);
	if (rc == 0) {
		key_kid(k, kid);
		screen_say("%s is signed by key %s: %s", path, kid, to);
	}
done:
	buf_free(&text);
	buf_free(&json);
	return rc;
}

int
cmd_sign(int argc, char **argv)
{
	struct sign_options o = { 0 };
	struct err e = { 0 };
	struct key k;
	int i, operands = argc, rc;

	rc = command_scan("sign", argc, argv, &o, &operands);
	if (rc >= 0)
		return rc;
	if (operands == argc)
		err_set(&e, ERR_USAGE, 0,
			"sign takes receipts: ioreceipt sign --key KEY "
			"FILE...");
	else if (!o.key)
		err_set(&e, ERR_USAGE, 0,
			"sign needs --key KEY; `ioreceipt keygen KEY` makes "
			"one");
	if (e.code || sign_read_key(o.key, &k, &e) < 0)
		return command_fail(&e);
	for (i = operands; i < argc && !e.code; i++)
		sign_file(&k, argv[i], &e);
	key_wipe(&k);
	return e.code ? command_fail(&e) : 0;
}
