#!/bin/bash
# The six promises of the product, each by its shortest witness. The tests of each
# part go further: fault-*.t and signals.t for the first two, facts.t, findings-*.t
# and circumstances.t for the third, sequence.t, offsets.t and `make bench` for the
# fourth.
. "$(dirname "$0")/lib.sh"
need jq root

D=$T/place
mkdir "$D"

# 1. Fail closed.
start "$D" --size 16M --runtime 500ms --only 'qd*'
wait_until 10 said 'window 2/'
kill -KILL "$(pgrep -P "$pid" | head -n 1)"
finish 20
is "$rc" 3 'fail closed: a run whose measuring process dies ends with 3'
ok 'fail closed: and is not complete' jq -e '.complete == false and (.incomplete | length > 0)' "$R"
ok 'fail closed: figures of the window before, of no other' \
	jq -e '[.windows[].name] | length == 1' "$R"
unlike "$T/out" '^COMPLETE|(^|[^0-9.])0\.000([^0-9]|$)| nan' 'fail closed: no number that was not measured'

# 2. Never hurt the machine.
before=$(ls -A "$D")
start "$D" "${QUICK[@]}"
wait_until 10 said 'window 2/'
kill -KILL "$pid"
finish 5
wait_until 5 not pgrep -f "$D" || :
is "$(find "$D" -type f ! -name .ioreceipt-lab | wc -l)" 0 'never hurt: kill -9 leaves no file but the marker'
run "$IORECEIPT" clean --dir "$D"
is "$rc $(ls -A "$D")" "0 $before" 'never hurt: and clean takes that away'

# 3. Say what was measured.
measure "$D" "${QUICK[@]}" --label 'my own word'
is "$rc" 0 'say what was measured: a run'
ok 'say what was measured: filesystem, stack, backing, plan, host, circumstances' jq -e '
	.target.filesystem and (.target.stack | length > 0) and .target.backing
	and .plan.digest and .host.kernel and (.windows | all(.cpu and .checks))' "$R"

# 4. Numbers that agree with fio: the same I/Os here, the same figures in the bench.
ok 'agree with fio: the sequence is named' jq -e '.plan.sequence == "fio3.35"' "$R"
ok 'agree with fio: clat stands beside lat' jq -e '
	.windows | all(.read == null or (.read.clat_ns.p50 and .read.lat_ns.p50))' "$R"

# 5. Nobody is called good or bad.
unlike "$T/out" 'excellent|poor|bad |good |acceptable|grade|score' 'no grade: no such word in the table'
strings "$R" >"$T/words"
unlike "$T/words" 'excellent|acceptable|"grade|"score' 'no grade: nor in the receipt'

# 6. Privacy.
cp "$R" "$T/receipts"
measure /dev/shm/. # refused: its reason is in the receipt
cat "$R" "$T/receipts" >"$T/all"
{
	hostname
	id -un
	cat /etc/machine-id /sys/class/net/*/address /sys/block/*/serial \
		/sys/class/dmi/id/*serial /sys/class/dmi/id/product_uuid
	hostname -I | tr ' ' '\n'
	echo "$T"
	echo "$PWD"
} 2>/dev/null | grep -vE '^(00:)*00$|^.?.?.?$|^127\.|^none$|^root$|^localhost$' | sort -u >"$T/secrets"
ok 'privacy: there is something to look for' test -s "$T/secrets"
while read -r secret; do
	[[ $secret ]] || continue
	ok "privacy: no receipt holds secret number $((tests + 1))" not grep -qF -- "$secret" "$T/all"
done <"$T/secrets"
ok 'privacy: the label is the own word' grep -q '"sub":"my own word"' "$T/receipts"
done_testing
