#!/bin/bash
# What others on this machine do: I/O on the same disk, and a process that wants
# the same CPU. Both are named, and neither is called a neighbour.
#
# twice: others on the disk or the CPUs change what is found
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need root jq fio taskset
mkdir "$T/disk"
one='name=one rw=randread bs=4k size=64M iodepth=1 time_based=1 runtime=2'

fio --name=x --filename="$T/other" --size=64M --rw=randread --bs=64k --ioengine=libaio \
	--direct=1 --thread --iodepth=4 --rate=40M --time_based=1 --runtime=20 >/dev/null 2>&1 &
other=$!
undo "end_process $other"
wait_until 10 test -s "$T/other" && sleep 1
measure "$T/disk" --job "$one"
kill -INT "$other" && wait "$other" 2>/dev/null
is "$rc" 0 'complete beside the I/O of others'
found competing-io '.level == "warning" and .figures.others_pct > 20' 'I/O of others'
found competing-io '.figures.other_read_bytes | . > 40e6' 'about as much as there was'
absent neighbour 'it is ours, not a neighbour'
rechecked 'others'

timeout 8 taskset -c 0 sh -c 'while :; do :; done' &
measure "$T/disk" --job "$one" --cpu 0
kill $! && wait $! 2>/dev/null
is "$rc" 0 'complete beside a busy process'
found cpu-bound '.level == "warning" and .figures.wait_pct > 5' 'waits for the CPU'
found cpu-bound '.figures.others_cpu_pct > .figures.wait_pct' 'and who had it'
absent neighbour 'nor is that'
done_testing
