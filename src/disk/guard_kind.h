/*
 * guard_kind: what is known of each filesystem and its options: does it
 * serve a measurement, and is its direct I/O direct?
 */
#ifndef DISK_GUARD_KIND_H
#define DISK_GUARD_KIND_H

#include "disk/guard.h"

/* One filesystem that is not simply fine. */
struct guard_kind {
	const char *fstype;
	bool copies;	 /* on write: wants room twice */
	bool unfit;	 /* refused, always */
	const char *why; /* what it is, for the sentence of a refusal */
};

/* The table, ended by fstype == NULL. */
const struct guard_kind *guard_kind_table(void);

/* ERR_REFUSED where v's filesystem cannot serve, by type alone. */
int guard_kind_fit(const struct guard_view *v, struct err *e);

/*
 * ERR_REFUSED where it buffers direct I/O: by type, version, mount option.
 * Below root: /proc/sys/kernel/osrelease, /sys/module/zfs/version.
 */
int guard_kind_direct(const struct guard_view *v, bool keep_cow,
	const char *root, struct err *e);

#endif
