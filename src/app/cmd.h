/*
 * cmd: the commands, one file each (cmd_*.c), as the table in command.c
 * names them.  Each takes argv with its own name first and returns the exit
 * status.
 */
#ifndef APP_CMD_H
#define APP_CMD_H

#include "app/option.h"

int cmd_run(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_median(int argc, char **argv);
int cmd_facts(int argc, char **argv);
int cmd_clean(int argc, char **argv);
int cmd_keygen(int argc, char **argv);
int cmd_sign(int argc, char **argv);
int cmd_verify(int argc, char **argv);
int cmd_upload(int argc, char **argv);
int cmd_version(int argc, char **argv);

extern const struct option_row cmd_run_rows[]; /* plan's too */
extern const struct option_row cmd_show_rows[];
extern const struct option_row cmd_compare_rows[];
extern const struct option_row cmd_median_rows[];
extern const struct option_row cmd_facts_rows[];
extern const struct option_row cmd_clean_rows[];
extern const struct option_row cmd_keygen_rows[];
extern const struct option_row cmd_sign_rows[];
extern const struct option_row cmd_verify_rows[];
extern const struct option_row cmd_upload_rows[];
extern const struct option_row cmd_version_rows[];

#endif
