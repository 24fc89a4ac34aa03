/*
 * command: what `ioreceipt WORD` can be.
 *
 * A command gets argv with its own name as argv[0] and returns the exit
 * status.  Commands print through app/screen; nothing below app/ prints.
 */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "app/option.h"

/* One row of the table; the columns: */
struct command {
	const char *name;
	const char *operands;	       /* "FILE", "" where it takes none */
	const char *summary;	       /* one line for `ioreceipt --help` */
	const struct option_row *rows; /* for its own --help */
	int (*run)(int argc, char **argv);
};

/* The table, ended by name == NULL. */
extern const struct command command_table[];

/* Find the command, run it; no word, or an option first, means `run`. */
int command_main(int argc, char **argv);

/* Print `ioreceipt NAME --help`; returns the exit status. */
int command_help(const char *name);

/* Print e as a message; returns the exit status it asks for. */
int command_fail(const struct err *e);

/*
 * Scan options for command `name` into `into`, print help or an error.
 * Returns -1 to go on (operands set), else the exit status to end with.
 */
int command_scan(
	const char *name, int argc, char **argv, void *into, int *operands);

#endif
