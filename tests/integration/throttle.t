#!/bin/bash
# Known caps on the real disk: a control group that allows 3,000 or 20,000 reads
# a second. The IOPS of a window are the cap's; the median of the reads does not
# show it, as few reads wait, but the median moment does: time-weighted, half of
# the time is spent in reads that wait for the next slice.
#
# The kernel hands out reads by slices of up to 0.1 s. The first slice is a burst
# and falls into the ramp; the window may begin and end anywhere in a slice, so
# that it has up to one too many or too few: 1.3 % of 8 s.
#
# twice: rates on a shared disk
. "$(dirname "$0")/lib.sh"
need root jq
D=$T/disk
mkdir "$D"
device=$(device_of "$D")

# group: a control group, of whichever version has the controller; sets cg.
group()
{
	local root=/sys/fs/cgroup
	if [[ -e $root/blkio/cgroup.procs ]]; then
		cgroup blkio
		return
	fi
	grep -qw io "$root/cgroup.controllers" 2>/dev/null || skip_all 'needs a cgroup with io'
	grep -qw io "$root/cgroup.subtree_control" ||
		echo +io >"$root/cgroup.subtree_control" || skip_all 'cannot use the io controller'
	cg=$root/ioreceipt-test-$$
	mkdir "$cg" || skip_all 'cannot make a cgroup'
	undo "settle rmdir $cg"
}

# allow READS: a second
allow()
{
	if [[ -e $cg/io.max ]]; then
		echo "$device riops=$1" >"$cg/io.max"
	else
		echo "$device $1" >"$cg/blkio.throttle.read_iops_device"
	fi
}

# reads NAME DEPTH [WORDS]: a window; the line says what it found
reads()
{
	measure "$D" --job "name=$1 rw=randread bs=4k size=64M iodepth=$2 time_based=1 ${3:-runtime=2}"
	is "$rc" 0 "$1: complete"
	diag "$1: $(jq -r '.windows[0].read | "\(.iops) IOPS; lat p50 \(.lat_ns.p50 / 1e6) p99 \(
		.lat_ns.p99 / 1e6) mean \(.lat_ns.mean / 1e6) ms, time-weighted p50 \(
		.lat_ns.tw_p50 / 1e6) ms"' "$R")"
}

# capped NAME DEPTH READS: the same under a cap
capped()
{
	allow "$3" || skip_all 'cannot set a cap'
	WRAP=("${in_group[@]}" "$cg")
	reads "$1" "$2" 'ramp_time=1 runtime=8'
	WRAP=()
	holds ".windows[0].read.iops / $3 | . > 0.98 and . < 1.02" "$1: within 2 % of the cap"
	holds '.windows[0].read.lat_ns | .mean / .p50 > 2 and .tw_p50 / .p50 > 20' \
		"$1: the time-weighted median shows the stalls"
	holds ".target.limits | any(.riops == $3)" "$1: the receipt names the limit"
}

# below READS WANTED: a cap that the disk would exceed by far when left alone
below()
{
	if (($2 * 3 / 2 < $1)); then
		echo "$2"
	else
		echo $(($1 / 3))
	fi
}

group
reads free-qd1 1
free1=$(field '.windows[0].read.iops | floor')
reads free-qd32 32
free32=$(field '.windows[0].read.iops | floor')
holds '.windows[0].read.lat_ns | .tw_p50 / .p50 < 20' 'free: no such stalls'
capped cap-qd1 1 "$(below "$free1" 3000)"
capped cap-low 32 "$(below "$free32" 3000)"
capped cap-high 32 "$(below "$free32" 20000)"
done_testing
