#include <limits.h>
#include <stddef.h>
#include <string.h>

#include "app/bounded.h"
#include "app/reach.h"
#include "base/file.h"

struct reach {
	const char *dir;
	bool write;
};

static int
try(void *arg, struct err *e)
{
	const struct reach *r = arg;

	(void)e;
	file_try_dir(r->dir, r->write);
	return 0;
}

int
reach_dir(const char *dir, bool write, struct err *e)
{
	struct reach r = { dir, write };

	/* a child that died has not hung */
	if (bounded_call(try, &r, BOUNDED_LIMIT_NS, dir, e) != BOUNDED_HANGS)
		return 0;
	return err_set(e, ERR_REFUSED, 0,
		"%s does not answer (nothing for %u s): its disk is dead, or "
		"its filesystem is frozen or not reached",
		dir, (unsigned)(BOUNDED_LIMIT_NS / 1000000000));
}

int
reach_parent(const char *path, bool write, struct err *e)
{
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;
	char dir[PATH_MAX];

	if (!slash)
		return reach_dir(".", write, e);
	if (len >= sizeof(dir))
		return 0;
	memcpy(dir, path, len);
	dir[len] = '\0';
	return reach_dir(len > 0 ? dir : "/", write, e);
}
