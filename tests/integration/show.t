#!/bin/bash
# show: four renderings of one receipt; plan; exit codes of use and of input.
. "$(dirname "$0")/lib.sh"
need jq fio

D=$T/disk
mkdir "$D"
measure "$D" "${QUICK[@]}"
is "$rc" 0 'a run to show'

run "$IORECEIPT" show --as json "$R"
is "$rc" 0 'show --as json'
ok 'it says the same as the file' test "$(jq -S . "$T/out")" = "$(jq -S . "$R")"
run "$IORECEIPT" show --as keys "$R"
is "$rc" 0 'show --as keys'
like "$T/out" '^qd1_run=1 read_iops=[0-9.]+ read_mib_s=[0-9.]+ read_p50_ms=[0-9.]+' 'the lines of the published method'
like "$T/out" '^metric qd32-randread\.read\.iops=[0-9.]+ ' 'metric lines'
is "$(tail -n 1 "$T/out")" receipt=complete 'it ends in receipt=complete'
jq '.complete = false | .incomplete = [{"what": "qd32-randread", "why": "said by a test"}]' "$R" >"$T/partial.json"
run "$IORECEIPT" show --as keys "$T/partial.json"
unlike "$T/out" '^receipt=complete' 'a partial receipt does not'
run "$IORECEIPT" show "$T/partial.json"
like "$T/out" 'not complete|incomplete|partial' 'and its table says so'
run "$IORECEIPT" show --as fio "$R"
is "$rc" 0 'show --as fio'

# Use
codes=(
	'64|run --no-such-option'
	'64|run --size'
	'64|run --size 0'
	'64|run --size 12Q'
	'64|run --runtime -1s'
	'64|run --suite nonsense'
	'64|run --color sometimes'
	'64|nonsense'
	'64|show'
	'64|show --as nonsense FILE'
	'66|show DIR/none.json'
	'65|show DIR/garbage.json'
	'65|show DIR/empty.json'
	'65|show DIR/twice.json'
	'65|show DIR/other.json'
	'65|show DIR/null.json'
	'0|version'
	'0|run --help'
	'0|show --help'
	'0|plan --help'
	'0|clean --help'
	'0|--help'
	'0|plan'
)
echo 'not json' >"$T/garbage.json"
: >"$T/empty.json"
echo '{"schema":"ioreceipt/1","schema":"ioreceipt/1"}' >"$T/twice.json"
echo '{"schema":"another/1"}' >"$T/other.json"
printf '{"schema":"ioreceipt/1\\u0000"}' >"$T/null.json"
for line in "${codes[@]}"; do
	words=${line#*|}
	words=${words//DIR/$T}
	read -ra words <<<"${words//FILE/$R}"
	run "$IORECEIPT" "${words[@]}"
	is "$rc" "${line%%|*}" "exit code ${line%%|*}: ${line#*|}" || tail -n 3 "$T/err" | sed 's/^/# /'
	[[ $rc == 0 ]] || ok "  with a message and no result: ${line#*|}" test -s "$T/err" -a ! -s "$T/out"
done
run "$IORECEIPT" run --job 'rw=randraed bs=4k size=1M'
is "$rc" 64 'a wrong value in a job is 64'
like "$T/err" 'randread' 'the nearest known one is named'
run "$IORECEIPT" run --job 'rw=randread bs=4k size=1M iodetph=4'
is "$rc" 64 'an unknown word in a job is 64'
like "$T/err" 'iodepth' 'the nearest known one is named'
run "$IORECEIPT" run --job 'rw=randread bs=4k size=1M direct=0'
is "$rc" 64 'direct=0 is refused'

# plan
run "$IORECEIPT" plan --dir "$D"
like "$T/out" 'qd1-randread' 'plan names the windows'
like "$T/out" '512 ?M|536870912' 'and the size'
run "$IORECEIPT" plan --fio "${QUICK[@]}"
is "$rc" 0 'plan --fio'
cp "$T/out" "$T/plan.fio"
(cd "$T" && exec timeout 60 fio --output-format=json --output="$T/plan.json" plan.fio) >"$T/fio.err" 2>&1
ok 'fio runs it' jq -e '[.jobs[] | .error] | length >= 6 and all(. == 0)' "$T/plan.json" || cat "$T/fio.err" "$T/plan.fio" | sed 's/^/# /'
is "$(ls -A "$D")" '' 'plan touches nothing'
done_testing
