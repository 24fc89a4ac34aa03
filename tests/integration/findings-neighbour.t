#!/bin/bash
# A disk that somebody else slows down at intervals, without its ever standing
# still: nothing on this machine explains the slow seconds.
#
# twice: others on the disk or the CPUs change what is found
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need root jq chrt

fault_disk shared 4G iops=2000
# whatever else runs here shall not be what slows it down
chrt -f -p 1 "$fault"
WRAP=(chrt -f 1)
# a tenth of the time it answers, for 1 s in 4
start "$mnt" --job 'name=one rw=randread bs=4k size=4M iodepth=1 time_based=1 runtime=12'
wait_until 5 said 'one'
for _ in 1 2 3; do
	sleep 3
	for _ in {1..20}; do
		kill -STOP "$fault" && sleep 0.045
		kill -CONT "$fault" && sleep 0.005
	done
done
finish 20
is "$rc" 0 'complete, though slowed'
diag "$(field '.windows[0].series.read_ios | map(tostring) | join(" ")')"
diag "$(field "[.findings[].code] | join(\" \")")"
found_unless_disturbed neighbour '.level == "warning" and .figures.worst_second_pct < 50' \
	'a neighbour at intervals'
absent stall 'it never stood still'
done_testing
