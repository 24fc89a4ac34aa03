/*
 * test_lab.c: the lab is made, taken over and removed only where it is surely
 * ours; two runs never share one; whatever a kill leaves is taken over.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "disk/lab.h"
#include "tap.h"

#define NOBODY 65534
#define M      LAB_NAME "/" LAB_MARKER
#define GOOD   LAB_MARKER_TEXT "\nmade-by=ioreceipt pid=1 uid=0 at=x\ntarget="
#define TARGET "target-0123456789abcdef"

static char dir_path[] = "/var/tmp/test-lab-XXXXXX";
static int dir_fd;

/* ---- small helpers, all below dir_fd ------------------------------------ */

static void
put(const char *path, const char *text)
{
	int fd = openat(dir_fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	size_t n = strlen(text);

	if (fd < 0 || write(fd, text, n) != (ssize_t)n)
		printf("# cannot write %s: %s\n", path, strerror(errno));
	close(fd);
}

static void
get(const char *path, char *text, size_t size)
{
	int fd = openat(dir_fd, path, O_RDONLY);
	ssize_t n = read(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
}

static bool
is_there(const char *path)
{
	struct stat st;

	return fstatat(dir_fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static mode_t
mode_of(const char *path)
{
	struct stat st;

	return fstatat(dir_fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0 ? st.st_mode
								    : 0;
}

static void
wipe(void)
{
	char command[128];

	snprintf(command, sizeof(command),
		"rm -rf %s/* && chmod 01777 %s && test -d %s", dir_path,
		dir_path, dir_path);
	OK(system(command) == 0 && !is_there(LAB_NAME), "(a clean directory)");
}

/* The lab as a run that was killed leaves it. */
static void
abandoned(const char *target)
{
	char text[256];

	mkdirat(dir_fd, LAB_NAME, 0700);
	snprintf(text, sizeof(text), GOOD "%s\n", target);
	put(M, text);
}

static int
enter_and_leave(struct err *e)
{
	struct lab l;

	if (lab_enter(&l, dir_fd, e) < 0)
		return -1;
	return lab_leave(&l, e);
}

/* Refused with a sentence that holds `why`, for enter and clean alike? */
static void
refused(const char *why, const char *what)
{
	struct err e = { 0 };
	bool found;

	OK(enter_and_leave(&e) < 0 && e.code == ERR_REFUSED, what);
	if (!OK(strstr(e.text, why) != NULL, "and says why"))
		printf("# %s\n", e.text);
	memset(&e, 0, sizeof(e));
	OK(lab_clean(dir_fd, &found, &e) < 0 && e.code == ERR_REFUSED &&
			strstr(e.text, why),
		"clean refuses it too");
}

/* ---- a run's own life --------------------------------------------------- */

static void
fresh(void)
{
	struct lab l;
	struct err e = { 0 };
	char text[600];
	mode_t mask = umask(0777);

	lab_init(&l);
	OK(lab_leave(&l, &e) == 0, "leaving what was not entered is fine");
	OK(lab_enter(&l, dir_fd, &e) == 0, "enter, under umask 0777");
	OK(umask(mask) == 0777, "the umask is the caller's again");
	OK(!l.took_over, "nothing was taken over");
	EQ_STR(l.name, LAB_NAME, "its name");
	EQ_U64(mode_of(LAB_NAME), S_IFDIR | 0700, "mode 0700");
	EQ_U64(mode_of(M), S_IFREG | 0600, "marker with mode 0600");
	get(M, text, sizeof(text));
	OK(strstr(text, LAB_MARKER_TEXT "\nmade-by=ioreceipt pid=") == text,
		"marker's first lines");
	OK(strlen(l.target) == 23 && strstr(text, l.target), "and its target");
	OK(lab_leave(&l, &e) == 0, "leave");
	OK(!is_there(LAB_NAME), "nothing is left");
	OK(l.fd == -1, "and nothing is open");
}

static void
setgid_parent(void)
{
	struct err e = { 0 };
	struct lab l;

	wipe();
	fchmod(dir_fd, 02777);
	OK(lab_enter(&l, dir_fd, &e) == 0, "a setgid parent");
	EQ_U64(mode_of(LAB_NAME), S_IFDIR | 0700, "does not hand its bit down");
	OK(lab_leave(&l, &e) == 0, "leave");
	mkdirat(dir_fd, LAB_NAME, 0700);
	OK(lab_enter(&l, dir_fd, &e) == 0 && l.took_over,
		"killed before the bit was taken away: taken over");
	OK(lab_leave(&l, &e) == 0, "leave");
	fchmod(dir_fd, 01777);
}

static void
foreign_file_at_the_end(void)
{
	struct err e = { 0 };
	struct lab l;
	bool found;

	wipe();
	OK(lab_enter(&l, dir_fd, &e) == 0, "enter");
	put(LAB_NAME "/precious", "mine");
	OK(lab_leave(&l, &e) < 0 && e.code == ERR_CLEANUP,
		"a foreign file at the end: 5");
	OK(strstr(e.text, "\"precious\"") != NULL, "named");
	OK(is_there(LAB_NAME "/precious") && is_there(M),
		"it stays, and so does the marker");
	refused("\"precious\"", "the next run refuses");
	unlinkat(dir_fd, LAB_NAME "/precious", 0);
	OK(lab_clean(dir_fd, &found, &e) == 0 && found && !is_there(LAB_NAME),
		"once it is away, clean removes the lab");
}

static void
changed_while_inside(void)
{
	struct err e = { 0 };
	struct lab l;

	wipe();
	lab_enter(&l, dir_fd, &e);
	put(M, LAB_MARKER_TEXT "\nsomething else\n");
	OK(lab_leave(&l, &e) < 0 && e.code == ERR_CLEANUP && is_there(M),
		"an edited marker: 5, all stays");
	wipe();
	lab_enter(&l, dir_fd, &e);
	unlinkat(dir_fd, M, 0);
	put(M, GOOD TARGET "\n");
	OK(lab_leave(&l, &e) < 0 && e.code == ERR_CLEANUP && is_there(M),
		"another marker: 5, all stays");
	wipe();
	lab_enter(&l, dir_fd, &e);
	unlinkat(dir_fd, M, 0);
	OK(lab_leave(&l, &e) == 0 && !is_there(LAB_NAME),
		"a marker that is gone: the empty lab goes");
	wipe();
	lab_enter(&l, dir_fd, &e);
	unlinkat(dir_fd, M, 0);
	unlinkat(dir_fd, LAB_NAME, AT_REMOVEDIR);
	OK(lab_leave(&l, &e) == 0, "a lab that is gone is no failure");
	wipe();
	lab_enter(&l, dir_fd, &e);
	renameat(dir_fd, LAB_NAME, dir_fd, "moved");
	OK(lab_leave(&l, &e) < 0 && e.code == ERR_CLEANUP &&
			is_there("moved/" LAB_MARKER),
		"a lab that was moved: 5, all stays");
	wipe();
	lab_enter(&l, dir_fd, &e);
	renameat(dir_fd, LAB_NAME, dir_fd, "moved");
	mkdirat(dir_fd, "other", 0700);
	put("other/" LAB_MARKER, "x");
	symlinkat("other", dir_fd, LAB_NAME);
	OK(lab_leave(&l, &e) < 0 && e.code == ERR_CLEANUP &&
			is_there("other/" LAB_MARKER) && is_there(LAB_NAME),
		"a symlink in its place: 5, what it points to stays");
	wipe();
	lab_enter(&l, dir_fd, &e);
	renameat(dir_fd, LAB_NAME, dir_fd, "moved");
	abandoned(TARGET);
	OK(lab_leave(&l, &e) < 0 && e.code == ERR_CLEANUP && is_there(M),
		"another lab in its place: 5, it stays");
}

/* ---- what a killed run left --------------------------------------------- */

static void
taken_over(const char *what)
{
	struct err e = { 0 };
	struct lab l;

	if (!OK(lab_enter(&l, dir_fd, &e) == 0 && l.took_over, what))
		printf("# %s\n", e.text);
	OK(lab_leave(&l, &e) == 0 && !is_there(LAB_NAME), "nothing is left");
}

static void
leftovers(void)
{
	struct err e = { 0 };
	struct lab l;
	bool found;

	wipe();
	mkdirat(dir_fd, LAB_NAME, 0700);
	taken_over("killed before the marker");
	mkdirat(dir_fd, LAB_NAME, 0700);
	put(M, "");
	taken_over("killed before the marker was written");
	abandoned(TARGET);
	taken_over("killed later");
	abandoned(TARGET);
	put(LAB_NAME "/" TARGET, "data");
	taken_over("killed between making and unlinking the target");
	lab_enter(&l, dir_fd, &e);
	lab_abandon(&l);
	taken_over("what this version itself leaves");
	abandoned(TARGET);
	put(LAB_NAME "/" TARGET, "data");
	OK(lab_clean(dir_fd, &found, &e) == 0 && found && !is_there(LAB_NAME),
		"clean removes lab, marker and target");
	OK(lab_clean(dir_fd, &found, &e) == 0 && !found,
		"clean where nothing is: nothing was found");
}

static void
kills(void)
{
	struct err e = { 0 };
	unsigned bad = 0, left = 0;
	struct lab l;

	wipe();
	for (unsigned i = 0; i < 150; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			for (;;)
				enter_and_leave(NULL);
		}
		clock_sleep_ns(300000 + i * 20011);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		left += is_there(LAB_NAME);
		if (lab_enter(&l, dir_fd, &e) < 0) {
			printf("# %s\n", e.text);
			bad++;
			wipe();
		} else if (lab_leave(&l, &e) < 0 || is_there(LAB_NAME)) {
			bad++;
		}
	}
	printf("# 150 kills, %u left a lab\n", left);
	EQ_U64(bad, 0, "after kill -9 at any moment the next run enters");
}

/* ---- what is not ours ---------------------------------------------------- */

static void
other_things_of_that_name(void)
{
	wipe();
	mkdirat(dir_fd, "elsewhere", 0700);
	symlinkat("elsewhere", dir_fd, LAB_NAME);
	refused("a symbolic link", "a symlink to a directory of ours");
	unlinkat(dir_fd, LAB_NAME, 0);
	symlinkat("nowhere", dir_fd, LAB_NAME);
	refused("a symbolic link", "a dangling symlink");
	OK(!is_there("nowhere"), "which is not followed");
	unlinkat(dir_fd, LAB_NAME, 0);
	put(LAB_NAME, "text");
	refused("a file", "a file");
	unlinkat(dir_fd, LAB_NAME, 0);
	mkfifoat(dir_fd, LAB_NAME, 0600);
	refused("a fifo", "a fifo");
	unlinkat(dir_fd, LAB_NAME, 0);
	if (mknodat(dir_fd, LAB_NAME, S_IFBLK | 0600, makedev(7, 250)) == 0) {
		refused("a block device", "a block device");
		OK(is_there(LAB_NAME), "which stays");
	} else {
		SKIP("no right to make a device node");
	}
}

static void
broken_labs(void)
{
	char text[700];

	wipe();
	abandoned(TARGET);
	fchmodat(dir_fd, LAB_NAME, 0755, 0);
	refused("mode 0755", "mode 0755");
	fchmodat(dir_fd, LAB_NAME, 01700, 0);
	refused("mode 1700", "mode 1700");
	fchmodat(dir_fd, LAB_NAME, 0700, 0);
	put(LAB_NAME "/photo.jpg", "data");
	put(LAB_NAME "/" TARGET, "data");
	refused("\"photo.jpg\"", "a foreign file");
	OK(is_there(LAB_NAME "/photo.jpg") && is_there(LAB_NAME "/" TARGET),
		"nothing was touched");
	unlinkat(dir_fd, LAB_NAME "/photo.jpg", 0);
	put(LAB_NAME "/target-0000000000000000", "data");
	refused("target-0000", "a target that the marker does not name");
	unlinkat(dir_fd, LAB_NAME "/target-0000000000000000", 0);
	linkat(dir_fd, LAB_NAME "/" TARGET, dir_fd, "second", 0);
	refused("several links", "a target with two links");
	unlinkat(dir_fd, LAB_NAME "/" TARGET, 0);
	symlinkat("../second", dir_fd, LAB_NAME "/" TARGET);
	refused("a symbolic link", "a symlink as the target");
	OK(is_there("second"), "what it points to stays");
	unlinkat(dir_fd, LAB_NAME "/" TARGET, 0);
	put("keep", "");
	get(M, text, sizeof(text));
	unlinkat(dir_fd, M, 0);
	put(LAB_NAME "/" TARGET, "data");
	refused(TARGET, "a target without a marker");
	unlinkat(dir_fd, LAB_NAME "/" TARGET, 0);
	mkdirat(dir_fd, LAB_NAME "/sub", 0700);
	refused("\"sub\"", "a directory inside, no marker");
}

static void
broken_markers(void)
{
	static const struct {
		const char *text, *what;
	} cases[] = {
		{ "ioreceipt-lab-v2\nmade-by=ioreceipt \ntarget=" TARGET "\n",
			"another version" },
		{ "ioreceipt-lab-v1x\nmade-by=ioreceipt \ntarget=" TARGET "\n",
			"a longer first line" },
		{ "hello\n", "a stranger's text" },
		{ LAB_MARKER_TEXT, "a first line without its end" },
		{ LAB_MARKER_TEXT "\n", "only a first line" },
		{ GOOD "target-0123\n", "a short target" },
		{ GOOD "../../etc/passwd-xxxxxx\n", "a path as the target" },
		{ GOOD TARGET, "a cut last line" },
		{ GOOD TARGET "\nmore\n", "a line too much" },
	};
	char text[700];

	wipe();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		abandoned(TARGET);
		put(M, cases[i].text);
		refused("was edited", cases[i].what);
		get(M, text, sizeof(text));
		EQ_STR(text, cases[i].text, "it stays as it is");
	}
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	put(M, text);
	refused("too long", "a long marker");
	put(M, GOOD TARGET "\n");
	linkat(dir_fd, M, dir_fd, "link", 0);
	refused("several links", "a marker with two links");
	unlinkat(dir_fd, M, 0);
	symlinkat("../link", dir_fd, M);
	refused("not a regular file", "a symlink as the marker");
	unlinkat(dir_fd, M, 0);
	mkfifoat(dir_fd, M, 0600);
	refused("not a regular file", "a fifo as the marker");
	unlinkat(dir_fd, M, 0);
	put(M, "");
	put(LAB_NAME "/" TARGET, "data");
	refused(TARGET, "an empty marker in a lab that is not empty");
}

static void
mounted_over(void)
{
	pid_t pid;
	int status;

	wipe();
	abandoned(TARGET);
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		struct err e = { 0 };
		char path[64];

		snprintf(path, sizeof(path), "%s/%s", dir_path, LAB_NAME);
		if (unshare(CLONE_NEWNS) < 0 ||
			mount("", "/", "", MS_REC | MS_PRIVATE, NULL) < 0 ||
			mount("none", path, "tmpfs", 0, "mode=0700") < 0)
			_exit(77);
		dir_fd = open(dir_path, O_RDONLY | O_DIRECTORY);
		if (enter_and_leave(&e) == 0 || e.code != ERR_REFUSED ||
			!strstr(e.text, "mounted on it"))
			_exit(1);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == 77)
		SKIP("no right to mount");
	else
		EQ_I64(status, 0, "a lab with something mounted on it");
}

/* ---- other users --------------------------------------------------------- */

/* Run f as nobody in a child; its exit status. */
static int
as_nobody(int (*f)(void))
{
	int status;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
			_exit(99);
		_exit(f());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
nobody_with_own_name(void)
{
	struct err e = { 0 };
	struct lab l;

	if (lab_enter(&l, dir_fd, &e) < 0)
		return 1;
	if (strcmp(l.name, LAB_NAME "-65534") != 0 || l.took_over)
		return 2;
	return lab_leave(&l, &e) < 0 ? 3 : 0;
}

static int
nobody_abandons(void)
{
	struct lab l;

	if (lab_enter(&l, dir_fd, NULL) < 0)
		return 1;
	lab_abandon(&l);
	return 0;
}

static int
nobody_cleans(void)
{
	bool found;

	return lab_clean(dir_fd, &found, NULL) == 0 && found ? 0 : 1;
}

static int
nobody_is_refused(void)
{
	struct err e = { 0 };

	return enter_and_leave(&e) < 0 && e.code == ERR_REFUSED ? 0 : 1;
}

static void
users(void)
{
	struct err e = { 0 };
	struct lab l;
	bool found;

	if (geteuid() != 0) {
		SKIP("other users: not root");
		return;
	}
	wipe();
	OK(lab_enter(&l, dir_fd, &e) == 0, "root has the lab");
	EQ_I64(as_nobody(nobody_with_own_name), 0,
		"nobody works beside it, under a name of its own");
	EQ_I64(as_nobody(nobody_abandons), 0, "and leaves one behind");
	OK(lab_leave(&l, &e) == 0, "root leaves");
	OK(lab_clean(dir_fd, &found, &e) == 0 && !found &&
			is_there(LAB_NAME "-65534"),
		"root's clean leaves nobody's");
	EQ_I64(as_nobody(nobody_cleans), 0, "nobody's own removes it");
	OK(!is_there(LAB_NAME "-65534"), "it is gone");

	EQ_I64(as_nobody(nobody_abandons), 0, "now nobody has the first name");
	OK(lab_enter(&l, dir_fd, &e) == 0 && !l.took_over, "root enters");
	EQ_STR(l.name, LAB_NAME "-0", "under its second name");
	OK(is_there(M), "and leaves nobody's alone");
	OK(lab_leave(&l, &e) == 0 && !is_there(LAB_NAME "-0"), "leaves");
	mkdirat(dir_fd, LAB_NAME "-0", 0700);
	fchownat(dir_fd, LAB_NAME "-0", NOBODY, NOBODY, 0);
	OK(lab_enter(&l, dir_fd, &e) < 0 && e.code == ERR_REFUSED &&
			strstr(e.text, "another user"),
		"both names are another user's: refused");

	wipe();
	fchmod(dir_fd, 0755);
	EQ_I64(as_nobody(nobody_is_refused), 0, "no permission: refused");
	fchmod(dir_fd, 01777);
	abandoned(TARGET);
	fchownat(dir_fd, M, NOBODY, NOBODY, 0);
	refused("belongs to another user", "a marker of another user");
}

/* ---- two at once --------------------------------------------------------- */

static void
in_use(void)
{
	struct err e = { 0 };
	struct lab l;
	int hold[2], status;
	char c;
	pid_t pid;

	wipe();
	OK(lab_enter(&l, dir_fd, &e) == 0, "enter");
	refused("in use", "a second one");
	OK(is_there(M), "leaves it alone");
	if (pipe(hold) < 0)
		return;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		close(hold[1]);
		_exit(read(hold[0], &c, 1) == 0 ? 0 : 1);
	}
	close(hold[0]);
	lab_abandon(&l);
	refused("in use", "the worker alone still holds it");
	close(hold[1]);
	waitpid(pid, &status, 0);
	taken_over("when the worker is gone");
}

/* Each enters `rounds` times; `inside` counts who is in. */
static int
contender(int rounds, _Atomic int *inside, bool wait)
{
	int bad = 0;

	for (int done = 0; done < rounds;) {
		struct err e = { 0 };
		struct lab l;

		if (lab_enter(&l, dir_fd, &e) < 0) {
			if (e.code != ERR_REFUSED ||
				(!strstr(e.text, "in use") &&
					!strstr(e.text, "exchanged"))) {
				printf("# %s\n", e.text);
				bad++;
				done++;
			}
			continue;
		}
		if (atomic_fetch_add(inside, 1) != 0)
			bad++;
		if (wait)
			clock_sleep_ns(10000);
		atomic_fetch_sub(inside, 1);
		if (lab_leave(&l, &e) < 0) {
			printf("# %s\n", e.text);
			bad++;
		}
		done++;
	}
	return bad;
}

static void
races(void)
{
	_Atomic int *inside = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, bad = 0;
	pid_t pids[3];

	wipe();
	fflush(stdout);
	for (int i = 0; i < 3; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(contender(200, inside, i == 1));
	}
	for (int i = 0; i < 3; i++) {
		waitpid(pids[i], &status, 0);
		bad += status != 0;
	}
	EQ_I64(bad, 0, "three that enter 200 times each: one at a time");
	OK(!is_there(LAB_NAME), "nothing is left");
}

/* Two that start in the same moment and stay: exactly one wins. */
static void
starts(void)
{
	int wrong = 0;

	for (int i = 0; i < 15; i++) {
		int go[2], tried[2], end[2], won = 0, status;
		pid_t pids[2];
		char c;

		if (pipe(go) < 0 || pipe(tried) < 0 || pipe(end) < 0)
			return;
		fflush(stdout);
		for (int k = 0; k < 2; k++) {
			pids[k] = fork();
			if (pids[k] == 0) {
				struct lab l;
				int rc;

				close(go[1]);
				close(end[1]);
				if (read(go[0], &c, 1) != 0)
					_exit(9);
				rc = lab_enter(&l, dir_fd, NULL);
				if (write(tried[1], "", 1) != 1)
					_exit(9);
				if (rc < 0)
					_exit(2);
				/* until the other has tried, too */
				if (read(end[0], &c, 1) != 0)
					_exit(9);
				_exit(lab_leave(&l, NULL) < 0 ? 5 : 0);
			}
		}
		close(go[0]);
		close(end[0]);
		close(go[1]);
		close(tried[1]);
		for (int k = 0; k < 2; k++)
			wrong += read(tried[0], &c, 1) != 1;
		close(tried[0]);
		close(end[1]);
		for (int k = 0; k < 2; k++) {
			waitpid(pids[k], &status, 0);
			won += status == 0;
			wrong += status != 0 && WEXITSTATUS(status) != 2;
		}
		wrong += won != 1;
	}
	EQ_I64(wrong, 0, "of two that start together exactly one wins");
}

int
main(void)
{
	if (!mkdtemp(dir_path))
		return 1;
	dir_fd = open(dir_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fchmod(dir_fd, 01777);
	fresh();
	setgid_parent();
	foreign_file_at_the_end();
	changed_while_inside();
	leftovers();
	kills();
	other_things_of_that_name();
	broken_labs();
	broken_markers();
	mounted_over();
	users();
	in_use();
	races();
	starts();
	wipe();
	close(dir_fd);
	rmdir(dir_path);
	return tap_done();
}
