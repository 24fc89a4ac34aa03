#include "app/reading.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/receipts.h"
#include "app/sign.h"

void
reading_init(struct reading *r)
{
	memset(r, 0, sizeof(*r));
	verify_init(&r->files);
	r->receipt = &r->files.receipt;
	r->kid = "";
}

void
reading_free(struct reading *r)
{
	verify_free(&r->files);
	free(r->seen);
	memset(r, 0, sizeof(*r));
}

/* Does a signature lie beside it? */
static bool
has_signature(const char *path)
{
	char twin[4096];
	struct stat st;

	return sign_path(path, twin, sizeof(twin)) == 0 &&
	       stat(twin, &st) == 0 && S_ISREG(st.st_mode);
}

/* A plain receipt, which is in files.text already. */
static int
read_plain(struct reading *r, struct err *e)
{
	struct verify *v = &r->files;

	arena_free(&v->arena);
	arena_init(&v->arena);
	r->is_signed = false;
	r->kid = "";
	return receipt_read(
		&v->receipt, buf_text(&v->text), v->text.len, &v->arena, e);
}

static int
read_signed(struct reading *r, const char *path, struct err *e)
{
	struct verify *v = &r->files;

	if (verify_file(v, path, e) < 0)
		return -1;
	r->is_signed = true;
	r->kid = v->jws.kid;
	return receipt_read(&v->receipt, buf_text(&v->jws.payload),
		v->jws.payload.len, &v->arena, e);
}

int
reading_file(struct reading *r, const char *path, struct err *e)
{
	struct verify *v = &r->files;
	const char *text;
	int rc;

	if (receipts_is(path, ".jws") || has_signature(path)) {
		rc = read_signed(r, path, e);
	} else {
		buf_reset(&v->text);
		if (receipts_read(path, VERIFY_MAX_BYTES, &v->text, e) < 0)
			return -1;
		text = buf_text(&v->text);
		rc = text[0] == '{' && strncmp(text, "{\"jws\"", 6) != 0
			     ? read_plain(r, e)
			     : read_signed(r, path, e);
	}
	return rc < 0 ? err_wrap(e, "%s", path) : 0;
}

/* FNV-1a, then mixed; never 0. */
static uint64_t
hash_of(const char *jti, const char *set)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *jti; jti++)
		h = (h ^ (unsigned char)*jti) * UINT64_C(1099511628211);
	for (; *set; set++)
		h = (h ^ (unsigned char)*set) * UINT64_C(1099511628211);
	h = (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29 ? h ^ h >> 29 : 1;
}

/* Its slot: that which holds h, or the free one for it. */
static uint64_t *
slot_of(uint64_t *table, size_t room, uint64_t h)
{
	size_t i = (size_t)h & (room - 1);

	while (table[i] && table[i] != h)
		i = (i + 1) & (room - 1);
	return &table[i];
}

static int
grow(struct reading *r)
{
	size_t room = r->seen_room ? 2 * r->seen_room : 256, i;
	uint64_t *table = calloc(room, sizeof(*table));

	if (!table)
		return -1;
	for (i = 0; i < r->seen_room; i++)
		if (r->seen[i])
			*slot_of(table, room, r->seen[i]) = r->seen[i];
	free(r->seen);
	r->seen = table;
	r->seen_room = room;
	return 0;
}

int
reading_is_new(struct reading *r, const char *set, struct err *e)
{
	uint64_t h = hash_of(r->receipt->jti, set), *slot;

	if (2 * r->seen_count >= r->seen_room && grow(r))
		return err_set(e, ERR_INCOMPLETE, ENOMEM, "%zu receipts",
			r->seen_count);
	slot = slot_of(r->seen, r->seen_room, h);
	if (*slot)
		return 0;
	*slot = h;
	r->seen_count++;
	return 1;
}
