#include "host/stack_dm.h"

#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/units.h"
#include "host/below.h"
#include "host/stack_block.h"

#define SECTOR_BYTES	512 /* of device-mapper, whatever the device's */
#define ANSWER_BYTES	16384
#define SYS_BLOCK	"/sys/dev/block/%u:%u"
#define DEV(x)		(x).dev_major, (x).dev_minor
#define LVM_UUID_PREFIX "LVM-"

/* ---- by the device's UUID ------------------------------------------------ */

/*
 * LVM tells what its volumes are only by the suffix of their UUID, and that
 * only for inner ones: a thin volume lies on "...-tpool", and what lies on one
 * device that is not LVM's is linear.
 */
static const char *
lvm_type(const struct stack_layer *l, const char *uuid, const char *root)
{
	struct stack_lower lower;
	char below[160];
	unsigned i, lvm = 0;

	if (strstr(uuid, "-tpool"))
		return "dm-thin-pool";
	stack_block_lower(&lower, l, root);
	for (i = 0; i < lower.count; i++) {
		below_line(root, below, sizeof(below), SYS_BLOCK "/dm/uuid",
			DEV(lower.dev[i]));
		if (strstr(below, "-tpool"))
			return "dm-thin";
		lvm += strncmp(below, LVM_UUID_PREFIX,
			       strlen(LVM_UUID_PREFIX)) == 0;
	}
	return lower.count == 1 && !lower.more && !lvm ? "dm-linear" : "dm-lvm";
}

/* UUID prefixes of the tools that make device-mapper devices. */
static const struct maker {
	const char *prefix;
	const char *layer; /* NULL: see lvm_type */
} makers[] = {
	{ "CRYPT-INTEGRITY", "dm-integrity" },
	{ "CRYPT-SUBDEV", "dm-integrity" },
	{ "CRYPT-VERITY", "dm-verity" },
	{ "CRYPT-", "dm-crypt" },
	{ LVM_UUID_PREFIX, NULL },
	{ "mpath-", "dm-multipath" },
	{ "part", "dm-linear" }, /* kpartx */
	{ "DMRAID-", "dm-raid" },
	{ "VDO-", "dm-vdo" },
};

static void
guess_type(struct stack_layer *l, const char *root)
{
	const char *layer = "dm";
	char uuid[160];
	size_t i;

	below_line(root, uuid, sizeof(uuid), SYS_BLOCK "/dm/uuid", DEV(*l));
	for (i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (strncmp(uuid, makers[i].prefix, strlen(makers[i].prefix)) !=
			0)
			continue;
		layer = makers[i].layer ? makers[i].layer
					: lvm_type(l, uuid, root);
		break;
	}
	snprintf(l->layer, sizeof(l->layer), "%s", layer);
}

/* ---- by the driver ------------------------------------------------------- */

/* The n-th word of a status, from 0, up to `stop`; false where there is none. */
static bool
status_number(const char *status, int n, char stop, uint64_t *out)
{
	char digits[24];
	size_t len;

	while (n-- > 0) {
		status += strcspn(status, " /");
		status += *status != '\0';
	}
	len = strcspn(status, " /");
	if (status[len] != stop || len >= sizeof(digits))
		return false;
	memcpy(digits, status, len);
	digits[len] = '\0';
	return units_parse_u64(digits, 0, UINT64_MAX - 1, out, NULL) == 0;
}

/* "<transaction> <used>/<total metadata> <used>/<total data blocks> ..." */
uint64_t
stack_dm_pool_free_bytes(uint64_t sectors, const char *status)
{
	uint64_t used, total;

	if (!status_number(status, 3, '/', &used) ||
		!status_number(status, 4, ' ', &total) || total == 0 ||
		used > total || sectors > UINT64_MAX / SECTOR_BYTES)
		return STACK_UNKNOWN;
	return sectors / total * (total - used) * SECTOR_BYTES;
}

/* The target at offset `at` of the answer; -1 where it is not whole. */
static int
target_at(struct dm_target_spec *t, const char **status, const char *answer,
	size_t at, size_t size)
{
	if (at > size || size - at < sizeof(*t))
		return -1;
	memcpy(t, answer + at, sizeof(*t));
	*status = answer + at + sizeof(*t);
	return memchr(*status, '\0', size - at - sizeof(*t)) ? 0 : -1;
}

int
stack_dm_answer(struct stack_layer *l, const void *answer, size_t size)
{
	char type[DM_MAX_TYPE_NAME + 1] = "";
	struct dm_target_spec t;
	struct dm_ioctl head;
	const char *status;
	size_t at;
	uint32_t i;

	memcpy(&head, answer, sizeof(head));
	at = head.data_start;
	for (i = 0; i < head.target_count; i++) {
		if (target_at(&t, &status, answer, at, size) != 0)
			return -1;
		t.target_type[DM_MAX_TYPE_NAME - 1] = '\0';
		if (i == 0)
			snprintf(type, sizeof(type), "%s", t.target_type);
		else if (strcmp(type, t.target_type) != 0)
			snprintf(type, sizeof(type), "several");
		if (strcmp(type, "thin-pool") == 0)
			l->pool_free_bytes =
				stack_dm_pool_free_bytes(t.length, status);
		at = (size_t)head.data_start + t.next;
	}
	if (!type[0])
		return -1;
	snprintf(l->layer, sizeof(l->layer), "dm-%s", type);
	return 0;
}

/*
 * Not flushed: a pool would commit its metadata for us, which is more than
 * looking.
 */
static int
driver_ask(struct stack_layer *l)
{
	union {
		struct dm_ioctl head;
		char bytes[ANSWER_BYTES];
	} a;
	int fd, result;

	fd = open("/dev/mapper/" DM_CONTROL_NODE, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	memset(&a.head, 0, sizeof(a.head));
	a.head.version[0] = DM_VERSION_MAJOR;
	a.head.data_size = sizeof(a);
	a.head.data_start = sizeof(a.head);
	a.head.flags = DM_NOFLUSH_FLAG;
	/* the kernel's huge_encode_dev: 12 bits of major between the minor's */
	a.head.dev = (l->dev_minor & 0xff) | (uint64_t)l->dev_major << 8 |
		     (uint64_t)(l->dev_minor & ~0xffu) << 12;
	result = ioctl(fd, DM_TABLE_STATUS, &a);
	close(fd);
	if (result != 0 || (a.head.flags & DM_BUFFER_FULL_FLAG))
		return -1;
	return stack_dm_answer(l, &a, sizeof(a));
}

void
stack_dm_fill(struct stack_layer *l, const char *root)
{
	if (root[0] != '\0' || driver_ask(l) != 0)
		guess_type(l, root);
}
