#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>

#include "host/mounts.h"
#include "host/mounts_id.h"
#include "tap.h"
#include "tree.h"

static void
test_parse(void)
{
	static const char line[] =
		"95 28 254:1 /srv/data /mnt/with\\040a\\134b rw,noatime "
		"shared:1 master:2 - fuse.s\xc3\xbch alice@host:/x "
		"rw,upperdir=/a\\054b,lowerdir=/l1:/l2,data=ordered\nnext";
	struct mounts_entry m;
	char value[64];

	EQ_I64(mounts_parse(line, &m), 0, "a full line parses");
	EQ_U64(m.id, 95, "id");
	EQ_U64(m.dev_major, 254, "major");
	EQ_U64(m.dev_minor, 1, "minor");
	EQ_STR(m.root, "/srv/data", "root");
	EQ_STR(m.point, "/mnt/with a\\b", "mount point, escapes undone");
	EQ_STR(m.fstype, "fuse.s??h", "fstype holds plain characters only");
	EQ_STR(m.source, "alice@host:/x", "source");
	EQ_STR(m.options, "rw,noatime,rw,upperdir=/a\\054b,data=ordered",
		"options of both, without lower directories");
	OK(mounts_option(&m, "upperdir", value, sizeof(value)), "an option");
	EQ_STR(value, "/a,b", "its value, escapes undone");
	OK(mounts_option(&m, "noatime", value, sizeof(value)) && !value[0],
		"an option without a value");
	OK(!mounts_option(&m, "upper", value, sizeof(value)),
		"the beginning of a key is no key");
	OK(!mounts_option(&m, "lowerdir", value, sizeof(value)),
		"an option that is not there");
	OK(!mounts_option(&m, "upperdir", value, 4) && !value[0],
		"a value that does not fit is not cut");

	EQ_I64(mounts_parse("20 1 0:5 / / rw - tmpfs  rw", &m), 0,
		"an empty source");
	EQ_STR(m.source, "", "is empty");
	EQ_STR(m.fstype, "tmpfs", "and shifts nothing");
	EQ_STR(m.options, "rw,rw", "options behind it");
	EQ_I64(mounts_parse("20 1 0:5 / / rw - tmpfs none", &m), 0,
		"no superblock options");
}

static void
test_malformed(void)
{
	static const char *const lines[] = { "", "\n", "20", "20 1 0:5 / / rw",
		"20 1 0:5 / / rw shared:1", "20 1 0:5 / / rw -",
		"20 1 0:5 / / rw - ", "20 1 0:5 / / rw - tmpfs",
		"x 1 0:5 / / rw - tmpfs none rw",
		"-1 1 0:5 / / rw - tmpfs none rw",
		"20 1 05 / / rw - tmpfs none rw",
		"20 1 0: / / rw - tmpfs none rw",
		"20 1 0:99999999999 / / rw - tmpfs none rw",
		"99999999999999999999999 1 0:5 / / rw - tmpfs none rw" };
	struct mounts_entry m;
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (mounts_parse(lines[i], &m) != -1)
			break;
	EQ_U64(i, sizeof(lines) / sizeof(lines[0]), "malformed lines fail");
}

