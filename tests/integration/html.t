#!/bin/bash
# Pages: valid, whole in themselves, harmless whatever the receipt says, no wider
# than a phone; and plots as text.
. "$(dirname "$0")/lib.sh"
need jq python3 node chromium
io=$IORECEIPT
mkdir "$T/w" "$T/d"
cd "$T/w" || exit 1
npm=$top/build/npm-html
[[ -d $npm/node_modules/html-validate ]] ||
	npm install --silent --no-fund --no-audit --prefix "$npm" html-validate@9.4.0 >"$T/npm" 2>&1 ||
	skip_all "needs npm packages: $(tail -n 1 "$T/npm")"

# page NAME COMMAND...: its output is NAME.html, and a page as it should be
page()
{
	local name=$1
	shift
	run "$@"
	cp "$T/out" "$name.html"
	pages+=("$name.html")
	ok "$name: a page" grep -q '</html>' "$name.html"
}
pages=()
for f in baseline capped partial refused judged hostile; do
	page "$f" "$io" show --as html "$top/tests/golden/$f.json"
	is "$rc" 0 "$f: shown"
done
run "$io" run --dir "$T/d" --size 16M --runtime 1s --quiet --out a.json --label 'A & <b>' && "$io" run --dir "$T/d" --size 16M \
	--runtime 1s --quiet --out b.json --no-sign >/dev/null
page signed "$io" show --as html a.json
like signed.html 'Signed</span> by key <code>[A-Za-z0-9_-]{43}' 'signed: by which key'
like signed.html 'A &amp; &lt;b&gt;' 'signed: the label, escaped'
unlike signed.html '[Tt]rusted|[Cc]ertified' 'signed: it is called no more than that'
page jws "$io" show --as html a.jws
ok 'the same of the JWS alone' cmp signed.html jws.html
page unsigned "$io" show --as html b.json
like unsigned.html 'Not signed' 'not signed: said'
cp a.jws b.jws
page forged "$io" show --as html b.json
like forged.html 'signature is not good: it is not what key' 'a signature of something else: said'
rm b.jws
page compare "$io" compare --as html a.json b.json
like compare.html 'LIKE FOR LIKE' 'compare: alike'
like compare.html 'qd1-randread\.read\.iops' 'compare: figures'
ok 'compare: distributions side by side' test "$(grep -c '<svg' compare.html)" -ge 3
page unlike "$io" compare --as html a.json "$top/tests/golden/baseline.json"
is "$rc" 1 'compare: unlike ones'
like unlike.html 'NOT ALIKE' 'compare: unlike: said'
unlike unlike.html '<h2>Figures' 'compare: no figures of them'

# ---- what is in them ----
run -t 120 "$npm/node_modules/.bin/html-validate" "${pages[@]}"
is "$rc" 0 'all are valid HTML'
((rc == 0)) || head -n 30 "$T/out" | sed 's/^/# /'
cat >look.py <<'END'
"""Only elements and attributes that we write, no address, no script."""
import html.parser, re, sys
TAGS = set("html head meta title style body header main section footer h1 h2 h3 p span b code br dl dt dd ul li table caption thead tbody tr th td "
           "figure figcaption svg line text path".split())
ATTRS = set("lang charset http-equiv content name class scope data-h viewbox role aria-label x y x1 x2 y1 y2 d text-anchor".split())
bad = []
class Look(html.parser.HTMLParser):
    def handle_starttag(self, tag, attrs):
        if tag not in TAGS:
            bad.append(tag)
        for k, v in attrs:
            if k not in ATTRS:
                bad.append(tag + " " + k)
            if v and re.search(r"(?i)url\(|javascript:|https?://", v):
                bad.append(f"{tag} {k}={v}")
    def handle_comment(self, data):
        bad.append("comment")
for f in sys.argv[1:]:
    text = open(f, encoding="utf-8").read()
    Look().feed(text)
    if "default-src 'none'" not in text or text.count("<style>") != 1:
        bad.append("policy")
    if re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069]", text):
        bad.append("controls")
    if re.search(r"(?i)@import|url\(", text[text.index("<style>"):text.index("</style>")]):
        bad.append("style")
print(*sorted(set(bad)) or ["clean"], sep="\n")
END
is "$(python3 look.py "${pages[@]}")" clean 'nothing but what we write, no address, no script'
ok 'none is large' test "$(cat "${pages[@]}" | wc -c)" -lt 1000000

# A receipt that wants to be a program: in each text that there is.
evil='"><script>alert(1)</script>'
jq -c --arg e "$evil" --arg n "$(printf '%b' '\" onload=alert(2)> <img src=x onerror=alert(3)> &#x6a; \u202etxt.exe')" '.sub = $e | .note = $n | .nonce = $e |
	.host.os = $e | .host.cpu_model = $e | .target.filesystem = $e | .target.stack[].model = $e | .findings[].text = $n |
	.windows |= [to_entries[] | .value.name = $e + (.key | tostring) | .value]' a.json >evil.json
page evil "$io" show --as html evil.json
is "$rc" 0 'a hostile one: shown' || sed 's/^/# /' "$T/err"
is "$(python3 look.py evil.html)" clean 'all of it is text'
like evil.html '&lt;script&gt;alert\(1\)' 'and can be read'
page evils "$io" compare --anyway --as html evil.json a.json
is "$(python3 look.py evils.html)" clean 'and beside another'

# ---- on a phone ----
{
	echo '<title>0</title><body>'
	for p in signed compare hostile evil; do
		printf '<iframe width=360 height=3000 srcdoc="'
		grep -v 'Content-Security-Policy' "$p.html" | sed 's/&/\&amp;/g; s/"/\&quot;/g'
		printf '"></iframe>\n'
	done
	echo '<script>onload = () => { document.title = [...document.querySelectorAll("iframe")].map(f =>
		(f.contentDocument.documentElement.scrollWidth <= f.clientWidth) + "," + (f.contentDocument.body.innerText.length > 500)).join(" ") }</script>'
} >phone.html
run -t 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$T/chrome" --virtual-time-budget=3000 --dump-dom "file://$PWD/phone.html"
title=$(sed -n 's/.*<title>\([^<]*\)<.*/\1/p' "$T/out" | head -n 1)
is "$title" 'true,true true,true true,true true,true' 'at 360 pixels nothing is wider than the page'

# ---- as text ----
run env LC_ALL=C.UTF-8 COLUMNS=80 "$io" show --plots "$top/tests/golden/baseline.json"
is "$rc" 0 'plots: shown'
like "$T/out" 'p99\.9' 'plots: percentiles'
ok 'plots: at most 80 columns' test "$(wc -L <"$T/out")" -le 80
run env LC_ALL=C "$io" show --plots "$top/tests/golden/baseline.json"
ok 'plots: ASCII where there is no UTF-8' not grep -q "$(printf '[\200-\377]')" "$T/out"
like "$T/out" '\*' 'plots: drawn all the same'
run "$io" show --plots --as keys a.json
is "$rc" 64 'plots: with the table alone'
done_testing
