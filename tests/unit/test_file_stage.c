#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* All happens in a directory of our own, which is the working one. */
static char top[] = "/tmp/test_file_stage.XXXXXX";

/* The content of a small file, "(absent)" where there is none. */
static const char *
content(const char *name)
{
	static char out[300];
	int fd = open(name, O_RDONLY);
	ssize_t n;

	strcpy(out, "(absent)");
	if (fd < 0)
		return out;
	n = read(fd, out, sizeof(out) - 1);
	out[n < 0 ? 0 : n] = '\0';
	close(fd);
	return out;
}

static int
entries(const char *dir)
{
	DIR *d = opendir(dir);
	int n = -2; /* . and .. */

	while (d && readdir(d))
		n++;
	if (d)
		closedir(d);
	return n;
}

/* Descriptors that are open: none may be lost. */
static int
opened(void)
{
	int fd, n = 0;

	for (fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) != -1;
	return n;
}

static void
test_new(void)
{
	struct file_stage s;
	struct stat st;
	struct err e;
	char path[300], name[257];
	int before;

	mkdir("new", 0755);
	umask(027);
	OK(!file_stage_open(&s, "new/a", &e), "open");
	OK(access("new/a", F_OK) == -1, "not there before it is whole");
	before = entries("new");
	OK(before == 0 || (before == 1 && s.part[0] == '.'),
		"nameless, or hidden");
	OK(!file_stage_commit(&s, "whole", 5, &e), "commit");
	EQ_STR(content("new/a"), "whole", "there");
	OK(!stat("new/a", &st) && (st.st_mode & 07777) == 0640,
		"mode 0644 less the umask");
	OK(entries("new") == 1, "and nothing beside it");
	umask(022);
	OK(s.fd == -1 && s.dir_fd == -1, "nothing stays open");
	file_stage_drop(&s);
	OK(access("new/a", F_OK) == 0, "a drop after it does nothing");
	OK(file_stage_commit(&s, "x", 1, &e) == -1 && e.code == ERR_OUTPUT,
		"a second commit fails");
	OK(!file_stage_open(&s, "new/b", &e), "open");
	file_stage_drop(&s);
	file_stage_drop(&s);
	OK(entries("new") == 1, "dropped without a trace");
	OK(!file_replace("new/empty", "", 0, &e), "0 bytes");
	EQ_STR(content("new/empty"), "", "are a file");
	snprintf(path, sizeof(path), "%s/new/c", top);
	OK(!file_replace(path, "c", 1, &e), "an absolute path");
	OK(!file_replace("plain", "p", 1, &e), "no directory at all");
	EQ_STR(content("plain"), "p", "is the working one");
	memset(name, 'n', 256);
	name[255] = '\0';
	OK(!file_replace(name, "255", 3, &e), "the longest name");
	EQ_STR(content(name), "255", "is written");
	OK(!file_replace(name, "again", 5, &e), "and replaced");
	EQ_STR(content(name), "again", "by way of a shorter one");
	name[255] = 'n';
	name[256] = '\0';
	OK(file_replace(name, "256", 3, &e) == -1 && e.sys == ENAMETOOLONG,
		"one too many");
}

static void
test_replace(void)
{
	struct file_stage s;
	struct stat st, was;
	struct err e;

	mkdir("old", 0755);
	OK(!file_replace("old/a", "first", 5, &e), "first");
	link("old/a", "old/link");
	chmod("old/a", 0400);
	stat("old/a", &was);
	OK(!file_stage_open(&s, "old/a", &e), "open");
	EQ_STR(content("old/a"), "first", "untouched until the commit");
	OK(!file_stage_commit(&s, "2", 1, &e), "commit");
	EQ_STR(content("old/a"), "2", "replaced, not written over");
	EQ_STR(content("old/link"), "first", "another link keeps the old");
	OK(!stat("old/a", &st) && st.st_ino != was.st_ino &&
			(st.st_mode & 07777) == 0644,
		"a new file with its own mode");
	OK(!file_stage_open(&s, "old/a", &e), "open");
	file_stage_drop(&s);
	EQ_STR(content("old/a"), "2", "a drop leaves what was there");
	OK(!file_stage_open(&s, "old/late", &e), "open a new one");
	mkdir("old/late", 0755);
	OK(file_stage_commit(&s, "x", 1, &e) == -1 && e.code == ERR_OUTPUT,
		"a directory came in between");
	OK(!file_stage_open(&s, "old/late2", &e), "open a new one");
	file_replace("old/late2", "other", 5, &e);
	OK(!file_stage_commit(&s, "mine", 4, &e), "a file came in between");
	EQ_STR(content("old/late2"), "mine", "the later one stands");
	OK(entries("old") == 4, "no hidden name is left");
}

