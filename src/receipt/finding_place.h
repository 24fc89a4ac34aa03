/*
 * finding_place: rules about what the target lies on, and what of it could be
 * set otherwise.  Part of finding; nobody else includes it.
 */
#ifndef RECEIPT_FINDING_PLACE_H
#define RECEIPT_FINDING_PLACE_H

#include "receipt/finding_case.h"

/* The first layer that says it turns; NULL: none (t may be NULL). */
const struct receipt_layer *finding_place_rotational(
	const struct receipt_target *t);
/* The write cache of the lowest layer that tells; NULL: none does. */
const char *finding_place_write_cache(const struct receipt_target *t);
/* l's name where a shell takes it as one plain word, else "NAME". */
const char *finding_place_shell_name(const struct receipt_layer *l);
/* Was anything measured?  Advice is for who has figures. */
bool finding_place_is_measured(const struct receipt *r);
/* Is it a virtual machine's disk (or not known to be none)? */
bool finding_place_is_virtual(const struct receipt *r);
/* Does it lie on a thin volume? */
bool finding_place_is_thin(const struct receipt_target *t);
/* Is `word` one of the mount's options?  With its value, if it has one. */
bool finding_place_mounted(const struct receipt_target *t, const char *word);

void finding_place_memory(struct finding_case *c);
void finding_place_unknown(struct finding_case *c);
void finding_place_buffered(struct finding_case *c);
void finding_place_nocow(struct finding_case *c);
void finding_place_thin(struct finding_case *c);
void finding_place_small_file(struct finding_case *c);
void finding_place_turning(struct finding_case *c);

#endif
