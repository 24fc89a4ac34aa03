#!/bin/bash
# The schema in the repo, an independent validator, and the reader of the
# binary: whatever is done to a receipt, they agree on it.
. "$(dirname "$0")/lib.sh"
need jq
golden=$top/tests/golden

for name in baseline partial refused; do
	ok "$name.json is valid by schema and rules" /usr/bin/python3 "$here/check-receipt.py" \
		"$top/src/receipt/receipt.schema.json" "$golden/$name.json"
	ok "$name.json is read" "$IORECEIPT" show --as json "$golden/$name.json"
done

# a figure out of order, which no schema sees
jq -c '.windows[0].read.lat_ns.p50 = .windows[0].read.lat_ns.max + 1' "$golden/baseline.json" >"$T/bent.json"
ok 'a bent receipt' not /usr/bin/python3 "$here/check-receipt.py" \
	"$top/src/receipt/receipt.schema.json" "$T/bent.json"
run "$IORECEIPT" show "$T/bent.json"
is $rc 65 'is malformed input'
like "$T/err" 'windows\[0\].*read\.lat_ns' 'and is told where'

ok 'the same verdict on a thousand broken receipts' /usr/bin/python3 "$here/schema.py" \
	"$top/src/receipt/receipt.schema.json" "$golden/baseline.json" "$IORECEIPT" show --as json
done_testing
