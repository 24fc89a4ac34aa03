#!/bin/bash
# The checkers really fail: each is fed what it forbids, and what it allows.
. "$(dirname "$0")/lib.sh"
need cc nm
scripts=$top/scripts
cd "$top" || exit 1

# file NAME: stdin becomes $T/src/NAME in an otherwise empty tree
file()
{
	rm -rf "$T/src"
	mkdir -p "$T/src/$(dirname "$1")"
	cat >"$T/src/$1"
}

# refuses REGEX NAME CHECKER ARGS...: it fails and says why
refuses()
{
	local regex=$1 name=$2
	shift 2
	run "$@"
	ok "refused: $name" test "$rc" -ne 0
	cat "$T/out" "$T/err" >"$T/said"
	like "$T/said" "$regex" "  and says why"
}

accepts()
{
	local name=$1
	shift
	ok "accepted: $name" "$@"
}

# ---- layers
file base/err.c <<<'#include "host/host.h"'
refuses 'base may not include' 'base looks up' "$scripts/check-layers" "$T/src"
file disk/job.c <<<'#include "job.h"'
refuses 'may not include "job.h"' 'an include without its folder' "$scripts/check-layers" "$T/src"
file receipt/show.c <<<'#include "crypto/digest.h"'
refuses 'receipt may not include' 'receipt knows crypto' "$scripts/check-layers" "$T/src"
file app/main.c <<<'#include "net/url.h"'
accepts 'app sees all' "$scripts/check-layers" "$T/src"

# ---- symbols
object()
{
	file "$1.c"
	rm -rf "$T/obj"
	mkdir -p "$T/obj/$(dirname "$1")"
	cc -c -o "$T/obj/$1.o" "$T/src/$1.c"
}
object disk/engine_aio <<<'int engine_run(void); int engine_run(void) { return 1; }'
refuses 'exports engine_run, not engine_aio_' 'the name of another file' \
	"$scripts/check-symbols" "$T/obj"
object disk/hist <<<'int histogram; static int n; int *hist_n(void) { return &n; }'
refuses 'exports histogram' 'a name that only begins alike' "$scripts/check-symbols" "$T/obj"
like "$T/said" ' n is data that can change' '  and a static variable'
object disk/hist <<<'extern const int hist_of[2]; const int hist_of[2] = { 1, 2 };
int hist(void); int hist(void) { return hist_of[1]; } static int own(void) { return 1; }
int hist_add(void); int hist_add(void) { return own(); }'
accepts 'its own names, a constant table' "$scripts/check-symbols" "$T/obj"
object app/stop <<<'static volatile int stop_asked; int stop_signal(void);
int stop_signal(void) { return stop_asked; }'
accepts 'the stop flag' "$scripts/check-symbols" "$T/obj"
object app/session <<<'volatile int session_stop;'
refuses 'session_stop is data' 'a flag of that name elsewhere' "$scripts/check-symbols" "$T/obj"
refuses 'no objects' 'nothing to look at' "$scripts/check-symbols" "$T/src"

# ---- headers
file base/buf.h <<<'size_t buf_len(void);'
refuses 'buf.h: does not compile alone' 'a header that needs another' \
	"$scripts/check-headers" "$T/src" cc
file base/buf.h <<<'struct buf { int n; };'
refuses 'does not compile alone' 'a header without a guard' "$scripts/check-headers" "$T/src" cc
file base/buf.h <<<'#ifndef B
#define B
#include <stddef.h>
size_t buf_len(void);
#endif'
accepts 'a header that is whole' "$scripts/check-headers" "$T/src" cc

# ---- calls: FILE, CODE, what is said of it
while IFS='|' read -r where code why; do
	file "$where" <<<"$code"
	refuses "$why" "$where: $code" "$scripts/check-calls" "$T/src"
done <<'END'
disk/job.c|	printf("x");|only app/ prints
base/err.c|	if (x) fputs(s, f);|only app/ prints
receipt/show.c|	fflush(stdout);|only app/ prints
host/stack.c|	write(2, s, n);|only app/ prints
disk/engine.c|	_exit(3);|only main and forked children exit
app/cmd_run.c|	exit(1);|only main and forked children exit
host/host.c|	clock_gettime(CLOCK_REALTIME, &ts);|clocks are read in base/clock
app/progress.c|	t = time(NULL);|clocks are read in base/clock
base/buf.c|#include <bearssl_hash.h>|BearSSL belongs to
disk/engine.c|#include <libaio.h>|libaio belongs to
receipt/receipt.c|#include <jansson.h>|jansson belongs to
disk/engine.c|	unlinkat(fd, name, 0);|files are made and removed by
app/main.c|	fd = openat(d, n, O_CREAT, 0600);|files are made and removed by
disk/worker.c|	f = fopen(name, "w");|files are made and removed by
app/option.c|	n = strtol(s, NULL, 10);|numbers are parsed in
host/host.c|	system("lsblk");|no other program is run
base/text.c|	strcpy(a, b);|no bounds
END
file disk/target.c <<'END'
/* printf("x"); exit(1) */
// time(NULL)
#include "base/err.h"
const char *s = "printf(\"x\") /* ";
int n = snprintf(b, sizeof(b), "%d", 1), m = x->time(2) + runtime(3);
int fd = openat(d, n, O_RDWR | O_CREAT | O_TMPFILE, 0600);
END
accepts 'comments, strings, longer names, the right file' "$scripts/check-calls" "$T/src"

