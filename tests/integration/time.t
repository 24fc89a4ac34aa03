#!/bin/bash
# plan says how long a run will take: within 15 % on this disk and on one that
# does 60 IOPS and 2 MB/s, where writing the target takes longer than all
# windows. A run that has begun to write tells it, too, and --deadline ends one
# that takes too long.
#
# twice: seconds are estimated
. "$(dirname "$0")/lib.sh"
need root jq qemu-storage-daemon losetup
[[ -c /dev/fuse ]] || skip_all 'needs /dev/fuse'

# seconds TEXT: of "1 min 27 s", "9.5 s", "100 ms"
seconds()
{
	awk '{
		for (i = 1; i < NF; i += 2)
			sum += $i * ($(i + 1) ~ /^h/ ? 3600 : $(i + 1) ~ /^min/ ? 60 : $(i + 1) ~ /^ms/ ? 0.001 : 1)
		print sum
	}' <<<"$1"
}

# planned DIR OPTION...: sets plan, in seconds
planned()
{
	local dir=$1
	shift
	run "$IORECEIPT" plan --dir "$dir" "$@"
	plan=$(seconds "$(sed -n 's/^time *about \([0-9a-z. ]*[a-z]\)[:,(]* .*/\1/p' "$T/out" |
		sed 's/ of windows//')")
}

# holds_for NAME DIR OPTION...: plan and run
holds_for()
{
	local name=$1 dir=$2 began took
	shift 2
	planned "$dir" "$@"
	began=$(date +%s%N)
	LIMIT=120 measure "$dir" --allow-memory-backed "$@"
	took=$((($(date +%s%N) - began) / 1000000))
	is "$rc" 0 "$name: complete"
	diag "$name: planned $plan s, took $took ms"
	ok "$name: within 15 %" awk -v plan="$plan" -v took="$took" \
		'BEGIN { exit !(plan * 1000 < took * 1.15 && plan * 1000 > took * 0.85) }'
}

mkdir "$T/disk"
holds_for 'this disk' "$T/disk" --suite tuning --size 64M --runtime 3s

image slow 4G ext4 || skip_all 'no filesystem'
: >"$T/slow.fuse"
qemu-storage-daemon --object throttle-group,id=g,x-iops-total=60,x-bps-total=2000000 \
	--blockdev "driver=file,node-name=file,filename=$img" \
	--blockdev driver=throttle,node-name=slow,file=file,throttle-group=g \
	--export "type=fuse,id=e,node-name=slow,mountpoint=$T/slow.fuse,writable=on" \
	>"$T/.qemu" 2>&1 &
fault=$!
undo "umount -l '$T/slow.fuse'"
fuse_disk slow "$fault" "$T/slow.fuse"

holds_for 'a slow disk' "$mnt" --only 'qd[34]*' --size 18M --runtime 1500ms
like "$T/err" '^prepare: (1\.[6-9]|2\.[0-2]) MiB/s, [2-9] s more, then [3-5] s of windows$' \
	'which the run tells once it writes'
planned "$mnt" --size 18M --runtime 1500ms
like "$T/out" 'at 1\.[6-9] MiB/s, which is what' 'plan says at what rate'

LIMIT=30 measure "$mnt" --allow-memory-backed --size 32M --deadline 2s
is "$rc" 3 'a deadline while it writes'
like "$T/err" 'prepare: not done after 2 s \(--deadline\)' 'is told'
holds '(.complete | not) and .windows == []' 'no figure of it'
holds '.incomplete | any(.what == "prepare" and (.why | test("deadline")))' 'but why'
holds '.cleanup.lab_removed' 'and the lab is gone'
clean_dir "$mnt" 'nothing is left'

# a disk that cannot be read beforehand
mkdir "$T/null" && mount_at shm none -t tmpfs -o size=100M
planned "$mnt"
like "$T/out" 'of windows, and as long as writing the target takes' 'no rate without a disk'
like "$T/out" '^refused +.*in memory' 'it would be refused'
done_testing
