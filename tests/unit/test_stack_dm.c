#include <linux/dm-ioctl.h>

#include "host/stack_dm.h"
#include "tap.h"

/* An answer as the driver writes it: targets one after the other. */
struct answer {
	union {
		struct dm_ioctl head;
		char bytes[2048];
	} u;
	size_t at; /* end of what was written */
};

static void
answer_begin(struct answer *a)
{
	memset(a, 0, sizeof(*a));
	a->u.head.data_start = sizeof(a->u.head);
	a->at = sizeof(a->u.head);
}

static void
answer_add(struct answer *a, const char *type, uint64_t sectors,
	const char *status)
{
	struct dm_target_spec t = { .length = sectors };
	size_t len = sizeof(t) + strlen(status) + 1;

	len = (len + 7) & ~(size_t)7;
	snprintf(t.target_type, sizeof(t.target_type), "%s", type);
	t.next = (uint32_t)(a->at + len - a->u.head.data_start);
	memcpy(a->u.bytes + a->at, &t, sizeof(t));
	memcpy(a->u.bytes + a->at + sizeof(t), status, strlen(status) + 1);
	a->at += len;
	a->u.head.target_count++;
}

static int
answer_read(struct stack_layer *l, const struct answer *a)
{
	memset(l, 0, sizeof(*l));
	l->pool_free_bytes = STACK_UNKNOWN;
	return stack_dm_answer(l, &a->u, sizeof(a->u));
}

static void
test_answers(void)
{
	struct stack_layer l;
	struct answer a;

	answer_begin(&a);
	EQ_I64(answer_read(&l, &a), -1, "no target");
	answer_add(&a, "crypt", 1000, "");
	EQ_I64(answer_read(&l, &a), 0, "one target");
	EQ_STR(l.layer, "dm-crypt", "its type");
	EQ_U64(l.pool_free_bytes, STACK_UNKNOWN, "is no pool");
	answer_add(&a, "crypt", 1000, "words of some length");
	EQ_I64(answer_read(&l, &a), 0, "two of a type");
	EQ_STR(l.layer, "dm-crypt", "are that type");
	answer_add(&a, "linear", 1000, "");
	answer_add(&a, "crypt", 1000, "");
	EQ_I64(answer_read(&l, &a), 0, "different ones");
	EQ_STR(l.layer, "dm-several", "are several");

	answer_begin(&a);
	answer_add(&a, "thin-pool", 200000,
		"0 114/1024 271/1562 - rw no_discard_passdown - 256");
	EQ_I64(answer_read(&l, &a), 0, "a pool");
	EQ_STR(l.layer, "dm-thin-pool", "its type");
	EQ_U64(l.pool_free_bytes, (uint64_t)(1562 - 271) * 128 * 512,
		"what it has left");

	answer_begin(&a);
	answer_add(&a, "abcdefghijklmnopqrstuvwxyz", 1, "");
	EQ_I64(answer_read(&l, &a), 0, "a long type");
	EQ_STR(l.layer, "dm-abcdefghijklmno", "is cut");
}

/* Lengths that do not fit are met, never followed. */
static void
test_broken(void)
{
	struct dm_target_spec t;
	struct stack_layer l;
	struct answer a;

	answer_begin(&a);
	answer_add(&a, "crypt", 1000, "");
	a.u.head.data_start = sizeof(a.u) - 8;
	EQ_I64(answer_read(&l, &a), -1, "data that begins at the end");
	a.u.head.data_start = UINT32_MAX;
	EQ_I64(answer_read(&l, &a), -1, "data that begins behind it");

	answer_begin(&a);
	answer_add(&a, "crypt", 1000, "");
	answer_add(&a, "crypt", 1000, "");
	memcpy(&t, a.u.bytes + sizeof(a.u.head), sizeof(t));
	t.next = UINT32_MAX;
	memcpy(a.u.bytes + sizeof(a.u.head), &t, sizeof(t));
	EQ_I64(answer_read(&l, &a), -1, "a next target behind the end");

	answer_begin(&a);
	answer_add(&a, "crypt", 1000, "");
	memset(a.u.bytes + sizeof(a.u.head) + sizeof(t), 'x',
		sizeof(a.u) - sizeof(a.u.head) - sizeof(t));
	EQ_I64(answer_read(&l, &a), -1, "a status without an end");
}

static void
test_status(void)
{
	static const char *const none[] = { "", "Fail", "Error", "1", "1 2/3",
		"1 2/3 4", "1 2/3 4/", "1 2/3 4/5", "1 2/3 6/5 rw",
		"1 2/3 4/0 rw", "1 2/3 x/5 rw", "1 2/3 -4/5 rw",
		"1 2/3 4 5 rw" };
	size_t i;

	for (i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		if (stack_dm_pool_free_bytes(1000, none[i]) != STACK_UNKNOWN)
			break;
	EQ_U64(i, sizeof(none) / sizeof(none[0]), "texts without figures");
	EQ_U64(stack_dm_pool_free_bytes(1000, "1 2/3 5/5 rw"), 0, "full");
	EQ_U64(stack_dm_pool_free_bytes(1000, "1 2/3 0/5 rw"), 512000, "new");
	EQ_U64(stack_dm_pool_free_bytes(UINT64_MAX, "1 2/3 0/5 rw"),
		STACK_UNKNOWN, "larger than bytes can say");
}

int
main(void)
{
	test_answers();
	test_broken();
	test_status();
	return tap_done();
}
