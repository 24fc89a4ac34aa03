#!/bin/bash
# The I/Os of the receipt are the I/Os that were made: strace counts them.
#
# twice: strace on a busy machine leaves few I/Os to compare
. "$(dirname "$0")/lib.sh"
need jq strace

D=$T/disk
mkdir "$D"
# A file for each process, so that no line is cut in two.
count() { cat "$T"/trace.* | grep -c "$1"; }

WRAP=(strace -ff --seccomp-bpf -qq -o "$T/trace" -e trace=io_submit,io_getevents,pwrite64,pread64,fdatasync,fsync)
measure "$D" --reap syscall --job 'name=a rw=randrw bs=4k size=4M iodepth=32 time_based=1 runtime=1' \
	--job 'name=b rw=randread bs=4k size=4M iodepth=1 number_ios=500'
is "$rc" 0 'a run under strace'
is "$(count 'io_submit(.* = 1$')" "$(field '[.windows[] | (.read.ios // 0) + (.write.ios // 0)] | add')" \
	'calls of io_submit = I/Os of the receipt'
is "$(count "^io_submit(")" "$(count 'io_submit(.* = 1$')" 'one I/O each'
rm -f "$T"/trace.*
measure "$D" --job 'name=s rw=randwrite bs=8k size=4M ioengine=psync fdatasync=1 time_based=1 runtime=1'
is "$rc" 0 'a psync run under strace'
is "$(count "^fdatasync(")" "$(field '.windows[0].sync.lat_ns.n')" 'calls of fdatasync = syncs of the receipt'
is "$(count 'pwrite64(.*, 8192, .* = 8192$')" "$(field '.windows[0].write.ios')" \
	'calls of pwrite = writes of the receipt'
WRAP=()
done_testing
