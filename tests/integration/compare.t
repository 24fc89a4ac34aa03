#!/bin/bash
# Receipts side by side: what is alike, what is noise, what is refused, and what
# a hostile receipt or a large folder does to it.
. "$(dirname "$0")/lib.sh"
need jq python3 timeout
golden=$top/tests/golden
fleet=$top/tests/fleet/make-fleet
A=$T/a.json B=$T/b.json

# scaled FACTOR OUT: the golden receipt, another id, rates times the factor
scaled()
{
	"$fleet" "$golden/baseline.json" "$T/one" 1 1 >/dev/null
	jq -c --argjson f "$1" '.jti = "00000000-0000-4000-8000-\($f * 1000 | floor | tostring | (12 - length) * "0" + .)"
		| (.. | objects | select(has("iops")) | .iops) *= $f
		| (.windows[].series | .read_ios, .write_ios | arrays) |= map(. * $f | floor)
		| .windows |= map(del(.series.partial))' "$golden/baseline.json" >"$2"
}
cp "$golden/baseline.json" "$A"
scaled 2 "$B"

# like for like
run "$IORECEIPT" compare "$A" "$A"
is "$rc" 0 'a receipt and itself are alike'
unlike "$T/out" ' changed$' 'nothing changed'
like "$T/out" 'within the noise' 'all is within the noise'
run "$IORECEIPT" compare "$A" "$B"
is "$rc" 0 'two receipts of one plan are alike'
like "$T/out" 'read iops .*\+100.*changed' 'twice the rate is a change'
ok 'no line is longer than 80 columns' not grep -q '.\{81\}' "$T/out"
COLUMNS=40 run "$IORECEIPT" compare "$A" "$B"
ok 'nor than 40 on a narrow screen' not grep -q '.\{41\}' "$T/out"
like "$T/out" 'read iops: A ' 'which has the figures as well'
run "$IORECEIPT" compare --as json "$A" "$B"
ok 'JSON is JSON' jq -e '.schema == "ioreceipt-compare/1" and .alike and (.groups | length) == 2' "$T/out"
ok 'a change, in figures' jq -e '.metrics[] | select(.name == "qd32-randread.read.iops")
	| .cells[1] | .verdict == "changed" and (.figures.change_pct - 100 | fabs) < 0.1 and .figures.allowed_pct > 0' "$T/out"
cp "$T/out" "$T/first"
run "$IORECEIPT" compare --as json "$A" "$B"
ok 'the same receipts give the same bytes' cmp "$T/first" "$T/out"
ok 'what is withheld has no change' jq -e '[.metrics[].cells[] | select(.verdict == "withheld") | .figures.change_pct] | all(. == null)' "$T/out"
run "$IORECEIPT" compare --as json --only '*' "$A" "$B"
ok 'all metrics can be had' jq -e '.metrics | length > 150' "$T/out"
ok 'withheld figures are among them, and not compared' jq -e '[.metrics[].cells[1] | select(.verdict == "withheld")] | length > 0 and all(.figures | has("change_pct") | not)' "$T/out"
run "$IORECEIPT" compare --as csv "$A" "$B"
is "$(head -n 1 "$T/out" | tr -d '\r')" 'metric,unit,group,receipts,values,withheld,few,figure,least,most,noise_pct,change_pct,allowed_pct,verdict' 'CSV has a head'
ok 'CSV is read by another' python3 -c '
import csv, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
assert len(rows) > 20 and all(len(r) == 14 and None not in r.values() for r in rows)' "$T/out"

# advice that was followed: did the figure move that it is about?
jq -c '.jti = "30000000-0000-4000-8000-000000000000" | .findings += [{"code":"scheduler","level":"note","text":"bfq"}]' "$A" >"$T/advised.json"
run "$IORECEIPT" compare "$T/advised.json" "$B"
like "$T/out" 'found A .*scheduler' 'an observation of one side'
ok 'and what became of its figures' sh -c 'tr -s " \n" " " <"$1" | grep -q "advice scheduler: to A alone; qd1-randread.read.lat.p50.median +0.0 % (within the noise)"' - "$T/out"

