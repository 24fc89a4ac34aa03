#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cmd.h"
#include "app/command.h"
#include "app/reading.h"
#include "app/receipts.h"
#include "app/screen.h"
#include "app/sign.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/rng.h"
#include "receipt/fields.h"
#include "receipt/median.h"
#include "receipt/show.h"

struct median_options {
	const char *out, *label, *key, *color;
};

#define AT(member) offsetof(struct median_options, member)

const struct option_row cmd_median_rows[] = {
	{ "out", 'o', OPTION_TEXT, AT(out), "FILE", NULL, 0, 0,
		"put it there and print its table; without, it is printed "
		"itself" },
	{ "label", 0, OPTION_TEXT, AT(label), "TEXT", NULL, 0, FIELDS_LABEL_MAX,
		"your own words, kept in it (default: that of the receipts, if "
		"it is one)" },
	{ "key", 0, OPTION_TEXT, AT(key), "FILE", NULL, 0, 0,
		"sign it with this key, beside the file; else it is not "
		"signed" },
	{ "color", 0, OPTION_WORD, AT(color), "auto|always|never",
		"auto|always|never", 0, 0, "colours in the table" },
	{ NULL, 0, OPTION_FLAG, 0, NULL, NULL, 0, 0, NULL },
};

/* One receipt, its own memory and name. */
struct taken {
	struct arena arena;
	struct receipt receipt;
	char name[256], kid[KEY_KID_SIZE];
};

struct taking {
	struct reading reading;
	struct taken *list; /* FIELDS_SOURCES_MAX */
	struct median_source sources[FIELDS_SOURCES_MAX];
	size_t n;
	struct err *e;
};

static void
copy(char *out, size_t size, const char *s)
{
	size_t n = strlen(s);

	n = n < size ? n : size - 1;
	memcpy(out, s, n);
	out[n] = '\0';
}

static int
one(void *arg, const char *path)
{
	struct taking *t = arg;
	struct taken *into = &t->list[t->n];

	if (t->n == FIELDS_SOURCES_MAX)
		return err_set(t->e, ERR_INPUT, 0,
			"more than %d receipts are too many for a median: "
			"compare takes any number",
			FIELDS_SOURCES_MAX);
	if (reading_file(&t->reading, path, t->e) < 0)
		return -1;
	/* its memory goes over to us */
	into->arena = t->reading.files.arena;
	arena_init(&t->reading.files.arena);
	into->receipt = *t->reading.receipt;
	copy(into->name, sizeof(into->name), path);
	copy(into->kid, sizeof(into->kid), t->reading.kid);
	t->sources[t->n] =
		(struct median_source){ &into->receipt, into->name, into->kid };
	t->n++;
	return 0;
}

/* An older signature beside it would be of something else. */
static int
check_place(const char *path, const struct sign *s, char *to, size_t size,
	struct err *e)
{
	struct stat st;

	if (sign_path(path, to, size) < 0)
		return err_set(
			e, ERR_USAGE, 0, "%s: the path is too long", path);
	if (!s->ready && lstat(to, &st) == 0)
		return err_set(e, ERR_OUTPUT, 0,
			"%s is there and would not be the signature of %s: "
			"give --key, remove it, or choose another --out",
			to, path);
	return 0;
}

static int
put_files(
	const struct buf *json, const char *path, struct sign *s, struct err *e)
{
	char to[4096];

	if (check_place(path, s, to, sizeof(to), e) < 0 ||
		(s->ready && sign_receipt(s, json, e) < 0) ||
		file_replace(path, json->data, json->len, e) < 0)
		return -1;
	return s->ready ? file_replace(to, s->jws.data, s->jws.len, e) : 0;
}

static int
deliver(const struct median_options *o, const struct receipt *r, struct sign *s,
	struct err *e)
{
	struct text_style style;
	struct buf json, table;
	int rc = -1;

	buf_init(&json);
	buf_init(&table);
	if (receipt_write(r, &json, e) < 0)
		goto done;
	if (!o->out || strcmp(o->out, "-") == 0) {
		rc = screen_out(json.data, json.len, e);
		goto done;
	}
	if (put_files(&json, o->out, s, e) < 0)
		goto done;
	screen_style(STDOUT_FILENO, screen_color_of(o->color), &style);
	show_table(r, &style, &table);
	rc = buf_failed(&table) ? err_set(e, ERR_OUTPUT, ENOMEM, "rendering")
				: screen_out(buf_text(&table), table.len, e);
done:
	buf_free(&table);
	buf_free(&json);
	return rc;
}

static int
derive(const struct median_options *o, struct taking *t, struct err *e)
{
	struct receipt r;
	struct arena arena;
	struct sign sign;
	struct rng rng;
	char jti[37];
	int rc = -1;

	if (sign_open(&sign, o->key, false, e) < 0)
		return -1;
	arena_init(&arena);
	if (median_of(t->sources, t->n, &r, &arena, e) < 0 ||
		rng_init(&rng, e) < 0)
		goto done;
	rng_uuid4(&rng, jti);
	r.jti = jti;
	r.iat = (uint64_t)clock_wall_s();
	if (o->label)
		r.sub = o->label;
	rc = deliver(o, &r, &sign, e);
done:
	arena_free(&arena);
	sign_close(&sign);
	return rc;
}

static int
take_all(const struct median_options *o, char **operands, int count,
	struct err *e)
{
	struct taking t = { .e = e };
	size_t k;
	int i;

	t.list = calloc(FIELDS_SOURCES_MAX, sizeof(*t.list));
	if (!t.list)
		return err_set(e, ERR_INCOMPLETE, ENOMEM, "reading receipts");
	reading_init(&t.reading);
	for (i = 0; i < count && !e->code; i++)
		receipts_walk(operands[i], one, &t, e);
	if (!e->code)
		derive(o, &t, e);
	for (k = 0; k < t.n; k++)
		arena_free(&t.list[k].arena);
	free(t.list);
	reading_free(&t.reading);
	return e->code ? -1 : 0;
}

int
cmd_median(int argc, char **argv)
{
	struct median_options o = { 0 };
	struct err e = { 0 };
	int operands = argc, rc;
	bool printed;

	rc = command_scan("median", argc, argv, &o, &operands);
	if (rc >= 0)
		return rc;
	printed = !o.out || strcmp(o.out, "-") == 0;
	if (operands == argc)
		err_set(&e, ERR_USAGE, 0,
			"median takes receipts of repeated runs: ioreceipt "
			"median FILE...");
	else if (o.key && printed)
		err_set(&e, ERR_USAGE, 0,
			"--key signs a file: it goes with --out FILE");
	else
		take_all(&o, argv + operands, argc - operands, &e);
	return e.code ? command_fail(&e) : 0;
}
