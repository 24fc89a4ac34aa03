/*
 * What jansson's configure would have found out about a Linux libc and a C11
 * compiler, so that no configure has to run.
 */
#ifndef JANSSON_CONFIG_H
#define JANSSON_CONFIG_H

#define JSON_INLINE		  inline
#define JSON_INTEGER_IS_LONG_LONG 1

/* we never call setlocale: the decimal point is always '.' */
#define JSON_HAVE_LOCALECONV 0

#define JSON_HAVE_ATOMIC_BUILTINS 1
#define JSON_HAVE_SYNC_BUILTINS	  1

/* our documents nest less than ten deep; a hostile one must not eat the stack */
#define JSON_PARSER_MAX_DEPTH 64

#endif
