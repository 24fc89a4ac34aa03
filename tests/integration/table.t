#!/bin/bash
# D5: the table fits 80 columns and has escapes only on a terminal that wants
# them; progress is plain lines unless there is a terminal.
. "$(dirname "$0")/lib.sh"
need jq script

esc=$'\033'
D=$T/disk
mkdir "$D"

widest() { awk '{ if (length > n) n = length } END { print n + 0 }' "$1"; }

measure "$D" "${QUICK[@]}"
is "$rc" 0 'a run without a terminal'
like "$T/out" 'qd1-randread' 'the table names the windows'
like "$T/out" 'fdatasync-8k-write' 'to the last'
ok 'at most 80 columns' test "$(widest "$T/out")" -le 80
ok 'no escapes on stdout' not grep -q "$esc" "$T/out"
ok 'no escapes on stderr' not grep -q "$esc" "$T/err"
ok 'no carriage returns on stderr' not grep -q $'\r' "$T/err"
ok 'ASCII where the locale is not UTF-8' not grep -qP '[^\x00-\x7f]' "$T/out"
like "$T/err" 'prepar|writ' 'progress: the phase of preparing'
like "$T/err" '6/6|6 of 6' 'progress: the last window'
like "$T/out" "$R|receipt.json" 'the table names the file written'

run "$IORECEIPT" show "$R"
ok 'show is the same table, at most 80 columns' test "$(widest "$T/out")" -le 80
like "$T/out" 'qd32-randread' 'show names the windows'
COLUMNS=40 run "$IORECEIPT" show "$R"
ok 'COLUMNS=40: at most 40 columns' test "$(widest "$T/out")" -le 40
LC_ALL=C.UTF-8 COLUMNS=200 run "$IORECEIPT" show "$R"
ok 'COLUMNS=200: still at most 80 columns' test "$(wc -L <"$T/out")" -le 80
run "$IORECEIPT" show --color always "$R"
ok '--color always: escapes, though piped' grep -q "$esc" "$T/out"

# On a terminal, by script(1), which gives a pty of COLUMNS columns.
on_terminal()
{
	local columns=$1
	shift
	run env "${@:1:$#-1}" script -qec "stty cols $columns; ${*: -1}" "$T/typescript"
	tr -d '\r' <"$T/typescript" | sed '1d;$d' >"$T/screen"
}
on_terminal 80 TERM=xterm "'$IORECEIPT' show '$R'"
ok 'on a terminal: escapes' grep -q "$esc" "$T/typescript"
on_terminal 80 TERM=dumb "'$IORECEIPT' show '$R'"
ok 'TERM=dumb: none' not grep -q "$esc" "$T/typescript"
on_terminal 80 TERM=xterm NO_COLOR=1 "'$IORECEIPT' show '$R'"
ok 'NO_COLOR: no colour' not grep -qP "\x1b\[[0-9;]*m" "$T/typescript"
on_terminal 80 TERM=xterm "'$IORECEIPT' show --color never '$R'"
ok '--color never: none' not grep -q "$esc" "$T/typescript"
on_terminal 40 TERM=dumb "'$IORECEIPT' show '$R'"
ok 'a terminal of 40 columns: no line is wider' test "$(widest "$T/screen")" -le 40
run env TERM=xterm script -qec "'$IORECEIPT' run --dir '$D' --out '$R' --no-sign ${QUICK[*]}" "$T/typescript"
is "$rc" 0 'a run on a terminal'
ok 'one live line: rewritten in place' grep -q $'\r' "$T/typescript"
valid_receipt "$R"
run env TERM=dumb script -qec "'$IORECEIPT' run --dir '$D' --out '$R' --no-sign ${QUICK[*]}" "$T/typescript"
ok 'TERM=dumb: no escape in a whole run' not grep -q "$esc" "$T/typescript"
done_testing
