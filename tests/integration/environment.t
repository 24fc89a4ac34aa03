#!/bin/bash
# D6 and D8: locales, time zones, odd places, no stdin, stdout gone or full.
. "$(dirname "$0")/lib.sh"
need root jq

D=$T/disk
mkdir "$D" "$T/cwd"
measure "$D" "${QUICK[@]}"
cp "$R" "$T/first.json"

# D6: the same receipt reads the same everywhere.
for as in table keys json fio; do
	run "$IORECEIPT" show --as $as "$T/first.json"
	cp "$T/out" "$T/shown.$as"
	LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8 TZ=Asia/Kathmandu run "$IORECEIPT" show --as $as "$T/first.json"
	if [[ $as == table ]]; then
		ok 'table: a decimal point under de_DE' not grep -Eq '[0-9],[0-9]{1,2}( |$)' "$T/out"
	else
		ok "$as: the same bytes under de_DE and another time zone" cmp "$T/out" "$T/shown.$as"
	fi
	LC_ALL=fa_IR.UTF-8 TZ=:/etc/none run "$IORECEIPT" show --as $as "$T/first.json"
	[[ $as == table ]] || ok "$as: the same bytes under fa_IR" cmp "$T/out" "$T/shown.$as"
done
export LC_ALL=de_DE.UTF-8 TZ=Pacific/Apia
measure "$D" "${ONE[@]}"
unset TZ
export LC_ALL=C
is "$rc" 0 'a run under de_DE'
ok 'the clock of the receipt is UTC' test \
	"$(($(date +%s) - $(date -d "$(field .clock.ended_utc)" +%s)))" -lt 5
# what is found differs with the moment, not with the language
keys='del(.findings) | [paths | map(tostring) | join(".")] | map(gsub("[0-9]+"; "N")) | unique | length'
is "$(jq "$keys" "$R")" "$(measure "$D" "${ONE[@]}"; jq "$keys" "$R")" 'the same keys'

# D8
disk noexec 4G ext4
umount "$mnt" && mount -o noexec "$loop" "$mnt"
measure "$mnt" "${ONE[@]}"
is "$rc" 0 'a noexec directory runs'
MARK=$mnt
chmod 755 "$T"
mkdir "$T/ro"
mount_at ro "$T/ro" --bind && mount -o remount,ro,bind "$T/ro"
cd "$T/ro" || exit 1
run "$IORECEIPT" run --dir "$D" "${ONE[@]}" --no-sign
is "$rc" 6 'a read-only working directory: exit code 6'
ok 'before measuring: nothing was prepared' not grep -Eqi 'prepar|window' "$T/err"
like "$T/err" 'read-only|--out' 'and the reason is said'
is "$(ls -A "$D")" '' 'nothing was touched'
run "$IORECEIPT" run --dir "$D" "${ONE[@]}" --no-sign --out "$R"
is "$rc" 0 'with --out elsewhere it runs there'
cd "$T/cwd" || exit 1
run "$IORECEIPT" run --dir "$D" "${ONE[@]}" --no-sign --out "$T/no/such/place.json"
is "$rc" 6 '--out in a directory that is not there: exit code 6'
is "$(ls -A "$D")" '' 'before anything was touched'

# Streams: each of the three closed, all closed, a full device, a closed pipe.
closed()
{
	rm -f "$R"
	timeout 60 bash -c "exec $1; exec \"\$@\"" - "$IORECEIPT" run --dir "$D" "${ONE[@]}" \
		--no-sign --out "$R" >"$T/out" 2>"$T/err"
	rc=$?
	[[ ! -e $R ]] || valid_receipt "$R"
}
closed '0<&-'
is "$rc" 0 'no stdin'
closed '2>&-'
is "$rc" 0 'no stderr'
holds .complete 'the receipt is complete'
closed '1>&-'
is "$rc" 6 'stdout closed: exit code 6'
holds .complete 'the receipt is there'
closed '0<&- 1>&- 2>&-'
is "$rc" 6 'all three closed: exit code 6'
holds .complete 'the receipt is there, and nothing else is in it'
closed '1>/dev/full'
is "$rc" 6 'stdout on a full device: exit code 6'
holds .complete 'the receipt is there'
closed '2>/dev/full'
is "$rc" 0 'stderr on a full device does no harm'
rm -f "$R"
{
	timeout 60 "$IORECEIPT" run --dir "$D" "${ONE[@]}" --no-sign --out "$R" 2>"$T/err"
	echo $? >"$T/rc"
} | true
is "$(cat "$T/rc")" 6 'stdout is a pipe that nobody reads: exit code 6, not SIGPIPE'
valid_receipt "$R"
clean_dir "$D" 'nothing is left'
for as in table keys json fio; do
	timeout 10 "$IORECEIPT" show --as $as "$T/first.json" >/dev/full 2>"$T/err"
	is "$?" 6 "show --as $as on a full device: exit code 6"
done
run "$IORECEIPT" run --dir "$D" "${ONE[@]}" --no-sign --json --out /dev/full
is "$rc" 6 '--out on a full device: exit code 6'
cp "$T/out" "$R"
ok 'and the receipt is saved on stdout' jq -e .complete "$R"
clean_dir "$D" 'nothing is left'
disk tiny-out 8M ext4
fallocate -l 20M "$mnt/fill" 2>/dev/null || dd if=/dev/zero of="$mnt/fill" bs=4k >/dev/null 2>&1
run "$IORECEIPT" run --dir "$D" "${ONE[@]}" --no-sign --out "$mnt/receipt.json"
is "$rc" 6 '--out on a full filesystem: exit code 6'
cat "$T/out" "$T/err" >"$T/all"
like "$T/all" 'ioreceipt/1|"schema"|no space' 'said, or saved elsewhere'
ls -A "$mnt" | grep -v -e lost+found -e fill >"$T/.left"
ok 'no half of a receipt is left there' not test -s "$T/.left"
clean_dir "$D" 'nothing is left'
done_testing
