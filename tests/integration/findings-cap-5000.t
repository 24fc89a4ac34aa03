#!/bin/bash
# D9: a disk held to 5000 reads a second by a control group. The rate is right,
# and the receipt says that it is a limit, which one, and who set it.
#
# twice: others on the disk or the CPUs change what is found
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need root jq
mkdir "$T/disk"
device=$(device_of "$T/disk")

limited 5000
measure "$T/disk" --job 'name=deep rw=randread bs=4k size=64M iodepth=32 time_based=1 ramp_time=1 runtime=12'
is "$rc" 0 'complete'
rate 5000
found_unless_disturbed cap '.level == "warning" and .confidence == "likely" and .figures.round_iops == 5000' \
	'a cap of 5000'
found limits '.level == "warning" and .figures.riops == 5000' 'the control group is named'
found rate-limited '.level == "warning"' 'and I/O that waits its turn'
absent jitter 'the long tail is explained'
rechecked 'a cap'
done_testing
