#include <stdbool.h>
#include <stddef.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/reach.h"
#include "app/screen.h"
#include "disk/guard.h"
#include "disk/lab.h"

struct clean_options {
	const char *dir;
};

const struct option_row cmd_clean_rows[] = {
	{ "dir", 'd', OPTION_TEXT, offsetof(struct clean_options, dir), "DIR",
		NULL, 0, 0, "directory to look in (default /var/tmp)" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

int
cmd_clean(int argc, char **argv)
{
	struct clean_options o = { .dir = "/var/tmp" };
	struct guard_view view = { .dir_fd = -1 };
	struct err e = { 0 };
	bool found = false;
	int operands = argc, status;

	status = command_scan("clean", argc, argv, &o, &operands);
	if (status >= 0)
		return status;
	if (operands < argc) {
		err_set(&e, ERR_USAGE, 0,
			"clean takes no operand (\"%s\"); the directory is "
			"given by --dir",
			argv[operands]);
		return command_fail(&e);
	}
	if (reach_dir(o.dir, true, &e) < 0 ||
		guard_look(&view, o.dir, "", &e) < 0 ||
		lab_clean(view.dir_fd, &found, &e) < 0)
		status = command_fail(&e);
	else
		status = 0;
	if (status == 0)
		screen_say(found ? "%s: an abandoned lab was removed"
				 : "%s: nothing of ours is there",
			view.dir);
	guard_close(&view);
	return status;
}
