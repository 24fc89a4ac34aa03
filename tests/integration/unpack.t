#!/bin/bash
# What ships unpacks itself: the same program as the one inside, whole or not at
# all, under every limit with a sentence.
. "$(dirname "$0")/lib.sh"
need jq python3 readelf strace prlimit
plain=$IORECEIPT.plain
[[ -f $plain ]] || skip_all 'this build ships it unpacked'

ok 'it is smaller' test "$(stat -c %s "$IORECEIPT")" -lt "$(stat -c %s "$plain")"
is "$("$IORECEIPT" run --help | md5sum)" "$("$plain" run --help | md5sum)" 'it says the same'
is "$("$IORECEIPT" version | sed -n 's/^sha256 //p')" "$(sha256sum <"$IORECEIPT" | cut -d' ' -f1)" 'its digest is that of the file that ships'
is "$(env -i A=b "$IORECEIPT" nonsense 2>&1 | tail -n 1)" "$(env -i A=b "$plain" nonsense 2>&1 | tail -n 1)" 'words and environment arrive'
run "$IORECEIPT" 'a b' "$(printf 'x%.0s' {1..50000})"
is "$rc" 64 'long words, too'
(exec -a other "$IORECEIPT" version) >"$T/out"
ok 'under another name' test -s "$T/out"

strace -o "$T/trace" "$IORECEIPT" --help >/dev/null
strace -o "$T/plain" "$plain" --help >/dev/null
more=$(($(wc -l <"$T/trace") - $(wc -l <"$T/plain")))
ok 'it costs few calls' test "$more" -gt 0 -a "$more" -le 12
unlike "$T/trace" 'open[^(]*\(.*O_CREAT|execve.*execve|memfd' 'and writes nothing'

# ---- limits ----
run prlimit --as=4000000 "$IORECEIPT" version
is "$rc" 0 '4 MB of address space are enough'
run prlimit --as=900000 "$IORECEIPT" version
is "$rc" 2 'not enough memory: refused'
like "$T/err" '^ioreceipt: not enough memory to unpack' 'and it says so'
cat >"$T/mdwe.py" <<'END'
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(65, 1, 0, 0, 0) != 0:  # PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN
    sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])
END
run python3 "$T/mdwe.py" "$IORECEIPT" version
if ((rc == 77)); then
	diag 'this kernel has no PR_SET_MDWE (Linux 6.3)'
else
	is "$rc" 0 'where no written page may become code: it runs all the same'
fi
run strace -f -e trace=mprotect,memfd_create -e inject=mprotect:error=EACCES -e inject=memfd_create:error=EPERM "$IORECEIPT" version
is "$rc" 2 'where no unpacked code may run at all: refused'
like "$T/err" 'lets no unpacked code run.*ioreceipt\.plain' 'and what to do is said'
run strace -f -e trace=mprotect -e inject=mprotect:error=EACCES "$IORECEIPT" version
is "$rc" 0 'mprotect denied: by a file in memory'

# ---- damage ----
# Any byte of the packed part: the sentence, never a crash, never the program.
offset=$(readelf -SW "$IORECEIPT" | awk '$2 == ".packed" || $3 == ".packed" { for (i = 1; i < NF; i++) if ($i == "PROGBITS") print $(i + 2) }')
[[ -n $offset ]] || offset=$(readelf -lW "$IORECEIPT" | awk '$1 == "LOAD" { o = $2 } END { sub(/^0x/, "", o); print o }')
cp "$IORECEIPT" "$T/damaged"
size=$(stat -c %s "$IORECEIPT")
python3 - "$IORECEIPT" "$T/damaged" "$((16#$offset))" >"$T/cases" <<'END'
import random, subprocess, sys
whole = open(sys.argv[1], "rb").read()
start, rnd, told = int(sys.argv[3]), random.Random(7), {}
for n in range(60):
    data = bytearray(whole)
    at = rnd.randrange(start + 8192, len(data) - 1024)
    data[at] ^= 1 << rnd.randrange(8)
    open(sys.argv[2], "wb").write(data)
    p = subprocess.run([sys.argv[2], "version"], capture_output=True, timeout=20)
    kind = (p.returncode, b"damaged; fetch it again" in p.stderr, p.stdout != b"")
    told[kind] = told.get(kind, 0) + 1
for kind, n in sorted(told.items()):
    print(*kind, n)
END
is "$(cat "$T/cases")" '2 True False 60' '60 damaged ones: all refused, with the sentence'

# ---- a run ----
mkdir "$T/d"
measure "$T/d" "${TINY[@]}"
is "$rc" 0 'it measures'
is "$(field '.tool.sha256')" "$(sha256sum <"$IORECEIPT" | cut -d' ' -f1)" 'and the receipt holds the digest of what ships'
clean_dir "$T/d" 'and leaves nothing'
done_testing
