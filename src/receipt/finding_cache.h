/*
 * finding_cache: rules about who may have answered instead of the disk.  Part
 * of finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_CACHE_H
#define RECEIPT_FINDING_CACHE_H

#include "receipt/finding_case.h"

void finding_cache_suspected(struct finding_case *c);
void finding_cache_flush_free(struct finding_case *c);
void finding_cache_commit_limits(struct finding_case *c);

#endif
