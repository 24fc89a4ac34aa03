#!/bin/bash
# Keys and signatures: made here, judged by others; made by others, judged here.
. "$(dirname "$0")/lib.sh"
need jq openssl python3 node busybox
io=$IORECEIPT
D=$T/d
mkdir "$D" "$T/w"
cd "$T/w" || exit 1
kid_of() { sed -n 's/^kid //p' "$1"; }
RUN=(--dir "$D" --size 16M --runtime 0.3s --job '--rw=randread --bs=4k' --quiet)

# ---- keys ----
run "$io" keygen k1
is "$rc" 0 'keygen: a key'
is "$(stat -c %a k1)" 600 'keygen: nobody else may read it'
kid=$(kid_of "$T/out")
ok 'keygen: its kid' test ${#kid} = 43
sed 1d "$T/out" >k1.pub
is "$(openssl ec -in k1 -pubout 2>/dev/null)" "$(cat k1.pub)" 'openssl reads it, and finds the same public half'
run "$io" keygen k1
is "$rc" 6 'keygen: what is there stays'
run "$io" keygen --public k1
is "$(kid_of "$T/out")" "$kid" 'keygen --public: the same'
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out k2 2>/dev/null && chmod 600 k2
run "$io" keygen --public k2
is "$rc" 0 'PKCS#8, as openssl writes it'
sed 1d "$T/out" >k2.pub
is "$(openssl pkey -in k2 -pubout)" "$(cat k2.pub)" 'and openssl agrees'

# refused NAME WORDS: this key is refused, with these words
refused() { run "$io" run "${RUN[@]}" --key "$1"; like "$T/err" "$2" "key refused: $2"; ok "$1: malformed, or not to be opened" test "$rc" = 65 -o "$rc" = 66; }
cp k1 open && chmod 644 open && refused open 'chmod 600'
ln -s k1 link && refused link 'symbolic link'
mkfifo -m 600 fifo && refused fifo 'no regular file'
openssl ecparam -name secp384r1 -genkey -noout -out p384 && chmod 600 p384 && refused p384 'another curve'
openssl genrsa -out rsa 2048 2>/dev/null && chmod 600 rsa && refused rsa 'P-256 is needed|no elliptic curve|larger than'
openssl pkey -in k2 -aes128 -passout pass:x -out enc && chmod 600 enc && refused enc 'passphrase'
(umask 077 && cp k1.pub pub) && refused pub 'private half'
(umask 077 && head -c 100 k1 >cut) && refused cut 'broken'
(umask 077 && head -c 20000 /dev/zero >zero) && refused zero 'longer|larger'
ok 'no run came of it' test -z "$(ls ./*.json 2>/dev/null)"

# ---- a run signs ----
run "$io" run "${RUN[@]}" --out a.json --label 'a label' --nonce n-1 --aud collector
is "$rc" 0 'a run: complete'
ok 'a run: the signature lies beside it' test -s a.jws
is "$(tr -d '\n' <a.jws | tr -cd . | wc -c)$(wc -l <a.jws)" 21 'one line, three parts'
run "$io" verify a.jws
is "$rc" 0 'verify: good'
like "$T/out" 'signed by key [A-Za-z0-9_-]{43}' 'by which key'
unlike "$T/out" 'trusted|certified' 'it is not called more than that'
like "$T/out" 'label a label, nonce n-1' 'what it says of itself'
run "$io" verify a.json
is "$rc" 0 'verify: by the receipt itself'
is "$(cut -d. -f2 a.jws | tr _- /+ | base64 -d 2>/dev/null | cmp - a.json && echo same)" same 'the payload is the file, byte by byte'
run "$io" run "${RUN[@]}" --out b.json --key k1
run "$io" verify --kid "$kid" b.jws
is "$rc" 0 'a run --key: by that key'
run "$io" verify --key k1.pub b.jws
is "$rc" 0 'and by its public half'
run "$io" verify --kid "$kid" a.jws
is "$rc" 1 'another key is not that one'
like "$T/out" 'another key' 'which is said'
run "$io" run "${RUN[@]}" --out c.json --key new
is "$(stat -c %a new)" 600 'a run --key NEW: it is made'
run "$io" verify --key new c.jws
is "$rc" 0 'and signs'
run "$io" run "${RUN[@]}" --out d.json --no-sign
ok '--no-sign: no signature' test ! -e d.jws
run "$io" verify d.json
is "$rc" 1 'a receipt without one is not good'
run "$io" sign --key k1 d.json
is "$rc" 0 'sign: later'
run "$io" verify --kid "$kid" d.json
is "$rc" 0 'and then it is'
run "$io" run "${RUN[@]}" --out - --key k1
ok 'to standard output: the receipt alone' jq -e .complete "$T/out"
ok 'nothing else is left' test -z "$(ls ./*.part .*.part 2>/dev/null)"

# ---- judged by others ----
for sh in sh 'busybox sh'; do
	run $sh "$top/scripts/verify-receipt" b.jws
	is "$rc" 0 "openssl alone ($sh): good"
	like "$T/err" "signed by key $kid" "by the same kid"
	ok 'and gives the receipt' cmp "$T/out" b.json
	run $sh "$top/scripts/verify-receipt" b.jws k2.pub
	is "$rc" 1 "openssl alone ($sh): not by another key"
done
sed 's/\.e/.f/' b.jws >bad.jws
run sh "$top/scripts/verify-receipt" bad.jws
ok 'openssl alone: a changed one is not' test "$rc" != 0

npm=$top/build/npm-jose
[[ -d $npm/node_modules/jose && -d $npm/node_modules/jsonwebtoken ]] ||
	npm install --silent --no-fund --no-audit --prefix "$npm" jose@5.10.0 jsonwebtoken@9.0.2 >"$T/npm" 2>&1 ||
	skip_all "needs npm packages: $(tail -n 1 "$T/npm")"
cat >judge.mjs <<'END'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
const require = createRequire(process.argv[2] + '/node_modules/')
const jose = require('jose'), jwt = require('jsonwebtoken')
const text = readFileSync(process.argv[3], 'utf8').trim(), pem = readFileSync(process.argv[4], 'utf8')
const key = await jose.importSPKI(pem, 'ES256')
const { payload, protectedHeader: h } = await jose.jwtVerify(text, key, { algorithms: ['ES256'], typ: 'ioreceipt+jwt' })
const own = await jose.compactVerify(text, jose.EmbeddedJWK)
if (Buffer.compare(Buffer.from(own.payload), readFileSync(process.argv[5]))) throw new Error('other bytes')
if (h.kid !== await jose.calculateJwkThumbprint(h.jwk)) throw new Error('other kid')
if (jwt.verify(text, pem, { algorithms: ['ES256'] }).jti !== payload.jti) throw new Error('other jti')
console.log(payload.jti, h.kid)
END
run node judge.mjs "$npm" b.jws k1.pub b.json
is "$rc" 0 'jose and jsonwebtoken: good' || cat "$T/err" | sed 's/^/# /'
is "$(cat "$T/out")" "$(jq -r .jti b.json) $kid" 'with the same id and kid'
run node judge.mjs "$npm" b.jws k2.pub b.json
ok 'and not by another key' test "$rc" != 0

# ---- made by others ----
cat >make.mjs <<'END'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
const require = createRequire(process.argv[2] + '/node_modules/')
const jose = require('jose'), jwt = require('jsonwebtoken')
const pem = readFileSync('k2', 'utf8'), key = createPrivateKey(pem), what = process.argv[3]
const { x, y } = createPublicKey(pem).export({ format: 'jwk' })
const jwk = { crv: 'P-256', kty: 'EC', x, y }, kid = await jose.calculateJwkThumbprint(jwk)
const payload = readFileSync('b.json')
let header = { alg: 'ES256', jwk, kid, typ: 'ioreceipt+jwt' }
if (what === 'jose') console.log(await new jose.CompactSign(payload).setProtectedHeader(header).sign(key))
else if (what === 'jsonwebtoken') console.log(jwt.sign(JSON.parse(payload), pem, { algorithm: 'ES256', noTimestamp: true, header }))
else {
	if (what === 'none') header = { ...header, alg: 'none' }
	if (what === 'typ') header = { ...header, typ: 'JWT' }
	if (what === 'crit') header = { ...header, crit: ['exp'] }
	if (what === 'order') header = { typ: 'ioreceipt+jwt', alg: 'ES256', jwk, kid }
	if (what === 'kid') header = { ...header, kid: 'x'.repeat(43) }
	if (what === 'foreign') header = { ...header, jwk: { ...jwk, x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' }, kid: 'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U' }
	const b = s => Buffer.from(s).toString('base64url')
	const signed = b(JSON.stringify(header)) + '.' + b(what === 'payload' ? '{"hello":1}' : payload)
	console.log(signed + '.' + (what === 'none' ? '' : sign('sha256', Buffer.from(signed), { key, dsaEncoding: what === 'der' ? 'der' : 'ieee-p1363' }).toString('base64url')))
}
END
run node make.mjs "$npm" jose && cp "$T/out" jose.jws
run "$io" verify --key k2.pub jose.jws
is "$rc" 0 'made by jose: good'
# what each hostile kind ends with
for kind in none:65 typ:65 crit:65 order:65 kid:65 foreign:1 der:65 payload:65; do
	run node make.mjs "$npm" "${kind%:*}" && cp "$T/out" h.jws
	run "$io" verify h.jws
	is "$rc" "${kind#*:}" "made by another, ${kind%:*}: not good"
done

# ---- hostile files ----
j=$(tr -d '\n' <b.jws)
# hostile NAME STATUS TEXT
hostile()
{
	printf '%b' "$3" >h.jws
	run -t 20 "$io" verify h.jws
	is "$rc" "$2" "hostile: $1"
	ok "hostile: $1: no control characters come out" not grep -q "[$(printf '\001-\010\013-\037\177')]" "$T/out" "$T/err"
}
hostile 'empty' 65 ''
hostile 'a newline' 65 '\n'
hostile 'CRLF' 65 "$j\r\n"
hostile 'bytes behind it' 65 "${j}AAAA"
hostile 'four parts' 65 "$j.AAAA"
hostile 'a short signature' 65 "${j%????}"
hostile 'escapes' 65 '\033[31mred\007.\033]0;x\007.AAAA'
hostile 'NUL bytes' 65 "$j\0\0"
hostile 'another payload' 1 "${j%%.*}.e30K.${j##*.}"
hostile 'a row whose members differ' 1 "{\"jws\":\"$j\",$(sed 's/^{//; s/"complete":true/"complete":false/' b.json)\n"
hostile 'a row that is cut' 65 "{\"jws\":\"${j%??????}"
{ printf '{"jws":"%s",' "$j"; tail -c +2 b.json; } >row.json
run "$io" verify row.json
is "$rc" 0 'a row: good'
head -c 30000000 /dev/zero | tr '\0' A >h.jws
run -t 20 "$io" verify h.jws
is "$rc" 65 'hostile: 30 MB'
cp b.jws e.jws && sed 's/"complete":true/"complete":false/' b.json >e.json
run "$io" verify e.jws
is "$rc" 1 'another receipt beside it'
like "$T/out" 'e\.json beside it holds something else' 'which is said'
rm e.* h.jws bad.jws

# ---- folders ----
mkdir many many/sub
for i in 1 2 3 4 5; do cp b.jws "many/$i.jws"; done
cp b.json many/1.json
mkfifo many/p.jws && ln -s /dev/zero many/z.jws && ln -s loop.jws many/loop.jws && ln -s .. many/sub/up.jws
run -t 20 "$io" verify many
is "$rc" 0 'a folder: all are good; pipes, devices, loops are not touched'
like "$T/out" '^5 receipts: 5 good, 0 not$' 'a folder: how many'
printf x >>many/3.jws
run "$io" verify -q many
is "$rc" 65 'a folder: one is not'
is "$(grep -c . "$T/out")" 3 'a folder, quiet: that one and the sum' || sed 's/^/# /' "$T/out"
run "$io" verify many/sub
is "$rc" 65 'an empty folder is an error'
run "$io" verify nowhere.jws
is "$rc" 66 'what is not there'
run "$io" verify
is "$rc" 64 'nothing'
run "$io" verify --kid short a.jws
is "$rc" 64 'no kid'

# ---- secrets ----
d=$(openssl ec -in k1 -noout -text 2>/dev/null | sed -n '/^priv:/,/^pub:/p' | tr -cd '0-9a-f\n' | head -n 4 | tr -d '\n' | tail -c 60)
if command -v strace >/dev/null; then
	strace -f -e trace=write,writev,pwrite64,sendto -s 100000 -xx -o trace "$io" run "${RUN[@]}" --out s.json --key k1 >"$T/out" 2>"$T/err"
	ok 'the private number is written nowhere' not grep -q "$(printf %s "$d" | head -c 40 | sed 's/../\\\\x&/g')" trace
fi
ok 'nor is it in what was left' not grep -q "$(sed -n 2p k1)" ./s.json ./s.jws "$T/out" "$T/err"
done_testing
