#!/bin/bash
# What the target lies on and what of it could be set otherwise: memory, btrfs, a
# scheduler for disks that turn, a mount that writes the time of each read.
#
# twice: others on the disk or the CPUs change what is found
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need root jq losetup
tiny=(--job 'name=one rw=randread bs=4k size=4M iodepth=1 time_based=1 runtime=1' --runtime 300ms)

memory_disk ram 2G
measure "$mnt" "${tiny[@]}" --allow-memory-backed
is "$rc" 0 'complete in memory, which was allowed'
found memory-backed '.level == "warning"' 'memory is named'
absent cache-suspected 'nobody has to suspect it'

if command -v mkfs.btrfs >/dev/null; then
	disk b 4G btrfs
	measure "$mnt" "${tiny[@]}"
	is "$rc" 0 'complete on btrfs'
	found nocow-target '.level == "note"' 'the target is NOCOW'
fi

MOUNT=(-o strictatime)
disk s 2G ext4
if grep -qw bfq "/sys/block/${loop#/dev/}/queue/scheduler"; then
	echo 0 >"/sys/block/${loop#/dev/}/queue/rotational"
	echo bfq >"/sys/block/${loop#/dev/}/queue/scheduler"
	scheduler=bfq
else
	scheduler=
fi
measure "$mnt" "${tiny[@]}"
is "$rc" 0 'complete on a loop device'
found atime '.level == "note" and (.command | startswith("mount -o remount,noatime"))' \
	'atime, and what changes it'
if [[ $scheduler ]]; then
	found scheduler ".command == \"echo none > /sys/block/${loop#/dev/}/queue/scheduler\"" \
		'bfq, and what changes it'
	eval "$(field '.findings[] | select(.code == "scheduler").command')"
	measure "$mnt" "${tiny[@]}"
	absent scheduler 'the command does what it says'
fi
mount -o remount,noatime "$mnt"
measure "$mnt" "${tiny[@]}"
absent atime 'and so does the other'
rechecked 'a place'
done_testing
