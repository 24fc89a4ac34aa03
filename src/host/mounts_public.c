/* mounts_public_options of mounts.h: what a receipt may say of a mount. */
#include <stdio.h>
#include <string.h>

#include "host/mounts.h"

#define VALUE_MAX 24

/*
 * Words of the kernel's Documentation/filesystems and mount(8) that bear on
 * speed, durability or what may be written.  `value`: may its value be shown?
 * No word is listed whose value could be a path, a name, an address or an id.
 */
static const struct word {
	const char *key;
	bool value;
} words[] = {
	/* every filesystem */
	{ "sync", false },
	{ "dirsync", false },
	{ "noexec", false },
	{ "nosuid", false },
	{ "nodev", false },
	{ "noatime", false },
	{ "nodiratime", false },
	{ "relatime", false },
	{ "strictatime", false },
	{ "lazytime", false },
	{ "discard", true },
	{ "nodiscard", false },
	/* ext2, ext3, ext4 */
	{ "barrier", true },
	{ "nobarrier", false },
	{ "data", true },
	{ "commit", true },
	{ "errors", true },
	{ "stripe", true },
	{ "delalloc", false },
	{ "nodelalloc", false },
	{ "journal_checksum", false },
	{ "journal_async_commit", false },
	{ "dioread_lock", false },
	{ "dioread_nolock", false },
	{ "auto_da_alloc", true },
	{ "noauto_da_alloc", false },
	{ "dax", true },
	{ "init_itable", true },
	{ "noinit_itable", false },
	{ "inode_readahead_blks", true },
	{ "max_batch_time", true },
	{ "min_batch_time", true },
	{ "journal_ioprio", true },
	{ "prjquota", false },
	{ "usrquota", false },
	{ "grpquota", false },
	{ "quota", false },
	{ "noquota", false },
	/* xfs */
	{ "allocsize", true },
	{ "attr2", false },
	{ "inode32", false },
	{ "inode64", false },
	{ "largeio", false },
	{ "nolargeio", false },
	{ "logbsize", true },
	{ "logbufs", true },
	{ "sunit", true },
	{ "swidth", true },
	{ "swalloc", false },
	{ "wsync", false },
	/* btrfs */
	{ "autodefrag", false },
	{ "noautodefrag", false },
	{ "compress", true },
	{ "compress-force", true },
	{ "datacow", false },
	{ "nodatacow", false },
	{ "datasum", false },
	{ "nodatasum", false },
	{ "flushoncommit", false },
	{ "noflushoncommit", false },
	{ "max_inline", true },
	{ "metadata_ratio", true },
	{ "space_cache", true },
	{ "nospace_cache", false },
	{ "ssd", false },
	{ "nossd", false },
	{ "ssd_spread", false },
	{ "nossd_spread", false },
	{ "thread_pool", true },
	{ "notreelog", false },
	{ "treelog", false },
	/* f2fs */
	{ "active_logs", true },
	{ "alloc_mode", true },
	{ "background_gc", true },
	{ "compress_algorithm", true },
	{ "extent_cache", false },
	{ "noextent_cache", false },
	{ "fsync_mode", true },
	{ "inline_data", false },
	{ "mode", true },
	/* overlay */
	{ "index", true },
	{ "metacopy", true },
	{ "redirect_dir", true },
	{ "volatile", false },
	{ "xino", true },
	/* network and FUSE */
	{ "ac", false },
	{ "noac", false },
	{ "async", false },
	{ "cache", true },
	{ "hard", false },
	{ "soft", false },
	{ "lookupcache", true },
	{ "max_read", true },
	{ "nconnect", true },
	{ "proto", true },
	{ "retrans", true },
	{ "rsize", true },
	{ "timeo", true },
	{ "vers", true },
	{ "wsize", true },
};

/* Only what numbers and the kernel's own words are made of. */
static bool
value_shown(const char *value, size_t len)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789:._+-";

	return len <= VALUE_MAX && strspn(value, plain) >= len;
}

static bool
option_shown(const char *option, size_t len)
{
	const char *equals = memchr(option, '=', len);
	size_t key = equals ? (size_t)(equals - option) : len, i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strlen(words[i].key) != key ||
			memcmp(words[i].key, option, key) != 0)
			continue;
		return !equals || (words[i].value && value_shown(equals + 1,
							     len - key - 1));
	}
	return false;
}

/* Is option one of the words of list, which commas part? */
static bool
list_has(const char *list, const char *option, size_t len)
{
	size_t n;

	while (*list) {
		n = strcspn(list, ",");
		if (n == len && memcmp(list, option, len) == 0)
			return true;
		list += n + (list[n] == ',');
	}
	return false;
}

void
mounts_public_options(const struct mounts_entry *m, char *out, unsigned size)
{
	const char *p = m->options;
	size_t at, len;

	snprintf(out, size, "%s",
		list_has(p, "ro", 2)   ? "ro"
		: list_has(p, "rw", 2) ? "rw"
				       : "");
	for (; *p; p += len + (p[len] == ',')) {
		len = strcspn(p, ",");
		at = strlen(out);
		if (!option_shown(p, len) || list_has(out, p, len) ||
			at + 1 + len >= size)
			continue;
		snprintf(out + at, size - at, "%s%.*s", at ? "," : "", (int)len,
			p);
	}
}