/* What does not fit: cut texts, left out options, and no byte beyond. */
static void
test_long(void)
{
	char line[8192], value[512], path[600];
	struct mounts_entry m;

	memset(path, 'p', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = '\0';
	snprintf(line, sizeof(line),
		"20 1 0:5 %s %s rw - overlay %s "
		"lowerdir=%s:%s:%s:%s,lowerdir+=%s,upperdir=/up,workdir=%s,x",
		path, path, path, path, path, path, path, path, path);
	EQ_I64(mounts_parse(line, &m), 0, "a line of kilobytes");
	EQ_U64(strlen(m.point), sizeof(m.point) - 1, "its mount point is cut");
	OK(mounts_option(&m, "upperdir", value, sizeof(value)), "upperdir");
	EQ_STR(value, "/up", "survives long lower directories");
	OK(!mounts_option(&m, "workdir", value, sizeof(value)),
		"an option that does not fit is left out");
	OK(mounts_option(&m, "x", value, sizeof(value)), "the next one fits");
}

static void
expect_public(const char *options, const char *want, const char *what)
{
	struct mounts_entry m = { .id = 1 };
	char out[256];

	snprintf(m.options, sizeof(m.options), "%s", options);
	mounts_public_options(&m, out, sizeof(out));
	EQ_STR(out, want, what);
}

static void
test_public(void)
{
	struct mounts_entry m = { .options = "rw,relatime,noatime" };
	char out[12];

	expect_public("rw,relatime,rw,discard,errors=remount-ro",
		"rw,relatime,discard,errors=remount-ro", "each word once");
	expect_public("ro,relatime,rw", "ro,relatime", "a read-only mount");
	expect_public("rw,ro,data=journal", "ro,data=journal",
		"a read-only superblock");
	expect_public("rw,upperdir=/home/alice,workdir=/x,addr=192.0.2.1,"
		      "user_id=1000,subvol=/@alice,usrjquota=aquota.user,hard",
		"rw,hard", "paths, addresses and ids stay here");
	expect_public("rw,compress=zstd:3,discard=async,space_cache=v2",
		"rw,compress=zstd:3,discard=async,space_cache=v2", "values");
	expect_public("rw,data=/etc/passwd,commit=5;6,cache=abcdefghijklmno"
		      "pqrstuvwxyz,noatime=x,relatimes",
		"rw", "odd values and words stay here");
	expect_public("", "", "no options");
	mounts_public_options(&m, out, sizeof(out));
	EQ_STR(out, "rw,relatime", "a word that does not fit is left out");
}

static void
test_fixture(void)
{
	struct err e = { .code = 0 };
	struct mounts_entry m;
	struct tree t;

	tree_load(&t, "virtio");
	EQ_I64(mounts_of_path("/var/tmp", t.root, &m, &e), 0, "/var/tmp");
	EQ_STR(m.point, "/", "lies on /");
	EQ_I64(mounts_of_path("/dev/shm", t.root, &m, &e), 0, "/dev/shm");
	EQ_STR(m.fstype, "tmpfs", "is a mount point");
	EQ_I64(mounts_of_path("/mnt/with blank", t.root, &m, &e), 0,
		"a mount point with a blank");
	EQ_U64(m.id, 95, "is found");
	EQ_I64(mounts_of_path("/nowhere", t.root, &m, &e), -1,
		"what is not there is no path of this tree");
	EQ_I64(e.code, ERR_REFUSED, "refused");
	EQ_I64(mounts_of_path("var/tmp", t.root, &m, &e), -1,
		"a relative path fails");
	EQ_I64(mounts_of_device(0, 25, t.root, &m), 0, "by device");
	EQ_STR(m.point, "/dev/shm", "its mount");
	EQ_I64(mounts_of_device(9, 9, t.root, &m), -1, "no such device");
	tree_text(&t, "/proc/self/mountinfo",
		"1 0 8:1 / / rw - ext4 a rw\nnonsense\n"
		"2 1 8:2 / /var rw - ext4 b rw\n"
		"3 1 8:3 / /var/t rw - ext4 c rw\n"
		"4 1 8:4 / /var rw - ext4 d rw\n"
		"5 1 8:5 / /var/tmp/x rw - ext4 e rw\n");
	EQ_I64(mounts_of_path("/var/tmp", t.root, &m, &e), 0, "overmounted");
	EQ_U64(m.id, 4, "the last of one point, whole names only");
	tree_free(&t);
}

/* The ways to find the mount of a descriptor, told apart by the table. */
static void
test_of_fd(void)
{
	uint64_t id = mounts_id_of_fd(AT_FDCWD);
	struct err e = { .code = 0 };
	struct mounts_entry m;
	char text[512];
	struct stat st;
	struct tree t;
	int fd;

	tree_init(&t);
	fd = open(t.root, O_RDONLY | O_DIRECTORY);
	OK(fd >= 0 && fstat(fd, &st) == 0, "a directory");
	EQ_I64(mounts_of_fd(fd, t.root, t.root, &m, &e), -1, "without /proc");
	EQ_I64(e.code, ERR_REFUSED, "is refused");
	OK(strstr(e.text, "mountinfo") && !strchr(e.text, '\n'), e.text);
	id = mounts_id_of_fd(fd);
	if (id == MOUNTS_ID_UNKNOWN) {
		SKIP("this kernel gives no mount id by statx");
	} else {
		snprintf(text, sizeof(text),
			"%" PRIu64 " 1 7:1 / /right rw - ext4 a rw\n"
			"%" PRIu64 " 1 7:2 / %s rw - ext4 b rw\n",
			id, id + 1, t.root);
		tree_text(&t, "/proc/self/mountinfo", text);
		EQ_I64(mounts_of_fd(fd, t.root, t.root, &m, &e), 0, "by id");
		EQ_STR(m.point, "/right", "not by path");
		snprintf(text, sizeof(text),
			"%" PRIu64 " 1 7:2 / / rw - ext4 b rw\n", id + 1);
		tree_text(&t, "/proc/self/mountinfo", text);
		EQ_I64(mounts_of_fd(fd, t.root, t.root, &m, &e), -1,
			"an id that the table lacks is not guessed by path");
		OK(strstr(e.text, t.root), "names the directory");
	}
	close(fd);
	tree_free(&t);
}

static void
test_real(void)
{
	struct mounts_entry m, guess;
	struct err e = { .code = 0 };
	struct statfs fs;
	int fd;

	fd = open("/proc/self", O_RDONLY | O_DIRECTORY);
	if (fd < 0 || fstatfs(fd, &fs) != 0 || fs.f_type != 0x9fa0) {
		SKIP("no /proc here");
		return;
	}
	EQ_I64(mounts_of_fd(fd, "/proc/self", "", &m, &e), 0, "/proc");
	EQ_STR(m.fstype, "proc", "is a proc");
	EQ_I64(mounts_of_path("/proc/self/status", "", &m, &e), 0,
		"a file by its path");
	EQ_STR(m.fstype, "proc", "is there too");
	EQ_I64(mounts_of_path("/nowhere/at/all", "", &m, &e), -1, "no path");
	EQ_I64(e.code, ERR_REFUSED, "refused");
	OK(mounts_may_be_upper(&m, "/nowhere", ""), "cannot be asked: may be");
	EQ_I64(mounts_guess_fd(fd, &guess, &e), 0, "without the table");
	EQ_STR(guess.fstype, "", "proc is not in ours");
	EQ_STR(guess.options, "rw", "writable");
	EQ_I64(mounts_guess_fd(-1, &guess, &e), -1, "no descriptor");
	close(fd);
	EQ_STR(mounts_fstype(0x01021994), "tmpfs", "a magic number");
	EQ_STR(mounts_fstype(0xef53), "ext4", "of ext");
	EQ_STR(mounts_fstype(0x9123683e), "btrfs", "above 2^31");
	EQ_STR(mounts_fstype(1), "", "an unknown one");
}

/* From here on this process has no statx, as kernels before 4.11. */
static int
without_statx(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_statx, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
			       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
				       &program) == 0
		       ? 0
		       : -1;
}

