#!/bin/bash
# What ships: one static file, nothing of this machine in it, the same from any
# directory.
. "$(dirname "$0")/lib.sh"
need readelf strings
cd "$top" || exit 1

run scripts/check-static "$IORECEIPT"
ok 'no INTERP, no NEEDED, no executable stack, within its size' test "$rc" = 0
diag "$(cat "$T/out" "$T/err")"

if [[ -f $IORECEIPT.plain ]]; then
	run scripts/check-static "$IORECEIPT.plain" 750
	ok 'nor has the program inside of it, which is at most 750 KiB' test "$rc" = 0
	diag "$(cat "$T/out" "$T/err")"
fi
cat "$IORECEIPT" "$IORECEIPT.plain" 2>/dev/null | strings >"$T/strings"
ok 'no path of the place it was built in' not grep -F "$top" "$T/strings"

run -t 300 scripts/check-repro -q "build/x86_64-release/ioreceipt"
ok 'the same binary from another directory' test "$rc" = 0 || diag "$(tail -5 "$T/err")"

mkdir "$T/empty"
cp "$IORECEIPT" "$T/empty/"
if ((EUID == 0)); then
	run chroot "$T/empty" /ioreceipt version
else
	run unshare -r chroot "$T/empty" /ioreceipt version
fi
ok 'it runs where there is nothing else' test "$rc" = 0
ok 'and tells its version' grep -q '[0-9]\.[0-9]' "$T/out"
done_testing
