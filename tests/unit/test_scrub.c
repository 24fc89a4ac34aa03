#include "receipt/scrub.h"
#include "tap.h"

/* text, the directory measured, what a receipt says; ended by NULL */
static const struct {
	const char *text, *dir, *want;
} table[] = {
	{ "no path, read/write 4k 50/50", "/var/tmp", NULL },
	{ "/var/tmp is in use", "/var/tmp", "DIR is in use" },
	{ "in use: /var/tmp", "/var/tmp", "in use: DIR" },
	{ "open /var/tmp/ioreceipt-lab: denied", "/var/tmp",
		"open DIR/ioreceipt-lab: denied" },
	{ "\"/home/bob\" and '/home/bob/x'", "/home/bob",
		"\"DIR\" and 'DIR/x'" },
	{ "/home/bob smith/lab", "/home/bob smith", "DIR/lab" },
	{ "open /var/tmpfile: denied", "/var/tmp", "open PATH: denied" },
	{ "/var/tmp. Or", "/var/tmp", "DIR. Or" },
	{ "/home/bob, (/srv/x) and dir=/y", "/var/tmp",
		"PATH, (PATH) and dir=PATH" },
	{ "/proc/sys/fs/aio-max-nr and /sys/block/vda, /dev/vda", "/var/tmp",
		NULL },
	{ "/procession /dev/shm/bob", "/var/tmp", "PATH PATH" },
	{ "/dev/mapper/vg0-bob /dev/disk/by-id/x /dev", "/var/tmp",
		"PATH PATH /dev" },
	{ "/home/bob", "", "PATH" },
	{ "/home/bob", NULL, "PATH" },
	{ "/home/bob", "/", "PATH" },
	{ "/", "/", "PATH" },
	{ "a. b", ".", NULL },
	{ "--dir ../bob cannot", "../bob", "--dir DIR cannot" },
	{ "/mnt/a b/c", "../bob", "DIR/c" },
	{ "free on /mnt/bob s, (x) (ext4)", "/mnt/bob s, (x)/in",
		"free on PATH (ext4)" },
	{ "ro (/mnt/bob s): use", "/mnt/bob s/in ner/lab", "ro (PATH): use" },
	{ "/mnt/bob s/x and /mnt/bob", "/mnt/bob s/in", "PATH s/x and PATH" },
	{ "open /bob?[31m s/x: denied", "/bob\033[31m s",
		"open DIR/x: denied" },
	{ "open /bob? s/x: denied", "/bob\xff s", "open DIR/x: denied" },
	{ "--dir /bob smith smi...: too long", "/bob smith smith/x",
		"--dir DIR...: too long" },
	{ "--dir bob smi...: too long", "bob smith/x",
		"--dir DIR...: too long" },
	{ "", "/x", "" },
	{ "/a /b /c /d", NULL, "PATH PATH PATH PATH" },
	{ NULL, NULL, NULL },
};

/* The shortest paths grow most. */
static void
test_growth(struct arena *a)
{
	static const char *const none[] = { NULL };
	char text[2001], *out;
	size_t i;

	for (i = 0; i < 2000; i += 2)
		memcpy(text + i, "/ ", 3);
	out = scrub_paths(text, none, a);
	EQ_U64(strlen(out), 5000, "a thousand roots");
}

int
main(void)
{
	struct arena a;
	size_t i;

	arena_init(&a);
	for (i = 0; table[i].text; i++) {
		const char *dirs[] = { "/mnt/a b", table[i].dir, NULL };

		EQ_STR(scrub_paths(table[i].text, dirs, &a),
			table[i].want ? table[i].want : table[i].text,
			table[i].text);
	}
	test_growth(&a);
	arena_free(&a);
	return tap_done();
}
