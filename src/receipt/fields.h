/*
 * fields: the field tables of a receipt, one a struct of receipt.h; the
 * names of the shapes are those of the schema's definitions.
 */
#ifndef RECEIPT_FIELDS_H
#define RECEIPT_FIELDS_H

#include "base/shape.h"

extern const struct shape fields_receipt;

/* Longest window name in bytes: what a plan's JOB_NAME_MAX holds. */
#define FIELDS_NAME_MAX 63

/* Reasons why a receipt is not complete. */
#define FIELDS_REASONS_MAX 64

#endif
