#!/bin/bash
# D9: a disk held to 200 reads a second, one I/O at a time: I/Os wait for the
# throttle's next slice of 100 ms, which a median does not show. p99.9 is what
# so few samples carry badly.
#
# twice: others on the disk or the CPUs change what is found
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need root jq chrt
mkdir "$T/disk"
device=$(device_of "$T/disk")

limited 200
# Others on the same disk share what is let through: a quiet moment of three.
for _ in 1 2 3; do
	measure "$T/disk" --job 'name=deep rw=randread bs=4k size=64M iodepth=32 time_based=1 ramp_time=1 runtime=12'
	jq -e '(.windows[0].read.iops | . > 196 and . < 204) and
		(.findings | any(.code == "cap"))' "$R" >/dev/null && break
done
is "$rc" 0 'complete'
rate 200
found_unless_disturbed cap '.level == "warning" and .figures.round_iops == 200' 'a cap of 200'
holds '.windows[0].read.lat_ns.n | . < 10000' 'few samples'
found few-samples '.figures.few + .figures.withheld > 0' 'are named'
# what else wants the CPU would blur the slices
WRAP=(chrt -f 1 "${WRAP[@]}")
measure "$T/disk" --job 'name=one rw=randread bs=4k size=64M iodepth=1 time_based=1 runtime=2'
is "$rc" 0 'complete, one at a time'
found slice-throttle '.level == "warning" and .figures.slice_ms == 100' 'slices of 100 ms'
rechecked 'slices'
done_testing
