#!/bin/bash
# Streams that take nothing, odd places for a receipt, names that are secret.
. "$(dirname "$0")/lib.sh"
need jq python3 mkfifo
D=$T/d
mkdir "$D"

# A pipe that is full and that nobody reads, as descriptor 9.
mkfifo "$T/pipe"
exec 9<>"$T/pipe"
dd if=/dev/zero of="$T/pipe" oflag=nonblock bs=4096 count=4096 2>/dev/null

rm -f "$R"
"$IORECEIPT" run --dir "$D" --out "$R" "${ONE[@]}" >/dev/null 2>&9 </dev/null &
pid=$!
undo "end_process $pid"
finish 20
is "$rc" 0 'stderr takes nothing: the run goes on'
holds .complete 'and is complete'

rm -f "$R"
"$IORECEIPT" run --dir "$D" --out "$R" "${TINY[@]}" >&9 2>/dev/null </dev/null &
pid=$!
undo "end_process $pid"
wait_until 10 test -s "$R"
sleep 0.3
ok 'stdout takes nothing: it is waited for' alive "$pid"
kill -TERM "$pid"
finish 5
is "$rc" 143 'until a signal comes'
holds .complete 'the receipt is complete'
exec 9>&-

# One result on stdout, not two.
"$IORECEIPT" run --dir "$D" "${TINY[@]}" --out /dev/stdout 2>/dev/null | cat >"$T/out"
is "$(jq -s length "$T/out")" 1 '--out /dev/stdout: JSON alone'
run sh -c '"$0" run --dir "$1" --job "$2" --json --out - >/dev/full' "$IORECEIPT" "$D" "${TINY[1]}"
is "$rc" 6 'stdout full: exit code 6'
is "$(grep '^{' "$T/err" | jq .complete)" true 'the receipt is on stderr'

# Places are looked at before anything is measured, and left as they were.
run "$IORECEIPT" run --dir /proc --fio-dir "$T/new"
is "$rc" 2 'a refusal'
ok 'takes the folder away that it made' not test -e "$T/new"
mkdir "$T/cwd"
echo mine >"$T/victim"
(
	cd "$T/cwd" || exit 1
	exec sh -c 'for i in 0 1 2; do
		ln -sf ../victim "ioreceipt-$(date -u -d "+$i sec" +%Y%m%d-%H%M%S)-$$.json"
	done
	exec "$0" run --dir "$1" --job "$2"' "$IORECEIPT" "$D" "${TINY[1]}"
) >"$T/out" 2>"$T/err"
is "$?" 6 'a link under the very name of the receipt: exit code 6'
is "$(cat "$T/victim")" mine 'it is not followed'
for option in --label --note --nonce; do
	run "$IORECEIPT" plan --dir "$D" $option $'two\nlines'
	is "$rc" 64 "$option with a line break: exit code 64"
	run "$IORECEIPT" plan --dir "$D" $option "$(head -c 5000 /dev/zero | tr '\0' x)"
	is "$rc" 64 "$option longer than a receipt holds: exit code 64"
done

# Names of directories are not in a receipt, whatever is in them.
need root losetup
image small 64M ext4 >/dev/null 2>&1
attach "$img" || skip_all 'no loop device'
mount_at 'bob smith, (x)' "$loop" || skip_all 'cannot mount'
mkdir "$mnt/in smith" "$mnt/"$'\e[31m smith'
for dir in "$mnt/in smith" "$mnt/no smith" "$mnt/"$'\e[31m smith'; do
	measure "$dir" "${TINY[@]}"
	is "$rc" 2 "refused: $(basename "$dir" | tr -d '\033')"
	holds '.complete == false' 'with a receipt'
	unlike "$R" 'smith|bob' 'that names nobody'
done
mount -o remount,ro "$mnt"
measure "$mnt/in smith" "${TINY[@]}"
like "$R" 'read-only' 'a read-only mount is named as that'
unlike "$R" 'smith|bob' 'and not by its name'
done_testing
