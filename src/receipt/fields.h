/*
 * fields: the field tables of a receipt, one a struct of receipt.h; the
 * names of the shapes are those of the schema's definitions.
 */
#ifndef RECEIPT_FIELDS_H
#define RECEIPT_FIELDS_H

#include "base/shape.h"

extern const struct shape fields_receipt, fields_head;
extern const struct shape fields_facts; /* struct receipt_facts */

/* Longest window name in bytes: what a plan's JOB_NAME_MAX holds. */
#define FIELDS_NAME_MAX 63

/* Reasons why a receipt is not complete. */
#define FIELDS_REASONS_MAX 64

/* Longest words of the user's own, in bytes. */
#define FIELDS_LABEL_MAX 256
#define FIELDS_NOTE_MAX	 4096
#define FIELDS_NONCE_MAX 256
#define FIELDS_AUD_MAX	 256

/* Receipts that a median may be of. */
#define FIELDS_SOURCES_MAX 64

#endif
