#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* All happens in a directory of our own, which is the working one. */
static char top[] = "/tmp/test_file.XXXXXX";

static void
put(const char *name, const char *data, size_t len)
{
	int fd = open(name, O_CREAT | O_TRUNC | O_WRONLY, 0644);

	if (fd < 0 || write(fd, data, len) != (ssize_t)len)
		perror(name);
	close(fd);
}

static void
test_read(void)
{
	struct buf b;
	struct err e;
	char big[40000];
	int fd, p[2];

	buf_init(&b);
	put("ten", "0123456789", 10);
	buf_str(&b, "x");
	OK(!file_read("ten", 10, &b, &e), "exactly max");
	EQ_STR(buf_text(&b), "x0123456789", "appended");
	OK(file_read("ten", 9, &b, &e) == -1 && e.code == ERR_INPUT,
		"one too many");
	OK(strstr(e.text, "\"ten\"") && strstr(e.text, " 9 bytes"),
		"which file, which limit");
	EQ_STR(buf_text(&b), "x0123456789", "and nothing is added");
	put("none", "", 0);
	OK(!file_read("none", 0, &b, &e), "0 bytes of 0");
	OK(!file_read("ten", SIZE_MAX, &b, &e), "without a limit");
	buf_reset(&b);
	OK(file_read("absent", 10, &b, &e) == -1 && e.code == ERR_OPEN &&
			e.sys == ENOENT && strstr(e.text, "\"absent\""),
		"absent");
	OK(file_read(".", 10, &b, &e) == -1 && e.code == ERR_OPEN &&
			e.sys == EISDIR,
		"a directory");
	OK(file_read("/dev/zero", 100000, &b, &e) == -1 && b.len == 0,
		"a file without an end");
	memset(big, 'b', sizeof(big));
	put("big", big, sizeof(big));
	OK(!file_read("big", sizeof(big), &b, &e) && b.len == sizeof(big) &&
			!memcmp(b.data, big, sizeof(big)),
		"several chunks");
	buf_reset(&b);
	put("-", "dash", 4);
	fd = open(".", O_RDONLY | O_DIRECTORY);
	OK(!file_read_at(fd, "-", 10, &b, &e), "\"-\" below a directory");
	EQ_STR(buf_text(&b), "dash", "is a name");
	close(fd);
	buf_reset(&b);
	fd = dup(0);
	if (pipe(p) || write(p[1], "from stdin", 10) != 10 || close(p[1]))
		perror("pipe");
	dup2(p[0], 0);
	close(p[0]);
	OK(!file_read("-", 10, &b, &e), "\"-\"");
	EQ_STR(buf_text(&b), "from stdin", "is stdin");
	close(0);
	OK(file_read("-", 10, &b, &e) == -1 && e.sys == EBADF &&
			strstr(e.text, "stdin"),
		"a closed stdin");
	if (fd >= 0) {
		dup2(fd, 0);
		close(fd);
	}
	buf_free(&b);
	buf_add(&b, "x", SIZE_MAX);
	OK(file_read("ten", 10, &b, &e) == -1 && e.sys == ENOMEM, "no memory");
	buf_free(&b);
}

static void
test_line(void)
{
	static const struct {
		const char *data;
		size_t len, size;
		const char *want; /* NULL: -1 */
	} rows[] = {
		{ "Linux\n", 6, 64, "Linux" },
		{ "Linux", 5, 64, "Linux" },
		{ "Linux", 5, 6, "Linux" },
		{ "Linux", 5, 5, "Linu" },
		{ "Linux", 5, 1, "" },
		{ "one\ntwo\n", 8, 64, "one" },
		{ "", 0, 64, "" },
		{ "\n", 1, 64, "" },
		{ "  a b \t \n", 9, 64, "  a b" },
		{ "a\tb", 3, 64, "a b" },
		{ "model\0", 6, 64, "model" },
		{ "a\x1b[1mb", 6, 64, "a?[1mb" },
		{ "\xc3\xa9\xc3\xa9", 4, 5, "\xc3\xa9\xc3\xa9" },
		{ "\xc3\xa9\xc3\xa9", 4, 4, "\xc3\xa9" },
		{ "\xc3\xa9\xc3\xa9", 4, 3, "\xc3\xa9" },
		{ "\xc3\xa9\xc3\xa9", 4, 2, "" },
		{ "a\xff", 2, 64, NULL },
		{ "a\xc3", 2, 64, NULL },
		{ "a\nb\xff", 4, 64, "a" },
	};
	char out[64], big[5000], all[5000];
	size_t i;
	int n;

	mkdir("sys", 0755);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		put("sys/fact", rows[i].data, rows[i].len);
		memset(out, 'z', sizeof(out));
		n = file_line(top, "/sys/fact", out, rows[i].size);
		EQ_STR(out, rows[i].want ? rows[i].want : "", "the line");
		OK(n == (rows[i].want ? (int)strlen(rows[i].want) : -1),
			"its length");
		if (rows[i].size < sizeof(out))
			OK(out[rows[i].size] == 'z', "not behind size");
	}
	put("sys/fact", "x", 1);
	OK(file_line(top, "sys/fact", out, 64) == 1, "a '/' is put");
	OK(file_line("", "/dev/null", out, 64) == 0, "no root is /");
	OK(file_line(top, "/sys/fact", out, 0) == -1, "no room at all");
	strcpy(out, "old");
	OK(file_line(top, "/sys/no", out, 64) == -1 && !*out, "absent");
	OK(file_line(top, "/sys", out, 64) == -1, "a directory");
	mkfifo("sys/fifo", 0644);
	OK(file_line(top, "/sys/fifo", out, 64) <= 0, "a pipe does not wait");
	memset(big, 'p', sizeof(big));
	big[sizeof(big) - 1] = '\0';
	OK(file_line(top, big, out, 64) == -1, "a path too long");
	put("sys/fact", big, sizeof(big) - 1);
	EQ_U64((uint64_t)file_line(top, "/sys/fact", all, sizeof(all)),
		FILE_LINE_MAX, "a line too long is cut");
	for (i = 0; i + 2 < sizeof(big); i += 2)
		memcpy(big + i, "\xc3\xa9", 2);
	put("sys/fact", big, sizeof(big) - 2);
	EQ_U64((uint64_t)file_line(top, "/sys/fact", all, sizeof(all)),
		FILE_LINE_MAX - 1, "between characters");
}

