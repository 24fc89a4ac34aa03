#!/bin/bash
# A disk that does not answer for a second: p99.9 does not know of it.
#
# twice: others on the disk or the CPUs change what is found
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need root jq chrt

fault_disk late 4G iops=2000
# whatever else runs here shall not be what holds it up
chrt -f -p 1 "$fault"
WRAP=(chrt -f 1)
start "$mnt" --job 'name=one rw=randread bs=4k size=4M iodepth=1 time_based=1 runtime=3'
wait_until 5 said 'one' && sleep 1
kill -STOP "$fault" && sleep 1.2 && kill -CONT "$fault"
finish 20
is "$rc" 0 'complete, though late'
found stall '.level == "warning" and (.figures.longest_ns | . > 1e9 and . < 2e9)' 'a stall of 1.2 s'
absent_unless_disturbed rate-limited 'which is no limit'
absent_unless_disturbed neighbour 'and no neighbour'
rechecked 'a stall'
done_testing
