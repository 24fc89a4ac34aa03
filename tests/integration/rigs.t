#!/bin/bash
# The rigs themselves: a fault that does not happen would prove nothing, and a
# rig that leaves something behind would hurt the machine.
#
# twice: the rate of a rig
. "$(dirname "$0")/lib.sh"
need root losetup dd fio

# Each rig lives in a shell of its own below $T, so that its clean-up is seen.
mkdir "$T/rigs"
rig()
{
	TEST_DISK=$T/rigs timeout -k 5 40 bash -c '. "$1/lib.sh"; eval "$2"' "$0" "$here" "$1" >"$T/rig" 2>&1
}

ok 'qemu_disk: EIO at a sector' rig '
	qemu_disk q 256M "[inject-error]" "event = \"read_aio\"" "errno = \"5\"" \
		"sector = \"400000\"" "once = \"off\""
	not dd if=$loop of=/dev/null bs=512 skip=400000 count=8 iflag=direct &&
	dd if=$loop of=/dev/null bs=512 skip=300000 count=8 iflag=direct'
ok 'fault_disk: the N-th read fails, no other' rig '
	fault_disk f 256M wait eio:read:3
	dd if=/dev/zero of=$mnt/x bs=1M count=8 oflag=direct && kill -USR1 $fault && sleep 0.1 &&
	not dd if=$mnt/x of=/dev/null bs=4k iflag=direct &&
	grep -q "^2+0 records in" /proc/self/fd/0 <<<"$(dd if=$mnt/x of=/dev/null bs=4k iflag=direct count=2 2>&1)" &&
	dd if=$mnt/x of=/dev/null bs=4k iflag=direct'
ok 'fault_disk: one I/O of 32 is lost, the others go on, and can be healed' rig '
	fault_disk f 256M wait drop:read:500
	dd if=/dev/zero of=$mnt/x bs=1M count=16 oflag=direct && kill -USR1 $fault
	(sleep 4; kill -USR2 $fault) &
	fio --name=x --filename=$mnt/x --size=16M --rw=randread --bs=4k --ioengine=libaio \
		--direct=1 --iodepth=32 --time_based=1 --runtime=1 --output-format=json |
		jq -e ".jobs[0].read | .clat_ns.max > 3e9 and .total_ios > 3000"'
ok 'fault_disk: a limit of I/Os per second is exact' rig '
	fault_disk f 256M iops=2000
	fio --name=x --filename=$mnt/x --size=16M --rw=randread --bs=4k --ioengine=libaio \
		--direct=1 --iodepth=8 --time_based=1 --runtime=2 --output-format=json |
		jq -e ".jobs[0].read.iops | . > 1960 and . < 2040"'
ok 'fault_disk: no space on a disk that promised it' rig '
	fault_disk f 256M wait enospc:write:5+
	kill -USR1 $fault; sleep 0.1
	not dd if=/dev/zero of=$mnt/x bs=1M count=16 oflag=direct 2>$T/e && grep "No space" $T/e'
ok 'fault_disk: dead, and the shell ends without it' rig '
	fault_disk f 256M
	kill -STOP $fault
	(dd if=/dev/zero of=$mnt/x bs=1M count=16 oflag=direct & )
	sleep 0.5'
ok 'memory_disk' rig 'memory_disk z 256M && dd if=/dev/zero of=$mnt/x bs=1M count=8 oflag=direct'
ok 'disk: xfs, btrfs, sectors of 4096' rig '
	disk x 512M xfs -b size=16k
	disk b 512M btrfs
	LOSETUP=(--sector-size 4096)
	disk s 256M ext4
	not dd if=/dev/zero of=$mnt/x bs=512 count=1 oflag=direct'
ok 'cgroup: a limit of reads per second' rig '
	cgroup blkio
	echo "$(device_of $T) 500" >$cg/blkio.throttle.read_iops_device
	dd if=/dev/zero of=$T/x bs=1M count=16 oflag=direct
	"${in_group[@]}" $cg fio --name=x --filename=$T/x --size=16M --rw=randread --bs=4k \
		--ioengine=libaio --direct=1 --iodepth=8 --time_based=1 --runtime=2 \
		--output-format=json | jq -e ".jobs[0].read.iops | . > 480 and . < 520"'

sleep 0.3
ok 'nothing is left: mounts' not grep "$T/rigs" /proc/mounts
ok 'nothing is left: loop devices' not grep -r "$T/rigs" /sys/block/loop*/loop/backing_file
ok 'nothing is left: files' rmdir "$T/rigs"
done_testing
