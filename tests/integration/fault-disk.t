#!/bin/bash
# D13 and real faulty devices: EIO in mid-window, EIO from the first read, no
# space on a disk that promised it, over quota, SIGXFSZ.
# twice: an emulated disk on a busy machine is slower than the stall limit
. "$(dirname "$0")/lib.sh"
need root jq losetup prlimit mkfs.btrfs

# incomplete NAME REGEX: exit code 3, the reason is in stderr and the receipt.
incomplete()
{
	[[ -z ${fault:-} ]] || kill -USR2 "$fault"
	is "$rc" 3 "$1: exit code 3" || tail -n 3 "$T/err" | sed 's/^/# /'
	holds '.complete == false and (.incomplete | length > 0)' "$1: not complete, with a reason"
	like "$T/err" "$2" "$1: said on stderr"
	field '.incomplete[] | "\(.what): \(.why)"' >"$T/why"
	like "$T/why" "$2" "$1: said in the receipt"
	clean_dir "$mnt" "$1: nothing is left"
}
no_figures() { holds '[.windows[]? | .read.iops, .write.iops, .read.lat_ns.p50] | all(. == null)' "$1: no figure"; }

# EIO in mid-window by qemu: one bad sector in each MiB of file data.
bad=()
for ((mib = 100; mib < 4000; mib++)); do
	((mib % 2048 < 100)) || bad+=('[inject-error]' 'event = "read_aio"' 'errno = "5"' 'once = "off"' 'iotype = "read"' \
		"sector = \"$((mib * 2048 + 616))\"")
done
qemu_disk qemu 4G "${bad[@]}"
fault=
measure "$mnt" "${QUICK[@]}"
incomplete 'qemu: bad sectors' 'I/O error|input/output error'
no_figures 'qemu: bad sectors'
unlike "$T/out" 'excellent|0\.000' 'qemu: no praise, no zero'

fault_disk f 4G wait eio:read:1+
start "$mnt" --size 16M --runtime 1s
wait_until 20 said 'window 3/6'
kill -USR1 "$fault"
finish
incomplete 'EIO after some windows' 'I/O error|input/output error'
n=$(field '[.windows[]? | select(.read.iops)] | length')
ok 'the windows before it keep their figures, the last has none' test "$n" -ge 1 -a "$n" -le 4
like "$T/out" 'incomplete|not complete|partial' 'the table says that it is not complete'
# From the first read of the target on, which is still in prepare.
fault_disk first 4G delay=30:write:1+ wait eio:read:1+
start "$mnt" "${QUICK[@]}"
wait_until 10 said 'prepare: writing'
kill -USR1 "$fault"
finish
incomplete 'EIO from the first read' 'I/O error|input/output error'
no_figures 'EIO from the first read'
unlike "$T/out" '0\.000|excellent|IOPS' 'no 0.000, no praise, no heading without a figure'

# A flush that fails: the filesystem may refuse the clean-up, too (5).
fault_disk flush 4G wait eio:sync:1
start "$mnt" --job 'name=s rw=randwrite bs=8k size=16M runtime=1 time_based=1 ioengine=psync fdatasync=1'
wait_until 10 said 'window 1/1'
kill -USR1 "$fault"
finish
ok 'EIO of a flush: exit code 3 or 5' test "$rc" = 3 -o "$rc" = 5
ok 'EIO of a flush: the outcome fits' consistent "$mnt"
like "$T/err" 'fdatasync.*I/O error' 'EIO of a flush: said'
no_figures 'EIO of a flush'
kill -USR2 "$fault"
fault=

# No space, promised by a sparse image on a small filesystem.
disk outer 150M ext4 -m 0
truncate -s 4G "$mnt/inner.img"
mkfs.ext4 -q -F -J size=4 -E nodiscard "$mnt/inner.img" >"$T/.mkfs" 2>&1
outer=$mnt
attach "$outer/inner.img" --direct-io=on
mount_at thin "$loop"
measure "$mnt" --size 256M --runtime 300ms
incomplete 'a thin disk' 'no space|ENOSPC'
no_figures 'a thin disk'
like "$T/why" '[0-9]' 'with figures: where it ended'
like "$T/err" '256' 'and what was promised'

fault_disk full 4G delay=30:write:1+ wait enospc:write:5+
start "$mnt" "${QUICK[@]}"
wait_until 10 said 'prepare: writing'
kill -USR1 "$fault"
finish
incomplete 'no space from some write on' 'no space|ENOSPC'
fault=
disk quota 6G btrfs
btrfs quota enable "$mnt" && btrfs subvolume create "$mnt/s" >"$T/.btrfs" &&
	btrfs qgroup limit 20M "$mnt/s"
mnt=$mnt/s
measure "$mnt" --size 64M --runtime 300ms
incomplete 'over quota' 'quota|no space' # btrfs says ENOSPC here
no_figures 'over quota'

# SIGXFSZ: the limit falls while we run.
D=$T/disk
mkdir "$D"
mnt=$D
start "$D" --job 'name=w rw=randwrite bs=4k size=16M iodepth=4 runtime=3 time_based=1'
wait_until 20 said 'window 1[/ ]|\b1/1|\b1 of 1'
sleep 0.2
prlimit --pid "$(pgrep -P "$pid")" --fsize=65536
finish
incomplete 'SIGXFSZ in a window' 'too large|EFBIG|RLIMIT_FSIZE'
done_testing
