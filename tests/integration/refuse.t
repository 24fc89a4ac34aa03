#!/bin/bash
# The guard refuses (exit code 2), says why with the figures, touches nothing.
# D1, D2, D3 and the limits.
. "$(dirname "$0")/lib.sh"
need root losetup mkfs.ext4 mksquashfs jq setpriv

state() { find "$1" -xdev -printf '%p %m %s %T@\n' 2>/dev/null | sort; }

# refused DIR NAME REGEX [OPTION...]
refused()
{
	local dir=$1 name=$2 regex=$3 before
	shift 3
	before=$(state "$dir")
	(($#)) || set -- "${ONE[@]}"
	measure "$dir" "$@"
	is "$rc" 2 "$name: exit code 2" || tail -n 3 "$T/err" | sed 's/^/# /'
	like "$T/err" "$regex" "$name: the reason"
	is "$(state "$dir")" "$before" "$name: nothing was touched"
	holds '.complete == false and (.incomplete | length > 0)' "$name: --out holds a refusal"
	unlike "$T/out" 'IOPS|MiB/s' "$name: no figure on stdout"
}

# D2: too little space, two ways; the mount that was judged is named.
disk small 1900M ext4 -m 0
small=$mnt
refused "$small" 'too little space' "$small" "${QUICK[@]}"
like "$T/err" '[0-9.]+ ?[GM]i?B.*[0-9.]+ ?[GM]i?B' 'too little space: both figures'
like "$T/err" '2(\.0+)? ?GiB|2048 ?MiB' 'the suite never runs below 2 GiB'
disk root-only 4G ext4 -m 50
refused "$mnt" 'space that only root may have' "$mnt" "${ONE[@]}" --size 2G
ln -s "$small" "$T/looks-elsewhere"
measure "$T/looks-elsewhere" "${QUICK[@]}"
is "$rc" 2 'a symlink to another mount: judged where it leads'
like "$T/err" "$small" 'and the mount is named'

# D3
disk big 4G ext4
mkdir "$mnt/sub"
MOUNT=(-o ro)
mount_at read-only "$loop" -o ro 2>/dev/null
mount --bind "$T/big" "$T/read-only" && mount -o remount,ro,bind "$T/read-only"
undo "umount '$T/read-only'"
MOUNT=()
refused "$T/read-only" 'a read-only mount' 'read-only'
refused "$T/none" 'no such directory' 'no such'
: >"$T/file"
refused "$T/file" 'a file' 'not a directory'
mkfifo "$T/fifo"
refused "$T/fifo" 'a fifo' 'not a directory'
refused "$loop" 'a block device' 'not a directory'
ln -s nowhere "$T/dangling"
refused "$T/dangling" 'a dangling symlink' 'no such'
mkdir -m 755 "$T/big/other"
chmod 755 "$T" "$T/big"
WRAP=(setpriv --reuid 65534 --regid 65534 --clear-groups)
cp "$IORECEIPT" "$T/ioreceipt" && chmod 755 "$T/ioreceipt"
before=$(state "$T/big/other")
run "${WRAP[@]}" "$T/ioreceipt" run --dir "$T/big/other" "${ONE[@]}" --no-sign --out -
is "$rc" 2 'no permission: exit code 2'
like "$T/err" 'permission' 'no permission: the reason'
is "$(state "$T/big/other")" "$before" 'no permission: nothing was touched'
WRAP=()

# RLIMIT_FSIZE
WRAP=(prlimit --fsize=8388608)
refused "$T/big" 'RLIMIT_FSIZE below the size' 'RLIMIT_FSIZE|ulimit|file size'
WRAP=()

# D1: async I/O slots used up
old=$(cat /proc/sys/fs/aio-max-nr)
undo "echo $old >/proc/sys/fs/aio-max-nr"
echo 16 >/proc/sys/fs/aio-max-nr
refused "$T/big" 'async I/O slots used up' 'aio-max-nr.*16|16.*aio-max-nr'
like "$T/err" 'aio-nr' 'the value in use is named too'
echo "$old" >/proc/sys/fs/aio-max-nr

# Filesystems that cannot serve.
mksquashfs "$here/data" "$T/s.sqfs" -quiet -no-progress >"$T/.sq" 2>&1
mount_at squash "$T/s.sqfs" -t squashfs -o loop,ro
refused "$mnt" squashfs 'squashfs|read-only'
disk journal 4G ext4
umount "$mnt" && mount -o data=journal "$loop" "$mnt"
refused "$mnt" 'ext4 with data=journal' 'data=journal'

# Buffers: numjobs x iodepth x bs over what the memory allows.
measure "$T/big" --job 'rw=randread bs=4M iodepth=1024 numjobs=64 size=64M runtime=1 time_based=1'
is "$rc" 2 'buffers larger than the memory allows: exit code 2'
like "$T/err" 'memory|buffer' 'buffers: the reason'
done_testing
