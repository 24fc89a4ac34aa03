#!/bin/bash
# --fio-dir: the parser of the published method, unchanged, reads the folder.
. "$(dirname "$0")/lib.sh"
need jq
[[ -x /usr/bin/python3 ]] || skip_all 'needs python3'

D=$T/disk
mkdir "$D"
measure "$D" --size 16M --runtime 1s --fio-dir "$T/fio"
is "$rc" 0 'a run with --fio-dir'
for f in prepare.json qd1-run-1.json qd1-run-2.json qd1-run-3.json qd32.json mixed.json \
	fdatasync.json environment.txt summary.txt; do
	ok "there is $f" test -s "$T/fio/$f"
done
is "$(ls -A "$T/fio" | wc -l)" 9 'and nothing else'
run /usr/bin/python3 "$here/data/seed1-parser.py" "$T/fio"
is "$rc" 0 'the parser takes it'
is "$(tail -n 1 "$T/out")" receipt=complete 'and ends in receipt=complete'
is "$(wc -l <"$T/out")" 10 'all its lines are there'
ok 'every job reports zero errors' sh -c 'cat "$1"/*.json | jq -se "[.[].jobs[].error] | length == 7 and all(. == 0)"' - "$T/fio"
is "$(jq '.jobs[0].read.total_ios' "$T/fio/qd32.json")" "$(field '.windows[3].read.ios')" 'the I/Os are those of the receipt'
is "$(jq '.jobs[0].read.iops | round' "$T/fio/qd32.json")" "$(field '.windows[3].read.iops | round')" 'the rate too'
cp "$T/out" "$T/parsed"
run "$IORECEIPT" show --as keys "$R"
grep -v '^metric' "$T/out" | grep '^qd32' >"$T/ours"
is "$(awk '{print $2}' "$T/ours")" "$(grep '^qd32' "$T/parsed" | awk '{print $2}')" 'show --as keys prints the same rate'

# A run that is not complete must not look complete to the parser.
measure "$D" "${QUICK[@]}" --fio-dir "$T/none/fio"
is "$rc" 6 'a folder that cannot be made: exit code 6'
unlike "$T/err" 'window 1|1/6' 'before anything was measured'
is "$(ls -A "$D")" '' 'nothing was touched'
done_testing