/* Names that were taken by what a killed run left. */
static void
test_taken(void)
{
	struct file_stage s;
	struct err e;
	char name[300];
	int n;

	mkdir("taken", 0755);
	OK(!file_replace("taken/a", "old", 3, &e), "old");
	for (n = 0; n < 16; n++) {
		snprintf(name, sizeof(name), "taken/.a.%ld%s%.0d.part",
			(long)getpid(), n ? "-" : "", n);
		if (n < 15)
			OK(!file_replace(name, "", 0, &e), "taken");
	}
	OK(!file_replace("taken/a", "new", 3, &e), "15 are taken");
	EQ_STR(content("taken/a"), "new", "the last was free");
	file_replace(name, "", 0, &e);
	if (!file_stage_open(&s, "taken/a", &e))
		file_stage_commit(&s, "newer", 5, &e);
	OK(e.code == ERR_OUTPUT && strstr(e.text, "\"taken/a\""),
		"all are taken");
	EQ_STR(content("taken/a"), "new", "nothing happened");
	OK(entries("taken") == 17, "what was there is there");
}

static void
test_links(void)
{
	struct err e;
	struct stat st;

	mkdir("links", 0755);
	mkdir("links/far", 0755);
	OK(!file_replace("links/far/file", "old", 3, &e), "a file");
	symlink("far/file", "links/to");
	symlink("to", "links/again");
	symlink("nothing", "links/dangling");
	symlink("far", "links/dir");
	symlink("loop", "links/loop");
	OK(!file_replace("links/again", "new", 3, &e), "through two links");
	EQ_STR(content("links/far/file"), "new", "the file is replaced");
	OK(!lstat("links/again", &st) && S_ISLNK(st.st_mode) &&
			!lstat("links/to", &st) && S_ISLNK(st.st_mode),
		"the links stay");
	OK(!file_replace("links/dir/file", "way", 3, &e), "a link on the way");
	EQ_STR(content("links/far/file"), "way", "is followed");
	OK(file_replace("links/dangling", "x", 1, &e) == -1 &&
			strstr(e.text, "points to nothing"),
		"a link to nothing");
	OK(access("links/nothing", F_OK) == -1, "makes nothing");
	OK(file_replace("links/dir", "x", 1, &e) == -1 &&
			strstr(e.text, "directory"),
		"a link to a directory");
	OK(file_replace("links/loop", "x", 1, &e) == -1 && e.sys == ELOOP,
		"a loop");
	OK(entries("links") == 6 && entries("links/far") == 1, "no more");
}

static void
test_refused(void)
{
	static const struct {
		const char *path, *says;
	} rows[] = {
		{ "", "name of a file is missing" },
		{ "no/", "name of a file is missing" },
		{ ".", "directory" },
		{ "..", "directory" },
		{ "/", "directory" },
		{ "here", "such as here/receipt.json" },
		{ "here/", "directory" },
		{ "no/such", "cannot open its directory \"no\"" },
		{ "plain/x", "\"plain/x\"" },
		{ "/dev/full", "\"/dev/full\"" },
	};
	struct err e;
	size_t i;

	mkdir("here", 0755);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		e.code = 0;
		OK(file_replace(rows[i].path, "x", 1, &e) == -1 &&
				e.code == ERR_OUTPUT,
			rows[i].path);
		if (!OK(strstr(e.text, rows[i].says) != NULL, "says why"))
			printf("# %s\n", e.text);
	}
	OK(file_replace("/dev/full", "x", 1, &e) == -1 && e.sys == ENOSPC,
		"ENOSPC of /dev/full");
	OK(!file_replace("/dev/null", "x", 1, &e), "/dev/null takes all");
	OK(entries("here") == 0, "no trace");
}

/* The number is no driver's: opening it would be another error. */
static void
test_block(void)
{
	struct err e;

	if (mknod("disk", S_IFBLK | 0600, makedev(240, 250))) {
		SKIP("needs the right to make a device node");
		return;
	}
	OK(file_replace("disk", "x", 1, &e) == -1 && e.code == ERR_OUTPUT &&
			strstr(e.text, "block device"),
		"a block device is refused");
	symlink("disk", "to-disk");
	OK(file_replace("to-disk", "x", 1, &e) == -1 &&
			strstr(e.text, "block device"),
		"also behind a link");
}

