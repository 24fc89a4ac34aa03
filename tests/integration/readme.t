#!/bin/bash
# The reader who has only the README: each option, command and exit status that
# the program tells of stands in it, and it names no option that there is not.
. "$(dirname "$0")/lib.sh"
readme=$top/README.md

run "$IORECEIPT" --help
sed -nE 's/^  ([a-z]+)  .*/\1/p' "$T/out" >"$T/commands"
ok 'there are commands' test -s "$T/commands"
while read -r c; do
	ok "README has the command $c" grep -q "ioreceipt $c" "$readme"
	run "$IORECEIPT" "$c" --help
	ok "$c has its own help" test "$rc" = 0
	grep -oE -- '--[a-z][a-z-]+' "$T/out" >>"$T/known"
done <"$T/commands"

run "$IORECEIPT" run --help
sed -nE 's/^  (-.,|   ) (--[a-z-]+).*/\2/p' "$T/out" >"$T/options"
ok 'run has options' test -s "$T/options"
while read -r o; do
	ok "README has $o" grep -q -- "$o" "$readme"
done <"$T/options"

# what README names of ours, fio's words aside
grep -v "^\`--job '--" "$readme" | grep -oE -- '`(-.,? )?--[a-z][a-z-]+' |
	grep -oE -- '--[a-z-]+' | sort -u >"$T/named"
while read -r o; do
	case $o in --rw | --bs | --iodepth | --runtime | --rwmixread) continue ;; esac
	ok "there is an option $o" grep -qx -- "$o" "$T/known" "$T/options"
done <"$T/named"

run "$IORECEIPT" --help
for code in 64 65 66 2 5 3 6 1 4 0; do
	ok "help has the exit status $code" grep -qE "^ +$code  " "$T/out"
	ok "README has the exit status $code" grep -qE "^\| ?([0-9]+, )*$code(, [0-9]+)* \|" "$readme"
done

# the rows of the table of findings, and those that README speaks of
sed -nE 's/^\t\{ "([a-z-]+)", finding_.*/\1/p' "$top/src/receipt/finding.c" | sort >"$T/codes"
ok 'there are findings' test -s "$T/codes"
sed -n '/^| findings | about/,/^$/p' "$readme" | grep -oE '`[a-z-]+`' | tr -d '`' | sort >"$T/told"
ok 'README has each finding, and no other' diff "$T/codes" "$T/told"
done_testing
