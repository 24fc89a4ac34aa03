#include "receipt/lowqd_class.h"

static const struct lowqd_class classes[] = {
	{ 300000, "< 0.3 ms", "Excellent", TEXT_GREEN },
	{ 500000, "< 0.5 ms", "Acceptable", TEXT_YELLOW },
	{ UINT64_MAX, ">= 0.5 ms", "Poor", TEXT_RED },
};

#define CLASSES (sizeof(classes) / sizeof(classes[0]))

const struct lowqd_class *
lowqd_class_of(uint64_t p99_9_ns)
{
	size_t i = 0;

	while (i < CLASSES - 1 && p99_9_ns >= classes[i].below_ns)
		i++;
	return &classes[i];
}

const struct lowqd_class *
lowqd_class_at(size_t index)
{
	return index < CLASSES ? &classes[index] : NULL;
}
