/*
 * main: the entry.  Everything else is in app/command.c.
 */
#include <fcntl.h>
#include <unistd.h>

#include "app/command.h"

/*
 * A caller may have closed stdin, stdout or stderr.  Then the next file we
 * open would take that number, and a table would be printed into a receipt.
 * A directory takes the place: writing to it fails, as it should.
 */
static void
hold_standard_descriptors(void)
{
	int fd;

	do
		fd = open("/", O_PATH | O_DIRECTORY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd > STDERR_FILENO)
		close(fd);
}

int
main(int argc, char **argv)
{
	hold_standard_descriptors();
	return command_main(argc, argv);
}
