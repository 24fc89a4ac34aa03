#!/bin/bash
# Demands: status 1 where one does not hold, 64 before anything is touched where
# the plan cannot yield what is demanded; and receipts that were changed.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need jq
mkdir "$T/disk"
one=(--job 'name=one rw=randrw bs=4k size=1M iodepth=4 time_based=1 runtime=1' --runtime 300ms)
LATER=0

measure "$T/disk" "${one[@]}" --require 'one.read.iops > 1' --require 'one.read.lat.p50 < 1s'
is "$rc" 0 'all hold'
holds '.requirements | length == 2 and all(.holds and (.figure | length > 0))' 'the receipt says so'
like "$T/out" '^required +one.read.iops > 1: holds \([0-9,]+ IOPS\)' 'and the table'
measure "$T/disk" "${one[@]}" --require 'one.read.iops > 1' --require 'one.write.lat.p99 < 1ns'
is "$rc" 1 'one does not hold'
holds '.complete and (.requirements | map(.holds) == [true, false])' 'the run is complete'
like "$T/out" 'DOES NOT HOLD' 'the table says so'
rechecked 'demands'
measure "$T/disk" "${one[@]}" --require 'one.read.lat.p99_99 > 0ns'
is "$rc" 1 'a withheld figure satisfies nothing'
holds '.requirements[0].figure | startswith("withheld")' 'and is named'
measure "$T/disk" "${one[@]}" --require 'no finding few-samples'
is "$rc" 1 'a finding that is there'
measure "$T/disk" "${one[@]}" --require 'no finding burst'
is "$rc" 0 'one that is not'
measure "$T/nowhere" "${one[@]}" --require 'one.read.iops > 1'
is "$rc" 2 'a refusal goes first'

# refused EXPR REGEX: before the guard, and no receipt
refused()
{
	measure "$T/disk" "${one[@]}" --require "$1"
	is "$rc" 64 "$1: usage"
	like "$T/err" "$2" 'and what is meant'
	ok 'no receipt' not test -e "$R"
	run "$IORECEIPT" plan --dir "$T/disk" "${one[@]}" --require "$1"
	is "$rc" 64 'plan refuses it too'
}
refused 'one.read.lat.p98 < 1ms' '"one.read.lat.p95"|"one.read.lat.p99"'
refused 'two.read.iops > 1' 'one.read.iops'
refused 'one.sync.lat.p99 < 1ms' 'there is no metric'
refused 'one.read.iops > 1ms' 'no unit, k or M'
refused 'no finding capp' '"cap"'
clean_dir "$T/disk" 'nothing is left'

# a receipt that says what its figures do not
measure "$T/disk" "${one[@]}"
rechecked 'a receipt'
like "$T/out" '^same .*(note|warning)' 'with the rules that raised its findings'
cp "$R" "$T/true.json"
changed()
{
	jq -c "$1" "$T/true.json" >"$T/changed.json"
	run "$IORECEIPT" show --recheck "$T/changed.json"
	is "$rc" 1 "$2"
	like "$T/out" '^UNLIKE' 'is unlike'
}
changed '.findings |= .[1:]' 'a finding taken away'
changed '.findings[0].text = "all is well."' 'another sentence'
changed '.clock.read_cost_ns = 5000' 'another figure'
changed '.findings |= . + [.[0]]' 'one told twice'
run "$IORECEIPT" show --recheck --as keys "$T/true.json"
is "$rc" 64 '--recheck is a rendering of its own'
valid_later 'demands'
done_testing
