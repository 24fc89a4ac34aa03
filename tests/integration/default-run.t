#!/bin/bash
# The main job: six windows, one receipt, nothing left behind.
. "$(dirname "$0")/lib.sh"
need jq

D=$T/disk
mkdir "$D" "$T/cwd"
used() { df --output=used -B1 "$D" | tail -n 1; }

measure "$D" --size 32M --runtime 1s --label 'a label' --note 'a note'
is "$rc" 0 'exit code 0'
holds .complete 'the receipt is complete'
holds '.schema == "ioreceipt/1"' 'schema'
is "$(field '[.windows[] | "\(.name)/\(.run)"] | join(" ")')" \
	'qd1-randread/1 qd1-randread/2 qd1-randread/3 qd32-randread/1 qd4-mixed-70-30/1 fdatasync-8k-write/1' \
	'the six windows in order'
holds '[.windows[] | .elapsed_ns] | all(. >= 1e9 and . < 2e9)' 'each ran as long as it should'
holds '.windows[0] | .read.ios > 0 and (has("write") or has("sync") | not)' 'QD1 reads, and only reads'
holds '.windows[4] | .read.ios / (.read.ios + .write.ios) | . > 0.6 and . < 0.8' 'the mix is about 70/30'
holds '.windows[5] | .write.ios > 0 and .sync.lat_ns.n >= .write.ios - 1 and .commit.lat_ns.n > 0' \
	'a sync after each write'
holds '.windows[5] | .commit.lat_ns.p50 >= .write.lat_ns.p50' 'a commit is not faster than its write'
holds '[.windows[].checks[].holds] | length > 0 and all' 'all checks hold'
holds '[.windows[].cpu.minor_faults] | all(. == 0)' 'no page fault of the worker in a window'
holds '.summary.qd1_spread_pct >= 0' 'spread of the three runs'
holds '.summary.qd1_all_runs.n == ([.windows[0,1,2].read.ios] | add)' 'the merged percentiles count all three runs'
holds '.prepare | .bytes == 33554432 and .elapsed_ns > 0' 'the target was written once'
holds '.sub == "a label" and .note == "a note"' 'label and note'
holds '.plan | .suite == "baseline" and .size_bytes == 33554432 and (.digest | test("^[0-9a-f]{64}$"))' 'the plan and its digest'
is "$(field .tool.sha256)" "$(sha256sum <"$IORECEIPT" | cut -d' ' -f1)" 'the binary says its own sha256'
holds '.target | .backing == "disk" or .backing == "unknown"' 'backing'
holds '.cleanup.lab_removed' 'the clean-up is in the receipt'
digest=$(field .plan.digest)
is "$(ls -A "$D")" '' 'nothing is left in the directory'

measure "$D" "${QUICK[@]}"
is "$rc" 0 'a second run'
ok 'another plan has another digest' test "$(field .plan.digest)" != "$digest"

# The default place of the receipt; --quiet; --json.
cd "$T/cwd" || exit 1
run "$IORECEIPT" --dir "$D" "${QUICK[@]}" --no-sign --quiet
is "$rc" 0 '"ioreceipt" is "ioreceipt run"'
is "$(ls "$T/cwd" | grep -Ec '^ioreceipt-[0-9TZ-]+-[0-9]+\.json$')" 1 'the receipt is ./ioreceipt-<UTC time>-<pid>.json'
is "$(ls -A "$T/cwd" | wc -l)" 1 'and no other file'
is "$(cat "$T/err")" '' '--quiet says nothing on stderr'
valid_receipt "$T/cwd"/ioreceipt-*.json
rm -f "$T/cwd"/*
run "$IORECEIPT" run --dir "$D" "${QUICK[@]}" --no-sign --json --out "$R"
ok '--json: stdout is the receipt' cmp "$T/out" "$R"
rm -f "$R"
run "$IORECEIPT" run --dir "$D" "${QUICK[@]}" --no-sign --out - --json
cp "$T/out" "$R"
valid_receipt "$R"
holds .complete '--out -: the receipt goes to stdout'
is "$(ls -A "$T/cwd")" '' '--out -: and into no file'
mkdir "$T/many"
run "$IORECEIPT" run --dir "$D" "${ONE[@]}" --no-sign --out "$T/many"
is "$(ls -A "$T/many" | wc -l)" 1 '--out DIR: one file in it'
done_testing
