#!/bin/bash
# Receipts as rows of a database: the statements of scripts/fleet give the
# figures that `compare --by label` gives of the same receipts in a folder.
. "$(dirname "$0")/lib.sh"
need clickhouse-server curl python3 jq
sql=$top/scripts/fleet
port=$(python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])')
mkdir "$T/data" "$T/tmp"
cat >"$T/config.xml" <<END
<yandex>
 <logger><level>warning</level><log>$T/log</log><errorlog>$T/errors</errorlog></logger>
 <http_port>$port</http_port><listen_host>127.0.0.1</listen_host>
 <path>$T/data/</path><tmp_path>$T/tmp/</tmp_path>
 <users_config>users.xml</users_config><default_profile>default</default_profile>
 <default_database>default</default_database><mark_cache_size>5368709</mark_cache_size>
</yandex>
END
cat >"$T/users.xml" <<'END'
<yandex>
 <profiles><default><max_memory_usage>1000000000</max_memory_usage></default></profiles>
 <users><default><password></password><networks><ip>127.0.0.1</ip></networks>
  <profile>default</profile><quota>default</quota></default></users>
 <quotas><default></default></quotas>
</yandex>
END
(cd "$T" && exec clickhouse-server --config-file=config.xml) >"$T/server" 2>&1 &
server=$!
undo "kill $server; wait $server"

# ask [PARAMETERS]: the statement on stdin, its answer in $T/answer
ask()
{
	curl -sS --max-time 60 --noproxy '*' "http://127.0.0.1:$port/?${1:-}" --data-binary @- >"$T/answer"
	! grep -q '^Code: ' "$T/answer"
}
for ((i = 0; i < 200; i++)); do
	echo 'SELECT 1' | ask 2>/dev/null && grep -qx 1 "$T/answer" && break
	sleep 0.1
done
ok 'the server answers' grep -qx 1 "$T/answer" || cat "$T/server" "$T/errors" | tail -n 5 | sed 's/^/# /'

# rows: what --upload-body json sends of each receipt of a folder
"$top/tests/fleet/make-fleet" "$top/tests/golden/baseline.json" "$T/fleet" 120 4
"$IORECEIPT" keygen "$T/key" >/dev/null 2>&1
run "$IORECEIPT" sign --key "$T/key" "$T"/fleet/*.json
for f in "$T"/fleet/*.json; do
	printf '{"jws":"%s",' "$(cat "${f%.json}.jws")"
	tail -c +2 "$f"
done >"$T/rows"
ask <"$sql/clickhouse-table.sql"
ok 'the table' test ! -s "$T/answer" || cat "$T/answer" | head -c 500 | sed 's/^/# /'
insert='query=INSERT%20INTO%20receipts(row)%20FORMAT%20CSV&format_csv_delimiter=%01'
ask "$insert" <"$T/rows"
ok 'the rows go in' test ! -s "$T/answer"
head -n 20 "$T/rows" | ask "$insert"
ok 'some go in twice' test ! -s "$T/answer"
echo 'SELECT row FROM receipts FINAL ORDER BY jti FORMAT TSVRaw' | ask
ok 'each comes out as it went in, once' sh -c 'sort "$1" >"$1.a"; sort "$2" >"$2.b"; cmp "$1.a" "$2.b"' - "$T/rows" "$T/answer"
head -n 1 "$T/answer" >"$T/row.json"
run "$IORECEIPT" verify "$T/row.json"
is "$rc" 0 'and its signature is good'

digest=$(jq -r .plan.digest "$T/fleet/r000000.json")
sed "s/DIGEST/$digest/" "$sql/clickhouse-compare.sql" | ask default_format=JSON
ok 'the comparison' jq -e '.rows == 16' "$T/answer" || head -c 500 "$T/answer" | sed 's/^/# /'
run "$IORECEIPT" compare --by label --as json "$T/fleet"
ok 'figures of the database are those of compare' python3 - "$T/answer" "$T/out" <<'END'
import json, sys
rows = json.load(open(sys.argv[1]))["data"]
mine = {}
for m in json.load(open(sys.argv[2]))["metrics"]:
    for c in m["cells"]:
        mine[m["name"].replace(".median", ""), c["group"]] = c["figures"].get("figure")
columns = {"read_iops": "read.iops", "read_lat_p99": "read.lat.p99",
           "write_iops": "write.iops", "write_lat_p99": "write.lat.p99",
           "commit_lat_p99": "commit.lat.p99"}
seen = 0
for row in rows:
    assert int(row["receipts"]) == 30, row
    for column, metric in columns.items():
        want = mine.get((row["window"] + "." + metric, row["label"]))
        got = row[column]
        assert (want is None) == (got is None), (row, metric)
        if want is not None:
            assert abs(float(got) - want) <= 0.001, (row, metric, want)
            seen += 1
assert seen == 4 * (2 + 2 + 4 + 3), seen
END
done_testing
