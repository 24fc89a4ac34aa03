#include <stddef.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/screen.h"
#include "app/sign.h"

struct keygen_options {
	bool public;
};

#define AT(member) offsetof(struct keygen_options, member)

const struct option_row cmd_keygen_rows[] = {
	{ "public", 0, OPTION_FLAG, AT(public), NULL, NULL, 0, 0,
		"make no key: print the public half of the one in FILE" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

/* Name and public half to stdout: what a collector is given. */
static int
tell(const struct key *k, struct err *e)
{
	char kid[KEY_KID_SIZE];
	struct buf out;
	int rc;

	buf_init(&out);
	key_kid(k, kid);
	buf_printf(&out, "kid %s\n", kid);
	key_write_public(k, &out);
	rc = screen_out(buf_text(&out), out.len, e);
	buf_free(&out);
	return rc;
}

int
cmd_keygen(int argc, char **argv)
{
	struct keygen_options o = { 0 };
	struct err e = { 0 };
	struct key k = { 0 };
	int operands = argc, rc;

	rc = command_scan("keygen", argc, argv, &o, &operands);
	if (rc >= 0)
		return rc;
	if (argc - operands != 1)
		err_set(&e, ERR_USAGE, 0,
			"keygen takes the name of one file: ioreceipt keygen "
			"FILE");
	else if (o.public)
		rc = sign_read_key(argv[operands], &k, &e);
	else
		rc = sign_make_key(argv[operands], &k, &e);
	if (!e.code)
		tell(&k, &e);
	key_wipe(&k);
	return e.code ? command_fail(&e) : 0;
}
