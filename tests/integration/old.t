#!/bin/bash
# Receipts that earlier versions made stay readable: tests/old has one of each
# form that there was. Nothing in there is ever changed.
. "$(dirname "$0")/lib.sh"
need jq
for f in "$top"/tests/old/*.json; do
	name=$(basename "$f")
	for as in table keys json; do
		run "$IORECEIPT" show --as $as "$f"
		is "$rc" 0 "$name as $as"
		ok "  is not empty" test -s "$T/out"
	done
	[[ $name == *partial* ]] && continue
	run "$IORECEIPT" compare --as json "$f" "$top/tests/golden/baseline.json"
	is "$rc" 0 "$name compares with one of today"
	ok '  figure by figure' jq -e '[.metrics[].cells[1].verdict] | length > 15 and all(. != "absent")' "$T/out"
done
done_testing
