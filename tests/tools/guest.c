/*
 * guest: process 1 of a virtual machine whose disk is as slow as we say.
 *
 *   guest pieces IMAGE   on the host: the blocks of IMAGE that are not zero
 *   guest DELAY...       as process 1: for each delay (completion_nsec, ns)
 *                        make a null_blk device, put the pieces on it, mount
 *                        it and run the program there
 *
 * What the initramfs holds beside this as /init: /modules/NN-NAME.ko in the
 * order to load, /pieces, /words (a word of the command line each), the
 * program that they begin with, and the folders /dev /proc /sys /target /tmp.
 *
 * To the serial port goes, for each delay,
 *   == begin DELAY STATUS
 *   what the program left in /tmp/receipt
 *   == end DELAY
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCK	  4096
#define CONFIG	  "/sys/kernel/config"
#define WORDS_MAX 64

struct piece {
	uint64_t offset_bytes;
	unsigned char data[BLOCK];
};

static int
pieces(const char *image)
{
	static const unsigned char zero[BLOCK];
	struct piece p = { .offset_bytes = 0 };
	FILE *f = fopen(image, "rb");

	if (!f)
		return 1;
	for (; fread(p.data, BLOCK, 1, f) == 1; p.offset_bytes += BLOCK)
		if (memcmp(p.data, zero, BLOCK) != 0)
			fwrite(&p, sizeof(p), 1, stdout);
	fclose(f);
	return fflush(stdout) != 0;
}

/* ---- process 1 ---- */

static _Noreturn void
leave(void)
{
	fflush(stdout);
	sync();
	sleep(1);
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}

static _Noreturn void
fail(const char *what)
{
	printf("== failed: %s: %s\n", what, strerror(errno));
	leave();
}

static void
attach(const char *type, const char *where)
{
	if (mount(type, where, type, 0, NULL) < 0)
		fail(where);
}

static void
console(void)
{
	int fd = open("/dev/ttyS0", O_RDWR);

	if (fd < 0)
		fail("/dev/ttyS0");
	dup2(fd, 0);
	dup2(fd, 1);
	dup2(fd, 2);
}

static void
load(void)
{
	struct dirent **names;
	char path[300];
	int i, fd, n = scandir("/modules", &names, NULL, alphasort);

	for (i = 0; i < n; i++) {
		if (names[i]->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/modules/%s", names[i]->d_name);
		fd = open(path, O_RDONLY);
		if (fd < 0 ||
			syscall(SYS_finit_module, fd,
				strstr(path, "null_blk") ? "nr_devices=0" : "",
				0) < 0)
			fail(path);
		close(fd);
	}
}

/* One attribute of the device. */
static void __attribute__((format(printf, 2, 3)))
set(const char *name, const char *fmt, ...)
{
	char path[100], value[40];
	va_list args;
	int fd, n;

	va_start(args, fmt);
	n = vsnprintf(value, sizeof(value), fmt, args);
	va_end(args);
	snprintf(path, sizeof(path), CONFIG "/nullb/nullb0/%s", name);
	fd = open(path, O_WRONLY);
	if (fd < 0 || write(fd, value, (size_t)n) != n)
		fail(path);
	close(fd);
}

static void
fill(void)
{
	FILE *from = fopen("/pieces", "rb");
	int fd = open("/dev/nullb0", O_WRONLY);
	struct piece p;

	if (!from || fd < 0)
		fail("/pieces onto /dev/nullb0");
	while (fread(&p, sizeof(p), 1, from) == 1)
		if (pwrite(fd, p.data, BLOCK, (off_t)p.offset_bytes) != BLOCK)
			fail("write");
	fclose(from);
	if (fsync(fd) < 0 || close(fd) < 0)
		fail("fsync");
}

static void
make_disk(const char *delay)
{
	if (mkdir(CONFIG "/nullb/nullb0", 0755) < 0)
		fail("nullb0");
	set("size", "%d", 4096); /* MiB, none of it taken yet */
	set("memory_backed", "1");
	set("irqmode", "2"); /* completes by a timer */
	set("completion_nsec", "%s", delay);
	set("power", "1");
	fill();
	if (mount("/dev/nullb0", "/target", "ext4", 0, NULL) < 0)
		fail("/target");
}

static void
drop_disk(void)
{
	if (umount("/target") < 0)
		fail("umount");
	set("power", "0");
	if (rmdir(CONFIG "/nullb/nullb0") < 0)
		fail("rmdir");
}

static int
run(void)
{
	static char text[4096];
	char *words[WORDS_MAX + 1] = { NULL }, *at;
	FILE *f = fopen("/words", "r");
	int n = 0, status = -1;
	pid_t pid;

	if (!f || fread(text, 1, sizeof(text) - 1, f) == 0)
		fail("/words");
	fclose(f);
	for (at = strtok(text, "\n"); at && n < WORDS_MAX;
		at = strtok(NULL, "\n"))
		words[n++] = at;
	pid = fork();
	if (pid == 0) {
		execv(words[0], words);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

static void
copy_out(const char *delay, int status)
{
	FILE *f = fopen("/tmp/receipt", "r");
	int c;

	printf("\n== begin %s %d\n", delay, status);
	while (f && (c = getc(f)) != EOF)
		putchar(c);
	printf("\n== end %s\n", delay);
	fflush(stdout);
	if (f)
		fclose(f);
	unlink("/tmp/receipt");
}

int
main(int argc, char **argv)
{
	int i;

	if (argc == 3 && strcmp(argv[1], "pieces") == 0)
		return pieces(argv[2]);
	if (getpid() != 1) {
		fputs("guest pieces IMAGE, or process 1\n", stderr);
		return 2;
	}
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	console();
	attach("proc", "/proc");
	attach("sysfs", "/sys");
	load();
	attach("configfs", CONFIG);
	for (i = 1; i < argc; i++) {
		make_disk(argv[i]);
		copy_out(argv[i], run());
		drop_disk();
	}
	leave();
}