/* A child that reads fd slowly to its end and exits 0 if it saw len bytes. */
static pid_t
slow_reader(const int p[2], size_t len)
{
	pid_t pid = fork();
	char piece[5000];
	ssize_t n;

	if (pid)
		return pid;
	close(p[1]);
	while ((n = read(p[0], piece, sizeof(piece))) > 0) {
		usleep(500);
		len -= (size_t)n;
	}
	_exit(n != 0 || len != 0);
}

static void
test_write(void)
{
	struct file f = { .fd = -1, .name = "nowhere" };
	struct rlimit old, low;
	static char big[300000];
	struct err e;
	pid_t pid;
	int p[2], status = 1;

	OK(!file_write_all(&f, "", 0, &e), "nothing needs no file");
	OK(file_write_all(&f, "x", 1, &e) == -1 && e.code == ERR_OUTPUT &&
			e.sys == EBADF && strstr(e.text, "nowhere"),
		"a closed one fails");
	f = (struct file){ open("/dev/full", O_WRONLY), "/dev/full" };
	OK(file_write_all(&f, "x", 1, &e) == -1 && e.sys == ENOSPC, "full");
	close(f.fd);
	if (pipe(p))
		perror("pipe");
	fcntl(p[1], F_SETFL, O_NONBLOCK);
	pid = slow_reader(p, sizeof(big));
	close(p[0]);
	f = (struct file){ p[1], "pipe" };
	OK(!file_write_all(&f, big, sizeof(big), &e),
		"short writes and EAGAIN are met");
	close(p[1]);
	waitpid(pid, &status, 0);
	OK(status == 0, "all of it came out");
	signal(SIGPIPE, SIG_IGN);
	if (pipe(p))
		perror("pipe");
	close(p[0]);
	f.fd = p[1];
	OK(file_write_all(&f, "x", 1, &e) == -1 && e.sys == EPIPE, "EPIPE");
	close(p[1]);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	low = (struct rlimit){ 1000, old.rlim_max };
	setrlimit(RLIMIT_FSIZE, &low);
	OK(file_replace("limited", big, sizeof(big), &e) == -1 &&
			e.sys == EFBIG && e.code == ERR_OUTPUT,
		"a limit of the size");
	setrlimit(RLIMIT_FSIZE, &old);
	OK(access("limited", F_OK) == -1, "leaves nothing");
}

static void
test_dir(void)
{
	struct err e;
	bool made = false;

	OK(!file_open_dir("dir", &made, &e) && made, "a directory is made");
	OK(!file_open_dir("dir", &made, &e) && !made, "one that was there");
	put("dir/kept", "x", 1);
	file_unmake_dir("dir");
	OK(access("dir/kept", F_OK) == 0, "what is in use stays");
	unlink("dir/kept");
	file_unmake_dir("dir");
	OK(access("dir", F_OK) == -1, "what is empty goes");
	OK(file_open_dir("/dev/null/x", &made, &e) == -1 &&
			e.code == ERR_OUTPUT && !made,
		"below a file");
}

int
main(void)
{
	char clean[64];

	if (!mkdtemp(top) || chdir(top))
		return 99;
	test_read();
	test_line();
	test_write();
	test_dir();
	snprintf(clean, sizeof(clean), "rm -rf %s", top);
	if (chdir("/") || system(clean))
		return 99;
	return tap_done();
}