/* The ways that old kernels and sandboxes leave. */
static void
test_fallback(void)
{
	struct mounts_entry m;
	char text[512], path[64];
	struct stat st;
	struct tree t;
	int fd;

	if (without_statx() != 0) {
		SKIP("no seccomp here");
		return;
	}
	tree_init(&t);
	fd = open(t.root, O_RDONLY | O_DIRECTORY);
	EQ_U64(mounts_id_of_fd(fd), MOUNTS_ID_UNKNOWN, "no statx, no id");
	OK(fstat(fd, &st) == 0, "its device");
	snprintf(text, sizeof(text),
		"71 1 %u:%u / / rw - ext4 a rw\n"
		"72 1 %u:%u / /tm rw - ext4 b rw\n"
		"73 1 %u:%u / /tmp rw - ext4 c rw\n"
		"74 1 9:9 / %s rw - ext4 d rw\n",
		major(st.st_dev), minor(st.st_dev), major(st.st_dev),
		minor(st.st_dev), major(st.st_dev), minor(st.st_dev), t.root);
	tree_text(&t, "/proc/self/mountinfo", text);
	EQ_I64(mounts_of_fd(fd, t.root, t.root, &m, NULL), 0, "by device");
	EQ_STR(m.source, "c", "and the longest mount point of it");
	EQ_I64(mounts_of_fd(fd, "relative", t.root, &m, NULL), -1,
		"a relative path tells nothing");
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	tree_link(&t, path, t.root);
	EQ_I64(mounts_of_fd(fd, "relative", t.root, &m, NULL), 0,
		"but /proc knows the whole one");
	EQ_STR(m.source, "c", "the same mount");
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	tree_text(&t, path, "pos:\t0\nflags:\t0100000\nmnt_id:\t74\n");
	EQ_I64(mounts_of_fd(fd, t.root, t.root, &m, NULL), 0, "by fdinfo");
	EQ_STR(m.source, "d", "its id outweighs device and path");
	tree_text(&t, path, "pos:\t0\nmnt_id:\t99999999999999999999999999\n");
	EQ_I64(mounts_of_fd(fd, t.root, t.root, &m, NULL), 0, "no number");
	EQ_STR(m.source, "c", "is no id");
	close(fd);
	tree_free(&t);
	if (access("/proc/self/mountinfo", R_OK) != 0) {
		SKIP("no /proc here");
		return;
	}
	fd = open("/proc/self", O_RDONLY | O_DIRECTORY);
	EQ_I64(mounts_of_fd(fd, "/proc/self", "", &m, NULL), 0, "the real one");
	EQ_STR(m.fstype, "proc", "by fdinfo");
	close(fd);
}

int
main(void)
{
	test_parse();
	test_malformed();
	test_long();
	test_public();
	test_fixture();
	test_of_fd();
	test_real();
	test_fallback();
	return tap_done();
}
