#!/bin/bash
# curl URL/get.sh | sh: fetched, checked, run, and nothing of it left.
. "$(dirname "$0")/lib.sh"
need curl wget python3 jq dash busybox
port=$((20000 + $$ % 20000))
url=http://127.0.0.1:$port/x
mkdir -p "$T/www/x" "$T/d" "$T/cwd" "$T/tmp"
"$top/scripts/make-dist" "$url" "$T/www/x" "$top/$BUILD/ioreceipt" >"$T/dist"
python3 -u -m http.server --bind 127.0.0.1 -d "$T/www" "$port" >"$T/http" 2>&1 &
server=$!
undo 'kill $server'
for ((i = 0; i < 100; i++)); do curl -fso /dev/null "$url/get.sh" && break; sleep 0.1; done

# got SHELL ARGUMENT...: the script through a pipe, as README has it.
got()
{
	local shell=$1
	shift
	rm -f "$T/cwd"/*
	run bash -c "cd '$T/cwd' && export TMPDIR='$T/tmp' && ${WITH:-:} && curl -fsSL '$url/get.sh' | $shell -s -- $*"
}
gone() { test -z "$(ls -A "$T/tmp")"; }
RUN="--dir $T/d --size 16M --runtime 0.3s --job --rw=randread\ --bs=4k --quiet"

like "$T/dist" 'get\.sh' 'dist: says what it made'
ok 'dist: the sums hold' bash -c "cd '$T/www/x' && sha256sum -c SHA256SUMS"
for shell in sh dash bash 'busybox sh'; do
	got "$shell" version
	is "$rc" 0 "$shell: it runs"
	like "$T/out" '^ioreceipt' "$shell: and prints"
	ok "$shell: nothing of it is left" gone
done

got sh "$RUN"
is "$rc" 0 'a run: complete'
ok 'a run: the receipt is in the working directory' jq -e .complete "$T"/cwd/ioreceipt-*.json
is "$(stat -c %a "$T"/cwd/ioreceipt-*.json)" 644 'a run: with the mode that it has without us'
clean_dir "$T/d" 'a run: the lab is gone'
ok 'a run: and so is the program' gone
got sh "$RUN --require no\ such\ thing"
is "$rc" 64 'the exit status is its own'

WITH='mkdir -p bin && printf "#!/bin/sh\nexit 1\n" >bin/x; ln -sf "$(command -v wget)" bin/wget; for c in uname mktemp chmod rm sha256sum; do ln -sf "$(command -v $c)" bin/$c; done'
run bash -c "cd '$T/cwd' && export TMPDIR='$T/tmp' && $WITH && PATH=\$PWD/bin /bin/sh '$T/www/x/get.sh' version"
is "$rc" 0 'without curl: wget does it'
rm -rf "$T/cwd/bin"
WITH=

mkdir "$T/to"
run sh "$T/www/x/get.sh" --to "$T/to/ioreceipt"
is "$rc" 0 '--to: done'
ok '--to: the program, and nothing else' cmp "$T/to/ioreceipt" "$top/$BUILD/ioreceipt"
is "$(ls -A "$T/to")$(stat -c %a "$T/to/ioreceipt")" ioreceipt755 '--to: it can be run'
run sh "$T/www/x/get.sh" --to "$T/to"
is "$rc" 2 '--to a directory: refused'
run sh "$T/www/x/get.sh" --to "$T/nowhere/x"
is "$rc" 2 '--to a directory that is not there: refused'
like "$T/err" "could not write $T/nowhere/x" '--to: and it says so'

# half of the script does nothing, wherever it is cut
cuts=0
size=$(stat -c %s "$T/www/x/get.sh")
for at in 200 900 1500 2500 3500 $((size - 25)) $((size - 4)); do
	head -c "$at" "$T/www/x/get.sh" | TMPDIR=$T/tmp sh -s -- version >"$T/out" 2>/dev/null
	[[ -s $T/out ]] && cuts=$((cuts + 1))
done
is "$cuts" 0 'a script that was cut runs nothing'

if ((EUID == 0)); then
	mount -t tmpfs -o noexec none "$T/tmp" && undo 'umount "$T/tmp"'
	got sh version
	is "$rc" 0 'noexec TMPDIR: another place is found'
	ok 'noexec TMPDIR: nothing is left there' gone
	umount "$T/tmp"
fi

# sent SIGNAL: to the script, in mid-run
sent()
{
	rm -f "$T/cwd"/*
	(cd "$T/cwd" && TMPDIR=$T/tmp exec sh "$T/www/x/get.sh" --dir "$T/d" --size 16M --runtime 20s \
		--job '--rw=randread --bs=4k' >"$T/out" 2>"$T/err") &
	pid=$!
	for ((i = 0; i < 200; i++)); do grep -q 'window 1/1' "$T/err" && break; sleep 0.05; done
	kill "-$1" "$pid"
	wait "$pid"
	rc=$?
}
sent TERM
is "$rc" 143 'SIGTERM: ends the run'
ok 'SIGTERM: a receipt that says so' jq -e '.complete == false' "$T"/cwd/ioreceipt-*.json
clean_dir "$T/d" 'SIGTERM: the lab is gone'
ok 'SIGTERM: and so is the program' gone

printf x >>"$T/www/x/ioreceipt-x86_64"
got sh version
is "$rc" 2 'another program than it should be: refused'
like "$T/err" 'is not what it should be .*nothing of it was run' 'and it says so'
is "$(cat "$T/out")" '' 'it was not run'
ok 'nor kept' gone
rm "$T/www/x/ioreceipt-x86_64"
got sh version
is "$rc" 2 'not there: refused'
like "$T/err" "curl could not fetch $url/ioreceipt-x86_64" 'what and from where is said'
WITH='uname() { if [ "$1" = -m ]; then echo riscv64; else echo Linux; fi; }; export -f uname'
got bash version
like "$T/err" 'there is no program for riscv64' 'another machine: said'
WITH=

run "$top/scripts/make-dist" ftp://x "$T/other" "$top/$BUILD/ioreceipt"
is "$rc" 64 'dist: where it will lie has to be said'
run "$top/scripts/make-dist" "https://x/'\$(id)" "$T/other" "$top/$BUILD/ioreceipt"
is "$rc" 64 'dist: no characters that a shell reads'
done_testing