# unlike
jq -c '.plan.digest = "f" * 64 | .plan.jobs[0].bs_bytes = 8192 | .jti = "10000000-0000-4000-8000-000000000000"' "$A" >"$T/other.json"
run "$IORECEIPT" compare "$A" "$T/other.json"
is "$rc" 1 'another plan is unlike: 1'
like "$T/out" 'unlike .*other.json' 'it is named'
ok 'and in what it differs' sh -c 'tr -s " \n" " " <"$1" | grep -q "bs_bytes of qd1-randread is 8192, not 4096"' - "$T/out"
unlike "$T/out" 'iops' 'no figures'
like "$T/err" '--anyway' 'what to do is said'
run "$IORECEIPT" compare --anyway "$A" "$T/other.json"
is "$rc" 0 '--anyway compares'
like "$T/out" 'unlike ' 'below the list'
like "$T/out" 'read iops' 'with figures'

# incomplete
run "$IORECEIPT" compare "$A" "$golden/partial.json" "$B"
is "$rc" 0 'an incomplete receipt does not keep the others from it'
like "$T/out" 'left out .*partial' 'it is named'
run "$IORECEIPT" compare "$golden/partial.json"
is "$rc" 3 'nothing complete: 3'

# groups
"$fleet" "$A" "$T/fleet" 200 4
run "$IORECEIPT" compare --by label --sort qd1-randread.read.iops --as json "$T/fleet"
is "$rc" 0 '--by label'
ok 'one group a label, the best first' jq -e '[.groups[].name] == ["vendor-03", "vendor-02", "vendor-01", "vendor-00"] and all(.groups[]; .receipts == 50)' "$T/out"
ok 'medians and ranges are those of the files' python3 - "$T/out" "$T/fleet" <<'END'
import glob, json, statistics, sys
got = json.load(open(sys.argv[1]))
want = {}
for path in glob.glob(sys.argv[2] + "/*.json"):
    r = json.load(open(path))
    w = [w for w in r["windows"] if w["name"] == "qd32-randread"][0]
    want.setdefault(r["sub"], []).append(w["read"]["iops"])
cells = [m for m in got["metrics"] if m["name"] == "qd32-randread.read.iops"][0]["cells"]
for c in cells:
    v, f = want[c["group"]], c["figures"]
    assert abs(f["figure"] - statistics.median(v)) < 0.002, c
    assert abs(f["least"] - min(v)) < 0.002 and abs(f["most"] - max(v)) < 0.002, c
END
run "$IORECEIPT" compare --by kid "$T/fleet"
like "$T/out" 'not signed' '--by kid'
run "$IORECEIPT" compare --by model "$T/fleet"
is "$rc" 0 '--by model'
run "$IORECEIPT" compare --by label --sort qd1-randread.read.iosp "$T/fleet"
is "$rc" 64 'an unknown metric is 64'
like "$T/err" 'qd1-randread.read.iops' 'the nearest is named'
run "$IORECEIPT" compare --by label "$T/fleet"
cp "$T/out" "$T/first"
mkdir "$T/again"
for f in $(ls -r "$T/fleet"); do cp "$T/fleet/$f" "$T/again/x$f"; done
cp "$T/fleet/r000000.json" "$T/again/copy.json"
run "$IORECEIPT" compare --by label "$T/again"
ok 'another order of the files, and a copy: the same table' cmp "$T/first" "$T/out"
like "$T/err" 'twice' 'the copy is said'

# signed
"$IORECEIPT" keygen "$T/key" >/dev/null 2>&1
cp "$A" "$T/s1.json"
cp "$B" "$T/s2.json"
run "$IORECEIPT" sign --key "$T/key" "$T/s1.json" "$T/s2.json"
run "$IORECEIPT" compare "$T/s1.jws" "$T/s2.json"
is "$rc" 0 'signed receipts'
ok 'both by that key' sh -c 'test "$(tr -d "\n " <"$1" | grep -o "signedbykey" | wc -l)" = 2' - "$T/out"
sed -i 's/"complete":true/"complete": true/' "$T/s2.json"
run "$IORECEIPT" compare "$T/s1.jws" "$T/s2.json"
is "$rc" 1 'one that was changed after it was signed is none'
like "$T/err" 's2.json' 'and is named'

# bounded memory, however many: what is left of 4 MiB of addresses at 200 holds 1000, too
"$fleet" "$A" "$T/more" 1000 4
bounded()
{
	(
		ulimit -v 4096
		exec timeout 60 "$IORECEIPT" "$@"
	) >"$T/out" 2>"$T/err"
}
ok '200 receipts in 4 MiB' bounded compare --by label "$T/fleet"
ok '1000 receipts in 4 MiB' bounded compare --by label "$T/more"
like "$T/out" '1,000 receipts' 'all of them'
done_testing
