#!/bin/bash
# Receipts that want to do harm: to a terminal, to a spreadsheet, to memory and
# time; and folders that hold what is no receipt at all.
. "$(dirname "$0")/lib.sh"
need jq python3 timeout mkfifo
golden=$top/tests/golden
A=$T/a.json
cp "$golden/baseline.json" "$A"

# bounded NAME COMMAND...: within 100 MiB of addresses and 20 s; sets rc
bounded()
{
	(
		ulimit -v 102400
		exec timeout -k 2 20 "$IORECEIPT" "$@"
	) >"$T/out" 2>"$T/err" </dev/null
	rc=$?
}

# harmless NAME: no escape, no control but LF and CR, and no crash, hang or kill
harmless()
{
	ok "$1: ended by itself ($rc)" test "$rc" -lt 124
	ok '  no control reaches a terminal' not grep -qP '[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]' "$T/out" "$T/err"
}

# refused FILE NAME: alone and beside a good one, plainly
refused()
{
	for words in "compare $1" "compare $A $1" "compare --as json $A $1" "median $A $1" "show $1"; do
		# shellcheck disable=SC2086
		bounded $words
		harmless "$2: ${words%% *}"
		ok '  refused' test "$rc" -ge 65 -a "$rc" -le 66
		ok '  by a sentence' grep -q "^ioreceipt: .*[a-z]" "$T/err"
	done
	bounded compare "$A" "$1"
	like "$T/out" 'read iops' "$2: the good one is printed all the same"
}

# Made by a script, one file a kind
python3 - "$A" "$T" <<'END'
import json, sys
text = open(sys.argv[1]).read()
base = json.loads(text)
out = sys.argv[2] + "/h-"

def put(name, data):
    open(out + name + ".json", "wb").write(data if isinstance(data, bytes) else data.encode())

put("windows", text.replace('"windows":[', '"windows":[' + '{},' * 1000000, 1))
w = json.dumps(base["windows"][0])
put("many-windows", text.replace('"windows":[', '"windows":[' + (w + ",") * 300, 1))
put("deep", '{"schema":' + '[' * 1000000 + ']' * 1000000 + '}')
put("deep-object", '{"a":' * 200000 + '1' + '}' * 200000)
put("twice", text.replace('{', '{"complete":true,', 1))
for n in ("1e999", "-1", "9" * 400, "NaN", "Infinity", "-0.0e-999999999", "1e308", "0x10"):
    put("number-" + str(len(n)) + n[:2].replace(".", ""), text.replace('"iops":', '"iops":%s,"x":' % n, 1))
put("text-number", text.replace('"iat":', '"iat":"nan","x":', 1))
put("cut", text[:len(text) // 2])
put("cut-utf8", text.encode()[:200] + b'\xe2\x82')
put("latin", text.encode().replace(b'"sub":"', b'"sub":"\xff\xfe', 1))
put("nul", text.replace('"sub":"', '"sub":"\\u0000', 1))
put("escape", text.replace('"sub":"', '"sub":"\\u001b[2J\\u009b31m', 1))
put("surrogate", text.replace('"sub":"', '"sub":"\\ud800', 1))
put("long", text.replace('"sub":"', '"sub":"' + "A" * 3000000, 1))
put("key", text.replace('{', '{"\\u001b]0;pwned\\u0007":1,', 1))
put("empty", "")
put("space", " " * 1000000)
put("jws", '{"jws":"' + "A" * 1000000)
put("dots", "a.b.c")
put("other-schema", text.replace("ioreceipt/1", "ioreceipt/999", 1))
put("derived", text.replace("ioreceipt/1", "ioreceipt-median/1", 1))
END
for f in "$T"/h-*.json; do
	refused "$f" "$(basename "$f" .json)"
done

# What a receipt may say, and what must not get out: texts of anybody
python3 - "$A" "$T" <<'END'
import json, sys
base = json.load(open(sys.argv[1]))
base["jti"] = "20000000-0000-4000-8000-000000000000"
base["sub"] = '=cmd|\' /C calc\'!A0<script>alert(1)</script>"'
base["host"]["cpu_model"] = '<img src=x onerror=alert(1)>'
base["host"]["os"] = "@SUM(1+1)"
name = "=HYPERLINK(1,2)"
for w in base["windows"]:
    if w["name"] == "qd32-randread":
        w["name"] = name
for j in base["plan"]["jobs"]:
    if j["name"] == "qd32-randread":
        j["name"] = name
json.dump(base, open(sys.argv[2] + "/formula.json", "w"))
END
bounded compare --by label --as csv "$A" "$T/formula.json"
is "$rc" 0 'a receipt with formulas for names'
ok 'no cell begins as a formula does' python3 -c '
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
assert any("HYPERLINK" in c for r in rows for c in r), "the name is there"
for row in rows:
    for cell in row:
        if cell[:1] in "=+-@\t\r" and cell:
            float(cell)  # a figure below 0 is no formula' "$T/out"
for as in table json csv; do
	bounded compare --by label --as $as "$A" "$T/formula.json"
	harmless "texts of anybody as $as"
done
bounded compare --by model --as table "$A" "$T/formula.json"
harmless 'and as a model'

# A folder of what is no receipt
D=$T/folder
mkdir "$D"
cp "$A" "$D/good.json"
mkfifo "$D/fifo.json" "$D/fifo.jws"
ln -s loop.json "$D/loop.json"
ln -s . "$D/here.json"
ln -s /dev/zero "$D/zero.json"
ln -s /nonexistent "$D/none.jws"
mkdir "$D/dir.json" "$D/sub"
cp "$A" "$D/sub/deep.json"
cp "$A" "$D/not-named-so.txt"
((EUID != 0)) || mknod "$D/null.json" c 1 3
python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "$D/socket.json"
bounded compare "$D"
is "$rc" 0 'devices, pipes, sockets, loops and folders in a folder are passed by'
like "$T/out" '1 receipt' 'the receipt is read'
cp "$T/h-deep.json" "$T/h-escape.json" "$T/h-windows.json" "$D"
: >"$D/empty.json"
cp "$A" "$D/evil"$'\e[2J'".json"
bounded compare "$D"
is "$rc" 65 'broken receipts in it: the others are compared, the status says so'
harmless 'names of files with escapes'
like "$T/err" 'h-deep.json' 'each is named'
for i in $(seq 30); do cp "$T/h-escape.json" "$D/x$i.json"; done
bounded compare "$D"
ok 'many of them are named ten times, and counted' sh -c 'test "$(wc -l <"$1")" -le 13 && grep -q "more files are no receipts" "$1"' - "$T/err"
if ((EUID == 0)); then
	chmod 0755 "$T" "$D"
	cp "$IORECEIPT" "$T/io" && chmod 755 "$T/io"
	chmod 000 "$D/good.json"
	rc=0
	timeout 20 setpriv --reuid 65534 --regid 65534 --clear-groups "$T/io" compare "$D/good.json" >"$T/out" 2>"$T/err" || rc=$?
	is "$rc" 66 'one that may not be read'
	like "$T/err" 'Permission denied' 'says so'
fi
bounded compare "$D/fifo.json.none" "$A"
is "$rc" 66 'one that is not there'
like "$T/out" 'read iops' 'the other is printed'
bounded compare /dev/zero
ok 'a device is no receipt' test "$rc" = 66
done_testing
