#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/screen.h"
#include "base/units.h"

const struct command command_table[] = {
	{ "run", "", "measure a directory's storage and leave a receipt",
		cmd_run_rows, cmd_run },
	{ "plan", "", "say what run would do, without doing it", cmd_run_rows,
		cmd_plan },
	{ "show", "FILE", "print a receipt as table, keys, json or fio files",
		cmd_show_rows, cmd_show },
	{ "keygen", "FILE", "make a key to sign with", cmd_keygen_rows,
		cmd_keygen },
	{ "sign", "FILE", "sign receipts that are there already", cmd_sign_rows,
		cmd_sign },
	{ "verify", "FILE", "say by which key receipts are signed, if they are",
		cmd_verify_rows, cmd_verify },
	{ "upload", "FILE", "send receipts to where they are collected",
		cmd_upload_rows, cmd_upload },
	{ "compare", "FILE", "receipts side by side, like for like",
		cmd_compare_rows, cmd_compare },
	{ "median", "FILE", "one result out of receipts of repeated runs",
		cmd_median_rows, cmd_median },
	{ "facts", "",
		"the machine and the storage below a directory, unmeasured",
		cmd_facts_rows, cmd_facts },
	{ "clean", "", "remove what a killed run left, and only that",
		cmd_clean_rows, cmd_clean },
	{ "version", "", "version, binary and libraries", cmd_version_rows,
		cmd_version },
	{ NULL, NULL, NULL, NULL, NULL },
};

static const struct command *
find(const char *name)
{
	const struct command *c;

	for (c = command_table; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

static void
help_all(struct buf *out, const struct text_style *style)
{
	char head[16];
	const struct command *c;
	const struct err_exit *x;

	buf_str(out,
		"Usage: ioreceipt [COMMAND] [OPTION]...\n"
		"Measures the storage of this machine with a declared workload"
		" and\nleaves a receipt. Without a command: run.\n\n"
		"Commands (each has --help):\n");
	for (c = command_table; c->name; c++)
		buf_printf(out, "  %-9s %-5s %s\n", c->name, c->operands,
			c->summary);
	buf_str(out, "\nExit status:\n");
	for (x = err_exits(); x->name; x++) {
		if (x->code == ERR_SIGNAL)
			snprintf(head, sizeof(head), "  128+n  ");
		else
			snprintf(head, sizeof(head), "  %5d  ", x->code);
		text_wrap(out, head, x->meaning, style);
	}
}

static int
print(struct buf *out)
{
	struct err e = { 0 };
	int rc = screen_out(buf_text(out), out->len, &e);

	buf_free(out);
	return rc < 0 ? command_fail(&e) : 0;
}

int
command_help(const char *name)
{
	const struct command *c = name ? find(name) : NULL;
	struct text_style style;
	struct buf out;

	buf_init(&out);
	screen_style(STDOUT_FILENO, SCREEN_NEVER, &style);
	if (!c) {
		help_all(&out, &style);
		return print(&out);
	}
	buf_printf(&out, "Usage: ioreceipt %s [OPTION]...%s%s\n", c->name,
		*c->operands ? " " : "", c->operands);
	buf_printf(&out, "%s: %s.\n\n", c->name, c->summary);
	option_help(c->rows, style.width, &out);
	return print(&out);
}

int
command_fail(const struct err *e)
{
	screen_say("%s", e->text);
	return e->code;
}

int
command_scan(const char *name, int argc, char **argv, void *into, int *operands)
{
	struct option_line line = { .argc = argc, .argv = argv };
	struct err e = { 0 };

	if (option_scan(find(name)->rows, &line, into, &e) < 0)
		return command_fail(&e);
	*operands = line.operands;
	return line.help ? command_help(name) : -1;
}

static int
unknown(const char *word)
{
	const char *names[32];
	const char *near;
	size_t n = 0;
	struct err e = { 0 };

	for (; command_table[n].name && n < 31; n++)
		names[n] = command_table[n].name;
	names[n] = NULL;
	near = units_nearest(word, names);
	err_set(&e, ERR_USAGE, 0, "there is no command \"%s\"%s%s%s", word,
		near ? "; did you mean \"" : "; --help lists them",
		near ? near : "", near ? "\"?" : "");
	return command_fail(&e);
}

int
command_main(int argc, char **argv)
{
	const struct command *c;

	if (argc > 1 && strcmp(argv[1], "--version") == 0)
		return find("version")->run(1, argv);
	if (argc > 1 &&
		(strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
			strcmp(argv[1], "help") == 0))
		return command_help(argc > 2 ? argv[2] : NULL);
	if (argc < 2 || argv[1][0] == '-')
		return find("run")->run(argc, argv);
	c = find(argv[1]);
	if (!c)
		return unknown(argv[1]);
	return c->run(argc - 1, argv + 1);
}
