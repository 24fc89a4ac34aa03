#include <string.h>

#include "receipt/compare_show.h"

/* Two values of one fact; NULL is one of its own. */
static bool
compare_show_fact_same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool
compare_show_fact_differs(const struct compare *c, const char *name)
{
	bool found = strncmp(name, COMPARE_FACTS_FOUND,
			     strlen(COMPARE_FACTS_FOUND)) == 0;
	const char *first = NULL, *value;
	size_t i, n = 0;

	for (i = 0; i < c->group_count; i++) {
		if (found && c->groups[i]->runs)
			continue; /* a median observes nothing */
		value = compare_facts_get(&c->groups[i]->facts, name);
		if (n++ == 0)
			first = value;
		else if (!compare_show_fact_same(first, value))
			return true;
	}
	return false;
}

/* Was it named before: is it in a group before g? */
static bool
compare_show_fact_known(const struct compare *c, size_t g, const char *name)
{
	while (g-- > 0)
		if (compare_facts_get(&c->groups[g]->facts, name))
			return true;
	return false;
}

/*
 * *at counts through all facts of all groups.  With many groups a fact that
 * only one has is not looked for beyond COMPARE_SHOW_FACT_GROUPS of them.
 */
const char *
compare_show_fact(const struct compare *c, size_t *at)
{
	size_t g = 0, i = *at;
	const struct compare_facts *f;
	const char *name;

	while (g < c->group_count && g < COMPARE_SHOW_FACT_GROUPS) {
		f = &c->groups[g]->facts;
		if (i >= f->count) {
			i -= f->count;
			g++;
			continue;
		}
		name = f->list[i++].name;
		++*at;
		if (!compare_show_fact_known(c, g, name) &&
			compare_show_fact_differs(c, name))
			return name;
	}
	return NULL;
}
