#include "receipt/compare_advice.h"

#include <fnmatch.h>
#include <stdio.h>

const struct compare_advice compare_advice_table[] = {
	{ "scheduler", "*.lat.p50*" },
	{ "no-discard", "*.write.lat.p99*" },
	{ "atime", "*.read.iops*" },
	{ "rotational", "*.iops*" },
	{ "small-file", "*.read.lat.p50*" },
	{ NULL, NULL },
};

int
compare_advice_of(const struct compare *c, const struct compare_advice *a)
{
	char name[96];
	bool first, second;

	if (c->group_count < 2 || c->groups[0]->runs || c->groups[1]->runs)
		return -1;
	snprintf(name, sizeof(name), "%s%s", COMPARE_FACTS_FOUND, a->code);
	first = compare_facts_get(&c->groups[0]->facts, name) != NULL;
	second = compare_facts_get(&c->groups[1]->facts, name) != NULL;
	return first == second ? -1 : second;
}

const struct compare_metric *
compare_advice_metric(
	const struct compare *c, const struct compare_advice *a, size_t *at)
{
	while (*at < c->metric_count)
		if (fnmatch(a->figures, c->metrics[(*at)++].name, 0) == 0)
			return &c->metrics[*at - 1];
	return NULL;
}
