/*
 * tree.h: saved trees of other machines.
 *
 * tests/unit/data/host/NAME.tree is one text, unpacked into a temporary
 * directory that serves as `root`:
 *
 *	# a remark
 *	/path = one line		a file
 *	/path:				a file of several lines, which follow
 *		line			with a tab in front
 *	/path -> target			a symbolic link
 *	/path/				a directory
 *
 * Directories are made as needed.  A tree that cannot be unpacked ends the
 * test program: nothing after it would mean anything.
 */
#ifndef TREE_H
#define TREE_H
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TREE_DATA "tests/unit/data/host/"

struct tree {
	char root[64];
};

static inline void
tree_die(const char *what, const char *path)
{
	printf("Bail out! %s %s: %s\n", what, path, strerror(errno));
	exit(1);
}

/* root + path, with the directories above it. */
static inline void
tree_path(const struct tree *t, const char *path, char out[PATH_MAX])
{
	char *p;

	if (snprintf(out, PATH_MAX, "%s%s", t->root, path) >= PATH_MAX)
		tree_die("too long", path);
	for (p = out + strlen(t->root) + 1; (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(out, 0755) != 0 && errno != EEXIST)
			tree_die("mkdir", out);
		*p = '/';
	}
}

/* Write (mode "w") or extend ("a") a file. */
static inline void
tree_put(const struct tree *t, const char *path, const char *mode,
	const void *data, size_t len)
{
	char full[PATH_MAX];
	FILE *f;

	tree_path(t, path, full);
	f = fopen(full, mode);
	if (!f || fwrite(data, 1, len, f) != len || fclose(f) != 0)
		tree_die("write", full);
}

static inline void
tree_text(const struct tree *t, const char *path, const char *text)
{
	tree_put(t, path, "w", text, strlen(text));
}

static inline void
tree_link(const struct tree *t, const char *path, const char *target)
{
	char full[PATH_MAX];

	tree_path(t, path, full);
	if (symlink(target, full) != 0)
		tree_die("symlink", full);
}

/* An empty tree. */
static inline void
tree_init(struct tree *t)
{
	strcpy(t->root, "/tmp/ioreceipt-tree.XXXXXX");
	if (!mkdtemp(t->root))
		tree_die("mkdtemp", t->root);
}

/* One line of a .tree; file is the one that lines with a tab go to. */
static inline void
tree_line(const struct tree *t, char *line, char file[PATH_MAX])
{
	size_t len = strcspn(line, "\n");
	char full[PATH_MAX], *p;

	if (line[0] == '\t') {
		tree_put(t, file, "a", line + 1, strlen(line + 1));
		return;
	}
	line[len] = '\0';
	if (len == 0) {
		if (file[0])
			tree_put(t, file, "a", "\n", 1);
	} else if (line[0] == '#') {
		return;
	} else if ((p = strstr(line, " -> "))) {
		*p = '\0';
		tree_link(t, line, p + 4);
	} else if ((p = strstr(line, " = "))) {
		*p = '\0';
		line[len] = '\n';
		tree_put(t, line, "w", p + 3, len - (size_t)(p + 3 - line) + 1);
	} else if (line[len - 1] == '/') {
		tree_path(t, line, full);
	} else if (line[len - 1] == ':') {
		line[len - 1] = '\0';
		snprintf(file, PATH_MAX, "%s", line);
		tree_text(t, file, "");
		return;
	} else {
		tree_die("no such kind of line:", line);
	}
	if (len)
		file[0] = '\0';
}

static inline void
tree_load(struct tree *t, const char *name)
{
	char path[PATH_MAX], line[4096], file[PATH_MAX] = "";
	FILE *f;

	tree_init(t);
	snprintf(path, sizeof(path), TREE_DATA "%s.tree", name);
	f = fopen(path, "r");
	if (!f)
		tree_die("open (from the top of the sources?)", path);
	while (fgets(line, sizeof(line), f))
		tree_line(t, line, file);
	fclose(f);
}

static inline int
tree_remove(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)kind;
	(void)at;
	return remove(path);
}

static inline void
tree_free(struct tree *t)
{
	nftw(t->root, tree_remove, 16, FTW_DEPTH | FTW_PHYS);
}
#endif
