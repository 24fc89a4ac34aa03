#!/bin/bash
# Storage that exists: nginx as README configures it, an S3 server, ClickHouse, a
# webhook, each with README's options; what is stored there is verified. And the
# cloud-init file of scripts/, run.
. "$(dirname "$0")/lib.sh"
need jq openssl python3 node curl
. "$here/pki.sh"
io=$IORECEIPT
P=$T/pki
mkdir "$P" "$T/w" "$T/d"
cd "$T/w" || exit 1
LEAF='basicConstraints=critical,CA:FALSE\nsubjectAltName=DNS:collect.test,DNS:localhost\n'
pki || skip_all 'openssl made no certificates'
cat "$P/root.crt" "$P/ecroot.crt" >"$P/roots.pem"
tree=$("$top/scripts/deb-tree" "$top/build/dl" collect nginx nginx-common webhook clickhouse-server clickhouse-common \
	clickhouse-client 2>"$T/.fetch") || skip_all "needs packages: $(tail -n 1 "$T/.fetch")"
npm=$top/build/npm-s3
[[ -d $npm/node_modules/s3rver && -d $npm/node_modules/aws4 ]] ||
	npm install --silent --no-fund --no-audit --prefix "$npm" s3rver@3.7.1 aws4@1.13.2 >"$T/npm" 2>&1 ||
	skip_all "needs npm packages: $(tail -n 1 "$T/npm")"
libs=$(find "$tree" -name '*.so*' -printf '%h\n' | sort -u | tr '\n' ':')

