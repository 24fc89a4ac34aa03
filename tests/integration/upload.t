#!/bin/bash
# Uploads to servers that behave, and to every kind that does not: the sentence,
# the status, the receipt still there, and an end in time.
. "$(dirname "$0")/lib.sh"
need jq openssl python3
. "$here/pki.sh"
io=$IORECEIPT
P=$T/pki
S=$T/s
mkdir "$P" "$S" "$T/w" "$T/d"
cd "$T/w" || exit 1
pki && bad_pki || skip_all "openssl made no certificates: $(tail -n 2 "$P"/*.log)"
cat "$P/root.crt" "$P/ecroot.crt" >"$P/roots.pem"

run "$io" run --dir "$T/d" --size 16M --runtime 0.3s --job '--rw=randread --bs=4k' --quiet --out r.json --label me
is "$rc" 0 'a receipt'
cp r.json kept.json && cp r.jws kept.jws
id=$(jq -r .jti r.json)

# name | certificate | what the server does (blanks as _) | options | status | what is said
ok=HTTP/1.1_200_OK\\r\\nContent-Length:_0\\r\\n\\r\\n
cat >table <<END
good|good|reply $ok||0|is uploaded
ec|ecgood|reply $ok||0|is uploaded
p521|p521|reply $ok||0|is uploaded
clientonly|noeku|reply $ok||0|is uploaded
created|good|reply HTTP/1.1_201_Created\\r\\n\\r\\n||0|is uploaded
nocontent|good|reply HTTP/1.1_204_No\\r\\n\\r\\n||0|is uploaded
chunked|good|reply ${ok%%Content*}Transfer-Encoding:_chunked\\r\\n\\r\\n2\\r\\nhi\\r\\n0\\r\\n\\r\\n||0|is uploaded
post|good|reply $ok|--upload-method POST --upload-body json|0|is uploaded
twice|good|reply HTTP/1.1_503_Busy\\r\\nRetry-After:_1\\r\\nContent-Length:_0\\r\\n\\r\\n HTTP/1.1_201_x\\r\\n\\r\\n|--retry-for 30s|0|503 Busy; it is busy; again in
exists|good|reply HTTP/1.1_409_Conflict\\r\\n\\r\\n|--exists-status 409|0|is uploaded
expired|expired|reply $ok||4|expired, or not valid yet, at this machine's time, 20.*look at the clock first.*\[54\]
early|early|reply $ok||4|expired, or not valid yet
othername|othername|reply $ok||4|is for another name \[56\]
selfsigned|selfsigned|reply $ok||4|no known authority vouches.*--cacert
alone|alone|reply $ok||4|leaves out its intermediate
builtin|good|reply $ok|--cacert|4|no known authority vouches
sha1|sha1|reply $ok||4|signed in a way that is not accepted
weak|weak|reply $ok||4|too short a key
critical|critical|reply $ok||4|critical extension
order|order|reply $ok||4|wrong order
leafca|leafca|reply $ok||4|may not sign others|wrong
tls13|good|tls13 $ok||4|only TLS 1\.3
tls11|good|tls11 $ok||4|refused the TLS handshake|only TLS 1\.3
cbc|good|cbc $ok||4|no common cipher|alert
mtls|good|mtls $ok||4|client's certificate|alert|closed the connection
plain|good|plain HTTP/1.1_400_Bad\\r\\n\\r\\n||4|does not speak TLS
ssh|good|plain SSH-2.0-OpenSSH\\r\\n||4|does not speak TLS
silent|good|silent|--timeout 2s|4|no answer in time
mute|good|mute|--timeout 2s|4|no answer in time
drip|good|drip $ok|--timeout 3s|4|no answer in time
reset|good|reset||4|closed the connection|cut|without an answer
empty|good|reply||4|without an answer|closed the connection
cut|good|cut ${ok%0*}50\\r\\n\\r\\nhalf||4|was cut
noend|good|cut HTTP/1.1_200_OK\\r\\n\\r\\nhalf||4|was cut
endless|good|reply HTTP/1.1_200_OK\\r\\n\\r\\n@300000||0|is uploaded
longhead|good|reply HTTP/1.1_200_OK\\r\\nA:_@100000||4|head is too long|longer than
length|good|reply HTTP/1.1_200_OK\\r\\nContent-Length:_-5\\r\\n\\r\\n||4|Content-Length is no number
chunk|good|reply HTTP/1.1_200_OK\\r\\nTransfer-Encoding:_chunked\\r\\n\\r\\nzz\\r\\n||4|chunk's size is no number
escape|good|reply HTTP/1.1_403_No\\r\\nContent-Length:_9\\r\\n\\r\\n\\x1b[31mred\\x07||4|answered 403 No: "\?\[31mred\?"
redirect|good|reply HTTP/1.1_302_Found\\r\\nLocation:_https://b.test/?SECRET\\r\\nContent-Length:_0\\r\\n\\r\\n||4|redirects to https://b\.test/\.\.\.
toolarge|good|early HTTP/1.1_413_Too_Large\\r\\nContent-Length:_0\\r\\n\\r\\n||4|answered 413 Too Large
token|good|early HTTP/1.1_401_Unauthorized\\r\\nContent-Length:_0\\r\\n\\r\\n||4|wants a token
forbidden|good|reply HTTP/1.1_403_x\\r\\nContent-Length:_0\\r\\n\\r\\n||4|not accepted
there|good|reply HTTP/1.1_409_x\\r\\nContent-Length:_0\\r\\n\\r\\n||4|--exists-status 409
condition|good|reply HTTP/1.1_412_x\\r\\nContent-Length:_0\\r\\n\\r\\n||4|--exists-status 412
busy|good|reply HTTP/1.1_429_x\\r\\nRetry-After:_3600\\r\\nContent-Length:_0\\r\\n\\r\\n|--retry-for 20s|4|too many requests
broken|good|reply HTTP/1.1_500_x\\r\\nContent-Length:_0\\r\\n\\r\\n|--retry-for 3s|4|trouble of its own
h2|good|reply PRI_*_HTTP/2.0\\r\\n\\r\\n||4|status line
END
while IFS='|' read -r name cert what _; do echo "$name $cert $what"; done <table >"$S/want"
python3 "$here/tls-server.py" "$S" "$P" &
server=$!
undo "kill $server"
wait_ports() { for ((i = 0; i < 200; i++)); do [[ $(ls "$S"/*.port 2>/dev/null | wc -l) == $(wc -l <"$S/want") ]] && return; sleep 0.05; done; }
wait_ports

# sent NAME OPTION...: upload r.jws to server NAME
sent()
{
	local name=$1 port
	shift
	port=$(cat "$S/$name.port")
	run -t 40 "$io" upload --upload "https://good.test:$port/in/{id}.jws?sig=SECRET" --resolve "good.test:$port:127.0.0.1" \
		--retry-for 0 "$@" r.jws
}

while IFS='|' read -r name cert what options status said; do
	cacert=(--cacert "$P/roots.pem")
	[[ $options == --cacert ]] && options='' cacert=()
	# shellcheck disable=SC2086
	sent "$name" "${cacert[@]}" $options
	is "$rc" "$status" "$name: status $status" || sed 's/^/# /' "$T/err"
	like "$T/err" "$said" "$name: $said"
	unlike "$T/err" 'SECRET' "$name: no query is told"
	ok "$name: no control characters come out" not grep -q "[$(printf '\001-\010\013-\037\177')]" "$T/err"
	ok "$name: the receipt is as it was" cmp r.jws kept.jws
done <table

# ---- what arrives ----
is "$(sed '1,/^\r$/d' "$S/good.1")" "$(tr -d '\n' <r.jws)" 'the body is the JWS'
like "$S/good.1" "^PUT /in/$id\.jws\?sig=SECRET HTTP/1\.1" 'the URL, with the id'
like "$S/good.1" '^Content-Type: application/jwt' 'its type'
unlike "$S/good.1" 'Expect|Cookie' 'nothing that nobody asked for'
like "$S/post.1" '^POST /in/' 'POST'
like "$S/post.1" "^Idempotency-Key: \"$id\"" 'with an idempotency key'
sed '1,/^\r$/d' "$S/post.1" >row.json
is "$(jq -r .jti row.json)" "$id" 'the row is JSON'
run "$io" verify row.json
is "$rc" 0 'and its signature holds'
is "$(wc -l <row.json)" 1 'in one line'
ok 'the second try sent the same' cmp <(sed '1,/^\r$/d' "$S/twice.1") <(sed '1,/^\r$/d' "$S/twice.2")
like "$S/twice.2" "/in/$id\.jws" 'to the same place'

# ---- no server ----
port=$(cat "$S/good.port")
run "$io" upload --upload https://good.test:1/ --resolve good.test:1:127.0.0.1 --retry-for 0 r.jws
is "$rc" 4 'nobody listens'
like "$T/err" 'good\.test \(127\.0\.0\.1\) port 1: nothing listens there' 'nobody listens: said'
run -t 40 "$io" upload --upload https://nowhere.invalid/ --retry-for 0 r.jws
is "$rc" 4 'no such host'
like "$T/err" 'no host of that name|no name server answers|cannot be looked up' 'no such host: said'
if ((EUID == 0)); then
	run unshare -m sh -c "mount -t tmpfs none /etc && exec '$io' upload --upload https://good.test/ --retry-for 0 r.jws"
	is "$rc" 4 'no resolv.conf'
	like "$T/err" 'there is no /etc/resolv\.conf.*--resolve good\.test:443:ADDRESS' 'no resolv.conf: what to do'
fi
GOOD=(--upload "https://good.test:$port/in/{id}.jws" --resolve "good.test:$port:127.0.0.1" --cacert "$P/roots.pem" --retry-for 0)
run "$io" upload "${GOOD[@]}" --time 1970-01-02T00:00:00Z r.jws
is "$rc" 4 'a clock in 1970'
like "$T/err" 'clock says 1970-01-02.*before this program was made.*--time' 'a clock in 1970: what to do'
run "$io" upload "${GOOD[@]}" --time 2040-01-01T00:00:00Z r.jws
is "$rc" 65 'a clock in 2040: no authority is left'
run "$io" upload "${GOOD[@]}" --time "$(date -u +%Y-%m-%dT%H:%M:%SZ)" r.jws
is "$rc" 0 '--time: the right one'

# ---- words that are refused before anything is sent ----
# misused STATUS WORDS OPTION...
misused()
{
	local status=$1 said=$2
	shift 2
	run "$io" upload "$@" r.jws
	is "$rc" "$status" "refused: $said"
	like "$T/err" "$said" "said: $said"
}
echo 'X: y
Host: evil' >headers
printf 'tok\nen\n' >two
misused 64 'https://' --upload http://good.test/
misused 64 'user name' --upload https://u:p@good.test/
misused 64 '--resolve' --upload https://127.0.0.1/
misused 64 'form "Name: value"' "${GOOD[@]}" --upload-header nonsense
misused 64 'not yours' "${GOOD[@]}" --upload-header 'Content-Length: 5'
misused 64 'not yours' "${GOOD[@]}" --upload-header @headers
misused 64 'control' "${GOOD[@]}" --upload-header $'X: a\rb: c'
misused 66 'open' "${GOOD[@]}" --token-file nowhere
misused 65 'one line' "${GOOD[@]}" --token-file two
misused 65 'no certificate' "${GOOD[@]}" --cacert r.json
misused 65 'something else' "${GOOD[@]}" --cacert "$P/good.key"
misused 64 'HOST:PORT:ADDRESS' "${GOOD[@]}" --resolve good.test
misused 64 'where to' --retry-for 0
run "$io" upload "${GOOD[@]}"
is "$rc" 64 'nothing to send'
sed 's/"complete":true/"complete":false/' r.json >forged.json && cp r.jws forged.jws
run "$io" upload "${GOOD[@]}" forged.jws
is "$rc" 1 'a receipt that its signature does not fit is not sent'
rm forged.*

# ---- secrets ----
echo sEcReTtOkEn >token
echo 'X-Key: sEcReThEaDeR' >headers
echo "https://good.test:$port/in/{id}?sEcReTqUeRy" >url
run "$io" upload --upload @url --resolve "good.test:$port:127.0.0.1" --cacert "$P/roots.pem" --token-file token \
	--upload-header @headers r.jws
is "$rc" 0 'secrets from files'
last=$(ls -t "$S"/good.[0-9]* | head -n 1)
like "$last" '^Authorization: Bearer sEcReTtOkEn' 'the token arrives'
like "$last" '^X-Key: sEcReThEaDeR' 'the header arrives'
like "$last" 'sEcReTqUeRy' 'the URL arrives'
unlike "$T/err" 'sEcReT' 'none of them is told'

# ---- a run that uploads ----
RUN=(run --dir "$T/d" --size 16M --runtime 0.3s --job '--rw=randread --bs=4k' --quiet)
run "$io" "${RUN[@]}" "${GOOD[@]}" --out u.json
is "$rc" 0 'a run: uploaded'
last=$(ls -t "$S"/good.[0-9]* | head -n 1)
is "$(sed '1,/^\r$/d' "$last")" "$(tr -d '\n' <u.jws)" 'a run: what lies beside it has arrived'
bad=$(cat "$S/broken.port")
BAD=(--upload "https://good.test:$bad/{id}" --resolve "good.test:$bad:127.0.0.1" --cacert "$P/roots.pem" --retry-for 0)
run "$io" "${RUN[@]}" "${BAD[@]}" --out v.json --spool spool
is "$rc" 4 'a run whose upload fails: status 4'
run "$io" verify v.json
is "$rc" 0 'the receipt is there, and good'
id=$(jq -r .jti v.json)
is "$(ls -A spool)" "$id.jws" 'and waits in the spool'
is "$(stat -c %a spool)$(stat -c %a "spool/$id.jws")" 700600 'for us alone'
unlike <(cat spool/*) 'good\.test|broken' 'with no word of where to'
run "$io" upload "${BAD[@]}" --spool spool
is "$rc" 4 'sending what waits: it still fails'
is "$(ls -A spool)" "$id.jws" 'and still waits'
run "$io" upload "${GOOD[@]}" --spool spool
is "$rc" 0 'sending what waits'
is "$(ls -A spool)" '' 'then it is gone'
run "$io" upload "${GOOD[@]}" --spool spool
is "$rc" 0 'nothing waits'
for i in {1..100}; do cp v.jws "spool/x$i.jws"; done
run "$io" upload "${BAD[@]}" --spool spool r.jws
is "$rc" 4 'a full spool'
like "$T/err" 'spool spool is full \(100' 'a full spool: said'
rm -r spool && mkdir -m 755 spool
run "$io" "${RUN[@]}" "${GOOD[@]}" --spool spool --out w.json
is "$rc" 6 'a spool that is open to others: before anything is measured'
ok 'nothing was measured' test ! -e w.json
run "$io" "${RUN[@]}" "${GOOD[@]}" --no-sign
is "$rc" 64 'without a signature there is no upload'
run "$io" run --dir /proc "${GOOD[@]}" --quiet
is "$rc" 2 'a machine that is refused'
last=$(ls -t "$S"/good.[0-9]* | head -n 1)
ok 'a machine that is refused is told of' jq -e '.complete == false' <(sed '1,/^\r$/d' "$last" | cut -d. -f2 | tr _- /+ | base64 -d 2>/dev/null)

# ---- signals ----
slow=$(cat "$S/mute.port")
"$io" "${RUN[@]}" --upload "https://good.test:$slow/{id}" --resolve "good.test:$slow:127.0.0.1" --cacert "$P/roots.pem" \
	--out x.json 2>"$T/err" >/dev/null &
pid=$!
for ((i = 0; i < 200; i++)); do ls "$S"/mute.[2-9] >/dev/null 2>&1 && break; sleep 0.05; done
kill -TERM "$pid"
wait "$pid"
is "$?" 143 'SIGTERM in an upload: 143'
run "$io" verify x.json
is "$rc" 0 'SIGTERM in an upload: the receipt is there, and good'
ok 'and complete' jq -e .complete x.json
done_testing
