#!/bin/bash
# An empty chroot with nothing but the binary and a directory; 12 MiB of memory.
. "$(dirname "$0")/lib.sh"
need root jq chroot

mkdir -p "$T/root/d"
cp "$IORECEIPT" "$T/root/ioreceipt"
run chroot "$T/root" /ioreceipt run --dir /d --out /d/r.json --no-sign "${QUICK[@]}"
is "$rc" 0 'an empty chroot: complete' || tail -n 5 "$T/err" | sed 's/^/# /'
cp "$T/root/d/r.json" "$R" && valid_receipt "$R"
holds '.target.backing == "unknown"' 'what is below is unknown'
holds '[.host, .target | .. | select(. == 0 or . == "")] | length == 0' 'facts are absent, not zero'
holds '.host | has("cpu_model") or has("dmi_vendor") or has("os") | not' 'what only files tell is absent'
holds '[.windows[].cpu | has("steal_pct")] | any | not' 'steal is absent'
holds '[.windows[].read.ios // 1] | all(. > 0)' 'but measured it has'
rm -f "$T/root/d/r.json"
is "$(ls -A "$T/root/d")" '' 'nothing is left'
run chroot "$T/root" /ioreceipt show /none
is "$rc" 66 'show works there'

cgroup memory
echo 12582912 >"$cg/memory.limit_in_bytes"
D=$T/disk
mkdir "$D"
WRAP=("${in_group[@]}" "$cg")
measure "$D" --size 64M --runtime 500ms
WRAP=()
is "$rc" 0 'the whole run in a memory cgroup of 12 MiB' || tail -n 5 "$T/err" | sed 's/^/# /'
holds .complete 'complete'
diag "peak $(cat "$cg/memory.max_usage_in_bytes") bytes, limit met $(cat "$cg/memory.failcnt") times"
like "$cg/memory.oom_control" 'oom_kill 0' 'nobody was killed'

start "$D" --size 16M --job 'name=q rw=randread bs=4k iodepth=32 time_based=1 runtime=2'
wait_until 10 said 'window 1[/ ]|\b1/1|\b1 of 1'
sleep 1
worker=$(pgrep -P "$pid")
peak=$(awk '/VmHWM/ { print $2 }' "/proc/$worker/status")
rss=$(awk '/VmHWM/ { print $2 }' "/proc/$pid/status")
finish
ok 'the worker needs at most 1.5 MiB' test "${peak:-9999}" -le 1536
diag "worker $peak KiB, parent $rss KiB"
done_testing
