#include "host/volumes_table.h"

#include <stdio.h>
#include <string.h>

#define MBR_ENTRIES    0x1be
#define MBR_ID	       0x1b8
#define MBR_PROTECTIVE 0xee
#define GPT_ENTRY_MIN  128

static const unsigned char *
find_gpt(const struct volumes_entry *x, const struct volumes_ends *d)
{
	const unsigned char *p =
		volumes_ends_at(d, x->logical_block_bytes, 512);

	return p && memcmp(p, "EFI PART", 8) == 0 ? p : NULL;
}

/* Each entry empty, or a type with a place on the device; and one not empty. */
static bool
is_mbr(const struct volumes_entry *x, const struct volumes_ends *d)
{
	const unsigned char *p = volumes_ends_at(d, 0, 512), *entry;
	uint64_t sectors = x->size_bytes / x->logical_block_bytes, from, count;
	bool used = false;
	int i;

	if (!p || p[510] != 0x55 || p[511] != 0xaa)
		return false;
	for (i = 0; i < 4; i++) {
		entry = p + MBR_ENTRIES + 16 * i;
		from = volumes_ends_le(entry + 8, 4);
		count = volumes_ends_le(entry + 12, 4);
		if (entry[0] & 0x7f)
			return false;
		if (entry[4] == 0)
			continue;
		if (from == 0 || count == 0 || from > sectors)
			return false;
		used = true;
	}
	return used;
}

bool
volumes_table_is(const struct volumes_entry *x, const struct volumes_ends *d)
{
	return find_gpt(x, d) || is_mbr(x, d);
}

/* The first three fields of a GUID are little endian (UEFI, appendix A). */
static void
put_guid(const unsigned char *p, char out[40])
{
	snprintf(out, 40, "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x",
		(unsigned)volumes_ends_le(p, 4),
		(unsigned)volumes_ends_le(p + 4, 2),
		(unsigned)volumes_ends_le(p + 6, 2), p[8], p[9], p[10], p[11],
		p[12], p[13], p[14], p[15]);
}

static void
gpt_id(struct volumes_entry *x, const unsigned char *gpt,
	const struct volumes_ends *d, uint64_t block_bytes)
{
	uint64_t at = volumes_ends_le(gpt + 72, 8);
	uint64_t count = volumes_ends_le(gpt + 80, 4);
	uint64_t size = volumes_ends_le(gpt + 84, 4);
	const unsigned char *p;

	if (x->part > count || size < GPT_ENTRY_MIN || size > 4096 ||
		at > d->size_bytes / block_bytes)
		return;
	p = volumes_ends_at(
		d, at * block_bytes + (x->part - 1) * size, GPT_ENTRY_MIN);
	if (p)
		put_guid(p + 16, x->partuuid);
}

void
volumes_table_ids(struct volumes *v, unsigned i, const struct volumes_ends *d)
{
	const unsigned char *gpt = find_gpt(&v->entry[i], d);
	const unsigned char *mbr = volumes_ends_at(d, 0, 512);
	struct volumes_entry *x;
	unsigned k;

	for (k = 0; k < v->count; k++) {
		x = &v->entry[k];
		if (x->disk != i || x->part == 0)
			continue;
		if (gpt)
			gpt_id(x, gpt, d, v->entry[i].logical_block_bytes);
		else if (mbr && is_mbr(&v->entry[i], d) &&
			 mbr[MBR_ENTRIES + 4] != MBR_PROTECTIVE)
			snprintf(x->partuuid, sizeof(x->partuuid), "%08x-%02x",
				(unsigned)volumes_ends_le(mbr + MBR_ID, 4),
				x->part);
	}
}