static void
test_pipe(void)
{
	struct err e;
	struct stat st;
	char got[8] = "";
	int fd;

	mkfifo("fifo", 0644);
	fd = open("fifo", O_RDWR);
	OK(!file_replace("fifo", "piped", 5, &e), "a pipe");
	OK(read(fd, got, sizeof(got) - 1) == 5, "is written to");
	EQ_STR(got, "piped", "plainly");
	OK(!stat("fifo", &st) && S_ISFIFO(st.st_mode), "and stays a pipe");
	close(fd);
}

/* --out /dev/stdout: our stdout must not be renamed away or cut. */
static void
test_stdout(void)
{
	struct err e, later;
	int saved, fd, rc, rc2;

	fflush(stdout);
	saved = dup(1);
	fd = open("out", O_CREAT | O_RDWR, 0644);
	dup2(fd, 1);
	close(fd);
	if (write(1, "before ", 7) != 7)
		perror("out");
	rc = file_replace("/proc/self/fd/1", "receipt ", 8, &e);
	rc2 = file_replace("out", "again ", 6, &later);
	if (write(1, "after", 5) != 5)
		perror("out");
	dup2(saved, 1);
	close(saved);
	OK(rc == 0 && rc2 == 0, "what our stdout is");
	EQ_STR(content("out"), "before receipt again after",
		"is written in line");
}

/* A closed stdin, stdout or stderr must not be what is opened. */
static void
test_closed(void)
{
	struct file_stage s;
	struct err e;
	int fd, saved[3], ok, ready;

	fflush(stdout);
	for (fd = 0; fd < 3; fd++) {
		saved[fd] = fcntl(fd, F_DUPFD_CLOEXEC, 10);
		close(fd);
	}
	ready = !file_stage_open(&s, "closed", &e);
	ok = s.fd > 2 && s.dir_fd > 2;
	for (fd = 0; fd < 3; fd++)
		ok &= fcntl(fd, F_GETFD) == -1;
	ready &= !file_stage_commit(&s, "x", 1, &e);
	for (fd = 0; fd < 3; fd++)
		if (saved[fd] >= 0) {
			dup2(saved[fd], fd);
			close(saved[fd]);
		}
	OK(ready && ok, "0, 1 and 2 are left free");
}

/*
 * Without /proc, then without the capability as well.  The child's steps
 * that hold are the bits of its exit status.
 */
static void
test_bare(void)
{
	struct file_stage late, s;
	int status = 0, ok = 0;
	pid_t pid;

	if (geteuid() != 0) {
		SKIP("needs root for chroot and setuid");
		return;
	}
	mkdir("bare", 0777);
	chmod("bare", 0777);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (file_stage_open(&late, "bare/late", NULL) ||
			chroot("bare") || chdir("/"))
			_exit(0);
		if (!file_replace("/a", "root", 4, NULL) &&
			!file_replace("/a", "root2", 5, NULL))
			ok |= 1;
		if (setresgid(65534, 65534, 65534) ||
			setresuid(65534, 65534, 65534))
			_exit(0);
		if (!file_replace("/b", "user", 4, NULL))
			ok |= 2;
		if (!file_replace("/b", "user2", 5, NULL))
			ok |= 4;
		if (!file_stage_open(&s, "/c", NULL)) {
			file_stage_drop(&s);
			ok |= 8;
		}
		if (!file_stage_commit(&late, "late", 4, NULL))
			ok |= 16;
		_exit(ok);
	}
	waitpid(pid, &status, 0);
	ok = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	OK(ok & 1, "root needs no /proc");
	OK(ok & 2, "nor does a user");
	OK(ok & 4, "and replaces by it");
	OK(ok & 8, "and drops it");
	OK(ok & 16, "rights lost between open and commit do not matter");
	EQ_STR(content("bare/a"), "root2", "by the capability");
	EQ_STR(content("bare/b"), "user2", "by whichever way");
	EQ_STR(content("bare/late"), "late", "written once more");
	OK(entries("bare") == 3, "no trace of the ways");
}

/* From now on linkat(2) fails: no way to name what is nameless. */
static int
deny_linkat(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_linkat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog, 0, 0);
}

