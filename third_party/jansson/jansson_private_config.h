/*
 * The private half of what configure would have found out.  The names are
 * jansson's own.
 */
#define HAVE_ATOMIC_BUILTINS 1
#define HAVE_CLOSE	     1
#define HAVE_ENDIAN_H	     1
#define HAVE_FCNTL_H	     1
#define HAVE_GETPID	     1
#define HAVE_GETTIMEOFDAY    1
#define HAVE_OPEN	     1
#define HAVE_READ	     1
#define HAVE_SCHED_H	     1
#define HAVE_SCHED_YIELD     1
#define HAVE_STDINT_H	     1
#define HAVE_STRTOLL	     1
#define HAVE_SYNC_BUILTINS   1
#define HAVE_SYS_PARAM_H     1
#define HAVE_SYS_STAT_H	     1
#define HAVE_SYS_TIME_H	     1
#define HAVE_SYS_TYPES_H     1
#define HAVE_UNISTD_H	     1

/* the seed of its hash tables, against crafted keys */
#define USE_URANDOM 1

/* smallest table: 2^3 buckets, its own default */
#define INITIAL_HASHTABLE_ORDER 3
