/*
 * Streams that do not take what is written, and those that do.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/stop.h"
#include "app/stream.h"
#include "base/clock.h"
#include "tap.h"

#define MS	  CLOCK_NS_PER_MS
#define BIG_BYTES (200 << 10) /* more than a pipe holds */

static char big[BIG_BYTES];

/* A pipe that nobody reads takes a part; the rest is not waited for. */
static void
test_full_pipe(void)
{
	struct err e = { 0 };
	struct file f = { -1, "a pipe" };
	uint64_t began;
	int ends[2];

	if (pipe(ends) < 0)
		return;
	f.fd = ends[1];
	EQ_U64(stream_write(&f, "line\n", 5, 0, &e), 0, "an empty pipe");
	began = clock_now_ns();
	OK(stream_write(&f, big, sizeof(big), 50 * MS, &e) < 0,
		"a pipe that nobody reads");
	EQ_U64(e.code, ERR_OUTPUT, "is an output that could not be written");
	OK(clock_now_ns() - began < 40 * 50 * MS, "and not waited for");
	began = clock_now_ns();
	OK(stream_write(&f, "line\n", 5, 0, &e) < 0, "now it takes no line");
	OK(clock_now_ns() - began < 500 * MS, "and is not waited for at all");
	close(ends[0]);
	OK(stream_write(&f, "line\n", 5, STREAM_FOREVER, &e) < 0 &&
			e.sys == EPIPE,
		"a pipe without a reader");
	close(ends[1]);
}

static void
test_slow_reader(void)
{
	struct file f = { -1, "a pipe" };
	struct err e = { 0 };
	size_t got = 0;
	ssize_t n;
	int ends[2], status = -1;
	pid_t pid;

	if (pipe(ends) < 0)
		return;
	f.fd = ends[1];
	pid = fork();
	if (pid == 0) {
		close(ends[0]);
		_exit(stream_write(&f, big, sizeof(big), STREAM_FOREVER, &e) <
			0);
	}
	close(ends[1]);
	clock_sleep_ns(50 * MS);
	while ((n = read(ends[0], big, 1000)) > 0)
		got += (size_t)n;
	waitpid(pid, &status, 0);
	OK(status == 0 && got == sizeof(big), "a slow reader gets all");
	close(ends[0]);
}

/* Waited for without a limit, until a signal comes. */
static void
test_signal(void)
{
	struct file f = { -1, "a pipe" };
	struct err e = { 0 };
	int ends[2], status = -1;
	pid_t pid;

	if (pipe(ends) < 0)
		return;
	f.fd = ends[1];
	pid = fork();
	if (pid == 0) {
		(void)stream_write(&f, big, sizeof(big), STREAM_FOREVER, &e);
		_exit(e.code);
	}
	clock_sleep_ns(100 * MS);
	kill(pid, SIGTERM);
	waitpid(pid, &status, 0);
	OK(WIFEXITED(status) && WEXITSTATUS(status) == ERR_SIGNAL + SIGTERM,
		"a signal ends the wait, and is told");
	close(ends[0]);
	close(ends[1]);
}

static void
test_regular(void)
{
	char name[] = "/tmp/test-stream.XXXXXX";
	struct file f = { mkstemp(name), "a file" };
	struct err e = { 0 };
	struct stat st;

	unlink(name);
	EQ_U64(stream_write(&f, "one\n", 4, 0, &e), 0, "a regular file");
	EQ_U64(stream_write(&f, "two\n", 4, STREAM_FOREVER, &e), 0,
		"a second time");
	OK(fstat(f.fd, &st) == 0 && st.st_size == 8,
		"what a child writes stands behind what was there");
	close(f.fd);
	f.fd = open("/", O_PATH | O_DIRECTORY);
	OK(stream_write(&f, "one\n", 4, 0, &e) < 0 && e.sys == EBADF,
		"what takes a closed stream's place");
	close(f.fd);
}

int
main(void)
{
	stop_install();
	test_full_pipe();
	test_slow_reader();
	test_signal();
	test_regular();
	return tap_done();
}