# ---- sizes
body()
{
	printf 'int\nf(%s)\n{\n' "$2"
	for ((i = 0; i < $1; i++)); do echo "	g();"; done
	printf '}\n'
}
body 59 'int a' | file base/a.c
refuses 'f has 61 lines' '61 lines from brace to brace' "$scripts/check-sizes" "$T/src"
body 58 'int a' | file base/a.c
accepts '60 lines' "$scripts/check-sizes" "$T/src"
body 1 'int a, int b, int c, int (*d)(int, int), int e, int f' | file base/a.c
refuses '6 parameters' 'six parameters' "$scripts/check-sizes" "$T/src"
body 1 'int a, int b, int c, int (*d)(int, int), int e' | file base/a.c
accepts 'five parameters' "$scripts/check-sizes" "$T/src"
nested()
{
	printf 'int\nf(void)\n{\n'
	for ((i = 0; i < $1; i++)); do echo "	if (a) {"; done
	for ((i = 0; i < $1; i++)); do echo "	}"; done
	printf '\tint t[] = {\n\t\t1\n\t};\n}\n'
}
nested 4 | file base/a.c
refuses 'nests 4 deep' 'four blocks in each other' "$scripts/check-sizes" "$T/src"
nested 3 | file base/a.c
accepts 'three blocks' "$scripts/check-sizes" "$T/src"
yes 'int a;' | head -501 | file base/a.c
refuses '501 lines' 'a file of 501 lines' "$scripts/check-sizes" "$T/src"
{
	echo 'static const int t[] = {'
	yes '	1,' | head -600
	echo '};'
} | file base/a.c
accepts 'a long table' "$scripts/check-sizes" "$T/src"

# ---- text; the forbidden words are put together here, this file is checked too
printf 'int a; /* %0100d */\n' 0 | file base/a.c
refuses '113 columns' 'a long line' "$scripts/check-text" "$T/src"
printf '\t/* %s */\n' "$(printf 'ä%.0s' {1..80})" | file base/a.c
accepts 'columns, not bytes' "$scripts/check-text" "$T/src"
file base/a.c <<<'int a; '
refuses 'a.c:1:.*blanks' 'blanks at the end' "$scripts/check-text" "$T/src"
file base/a.c <<<"/* TO""DO: later */"
refuses 'a.c:1:.*do it' 'a note to do it later' "$scripts/check-text" "$T/src"
file base/a.c <<<"const char *p = \"/wo""rk/x\";"
refuses 'a path of one machine' 'a path of one machine' "$scripts/check-text" "$T/src"

# ---- layout
file base/a.c <<<'int  a ( ) { return 1 ; }'
cp .clang-format "$T/src/"
if clang-format --version 2>/dev/null | grep -q 'version 14\.'; then
	refuses 'clang-format' 'another layout' "$scripts/check-format" "$T/src"
fi

# ---- the binary
printf 'int main(void) { return 0; }\n' | file a.c
cc -o "$T/dynamic" "$T/src/a.c"
refuses 'INTERP' 'a dynamic binary' "$scripts/check-static" "$T/dynamic"
like "$T/said" 'NEEDED' '  and a shared library'
cc -static -z execstack -o "$T/exec" "$T/src/a.c" 2>/dev/null
refuses 'executable stack' 'a stack that can be executed' "$scripts/check-static" "$T/exec"
like "$T/said" 'bytes, the limit' '  and its size'

# ---- a skip is a failure in CI, and only there
tap()
{
	printf '#!/bin/sh\n%s\n' "$1" >"$T/tap"
	chmod +x "$T/tap"
}
tap 'echo "ok 1 - a"; echo "ok 2 # SKIP no disk"; echo 1..2'
accepts 'a skip elsewhere' env CI= prove -e "$scripts/run-test" "$T/tap"
refuses 'Failed test: *2' 'a skip in CI' env CI=true prove -e "$scripts/run-test" "$T/tap"
tap 'echo "1..0 # SKIP needs root"'
refuses 'Result: FAIL' 'a whole program skipped in CI' \
	env CI=true prove -e "$scripts/run-test" "$T/tap"
tap 'echo "ok 1 - skipping is not what this is"; echo 1..1'
accepts 'the mere word' env CI=true prove -e "$scripts/run-test" "$T/tap"
tap 'echo "ok 1 - a"; echo 1..1; exit 3'
refuses 'exited 3' 'the status is passed on' env CI=true prove -e "$scripts/run-test" "$T/tap"
tap 'echo "ok 1 - a"; sleep 60; echo 1..1'
refuses 'exited 124' 'a test that hangs in CI' \
	env CI=true TEST_SECONDS=1 prove -e "$scripts/run-test" "$T/tap"

# ---- and our own tree passes
ok 'make lint' make -s --no-print-directory lint
done_testing
