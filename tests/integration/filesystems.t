#!/bin/bash
# D7, D10: sectors of 4096 bytes, xfs with blocks of 16 KiB, btrfs, small files.
. "$(dirname "$0")/lib.sh"
need root jq mkfs.xfs mkfs.btrfs losetup

LOSETUP=(--sector-size 4096)
disk sectors 4G ext4
LOSETUP=()
measure "$mnt" "${QUICK[@]}"
is "$rc" 0 'sectors of 4096 bytes: complete' || tail -n 3 "$T/err" | sed 's/^/# /'
holds '.target.dio_align_bytes == 4096' 'the alignment is stated'
holds '.target.filesystem == "ext4"' 'filesystem'
holds '[.target.stack[].layer] | index("loop") != null' 'the loop device is in the stack'
holds '[.target.stack[] | select(.logical_block_bytes == 4096)] | length > 0' 'the logical block is in the stack'
clean_dir "$mnt" 'nothing is left'
measure "$mnt" --job 'rw=randread bs=512 size=1M runtime=1 time_based=1'
ok 'blocks of 512 bytes there: refused in words, no figure' test "$rc" = 2 -o "$rc" = 64 -o "$rc" = 3
like "$T/err" '4096|4 KiB' 'the alignment is named'
ok 'and the outcome fits together' test "$rc" = 64 -o -e "$R"

disk xfs 4G xfs -b size=16k
measure "$mnt" "${QUICK[@]}"
is "$rc" 0 'xfs with blocks of 16 KiB: complete' || tail -n 3 "$T/err" | sed 's/^/# /'
holds '.target.filesystem == "xfs" and .target.dio_align_bytes > 0' 'stated'
clean_dir "$mnt" 'nothing is left'

# btrfs with checksums: buffered by the kernel from 6.14, so NOCOW (no
# checksums) or a refusal; never a silent figure of the page cache.
MOUNT=(-o compress=zstd)
disk btrfs 6G btrfs
MOUNT=()
moved() { awk '{ print $7 + $3 }' "/sys/block/${loop#/dev/}/stat"; }
before=$(moved)
measure "$mnt" "${QUICK[@]}"
after=$(moved)
if [[ $rc == 0 ]]; then
	ok 'btrfs: complete' true
	holds '.target.nocow == true' 'the target is NOCOW, and the receipt says so'
	ios=$(field '[.windows[] | (.read.bytes // 0) + (.write.bytes // 0)] | add')
	ok 'the I/Os reached the device' test $(((after - before) * 512)) -ge "$ios"
else
	is "$rc" 2 'btrfs: refused'
fi
clean_dir "$mnt" 'nothing is left'
measure "$mnt" "${ONE[@]}" --keep-cow
if [[ $rc == 0 ]]; then
	holds '.target.nocow != true' '--keep-cow: copy on write is kept and said'
	holds '[.windows[].device.read_bytes] | add > 0' '--keep-cow: the device was read'
else
	is "$rc" 2 '--keep-cow on a kernel that buffers it: refused'
	like "$T/err" 'buffer|checksum|direct' 'and told why'
fi
measure "$mnt" --job 'rw=randread bs=4k size=3G runtime=1 time_based=1'
is "$rc" 2 'btrfs: twice the size is wanted'
done_testing
