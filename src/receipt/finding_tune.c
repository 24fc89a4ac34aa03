#include "receipt/finding_tune.h"

#include "base/shape.h"
#include "receipt/finding_place.h"

void
finding_tune_scheduler(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	struct finding_draft d = { .level = FINDING_NOTE };
	const struct receipt_layer *l = NULL;
	const char *name;
	size_t i;

	for (i = 0; t && i < t->stack_count; i++) {
		l = &t->stack[i];
		if (l->rotational != 1 &&
			(finding_case_is(l->scheduler, "bfq") ||
				finding_case_is(l->scheduler, "cfq")))
			break;
	}
	if (!t || i == t->stack_count || !finding_place_is_measured(c->receipt))
		return;
	name = l->name ? l->name : "the disk";
	d.command = arena_printf(c->arena,
		"echo none > /sys/block/%s/queue/scheduler",
		finding_place_shell_name(l));
	c->failed |= !d.command;
	finding_case_say(c, &d,
		"the scheduler of %s is %s, which sorts requests for disks "
		"that turn and adds latency on one that does not.",
		name, l->scheduler);
}

/* The topmost block layer that lets no discard through; NULL: none. */
static const struct receipt_layer *
finding_tune_no_discard(const struct receipt_target *t)
{
	size_t i;

	for (i = 0; t && i < t->stack_count; i++)
		if (t->stack[i].discard_max_bytes == 0)
			return &t->stack[i];
	return NULL;
}

void
finding_tune_discard(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	const struct receipt_host *h = c->receipt->host;
	const struct receipt_layer *l = finding_tune_no_discard(t);
	struct finding_draft d = { .level = FINDING_NOTE };

	/* a disk that turns has no use for it; a virtual one may only say so */
	if (!t || !finding_place_is_measured(c->receipt) ||
		(finding_place_rotational(t) &&
			!finding_place_is_virtual(c->receipt)))
		return;
	if (l && finding_case_is(l->layer, "dm-crypt")) {
		d.command = "cryptsetup refresh --persistent --allow-discards "
			    "NAME";
		finding_case_say(c, &d,
			"encryption (%s) lets no discard through: the disk "
			"below never learns which blocks are free.",
			l->name ? l->name : l->layer);
	} else if (l) {
		d.command = "lsblk -D";
		finding_case_say(c, &d,
			"%s takes no discard: it never learns which blocks are "
			"free, and flash that does not know slows down as it "
			"fills; only who provides the disk can change that.",
			l->name ? l->name : l->layer);
	} else if (h && h->fstrim_timer == 0 &&
		   !finding_place_mounted(t, "discard")) {
		d.command = "systemctl enable --now fstrim.timer";
		finding_case_say(c, &d,
			"nothing tells the disk which blocks are free: the "
			"fstrim timer is off and the mount has no discard; "
			"flash that does not know slows down as it fills.");
	}
}

void
finding_tune_atime(struct finding_case *c)
{
	const struct receipt_target *t = c->receipt->target;
	struct finding_draft d = { .level = FINDING_NOTE };

	if (!t || !finding_place_is_measured(c->receipt) || !t->mount_options ||
		!*t->mount_options || finding_place_mounted(t, "noatime") ||
		finding_place_mounted(t, "relatime") ||
		finding_place_mounted(t, "ro"))
		return;
	d.command = "mount -o remount,noatime \"$(findmnt -n -o TARGET -T "
		    "DIR)\"";
	finding_case_say(c, &d,
		"the filesystem is mounted without noatime or relatime: each "
		"read of a file writes the time of it.");
}
