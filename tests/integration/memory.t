#!/bin/bash
# What a run of the default suite needs: the measuring process at most 1.5 MiB,
# all of it a memory group of 12 MiB, and no page at all inside a window.
#
# twice: a peak
. "$(dirname "$0")/lib.sh"
need jq

# peak_of NAME PID: the most that PID's child of this name ever held, in KiB. The
# kernel's own mark is a rough one once memory was given back: the greatest of
# all that it told.
peak_of()
{
	local name=$1 child='' now peak=0
	while alive "$2"; do
		sleep 0.02
		[[ -n $child ]] || child=$(pgrep -x -P "$2" "$name")
		now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/${child:-none}/status" 2>/dev/null)
		((${now:-0} <= peak)) || peak=$now
	done
	echo "$peak"
}

no_faults='[.windows[].cpu.minor_faults] | length == 6 and all(. == 0)'

start "$T" --size 256M --runtime 500ms
peak=$(peak_of ioreceipt-io "$pid")
finish
is "$rc" 0 'a run of the default suite'
diag "the measuring process held at most $peak KiB"
ok 'its measuring process was seen, and held at most 1.5 MiB' test "$((peak > 0 && peak <= 1536))" = 1
holds "$no_faults" 'no page was faulted in inside a window'

cgroup memory
echo 12M >"$cg/memory.limit_in_bytes"
WRAP=("${in_group[@]}" "$cg")
measure "$T" --size 64M --runtime 500ms
is "$rc" 0 'the same in a memory group of 12 MiB'
holds .complete 'complete'
holds "$no_faults" 'no page was faulted in there, either'
diag "the group held at most $(cat "$cg/memory.max_usage_in_bytes") bytes," \
	"$(cat "$cg/memory.failcnt") times at its limit"
done_testing
