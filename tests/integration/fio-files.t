#!/bin/bash
# The folder of --fio-dir, out of fixed receipts, before the parser of the
# published method (data/seed1-parser.py, word for word).
. "$(dirname "$0")/lib.sh"
need jq python3
golden=$top/tests/golden

# files NAME RECEIPT: writes $T/NAME, then runs the parser on it.
files()
{
	mkdir "$T/$1"
	run "$IORECEIPT" show --as fio --fio-dir "$T/$1" "$2"
	is $rc 0 "$1: files are written"
	run python3 "$here/data/seed1-parser.py" "$T/$1"
}

files whole "$golden/baseline.json"
is $rc 0 'the parser reads them'
is "$(tail -n 1 "$T/out")" receipt=complete 'and ends in receipt=complete'
is "$(ls "$T/whole" | tr '\n' ' ')" 'environment.txt fdatasync.json mixed.json prepare.json qd1-run-1.json qd1-run-2.json qd1-run-3.json qd32.json summary.txt ' 'its names'
ok 'each reports no error' jq -es 'all(.jobs[0].error == 0)' "$T"/whole/*.json
ok 'the same IOPS in its line and in the receipt' jq -e --arg line "$(grep ^qd32 "$T/out")" \
	'.windows[3].read.iops as $iops | $line | capture("read_iops=(?<x>[0-9.]+)").x | tonumber - $iops | fabs < 0.06' \
	"$golden/baseline.json"

# a folder of another run is not mixed with this one's
before=$(ls -l "$T/whole")
run "$IORECEIPT" show --as fio --fio-dir "$T/whole" "$golden/partial.json"
is $rc 6 'a folder that holds files of a run is refused'
like "$T/err" 'another folder' 'and told why'
is "$(ls -l "$T/whole")" "$before" 'nothing in it was touched'
mkdir "$T/d"
run "$IORECEIPT" run --dir "$T/d" --no-sign --fio-dir "$T/whole"
is $rc 6 'a run, too, before it measures'
is "$(ls -A "$T/d")" '' 'nothing was made'

files partial "$golden/partial.json"
ok 'the parser of a partial receipt fails' test $rc -ne 0
unlike "$T/out" receipt=complete 'and says nothing of complete'

jq -c '.windows[4].checks[0].holds = false | .complete = false | .incomplete = [{what: "window", why: "a check"}]' \
	"$golden/baseline.json" >"$T/failed.json"
files failed "$T/failed.json"
ok 'a failed check: the parser fails' test $rc -ne 0
ok 'for that window has no file' not test -e "$T/failed/qd4-mixed-70-30.json"

# all windows are whole, but not the run: the names are others
jq -c '.complete = false | .incomplete = [{what: "clean-up", why: "x"}] | .cleanup.lab_removed = false' \
	"$golden/baseline.json" >"$T/left.json"
files left "$T/left.json"
ok 'a failed clean-up: the parser fails' test $rc -ne 0
ok 'but what was measured is there' test -s "$T/left/qd32-randread.json"
done_testing