static void
test_hidden(void)
{
	struct file_stage s, late;
	int status = 0, ok = 0;
	pid_t pid;

	mkdir("hidden", 0755);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (file_stage_open(&late, "hidden/late", NULL) ||
			deny_linkat())
			_exit(0);
		if (!file_stage_open(&s, "hidden/a", NULL) && s.part[0] &&
			access("hidden/a", F_OK) &&
			!file_stage_commit(&s, "one", 3, NULL))
			ok |= 1;
		if (!file_replace("hidden/a", "two", 3, NULL))
			ok |= 2;
		if (!file_stage_open(&s, "hidden/b", NULL)) {
			file_stage_drop(&s);
			ok |= 4;
		}
		if (!file_stage_open(&s, "hidden/c", NULL) &&
			!mkdir("hidden/c", 0755) &&
			file_stage_commit(&s, "x", 1, NULL) == -1)
			ok |= 8;
		if (!file_stage_commit(&late, "late", 4, NULL))
			ok |= 16;
		_exit(ok);
	}
	waitpid(pid, &status, 0);
	ok = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	OK(ok & 1, "where nothing can be named, a hidden file from the start");
	OK(ok & 2, "replaces");
	OK(ok & 4, "is dropped");
	OK(ok & 8, "and goes when it cannot be put in place");
	OK(ok & 16, "a nameless file that cannot be named is written again");
	EQ_STR(content("hidden/a"), "two", "the second");
	EQ_STR(content("hidden/late"), "late", "the late one");
	OK(entries("hidden") == 3, "no trace");
}

/* A file that is a mount point (as containers have them) is written over. */
static void
test_mounted(void)
{
	int status = 0, ok = 0;
	pid_t pid;

	mkdir("mounted", 0755);
	file_replace("mounted/inner", "a longer old text", 17, NULL);
	file_replace("mounted/point", "", 0, NULL);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (unshare(CLONE_NEWNS) ||
			mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
			mount("mounted/inner", "mounted/point", NULL, MS_BIND,
				NULL))
			_exit(64);
		if (!file_replace("mounted/point", "new", 3, NULL))
			ok |= 1;
		if (entries("mounted") == 2)
			ok |= 2;
		_exit(ok);
	}
	waitpid(pid, &status, 0);
	ok = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	if (ok == 64) {
		SKIP("needs the right to mount");
		return;
	}
	OK(ok & 1, "a mounted file is written");
	EQ_STR(content("mounted/inner"), "new", "in place, and cut");
	EQ_STR(content("mounted/point"), "", "what lies below it is not");
	OK(ok & 2, "no trace");
}

/* A directory that may be written, but not listed; one that may not. */
static void
test_rights(void)
{
	struct file_stage s;
	int status = 0, ok = 0;
	struct err e;
	pid_t pid;

	if (geteuid() != 0) {
		SKIP("needs root for setuid");
		return;
	}
	mkdir("drop", 0777);
	chmod("drop", 0733);
	mkdir("shut", 0755);
	file_replace("shut/open", "a longer old text", 17, NULL);
	file_replace("shut/closed", "closed", 6, NULL);
	chmod("shut/open", 0666);
	chmod(top, 0755);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (setresgid(65534, 65534, 65534) ||
			setresuid(65534, 65534, 65534))
			_exit(0);
		if (!file_replace("drop/a", "in", 2, NULL) &&
			!file_replace("drop/a", "in2", 3, NULL))
			ok |= 1;
		if (file_replace("shut/a", "no", 2, &e) == -1 &&
			e.code == ERR_OUTPUT && e.sys == EACCES)
			ok |= 2;
		if (!file_stage_open(&s, "shut/open", NULL)) {
			file_stage_drop(&s);
			ok |= 4;
		}
		if (!strcmp(content("shut/open"), "a longer old text") &&
			!file_replace("shut/open", "new", 3, NULL))
			ok |= 8;
		if (file_replace("shut/closed", "no", 2, &e) == -1 &&
			e.code == ERR_OUTPUT && e.sys == EACCES)
			ok |= 16;
		_exit(ok);
	}
	waitpid(pid, &status, 0);
	ok = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
	OK(ok & 1, "a box to drop into");
	EQ_STR(content("drop/a"), "in2", "is good enough");
	OK(ok & 2, "a directory that may not be written");
	OK(ok & 4, "but a file in it may");
	OK(ok & 8, "and is as it was until the commit");
	EQ_STR(content("shut/open"), "new", "written over");
	OK(ok & 16, "if it may be written");
	EQ_STR(content("shut/closed"), "closed", "else not");
	OK(entries("drop") == 1 && entries("shut") == 2, "no trace");
}

int
main(void)
{
	char clean[64];
	int before;

	if (!mkdtemp(top) || chdir(top))
		return 99;
	umask(022);
	before = opened();
	test_new();
	test_replace();
	test_taken();
	test_links();
	test_refused();
	test_block();
	test_pipe();
	test_stdout();
	test_closed();
	test_bare();
	test_hidden();
	test_mounted();
	test_rights();
	OK(opened() == before, "no descriptor is lost");
	snprintf(clean, sizeof(clean), "rm -rf %s", top);
	if (chdir("/") || system(clean))
		return 99;
	return tap_done();
}
