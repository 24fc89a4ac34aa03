#!/bin/bash
# A burst allowance as clouds give it: 3000 reads a second for 3 s, then 500.
# The mean of the window stands for neither.
#
# twice: others on the disk or the CPUs change what is found
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/findings.sh"
need root jq qemu-storage-daemon losetup

image burst 4G ext4 >/dev/null 2>&1
: >"$T/burst.fuse"
qemu-storage-daemon \
	--object throttle-group,id=t,x-iops-read=500,x-iops-read-max=3000,x-iops-read-max-length=3 \
	--blockdev "driver=file,node-name=file,filename=$img,aio=native,cache.direct=on" \
	--blockdev driver=throttle,node-name=slow,throttle-group=t,file=file \
	--export "type=fuse,id=e,node-name=slow,mountpoint=$T/burst.fuse,writable=on" \
	>"$T/.qemu" 2>&1 &
undo "umount -l '$T/burst.fuse'"
wait_until 5 mountpoint -q "$T/burst.fuse" || skip_all "qemu-storage-daemon: $(cat "$T/.qemu")"
fuse_disk burst $! "$T/burst.fuse"

measure "$mnt" --job 'name=deep rw=randread bs=4k size=16M iodepth=32 time_based=1 runtime=13'
is "$rc" 0 'complete'
diag "$(field '.windows[0].series.read_ios | map(tostring) | join(" ")')"
found burst '.level == "warning" and (.figures.before_iops | . > 2400 and . < 3300)' \
	'the first plateau'
found burst '.figures.after_iops | . > 480 and . < 520' 'the second plateau'
found burst '.figures.change_s | . >= 2 and . <= 5' 'the second of the change'
found burst '.text | contains("--suite sustained")' 'and where longer allowances are seen'
absent cap 'it is no flat rate'
rechecked 'a burst'
done_testing
