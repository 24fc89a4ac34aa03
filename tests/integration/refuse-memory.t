#!/bin/bash
# Fail closed: a target in memory is refused, however deep it is hidden.
. "$(dirname "$0")/lib.sh"
need root losetup mkfs.ext4 jq

# refused NAME REGEX: the directory $mnt is refused with exit code 2, and
# nothing was touched.
refused()
{
	local before
	before=$(ls -A "$mnt"; stat -c %Y "$mnt")
	measure "$mnt" "${ONE[@]}"
	is "$rc" 2 "$1: exit code 2" || tail -n 3 "$T/err" | sed 's/^/# /'
	like "$T/err" "$2" "$1: the reason"
	is "$(ls -A "$mnt"; stat -c %Y "$mnt")" "$before" "$1: nothing was touched"
	holds '.complete == false and (.incomplete | length > 0) and (has("windows") and (.windows | length > 0) | not)' \
		"$1: --out holds a refusal"
	rm -f "$R"
	run "$IORECEIPT" run --dir "$mnt" "${ONE[@]}" --no-sign
	is "$rc" 2 "$1: without --out: exit code 2"
}
cd "$T" || exit 1

mount_at tmpfs tmpfs -t tmpfs -o size=3g
refused tmpfs 'tmpfs|memory'
mkdir -p "$mnt/upper" "$mnt/work" "$T/lower"
mount_at overlay overlay -t overlay -o "lowerdir=$T/lower,upperdir=$T/tmpfs/upper,workdir=$T/tmpfs/work"
refused 'overlay with its upper directory on tmpfs' 'tmpfs|memory'

truncate -s 2500M "$T/tmpfs/file.img"
mkfs.ext4 -q -F "$T/tmpfs/file.img" >"$T/.mkfs" 2>&1
attach "$T/tmpfs/file.img"
mount_at loop-on-tmpfs "$loop"
refused 'a loop file on tmpfs' 'tmpfs|memory'

# Two floors: a loop file on ext4 on a loop file on tmpfs.
truncate -s 2300M "$mnt/inner.img"
mkfs.ext4 -q -F -E nodiscard "$mnt/inner.img" >"$T/.mkfs" 2>&1
attach "$mnt/inner.img"
mount_at loop-on-loop "$loop"
refused 'a loop file on a loop file on tmpfs' 'tmpfs|memory'

mount_at ramfs ramfs -t ramfs
refused ramfs 'ramfs|memory'
memory_disk zram 4G
refused zram 'zram|memory'

# A bind mount and a symlink do not hide it.
mount_at bind "$T/tmpfs" --bind
refused 'a bind mount of tmpfs' 'tmpfs|memory'
ln -s "$T/tmpfs" "$T/link"
mnt=$T/link
refused 'a symlink to tmpfs' 'tmpfs|memory'

ls -A "$T" | grep -E '^ioreceipt-.*json' >"$T/.found"
ok 'no receipt was written without --out' not test -s "$T/.found"

# Asked for in words, it runs, and says so.
measure "$T/zram" "${ONE[@]}" --allow-memory-backed
holds '.target.backing == "memory"' '--allow-memory-backed: backing is memory'
ok '--allow-memory-backed: the result fits together' consistent "$T/zram"

# An overlay on a disk is no memory.
mkdir -p "$T/up" "$T/wk"
mount_at overlay-on-disk overlay -t overlay -o "lowerdir=$T/lower,upperdir=$T/up,workdir=$T/wk"
measure "$mnt" "${ONE[@]}"
is "$rc" 0 'an overlay whose upper directory is on a disk runs' || tail -n 3 "$T/err" | sed 's/^/# /'
holds '.target.backing != "memory"' 'and is not called memory'
done_testing
