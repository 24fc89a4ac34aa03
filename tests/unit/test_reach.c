/*
 * Places that answer, well or not: none of them is one that does not.
 */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/reach.h"
#include "base/clock.h"
#include "tap.h"

static int
count(const char *dir)
{
	DIR *d = opendir(dir);
	int n = 0;

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

int
main(void)
{
	static const char *const dirs[] = { "/", ".", "/proc", "/dev/null",
		"/no/such/place", "" };
	char dir[] = "/tmp/reach-XXXXXX", path[64];
	uint64_t began = clock_now_ns();
	struct err e = { 0 };
	size_t i;

	for (i = 0; i < sizeof(dirs) / sizeof(dirs[0]); i++)
		OK(reach_dir(dirs[i], i % 2, &e) == 0, dirs[i]);
	if (!mkdtemp(dir))
		return 1;
	snprintf(path, sizeof(path), "%s/receipt.json", dir);
	OK(reach_parent(path, true, &e) == 0, "the folder of a receipt");
	EQ_I64(count(dir), 2, "nothing is left in it");
	OK(reach_parent("receipt.json", false, &e) == 0, "this folder");
	OK(reach_parent("/receipt.json", false, &e) == 0, "the root");
	OK(clock_now_ns() - began < 5 * CLOCK_NS_PER_S,
		"nothing was waited for");
	EQ_I64(e.code, 0, "and there is nothing to say");
	rmdir(dir);
	return tap_done();
}
