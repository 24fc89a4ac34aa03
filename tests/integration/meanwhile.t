#!/bin/bash
# What else went on in a window: steal by a /proc/stat that says what we want,
# also when it lies; reads that a cache answered; reads of others; pressure.
#
# twice: others read the same disk
. "$(dirname "$0")/lib.sh"
need root jq unshare losetup mkfs.ext4
JOB=(--job 'name=one rw=randread bs=4k size=16M iodepth=4 time_based=1 runtime=3')
FIELDS='[.cpu | .steal_pct, .steal_worst_cpu_pct, .steal_worst_second_pct, (.steal_series_pct // [])[]]'
stat=$T/stat
# over /proc/stat, for the command alone
WRAP=(unshare -m sh -c 'mount --bind "$0" /proc/stat && exec "$@"' "$stat")

# line NAME IDLE STEAL: one of /proc/stat, always as long
line()
{
	printf '%-5s %019d 0 0 %019d 0 0 0 %019d 0 0\n' "$1" 100 "$2" "$3"
}

# tell IDLE STEAL: of each of two CPUs, in place
tell()
{
	{
		line cpu $((2 * $1)) $((2 * $2))
		line cpu0 "$1" "$2"
		line cpu1 "$1" "$2"
		echo 'intr 5'
	} | dd of="$stat" conv=notrunc status=none bs=4096
}

# A hypervisor that takes 30 ticks of 100, once a second: 30 % on the whole.
tell 1000 500
(
	idle=1000 steal=500
	while sleep 0.1; do
		idle=$((idle + 7)) steal=$((steal + 3))
		tell $idle $steal
	done
) &
writer=$!
undo "kill $writer; wait $writer"
measure "$T" "${JOB[@]}"
is "$rc" 0 'a machine that loses 30 % of its CPUs: complete' || tail -n 3 "$T/err" | sed 's/^/# /'
holds '.windows[0].cpu | [.steal_pct, .steal_worst_cpu_pct, .steal_worst_second_pct] | all(. > 25 and . < 35)' \
	'steal on the whole, of the worst CPU, in the worst second'
holds '.windows[0].cpu | .steal_interval_ns == 1000000000 and (.steal_series_pct | length == 3)' 'each second'
holds '.windows[0].cpu.steal_series_pct | all(. > 25 and . < 35)' 'of about 30 %'
diag "$(jq -c '.windows[0].cpu | {steal_pct, steal_worst_cpu_pct, steal_worst_second_pct, steal_series_pct}' "$R")"
kill $writer
wait $writer 2>/dev/null

# lies NAME: what stands in $stat tells no steal
lies()
{
	measure "$T" "${JOB[@]}"
	is "$rc" 0 "$1: complete"
	holds ".windows[0] | $FIELDS | all(. == null)" "$1: no steal is told"
}
tell 1000 500
lies 'a stat that stands still'
printf 'cpu  1 2 3 4\ncpu0 1 2 3 4\n' >"$stat"
lies 'four columns'
tell 1000 500
(sleep 1.5 && tell 10 5) &
lies 'a stat that runs backwards'
wait
tell 1000 500
(sleep 1.5 && tell 1000000000000000000 600) &
lies '10^18 ticks'
wait
: >"$stat"
lies 'an empty one'
WRAP=()

# what tasks waited for
if [[ -r /proc/pressure/io ]]; then
	measure "$T" "${JOB[@]}"
	holds '.windows[0].pressure | [.cpu_some_ns, .io_some_ns, .memory_some_ns] | all(. >= 0 and . <= 4e9)' \
		'pressure over the window'
fi

# a loop device through the page cache: the disk does not see all reads
image cached 2G ext4
attach "$img" && mount_at cached "$loop"
# cached: what others read meanwhile stands for some that are missing, so the
# best of four tries
cached()
{
	local try
	for try in 1 2 3 4; do
		measure "$mnt" "${JOB[@]}"
		jq -e '.windows[0] | .device.missing_read_bytes > .read.bytes / 2' "$R" && return
		diag "$(jq -c '.windows[0] | [.read.bytes, .device]' "$R")"
	done
	return 1
}
measure "$mnt" "${JOB[@]}"
is "$rc" 0 'a loop device through the page cache: complete' || tail -n 3 "$T/err" | sed 's/^/# /'
if [[ $(field '.windows[0].device.read_bytes // "none"') == none ]]; then
	diag 'no single disk is below: bytes are not told'
else
	ok 'its reads are missing on the disk' cached
	holds '.windows[0].device.read_wait_ns >= 0' 'the time of those that were there'
	# and those of another process
	dd if=/dev/zero of="$T/others" bs=1M count=64 oflag=direct status=none
	(
		for ((i = 0; i < 100; i++)); do
			dd if="$T/others" of=/dev/null bs=1M iflag=direct status=none
		done
	) &
	other=$!
	undo "kill $other; wait $other"
	measure "$T" "${JOB[@]}"
	holds '.windows[0].device | .other_read_bytes > 16e6 and .missing_read_bytes == 0' 'reads of others'
	holds '.windows[0] | .device.read_ios >= .read.ios' 'and requests'
	kill $other
fi
done_testing