# free_port: one that nobody listens on
free_port() { python3 -c 'import socket; s = socket.create_server(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
# up PORT: wait for a listener
up() { for ((i = 0; i < 400; i++)); do (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null && return 0; sleep 0.05; done; return 1; }
# kept PID: ended with the test
kept() { undo "kill $1; wait $1"; }
RUN=(run --dir "$T/d" --size 16M --runtime 0.3s --job '--rw=randread --bs=4k' --quiet)
"$io" keygen key >pub
# receipt NAME: a receipt of its own
receipt() { "$io" "${RUN[@]}" --key key --out "$1.json" >/dev/null; }
# send PORT OPTION...: an upload
send()
{
	local port=$1
	shift
	run -t 60 "$io" upload --cacert "$P/roots.pem" --resolve "collect.test:$port:127.0.0.1" --retry-for 5s "$@"
}
receipt a && receipt b
id=$(jq -r .jti a.json)

# ---- nginx, as README has it; RSA and EC, each with an intermediate ----
rsa=$(free_port) ec=$(free_port)
block=$(sed -n '/^```nginx$/,/^```$/p' "$top/README.md" | sed '1d;$d')
ok 'README has the configuration' test -n "$block"
# server PORT CERTIFICATE
server() { printf 'server { listen 127.0.0.1:%s ssl; server_name collect.test; ssl_certificate %s; ssl_certificate_key %s;\n%s\n}\n' \
	"$1" "$P/$2.pem" "$P/$2.key" "$block"; }
mkdir -p ngx/tmp collect && chmod -R 777 ngx collect && chmod 755 "$T" "$T/w"
{
	echo "daemon off; worker_processes 1; pid $PWD/ngx/pid; error_log $PWD/ngx/error.log; events {}"
	echo "http { access_log $PWD/ngx/access.log;"
	for d in client_body proxy fastcgi uwsgi scgi; do echo "${d}_temp_path $PWD/ngx/tmp/$d;"; done
	server "$rsa" good && server "$ec" ecgood
	echo '}'
} | sed "s|/srv/collect|$PWD/collect|; s|TOKEN|s3cret|" >ngx/conf
LD_LIBRARY_PATH=$libs "$tree/usr/sbin/nginx" -p "$PWD/ngx" -c "$PWD/ngx/conf" -e "$PWD/ngx/error.log" &
kept $!
ok 'nginx runs' up "$rsa" || sed 's/^/# /' ngx/error.log
echo s3cret >token
echo wrong >bad
NGX=(--upload "https://collect.test:$rsa/receipts/{date}/{id}.jws")
send "$rsa" "${NGX[@]}" --token-file token a.jws
is "$rc" 0 'nginx: stored' || sed 's/^/# /' "$T/err"
day=$(date -u -d "@$(jq .iat a.json)" +%F)
run "$io" verify --kid "$(sed -n 's/^kid //p' pub)" "collect/receipts/$day/$id.jws"
is "$rc" 0 'nginx: what is stored is good, by our key'
is "$(cat "collect/receipts/$day/$id.jws")" "$(tr -d '\n' <a.jws)" 'nginx: the very bytes'
send "$rsa" "${NGX[@]}" --token-file token a.jws
is "$rc" 4 'nginx: once more: it is there already'
like "$T/err" 'answered 409 Conflict.*--exists-status 409' 'nginx: which is said'
send "$rsa" "${NGX[@]}" --token-file token --exists-status 409 a.jws
is "$rc" 0 'nginx: --exists-status 409: as good'
send "$rsa" "${NGX[@]}" --token-file bad b.jws
is "$rc" 4 'nginx: another token'
like "$T/err" 'answered 401 .*--token-file' 'nginx: which is said'
send "$ec" --upload "https://collect.test:$ec/receipts/{id}" --token-file token b.jws
is "$rc" 0 'nginx: a chain of EC keys'

# ---- S3: a presigned PUT ----
s3=$(free_port)
mkdir s3
cat >s3.mjs <<'END'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
const require = createRequire(process.argv[2] + '/node_modules/')
const S3rver = require('s3rver')
await new S3rver({ address: '127.0.0.1', port: +process.argv[3], directory: 's3', silent: true, vhostBuckets: false, resetOnClose: false,
	cert: readFileSync(process.argv[4]), key: readFileSync(process.argv[5]), configureBuckets: [{ name: 'receipts', configs: [] }] }).run()
END
node s3.mjs "$npm" "$s3" "$P/good.pem" "$P/good.key" >s3.log 2>&1 &
kept $!
cat >presign.mjs <<'END'
import { createRequire } from 'node:module'
const aws4 = createRequire(process.argv[2] + '/node_modules/')('aws4')
const host = 'collect.test:' + process.argv[3]
const o = aws4.sign({ method: 'PUT', service: 's3', region: 'eu-central-1', host, signQuery: true,
	path: '/receipts/' + process.argv[4] + '?X-Amz-Expires=600&x-id=a%2Fb+c' }, { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' })
console.log('https://' + host + o.path)
END
ok 'the S3 server runs' up "$s3" || sed 's/^/# /' s3.log
node presign.mjs "$npm" "$s3" "$id.jws" >url
send "$s3" --upload @url a.jws
is "$rc" 0 'S3: stored' || sed 's/^/# /' "$T/err" s3.log
unlike "$T/err" 'X-Amz|Signature' 'S3: the signed URL is not told'
stored=$(find s3 -name '*_object' | head -n 1)
ok 'S3: something is stored' test -n "$stored"
cp "${stored:-/dev/null}" stored.jws
run "$io" verify stored.jws
is "$rc" 0 'S3: what is stored is good'
# that server does not judge a signature: it is made anew from what arrived
mkdir tls && echo 'sign good reply HTTP/1.1_200_OK\r\nContent-Length:_0\r\n\r\n' >tls/want
python3 "$here/tls-server.py" tls "$P" &
kept $!
for ((i = 0; i < 100; i++)); do [[ -s tls/sign.port ]] && break; sleep 0.05; done
port=$(cat tls/sign.port)
node presign.mjs "$npm" "$port" "$id.jws" >url
send "$port" --upload @url a.jws
cat >sigv4.py <<'END'
import hashlib, hmac, re, sys
head = open("tls/sign.1", "rb").read().split(b"\r\n\r\n")[0].decode().split("\r\n")
method, target, _ = head[0].split(" ")
host = next(l.split(": ", 1)[1] for l in head if l.lower().startswith("host:"))
path, query = target.split("?", 1)
words = dict(w.split("=", 1) for w in query.split("&"))
signature = words.pop("X-Amz-Signature")
from urllib.parse import quote, unquote
date = words["X-Amz-Date"]
scope = unquote(words["X-Amz-Credential"]).split("/", 1)[1]
norm = "&".join(sorted(f"{k}={quote(unquote(v.replace('+', ' ')) , safe='-_.~')}" for k, v in words.items()))
canonical = "\n".join([method, path, norm, "host:" + host, "", "host", "UNSIGNED-PAYLOAD"])
todo = "\n".join(["AWS4-HMAC-SHA256", date, scope, hashlib.sha256(canonical.encode()).hexdigest()])
key = b"AWS4S3RVER"
for part in scope.split("/"):
    key = hmac.new(key, part.encode(), hashlib.sha256).digest()
print("same" if hmac.new(key, todo.encode(), hashlib.sha256).hexdigest() == signature else "other: " + norm)
END
is "$(python3 sigv4.py)" same 'S3: what arrived is what was signed, by SigV4 made anew'

# ---- ClickHouse ----
ch=$(free_port) native=$(free_port)
mkdir -p ch/{data,tmp,log,format} && cp "$P/good.pem" "$P/good.key" ch/
openssl dhparam -dsaparam -out ch/dh.pem 1024 2>/dev/null
cat >ch/config.xml <<END
<yandex><logger><level>warning</level><log>$PWD/ch/log/l</log><errorlog>$PWD/ch/log/e</errorlog></logger>
<https_port>$ch</https_port><tcp_port>$native</tcp_port><listen_host>127.0.0.1</listen_host>
<openSSL><server><certificateFile>$PWD/ch/good.pem</certificateFile><privateKeyFile>$PWD/ch/good.key</privateKeyFile>
<dhParamsFile>$PWD/ch/dh.pem</dhParamsFile><verificationMode>none</verificationMode><disableProtocols>sslv2,sslv3</disableProtocols></server></openSSL>
<path>$PWD/ch/data/</path><tmp_path>$PWD/ch/tmp/</tmp_path><format_schema_path>$PWD/ch/format/</format_schema_path><users_config>users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database><mark_cache_size>5368709</mark_cache_size></yandex>
END
cat >ch/users.xml <<'END'
<yandex><profiles><default/></profiles><quotas><default/></quotas><users>
<default><password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></default>
<fleet><password>fl33t</password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota></fleet></users></yandex>
END
(cd ch && LD_LIBRARY_PATH=$libs exec "$tree/usr/sbin/clickhouse-server" --config-file=config.xml >log/out 2>&1) &
kept $!
ok 'ClickHouse runs' up "$ch" || sed 's/^/# /' ch/log/out ch/log/e
query() { curl -sS --cacert "$P/roots.pem" --resolve "collect.test:$ch:127.0.0.1" "https://collect.test:$ch/" --data-binary "$1"; }
query 'CREATE TABLE receipts (jws String, jti String, iat UInt64, complete UInt8, schema String) ENGINE = MergeTree ORDER BY jti' >made
is "$(cat made)" '' 'ClickHouse: a table'
printf 'X-ClickHouse-User: fleet\nX-ClickHouse-Key: fl33t\n' >headers
# the options as README has them
place=$(grep -o 'https://HOST:8443/[^'"'"']*JSONEachRow[^'"'"']*' "$top/README.md" | head -n 1)
place=${place/HOST:8443/collect.test:$ch}
CLICK=(--upload-method POST --upload-body json --upload-header @headers --upload "$place")
send "$ch" "${CLICK[@]}" a.jws b.json
is "$rc" 0 'ClickHouse: two rows' || sed 's/^/# /' "$T/err"
is "$(query 'SELECT count() FROM receipts WHERE complete = 1')" 2 'ClickHouse: are there'
query "SELECT jws FROM receipts WHERE jti = '$id'" >row.jws
run "$io" verify row.jws
is "$rc" 0 'ClickHouse: what is stored is good'
sed -i s/fl33t/other/ headers
send "$ch" "${CLICK[@]}" --retry-for 0 a.jws
is "$rc" 4 'ClickHouse: another password'
is "$(query 'SELECT count() FROM receipts')" 2 'ClickHouse: nothing came of it'

# ---- a webhook ----
hook=$(free_port)
cat >hooks.json <<END
[{"id": "receipt", "execute-command": "/usr/bin/tee", "command-working-directory": "$PWD",
  "pass-file-to-command": [], "pass-arguments-to-command": [{"source": "string", "name": "hooked"}],
  "pass-environment-to-command": [{"source": "entire-payload", "envname": "PAYLOAD"}],
  "trigger-rule": {"match": {"type": "value", "value": "ioreceipt/1", "parameter": {"source": "payload", "name": "schema"}}},
  "trigger-rule-mismatch-http-response-code": 400}]
END
cat >keep.sh <<END
#!/bin/sh
printf '%s\n' "\$PAYLOAD" >"$PWD/hooked.json"
END
chmod +x keep.sh
sed -i "s|/usr/bin/tee|$PWD/keep.sh|" hooks.json
"$tree/usr/bin/webhook" -hooks hooks.json -ip 127.0.0.1 -port "$hook" -secure -cert "$P/good.pem" -key "$P/good.key" >hook.log 2>&1 &
kept $!
ok 'the webhook runs' up "$hook" || sed 's/^/# /' hook.log
send "$hook" --upload-method POST --upload-body json --upload "https://collect.test:$hook/hooks/receipt" a.jws
is "$rc" 0 'webhook: taken' || sed 's/^/# /' "$T/err" hook.log
for ((i = 0; i < 100; i++)); do [[ -s hooked.json ]] && break; sleep 0.05; done
is "$(jq -r .jti hooked.json)" "$id" 'webhook: the receipt has arrived'
jq -r .jws hooked.json >alone.jws
run "$io" verify alone.jws
is "$rc" 0 'webhook: and its signature is good'

# ---- cloud-init ----
# The script of the file, with our places in it; `poweroff` only says so.
mkdir bin www && printf '#!/bin/sh\necho i-0123\n' >bin/cloud-init && printf '#!/bin/sh\ntouch %s/off\n' "$PWD" >bin/poweroff && chmod +x bin/*
"$top/scripts/make-dist" "https://localhost:$rsa/PATH" "$PWD/www" "$top/$BUILD/ioreceipt" >/dev/null
web=$(free_port)
python3 - "$web" "$P/good.pem" "$P/good.key" <<'END' >web.log 2>&1 &
import http.server, ssl, sys
s = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), lambda *a: http.server.SimpleHTTPRequestHandler(*a, directory="www"))
c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
c.load_cert_chain(sys.argv[2], sys.argv[3])
s.socket = c.wrap_socket(s.socket, server_side=True)
s.serve_forever()
END
kept $!
up "$web"
sed -i "s|https://localhost:$rsa/PATH|https://localhost:$web|" www/get.sh
# script REQUIREMENT: what cloud-init would run, short
script()
{
	awk '/content: \|/ { on = 1; next } on && /^[^ ]/ { on = 0 } on { sub(/^      /, ""); print }' "$top/scripts/cloud-init.yaml" |
		sed "s|https://HOST/PATH|https://localhost:$web|; s|https://HOST/|https://localhost:$rsa/|; s|/root|$PWD/root|g; s|/var/spool/ioreceipt|$PWD/spool|
			s|--dir /var/tmp|--dir $T/d --size 16M --runtime 0.3s --cacert $P/roots.pem --retry-for 0|
			s|--require 'qd1[^']*' --require 'no warning'|--require '$1'|" >root/ioreceipt.sh
	rm -f off
	run -t 100 env PATH="$PWD/bin:$PATH" CURL_CA_BUNDLE="$P/roots.pem" sh root/ioreceipt.sh
}
mkdir root && echo s3cret >root/ioreceipt.token
script 'qd1-randread.read.iops > 1'
is "$rc" 0 'cloud-init: a good machine' || sed 's/^/# /' "$T/err"
ok 'cloud-init: stays on' test ! -e off
run "$io" verify "collect/receipts/$(date -u +%F)/$(jq -r .jti root/ioreceipt.json).jws"
is "$rc" 0 'cloud-init: and is told of'
like "$T/out" 'label i-0123' 'cloud-init: by its own name'
script 'qd1-randread.read.iops > 100000k'
is "$rc" 1 'cloud-init: a bad machine'
ok 'cloud-init: is switched off' test -e off
ok 'cloud-init: and told of, too' test -s "collect/receipts/$(date -u +%F)/$(jq -r .jti root/ioreceipt.json).jws"
echo wrong >root/ioreceipt.token
script 'qd1-randread.read.iops > 1'
is "$rc" 4 'cloud-init: good, but not uploaded'
ok 'cloud-init: stays on, and the receipt waits' test ! -e off -a -s "spool/$(jq -r .jti root/ioreceipt.json).jws"
done_testing
