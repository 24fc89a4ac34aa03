#!/bin/bash
# One result out of repeated runs: its figures, its marks, its signature, and
# what is no set of repeated runs.
. "$(dirname "$0")/lib.sh"
need jq python3
"$top/tests/fleet/make-fleet" "$top/tests/golden/baseline.json" "$T/runs" 3 1
runs=("$T"/runs/*.json)
run "$IORECEIPT" median "${runs[@]}"
is "$rc" 0 'a median of three'
cp "$T/out" "$T/m.json"
ok 'each figure is the middle one' python3 - "$T/m.json" "${runs[@]}" <<'END'
import json, statistics, sys
m = json.load(open(sys.argv[1]))
all = [json.load(open(p)) for p in sys.argv[2:]]
for i, w in enumerate(m["windows"]):
    for lane in ("read", "write", "sync", "commit"):
        if lane not in w:
            continue
        those = [r["windows"][i][lane] for r in all]
        if "iops" in w[lane]:
            assert abs(w[lane]["iops"] - statistics.median(t["iops"] for t in those)) < 0.002
        for lat, v in w[lane].items():
            if not lat.endswith("lat_ns"):
                continue
            assert "buckets" not in v
            for stat in ("p50", "p99", "p99_9", "max"):
                values = [t[lat][stat] for t in those]
                assert v[stat] == (None if None in values else statistics.median(values)), (w["name"], lane, lat, stat)
assert [s["jti"] for s in m["derived"]["from"]] == [r["jti"] for r in all]
for merged in m["derived"]["merged"]:
    n = sum(w[merged["direction"]]["lat_ns"]["n"] for r in all for w in r["windows"] if w["name"] == merged["window"])
    assert merged["lat_ns"]["n"] == n
END
ok 'it says what it is' jq -e '.schema == "ioreceipt-median/1" and .derived.how == "median"' "$T/m.json"
ok 'it has the shape of a receipt' python3 - "$top" "$T/m.json" <<'END'
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1] + "/src/receipt/receipt.schema.json"))
jsonschema.validate(json.load(open(sys.argv[2])), schema)
END
run "$IORECEIPT" show "$T/m.json"
like "$T/out" '^MEDIAN' 'show says MEDIAN'
unlike "$T/out" '^(IN)?COMPLETE' 'and not complete'
run "$IORECEIPT" show --as keys "$T/m.json"
is "$(tail -n 1 "$T/out")" 'receipt=median' 'keys end with receipt=median'
for words in '--recheck' '--as fio'; do
	# shellcheck disable=SC2086
	run "$IORECEIPT" show $words "$T/m.json"
	is "$rc" 65 "show $words: not of a median"
done
run "$IORECEIPT" compare --as json "${runs[0]}" "$T/m.json"
ok 'compare takes it as three' jq -e '.groups[1].median_of == 3 and ([.metrics[].cells[1].n] | all(. == 3 or . == 0))' "$T/out"

# signed, and of signed ones
"$IORECEIPT" keygen "$T/key" >/dev/null 2>&1
run "$IORECEIPT" sign --key "$T/key" "${runs[0]}"
run "$IORECEIPT" median --key "$T/key" --label fleet -o "$T/s.json" "${runs[@]}"
is "$rc" 0 'signed with --key'
ok 'one source was, two were not' jq -e '[.derived.from[].signature] == ["good", "unsigned", "unsigned"] and .sub == "fleet"' "$T/s.json"
run "$IORECEIPT" verify "$T/s.jws"
is "$rc" 0 'verify'
like "$T/out" 'not measured' 'says that it is a median'
run "$IORECEIPT" median -o "$T/s.json" "${runs[@]}"
is "$rc" 6 'an unsigned one does not take the place of what was signed'
like "$T/err" 's.jws' 'and says why'
run "$IORECEIPT" median --key "$T/key" "${runs[@]}"
is "$rc" 64 '--key wants a file to sign'

# no repeated runs
refused()
{
	local code=$1 regex=$2 name=$3
	shift 3
	run "$IORECEIPT" median "$@"
	is "$rc" "$code" "$name"
	like "$T/err" "$regex" '  and says why'
	ok '  without a result' test ! -s "$T/out"
}
refused 65 '2 to 64' 'one alone' "${runs[0]}"
refused 65 'one receipt' 'a copy' "${runs[0]}" "${runs[0]}"
refused 65 'median itself' 'a median' "${runs[0]}" "$T/m.json"
refused 3 'not complete' 'an incomplete one' "${runs[0]}" "$top/tests/golden/partial.json"
jq -c '.plan.digest = "f" * 64 | .plan.jobs[0].iodepth = 9 | .jti = "10000000-0000-4000-8000-000000000000"' "${runs[0]}" >"$T/other.json"
refused 1 'iodepth of qd1-randread is 9, not 1' 'another plan' "${runs[0]}" "$T/other.json"
jq -c '.windows |= .[1:] | .jti = "10000000-0000-4000-8000-000000000001"' "${runs[0]}" >"$T/short.json"
refused 65 'other windows' 'a window less' "${runs[0]}" "$T/short.json"
refused 66 'No such file' 'one that is not there' "${runs[0]}" "$T/none.json"
refused 64 'median takes' 'none'
done_testing
