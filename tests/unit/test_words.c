#include "disk/words.h"

#include "tap.h"

/* text -> its words joined by '|', or the error. */
static const struct {
	const char *text, *want;
	bool variable; /* of the last word */
} cases[] = {
	{ "", "", false },
	{ "  \n\t ", "", false },
	{ "a b", "a|b|", false },
	{ "a\\\n  b", "a|b|", false },
	{ "a \\\n\tb\\\nc", "a|bc|", false },
	{ "--name='x y' z", "--name=x y|z|", false },
	{ "\"a\\\"b\" 'c\\d' e\\ f", "a\"b|c\\d|e f|", false },
	{ "\"a\\nb\"", "a\\nb|", false },
	{ "''", "|", false },
	{ "# all of it\nfio a#b # end", "fio|a#b|", false },
	{ "--filename=\"$TARGET\"", "--filename=$TARGET|", true },
	{ "--filename='$TARGET'", "--filename=$TARGET|", false },
	{ "--size=${N}G x", "--size=${N}G|x|", false },
	{ "${A:-x y}", "${A:-x y}|", true },
	{ "\\$A", "$A|", false },
	{ "a\\", "a|", false },
	{ "a | b", "a|!", false },
	{ "a>b", "!", false },
	{ "a '|' \">\"", "a|||>|", false },
	{ "\"a", "!", false },
};

int
main(void)
{
	struct buf word, all;
	struct words w;
	struct err e;
	size_t i;
	int got;
	bool variable;

	buf_init(&word);
	buf_init(&all);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_reset(&all);
		words_init(&w, cases[i].text);
		variable = false;
		while ((got = words_next(&w, &word, &e)) > 0) {
			buf_printf(&all, "%s|", buf_text(&word));
			variable = w.variable;
		}
		if (got < 0) {
			buf_str(&all, "!");
			EQ_I64(e.code, ERR_USAGE, e.text);
		}
		EQ_STR(buf_text(&all), cases[i].want, cases[i].text);
		OK(variable == cases[i].variable, "marked as a variable");
	}
	buf_free(&word);
	buf_free(&all);
	return tap_done();
}
